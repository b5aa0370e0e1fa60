//! `casefile serve BUNDLE...`

use crate::args::Serve;
use crate::destination::{Destination, Inputs, Readers, Standing};
use crate::exit::Exit;
use crate::sandbox::Needs;
use crate::settings::Reading;
use crate::{last_line, library, output, sandbox, serve_queries};
use anyhow::Context;
use catalogue::kinds::Catalogue;
use diagnose::{Collected, Keep, decide};
use diagnosis::bounds;
use facts::outside::Outside;
use report::html;
use serve::http::Server;
use serve::{NOT_BUILT_IN, Served, kubeconfig};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads bundles and answers until somebody ends it.
///
/// # Errors
/// If the arguments do not fit together, a bundle cannot be read, the port is taken, or the kubeconfig cannot be written.
pub(crate) fn run(args: &Serve) -> anyhow::Result<Exit> {
    let mut reading = Reading::of(&args.reading)?;
    reading.options.keep = Keep::All;
    let inputs = Inputs::of(args.reading.bundles.iter().map(PathBuf::as_path));
    inputs.spare_from_stdout()?;
    last_line::of_memory(&reading.options.limits);
    let library = library::load(&args.signatures)?;
    let server = Server::bind(args.port).with_context(|| {
        format!(
            "cannot listen on 127.0.0.1:{}; name another port with --port, or leave it out for one that is free",
            args.port
        )
    })?;
    let (path, standing) = match &args.kubeconfig {
        Some(path) => (path.clone(), Standing::ReplacedIf(kubeconfig::is_one)),
        None => (fresh()?, Standing::Stays),
    };
    let target = Destination::check(&path, &inputs, Readers::Owner, standing)?;
    let write = target.folder().into_iter().collect();
    // Polars waits in a runtime of its own.
    let runtime = cfg!(feature = "query");
    let confined =
        sandbox::confine(&Needs { read: reading.paths(), write, listens: true, runtime, ..Needs::default() });
    if args.verbose {
        output::message(&confined.to_string());
    }
    let catalogue = Catalogue::built_in();
    let collected = Arc::new(reading.collect(&library, &catalogue)?);
    let library = Arc::new(library);
    let queries = serve_queries::start(&collected, &reading, &library)
        .context("no thread could be started for queries; end other programs, and start it again")?;
    let box_of = html::Served { action: "query", why_not: queries.ask.is_none().then_some(NOT_BUILT_IN) };
    let options = reading.options.clone();
    let page = move |collected: &Collected| {
        let mut diagnosis = decide(collected, &library, Catalogue::shared(), &options);
        diagnose::gather(&mut diagnosis);
        bounds::bound(&mut diagnosis);
        html::served(&diagnosis, &box_of).map_err(|error| error.to_string())
    };
    let served = Served::new(collected, reading.inputs, reading.options, catalogue, Box::new(page), queries);
    let base = server.base();
    target.write(&kubeconfig::text(&base, served.clusters()))?;
    announce(&served, &base, &path)?;
    server.run(&served).context("the server cannot take any more connections; start it again")?;
    Ok(Exit::Done)
}

/// A kubeconfig in a folder of its own, which nobody else can look into.
fn fresh() -> anyhow::Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!("casefile-{}", serve::http::random()?));
    let made = make(&folder);
    made.with_context(|| {
        let folder = Outside::name(&folder.to_string_lossy());
        format!("cannot make {folder} for the kubeconfig; name a file with --kubeconfig FILE")
    })?;
    Ok(folder.join("kubeconfig"))
}

fn make(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Says how to ask. A reader that went away is no reason to stop.
fn announce(served: &Served, base: &str, path: &Path) -> anyhow::Result<()> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let clusters: Vec<&str> = served.clusters().map(|(name, _)| name).collect();
    let mut text = format!("export KUBECONFIG={}\n", quoted(&path.to_string_lossy()));
    text.push_str(&format!("# {} objects of {}\n", served.objects(), clusters.join(", ")));
    if let [first, _, ..] = clusters.as_slice() {
        text.push_str(&format!("# kubectl --context {} get pods -A\n", quoted(first)));
    } else {
        text.push_str("# kubectl get pods -A\n");
    }
    text.push_str(&format!("# the diagnosis, and a box for queries: {base}/\n# Ctrl-C ends it\n"));
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written.map_err(crate::destination::NotWritten::stdout)?),
    }
}

/// A word of a shell.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_');
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
