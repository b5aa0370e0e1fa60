//! seccomp: which system calls the process may still make
//! (<https://docs.kernel.org/userspace-api/seccomp_filter.html>).
//!
//! Decision: what is needed is listed, and all else answered with "not implemented" (`ENOSYS`), as an older kernel
//! would: the C library and Rust's fall back to what they know, and a call that nobody thought of is refused, also
//! one that kernels will have only later. What is listed opens, reads and writes files, asks for memory that cannot
//! be executed, starts threads of this process, and waits.

use super::{Needs, State};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};
use std::collections::BTreeMap;

/// Calls that are let through whatever their arguments.
const FREE: &[libc::c_long] = &[
    // Files; which of them, Landlock decides.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_lseek,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_fstatfs,
    libc::SYS_statfs,
    libc::SYS_openat,
    libc::SYS_getdents64,
    libc::SYS_readlinkat,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_linkat,
    libc::SYS_unlinkat,
    libc::SYS_renameat2,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_fcntl,
    libc::SYS_fadvise64,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_getcwd,
    // Memory.
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    // Threads, waiting, signals to itself.
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_rseq,
    libc::SYS_futex,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_membarrier,
    libc::SYS_sigaltstack,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_restart_syscall,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_ppoll,
    libc::SYS_exit,
    libc::SYS_exit_group,
    // What the process is, and what time it is.
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_gettimeofday,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getcpu,
];

/// Older calls for the same.
#[cfg(target_arch = "x86_64")]
const OLDER: &[libc::c_long] = &[
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_readlink,
    libc::SYS_access,
    libc::SYS_link,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_poll,
    libc::SYS_time,
    libc::SYS_getrlimit,
];
/// Older calls for the same.
#[cfg(target_arch = "aarch64")]
const OLDER: &[libc::c_long] = &[libc::SYS_renameat];
/// Older calls for the same: here are none.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const OLDER: &[libc::c_long] = &[];

/// Waiting for several files at once, and being woken: what the runtime of Polars and the reader of typed lines are made
/// of. They open nothing; the two ends of a pair know only each other.
const WAITING: &[libc::c_long] = &[
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_eventfd2,
    libc::SYS_pselect6,
    libc::SYS_socketpair,
];
/// An older call for the same.
#[cfg(target_arch = "x86_64")]
const OLDER_WAITING: &[libc::c_long] = &[libc::SYS_epoll_wait, libc::SYS_select];
/// An older call for the same: here is none.
#[cfg(not(target_arch = "x86_64"))]
const OLDER_WAITING: &[libc::c_long] = &[];

/// Taking connections on a socket that listens already, and ending them. No call that makes a socket, binds or connects
/// one is here.
const TAKING: &[libc::c_long] = &[libc::SYS_accept4, libc::SYS_recvfrom, libc::SYS_shutdown];

/// `prctl`: what names a stretch of memory of the C library (`PR_SET_VMA`).
const NAME_MEMORY: u64 = 0x5356_4d41;

/// `ioctl`: the settings and the size of a terminal (`asm-generic/ioctls.h`; in `libc` their type differs by system).
const TCGETS: u64 = 0x5401;
const TIOCGWINSZ: u64 = 0x5413;
/// `ioctl`: sets a terminal, at once, when all is written, and when all that was typed is thrown away.
const SET_TERMINAL: [u64; 3] = [0x5402, 0x5403, 0x5404];

pub(super) fn confine(needs: &Needs<'_>) -> State {
    let Ok(arch) = TargetArch::try_from(std::env::consts::ARCH) else {
        return State::Off("it is not known for this processor".to_owned());
    };
    match program(arch, needs) {
        Ok(program) => match seccompiler::apply_filter(&program) {
            Ok(()) => State::On,
            Err(error) => State::Off(error.to_string()),
        },
        Err(error) => State::Off(error.to_string()),
    }
}

fn program(arch: TargetArch, needs: &Needs<'_>) -> Result<BpfProgram, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = FREE.iter().chain(OLDER).map(|call| (*call, Vec::new())).collect();
    let bits = |bits: libc::c_int| u64::from(bits.unsigned_abs());
    // Memory that was written is never executed.
    let data = masked(2, bits(libc::PROT_EXEC), 0)?;
    rules.insert(libc::SYS_mmap, vec![data.clone()]);
    rules.insert(libc::SYS_mprotect, vec![data]);
    // A thread of this process, and no process. `clone3` hides its flags in memory, so the C library is told to use
    // this one.
    let thread = bits(libc::CLONE_THREAD);
    rules.insert(libc::SYS_clone, vec![masked(0, thread, thread)?]);
    // Own name of a thread, names of stretches of memory.
    rules.insert(libc::SYS_prctl, vec![equal(0, bits(libc::PR_SET_NAME))?, equal(0, NAME_MEMORY)?]);
    // How large a terminal is, and whether it is one; not what types into it.
    let set: &[u64] = if needs.terminal { &SET_TERMINAL } else { &[] };
    let requests = [TIOCGWINSZ, TCGETS].iter().chain(set).map(|request| equal(1, *request));
    rules.insert(libc::SYS_ioctl, requests.collect::<Result<_, _>>()?);
    if needs.runtime {
        for call in WAITING.iter().chain(OLDER_WAITING) {
            rules.insert(*call, Vec::new());
        }
    }
    if needs.listens {
        rules.extend(TAKING.iter().map(|call| (*call, Vec::new())));
        // Only to who is connected: with an address it would reach anybody.
        rules.insert(libc::SYS_sendto, vec![none(4)?]);
        // How long to wait, and not to wait with small pieces.
        let times = [libc::SO_RCVTIMEO, libc::SO_SNDTIMEO].map(|time| option_of(libc::SOL_SOCKET, time));
        let mut options = times.into_iter().collect::<Result<Vec<_>, _>>()?;
        options.push(option_of(libc::IPPROTO_TCP, libc::TCP_NODELAY)?);
        rules.insert(libc::SYS_setsockopt, options);
    }
    if needs.folders {
        rules.insert(libc::SYS_mkdirat, Vec::new());
        #[cfg(target_arch = "x86_64")]
        rules.insert(libc::SYS_mkdir, Vec::new());
    }
    // Its own limits, and signals to itself (an abort).
    rules.insert(libc::SYS_prlimit64, vec![equal(0, 0)?]);
    let own = u64::from(std::process::id());
    rules.insert(libc::SYS_tgkill, vec![equal(0, own)?]);
    let refused = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    SeccompFilter::new(rules, refused, SeccompAction::Allow, arch)?.try_into()
}

/// A call with these bits of an argument.
fn masked(argument: u8, mask: u64, value: u64) -> Result<SeccompRule, BackendError> {
    rule(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(mask), value)
}

/// A call with this argument.
fn equal(argument: u8, value: u64) -> Result<SeccompRule, BackendError> {
    rule(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

/// A call without this argument, which is an address.
fn none(argument: u8) -> Result<SeccompRule, BackendError> {
    rule(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)
}

/// `setsockopt` of one option.
fn option_of(level: libc::c_int, option: libc::c_int) -> Result<SeccompRule, BackendError> {
    let is = |argument, value: libc::c_int| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, u64::from(value.unsigned_abs()))
    };
    SeccompRule::new(vec![is(1, level)?, is(2, option)?])
}

fn rule(
    argument: u8,
    length: SeccompCmpArgLen,
    compare: SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(argument, length, compare, value)?])
}
