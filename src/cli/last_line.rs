//! What stands where the bounds do not hold: a run that has no memory or no time left ends with exit code 3 and says so.
//!
//! Why: the budget of memory is an estimate, and a caller may give less than it. An allocation that fails aborts the
//! program, which looks like a fault of it; safe Rust cannot answer it otherwise. Here the abort becomes an exit; the
//! line that names the failed allocation is the standard library's own.
//!
//! Invariants: nothing here changes a result; a run that is killed by the system (the kernel or a container that is out
//! of memory) gets no chance to say anything.

use crate::exit::Exit;
use crate::output;
use intake::Limits;
use std::time::Duration;

/// How much more than the budget the program may take of the machine: it is an estimate, and not all of it is counted.
const OVER: u64 = 4;
/// What it may take at least.
const LEAST: u64 = 2 << 30;

/// Turns an allocation that fails into an exit, and bounds what is allocated by a multiple of the budget.
pub(crate) fn of_memory(limits: &Limits) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;
        let always = Arc::new(AtomicBool::new(true));
        let code = i32::from(Exit::Unreadable.code());
        // Without it the program aborts, as any other does.
        let _ = signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGABRT, code, always);
        let most = limits.memory.saturating_mul(OVER).max(LEAST);
        let mut limit = getrlimit(Resource::Data);
        if limit.current.is_none_or(|current| current > most) && limit.maximum.is_none_or(|maximum| maximum >= most) {
            limit.current = Some(most);
            // Where the system does not bound memory, the budget alone does.
            let _ = setrlimit(Resource::Data, limit);
        }
    }
    #[cfg(not(unix))]
    let _ = limits;
}

/// Ends a run that takes twice as long as its reading may. Threads are started: to be called when it is confined.
#[expect(clippy::exit, reason = "the thread that works cannot be asked to return, and no report is begun yet")]
pub(crate) fn of_time(limits: &Limits) {
    let Some(time) = limits.time else { return };
    let (seconds, most) = (time.seconds(), time.seconds().saturating_mul(2));
    let watch = move || {
        std::thread::sleep(Duration::from_secs(most));
        output::message(&format!(
            "casefile: the run was ended after {most} seconds: reading may take {seconds}, and the rest as long; raise --max-time, or leave it out"
        ));
        std::process::exit(i32::from(Exit::Unreadable.code()));
    };
    // A run without a watch is longer, and not wrong.
    let _ = std::thread::Builder::new().name("time".to_owned()).spawn(watch);
}
