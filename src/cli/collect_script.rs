//! `casefile collect-script REPORT`: the script of what a report asks for.

use crate::args::CollectScript;
use crate::exit::Exit;
use crate::output;
use crate::sandbox::{self, Needs};
use anyhow::{Context, bail};
use diagnosis::model::Diagnosis;
use facts::outside::Outside;
use std::io::Read;
use std::path::Path;

/// Bytes of a report; Casefile writes none that is larger.
const MOST: u64 = 64 << 20;
/// What stands before and after the diagnosis in a page.
const PAGE: [&str; 2] = ["<script type=\"application/json\" id=\"diagnosis\">", "</script>"];

/// Prints the script.
///
/// # Errors
/// If the file is no report, or asks for nothing.
pub(crate) fn run(args: &CollectScript) -> anyhow::Result<Exit> {
    let name = Outside::name(&args.report.to_string_lossy());
    sandbox::confine(&Needs { read: vec![args.report.as_path()], write: Vec::new(), ..Needs::default() });
    let text = read(&args.report).with_context(|| format!("cannot read {name}"))?;
    let json = match (text.split_once(PAGE[0]), text.trim_start().starts_with('{')) {
        (Some((_, rest)), _) => rest.split(PAGE[1]).next().unwrap_or_default(),
        (None, true) => text.as_str(),
        (None, false) => bail!("{name} is no report of Casefile; give the HTML or JSON that `casefile diagnose` wrote"),
    };
    let diagnosis: Diagnosis = serde_json::from_str(json)
        .with_context(|| format!("{name} is no whole report of Casefile; write it anew with `casefile diagnose`"))?;
    match report::collect_script::render(&diagnosis) {
        Some(script) => output::stdout(&script)?,
        None => bail!("{name} asks for nothing: all that its checks read is in the bundle"),
    }
    Ok(Exit::Done)
}

fn read(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    std::fs::File::open(path)?.take(MOST).read_to_string(&mut text)?;
    Ok(text)
}
