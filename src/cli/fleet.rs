//! `casefile fleet REPORT_DIR`

use crate::args::{self, FleetFormat};
#[cfg(feature = "query")]
use crate::defect;
use crate::destination::{Destination, Inputs, Readers, Standing};
use crate::exit::Exit;
use crate::sandbox::Needs;
use crate::{last_line, output, sandbox, settings};
use anyhow::{Context, ensure};
use diagnosis::plain_json;
use diagnosis::words;
use facts::outside::Outside;
use fleet::{Gathered, html};
use intake::Limits;
use std::path::Path;

/// Writes the result over a folder of results.
///
/// # Errors
/// If the folder cannot be read, holds no result, or the page cannot be written.
pub(crate) fn run(args: &args::Fleet) -> anyhow::Result<Exit> {
    let inputs = Inputs::of(std::iter::once(args.dir.as_path()));
    inputs.spare_from_stdout()?;
    let format = args.format.or_else(|| by_ending(args.output.as_deref()?)).unwrap_or(FleetFormat::Html);
    let standing = Standing::ReplacedIf(html::is_page);
    let target = args.output.as_deref().filter(|path| !settings::is_dash(path));
    let target = target.map(|path| Destination::check(path, &inputs, Readers::Owner, standing)).transpose()?;
    let limits = Limits { memory: settings::memory(args.max_memory.as_deref())?, ..Limits::default() };
    last_line::of_memory(&limits);
    let write = target.iter().filter_map(Destination::folder).collect();
    sandbox::confine(&Needs { read: vec![args.dir.as_path()], write, runtime: true, ..Needs::default() });
    let gathered = read(&args.dir, limits.memory)?;
    let shown = Outside::name(&args.dir.to_string_lossy());
    let fleet = gathered.fleet();
    ensure!(
        fleet.bundles + fleet.files > 0 || !fleet.skipped.is_empty(),
        "{shown} holds no results; write some with `casefile export BUNDLE --tables fleet --to {shown}`, or with a program \
         of integrations/"
    );
    for file in &fleet.skipped {
        output::message(&format!("casefile: left out {}: {}", Outside::name(&file.file), file.reason));
    }
    let text = match format {
        FleetFormat::Html => html::page(&fleet)?,
        FleetFormat::Json => plain_json::pretty(&fleet)?,
    };
    match target {
        Some(target) => {
            target.write(&text)?;
            output::stdout(&format!("{}\n", words_of(&fleet.answer, target.path())))?;
        }
        None => output::stdout(&text)?,
    }
    Ok(Exit::Done)
}

fn words_of(answer: &str, path: &Path) -> String {
    format!("{}\nPage: {}", Outside::from(words::short(answer, 400).as_str()), Outside::name(&path.to_string_lossy()))
}

fn read(dir: &Path, memory: u64) -> anyhow::Result<Gathered> {
    #[cfg(feature = "query")]
    let parquet: Option<&fleet::Parquet<'_>> = Some(&|bytes, columns, emit| {
        let read = defect::expected(|| query::rows(bytes, columns, emit));
        read.unwrap_or_else(|| Err("it is damaged inside".to_owned()))
    });
    #[cfg(not(feature = "query"))]
    let parquet: Option<&fleet::Parquet<'_>> = None;
    fleet::read(dir, parquet, memory).with_context(|| {
        let shown = Outside::name(&dir.to_string_lossy());
        format!("cannot read the folder {shown}; give the folder that `casefile export` or an integration wrote")
    })
}

fn by_ending(path: &Path) -> Option<FleetFormat> {
    match path.extension()?.to_str()? {
        "html" | "htm" => Some(FleetFormat::Html),
        "json" => Some(FleetFormat::Json),
        _ => None,
    }
}
