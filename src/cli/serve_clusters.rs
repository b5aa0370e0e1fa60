//! `casefile serve`, where it is built in.
//!
//! Why it may not be: a server of HTTP is nothing that a diagnosis needs, and the first build leaves it out.

use crate::args::Serve;
use crate::exit::Exit;

/// Answers the Kubernetes API out of bundles.
///
/// # Errors
/// As `serve::run`, or if the program was built without it.
pub(crate) fn serve(args: &Serve) -> anyhow::Result<Exit> {
    #[cfg(feature = "serve")]
    return crate::serve::run(args);
    #[cfg(not(feature = "serve"))]
    {
        let _ = args;
        anyhow::bail!("this program was built without `serve`; build it with `cargo build --release --features serve`")
    }
}
