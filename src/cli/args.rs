//! The arguments as typed; what they mean is in [`crate::settings`].

pub use crate::analyze_args::{Analyze, AnalyzeFailOn, AnalyzeFormat};
pub use crate::pack_args::{PackArgs, PackBuild, PackCommand, PackInstall, PackKey, PackVerify};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const EXIT_CODES: &str = "Exit codes:
  0  done
  1  --fail-on was met, or check, test or lint found something
  2  wrong usage, or a bad signature
  3  the bundle could not be read at all, or nothing in it was understood
  4  the result could not be written, or only onto something that stays as it is";

/// Reads a support bundle of a Kubernetes platform, offline, and writes the diagnosis.
#[derive(Debug, Parser)]
#[command(name = "casefile", version, about, after_help = EXIT_CODES, propagate_version = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write the diagnosis of bundles and print a summary.
    Diagnose(Diagnose),
    /// Run analyzer specs of Troubleshoot over a bundle of any layout.
    Analyze(Analyze),
    /// Show what is in a bundle: contexts, kinds and coverage, logs, what was not understood.
    Inspect(Inspect),
    /// Ask SQL about what is in a bundle.
    Query(Query),
    /// Write what is in a bundle as Parquet files or lines of JSON, one folder for each table.
    Export(Export),
    /// Write one page over the results of many bundles: which findings, how often, since when, on which versions.
    Fleet(Fleet),
    /// Answer kubectl out of a bundle: the read-only Kubernetes API, on loopback.
    Serve(Serve),
    /// Compare two bundles: findings, versions, images, objects field by field, logs.
    Diff(Diff),
    /// Print a script that collects what a report asks for.
    CollectScript(CollectScript),
    /// Explain a signature: what it means, its evidence, what to do.
    Explain(Explain),
    /// Check signature files.
    Lint(Lint),
    /// Run the tests of signatures.
    Test(Test),
    /// Compare the diagnosis of every sample bundle with the expected one.
    Check(Check),
    /// Begin a signature: writes it and its test file, to be filled in.
    New(New),
    /// Signed packs of signatures: make a key, build, verify, install.
    Pack(PackArgs),
    /// Print the JSON schema of a file that Casefile reads or writes.
    Schema(Schema),
    /// Print the completions for a shell.
    Completions(Completions),
    /// Print the man page of casefile or of one command.
    Man(Man),
}

/// What is read, and how.
#[derive(Debug, Clone, ClapArgs)]
pub struct Reading {
    /// Directories, archives (tar, zip; gzip, xz, zstd, bzip2) or single files; `-`, or none, is standard input.
    #[arg(default_value = "-", value_name = "BUNDLE")]
    pub bundles: Vec<PathBuf>,

    /// A folder of the bundle is the cluster of this name; can be given several times.
    #[arg(long = "context", value_name = "NAME=PATH")]
    pub contexts: Vec<String>,

    /// Context names of the bundles, in their order, joined by commas.
    #[arg(long = "as", value_name = "NAMES", value_delimiter = ',')]
    pub names: Vec<String>,

    /// The bundle's own "now", if it is known better than Casefile infers it (RFC 3339).
    #[arg(long, value_name = "TIME")]
    pub as_of: Option<String>,

    /// Edition of the documentation that installations of a global cluster are checked against
    #[arg(long, value_name = "ID")]
    pub profile: Option<String>,

    /// Bounds.
    #[command(flatten)]
    pub limits: Limits,
}

/// Bounds on what is read. Sizes are bytes, or have a unit: 512M, 2GiB.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Bytes of all members together, uncompressed [default: 64GiB].
    #[arg(long, value_name = "SIZE")]
    pub max_total_bytes: Option<String>,
    /// Bytes of one member [default: 16GiB].
    #[arg(long, value_name = "SIZE")]
    pub max_member_bytes: Option<String>,
    /// Bytes of one JSON or YAML document or table [default: 64MiB].
    #[arg(long, value_name = "SIZE")]
    pub max_document_bytes: Option<String>,
    /// Bytes of zip archives that come from standard input or out of another archive [default: 512MiB].
    #[arg(long, value_name = "SIZE")]
    pub max_archive_bytes: Option<String>,
    /// Bytes of one line [default: 1MiB].
    #[arg(long, value_name = "SIZE")]
    pub max_line_bytes: Option<String>,
    /// Number of members [default: 200000].
    #[arg(long, value_name = "N")]
    pub max_members: Option<u64>,
    /// Bytes that may come out of each byte of a bundle, once 64MiB did [default: 1000].
    #[arg(long, value_name = "N")]
    pub max_ratio: Option<u64>,
    /// Archives inside archives [default: 4].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=16))]
    pub max_archive_depth: Option<u32>,
    /// Maps and lists inside each other in JSON and YAML [default: 100].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=500))]
    pub max_nesting: Option<u32>,
    /// Folders inside folders [default: 64].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub max_path_depth: Option<u32>,
    /// Bytes of memory that what is read may take, as estimated [default: 1GiB].
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<String>,
    /// Seconds after which reading ends; the run fails if it takes twice as long. The result then depends on the machine
    /// [default: none].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub max_time: Option<u64>,
}

/// Which signatures are used.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct Signatures {
    /// Use the signatures of this folder or signed pack besides the built-in ones; can be given several times.
    #[arg(long, value_name = "DIR", conflicts_with = "only_patterns")]
    pub patterns: Vec<PathBuf>,

    /// Use the signatures of this folder or signed pack instead of the built-in ones; can be given several times.
    #[arg(long, value_name = "DIR")]
    pub only_patterns: Vec<PathBuf>,

    /// A file with keys whose packs may be used, as `casefile pack key` writes it; can be given several times.
    #[arg(long, value_name = "FILE")]
    pub trust: Vec<PathBuf>,

    /// Use packs that nobody signed, or somebody who is not trusted. A signature that is wrong is refused all the same.
    #[arg(long)]
    pub allow_unsigned: bool,
}

/// Arguments of `diagnose`.
#[derive(Debug, Clone, ClapArgs)]
#[command(after_help = EXIT_CODES)]
pub struct Diagnose {
    /// The bundles.
    #[command(flatten)]
    pub reading: Reading,

    /// The signatures.
    #[command(flatten)]
    pub signatures: Signatures,

    /// Write here instead of to `<bundle>.diagnosis.html`; `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace a file that Casefile did not write.
    ///
    /// Inputs, links, folders and devices are never replaced, not with this either.
    #[arg(long)]
    pub force: bool,

    /// Replace names of hosts, clusters and namespaces, and addresses, by pseudonyms in all outputs.
    ///
    /// What stands for what is written to `<bundle>.pseudonyms.json` beside the report, for its owner alone.
    #[arg(long)]
    pub pseudonyms: bool,

    /// A healthy bundle of the same platform: what stands out in it as well is left out of the anomalies and the loudest
    /// lines. It changes no verdict.
    #[arg(long, value_name = "BUNDLE")]
    pub baseline: Option<PathBuf>,

    /// Formats, joined by commas [default: by the ending of FILE; html if it has none].
    #[arg(long, value_name = "FORMATS", value_delimiter = ',')]
    pub format: Vec<crate::format::Format>,

    /// End with exit code 1 if a finding of at least this severity is confirmed or probable.
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<SeverityName>,
}

/// Severities, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SeverityName {
    /// The platform is down or will lose data.
    Critical,
    /// A part of the platform does not work.
    High,
    /// Something needs attention soon.
    Medium,
    /// Minor.
    Low,
    /// No fault.
    Info,
}

/// Text for people or JSON for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextOrJson {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Arguments of `inspect`.
#[derive(Debug, Clone, ClapArgs)]
pub struct Inspect {
    /// The bundles.
    #[command(flatten)]
    pub reading: Reading,

    /// The signatures: what they read decides which objects are held.
    #[command(flatten)]
    pub signatures: Signatures,

    /// How to print it.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: TextOrJson,

    /// Print every list whole
    #[arg(long)]
    pub all: bool,

    /// Say on standard error how far the process is confined.
    #[arg(short, long)]
    pub verbose: bool,
}

/// What is read of one bundle, and how.
#[derive(Debug, Clone, ClapArgs)]
pub struct One {
    /// A directory, an archive (tar, zip; gzip, xz, zstd, bzip2) or a single file.
    #[arg(value_name = "BUNDLE")]
    pub bundle: PathBuf,

    /// A folder of the bundle is the cluster of this name; can be given several times.
    #[arg(long = "context", value_name = "NAME=PATH")]
    pub contexts: Vec<String>,

    /// The bundle's own "now", if it is known better than Casefile infers it (RFC 3339).
    #[arg(long, value_name = "TIME")]
    pub as_of: Option<String>,

    /// Bounds.
    #[command(flatten)]
    pub limits: Limits,

    /// The signatures.
    #[command(flatten)]
    pub signatures: Signatures,
}

impl One {
    /// The same for what reads several.
    pub fn reading(&self) -> Reading {
        Reading {
            bundles: vec![self.bundle.clone()],
            contexts: self.contexts.clone(),
            names: Vec::new(),
            as_of: self.as_of.clone(),
            profile: None,
            limits: self.limits.clone(),
        }
    }
}

/// Formats of the answer to a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QueryFormat {
    /// Columns under headers, for people; `-` is null.
    Table,
    /// RFC 4180; an empty field is null.
    Csv,
    /// A list of objects.
    Json,
    /// Apache Parquet; times are in UTC.
    Parquet,
}

const QUERY_EXAMPLES: &str = "Examples:
  casefile query bundle.tar.gz 'select namespace, name, restarts from pods where restarts > 5 order by restarts desc'
  casefile query bundle.tar.gz \"select time, source, message from logs where level = 'error' order by time limit 20\"
  casefile query bundle.tar.gz \"select reason, count(*) as n from events where type = 'Warning' group by reason order by n desc\"";

/// Arguments of `query`.
#[derive(Debug, Clone, ClapArgs)]
#[command(after_help = QUERY_EXAMPLES)]
pub struct Query {
    /// The bundle.
    #[command(flatten)]
    pub one: One,

    /// The query; without it queries are read line by line, on a terminal with history and completion.
    #[arg(value_name = "SQL")]
    pub sql: Option<String>,

    /// How the answer is written.
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: QueryFormat,

    /// Write the answer here instead of to standard output. What stands there stays.
    #[arg(short, long, value_name = "FILE", requires = "sql")]
    pub output: Option<PathBuf>,

    /// Print every table with its columns, their types and what stands in them.
    #[arg(long, conflicts_with = "sql")]
    pub explain_schema: bool,
}

/// Arguments of `export`.
#[derive(Debug, Clone, ClapArgs)]
pub struct Export {
    /// The bundle.
    #[command(flatten)]
    pub one: One,

    /// The folder; each table gets a folder in it, with one file for each bundle. With `--format jsonl` also `-`, standard
    /// output: all tables, one after the other.
    #[arg(long, value_name = "DIR")]
    pub to: PathBuf,

    /// Only these tables, joined by commas; `fleet` stands for those that `casefile fleet` reads [default: all that have a
    /// row].
    #[arg(long, value_name = "TABLES", value_delimiter = ',')]
    pub tables: Vec<String>,

    /// How they are written [default: parquet, where it is built in].
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<ExportFormat>,
}

/// Formats of exported tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// Apache Parquet; times are in UTC.
    Parquet,
    /// One JSON object on each line, with the name of its table; without the lines of logs.
    Jsonl,
}

const FLEET_EXAMPLES: &str = "Examples:
  for bundle in uploads/*.tar.gz; do casefile export \"$bundle\" --tables fleet --format jsonl --to results; done
  casefile fleet results -o fleet.html

Thousands of bundles: the programs for Spark and Ray under integrations/ write the same folder (docs/fleets.md).";

/// Arguments of `fleet`.
#[derive(Debug, Clone, ClapArgs)]
#[command(after_help = FLEET_EXAMPLES)]
pub struct Fleet {
    /// A folder of results: Parquet files or lines of JSON in a folder for each table.
    #[arg(value_name = "REPORT_DIR")]
    pub dir: PathBuf,

    /// How it is written [default: by the ending of FILE; html if it has none].
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<FleetFormat>,

    /// Write it here instead of to standard output. What stands there stays, unless it is such a page.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Bytes of memory that the results may take, as estimated [default: 1GiB].
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<String>,
}

/// Formats of the result over a fleet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FleetFormat {
    /// One page that loads nothing.
    Html,
    /// For programs; `casefile schema fleet` describes it.
    Json,
}

const SERVE_EXAMPLES: &str = "Examples:
  casefile serve must-gather.tar.gz            # prints `export KUBECONFIG=...`, and answers until Ctrl-C
  kubectl get pods -A -o wide                  # in another terminal, after that `export`
  kubectl logs -n kube-system etcd-cp-1 --previous --tail 50
  casefile serve primary/ standby/ --as primary,standby --kubeconfig ./kc

What was not collected is answered with \"not in the bundle\" and the reason, never with an empty list. Nothing can be
changed, and only programs of this machine that know the kubeconfig are answered. The address that is printed shows the
diagnosis in a browser, with a box for SQL over the tables of `casefile query`, where that is built in.";

/// Arguments of `serve`.
#[derive(Debug, Clone, ClapArgs)]
#[command(after_help = SERVE_EXAMPLES)]
pub struct Serve {
    /// The bundles; each cluster in them is a context of the kubeconfig.
    #[command(flatten)]
    pub reading: Reading,

    /// The signatures: of the diagnosis that is served beside the API.
    #[command(flatten)]
    pub signatures: Signatures,

    /// Write the kubeconfig here [default: a new file, whose path is printed].
    ///
    /// A file that `casefile serve` wrote is replaced, any other stays.
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,

    /// Listen on this port of 127.0.0.1; 0 is any that is free.
    #[arg(long, value_name = "PORT", default_value = "0")]
    pub port: u16,

    /// Say on standard error how far the process is confined.
    #[arg(short, long)]
    pub verbose: bool,
}

/// Formats of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For a terminal.
    Text,
    /// One page that loads nothing.
    Html,
    /// For programs; `casefile schema comparison` describes it.
    Json,
}

/// Arguments of `diff`.
#[derive(Debug, Clone, ClapArgs)]
pub struct Diff {
    /// The bundle to compare with: before, healthy, primary.
    #[arg(value_name = "A")]
    pub a: PathBuf,

    /// The bundle to compare: after, broken, standby.
    #[arg(value_name = "B")]
    pub b: PathBuf,

    /// How it is written [default: by the ending of FILE; text if it has none].
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<DiffFormat>,

    /// Write it here instead of to standard output. What stands there stays.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print every list whole.
    #[arg(long)]
    pub all: bool,

    /// Bounds; each bundle may take half of the memory.
    #[command(flatten)]
    pub limits: Limits,

    /// The signatures.
    #[command(flatten)]
    pub signatures: Signatures,
}

/// Arguments of `collect-script`.
#[derive(Debug, Clone, ClapArgs)]
pub struct CollectScript {
    /// A report that `casefile diagnose` wrote, as HTML or JSON.
    pub report: PathBuf,
}

/// Arguments of `explain`.
#[derive(Debug, Clone, ClapArgs)]
pub struct Explain {
    /// Id of the signature, its number, or a part of its name; without it all are listed.
    pub id: Option<String>,

    /// How to print it.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: TextOrMarkdown,

    /// The signatures.
    #[command(flatten)]
    pub signatures: Signatures,
}

/// Arguments of `lint`.
#[derive(Debug, Clone, ClapArgs)]
pub struct Lint {
    /// Folder with signatures, or one signature file; without it the built-in ones are checked.
    pub dir: Option<PathBuf>,
}

/// Arguments of `test`.
#[derive(Debug, Clone, ClapArgs)]
pub struct Test {
    /// Folder with signatures, or one signature file; without it the built-in ones are tested.
    pub dir: Option<PathBuf>,

    /// Only signatures whose id is this, or whose file has it in its path; can be given several times.
    #[arg(long, value_name = "ID|PATH")]
    pub only: Vec<String>,

    /// Run the tests again whenever a file of DIR changes.
    #[arg(long, requires = "dir", conflicts_with = "format")]
    pub watch: bool,

    /// Show what no test exercises: evidence that never supports or contradicts, verdicts that are never reached,
    /// wordings that stand in no test. Ends with exit code 1 if there is any.
    #[arg(long)]
    pub coverage: bool,

    /// How to print it.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: TextOrJson,
}

/// Text for a terminal or Markdown for a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextOrMarkdown {
    /// For a terminal.
    Text,
    /// For a page or a ticket.
    Markdown,
}

/// Table for people or JUnit for CI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TableOrJunit {
    /// For people.
    Table,
    /// For CI.
    Junit,
}

/// Arguments of `check`.
#[derive(Debug, Clone, ClapArgs)]
pub struct Check {
    /// Folder of sample bundles: `<case>/bundle` or `<case>/bundle.tar.gz` beside `<case>/expected.json`.
    #[arg(default_value = "sample-bundles")]
    pub dir: PathBuf,

    /// Write what was found as the new expectation, and show the difference.
    #[arg(long)]
    pub update: bool,

    /// How to print it.
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: TableOrJunit,

    /// The signatures.
    #[command(flatten)]
    pub signatures: Signatures,
}

/// Arguments of `new`.
#[derive(Debug, Clone, ClapArgs)]
pub struct New {
    /// Id of the signature, such as CF-9001.
    pub id: String,

    /// Folder to write it to.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub dir: PathBuf,

    /// Short name, and name of the files [default: the id in lower case].
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

/// Arguments of `schema`.
#[derive(Debug, Clone, ClapArgs)]
pub struct Schema {
    /// Which file.
    #[arg(default_value = "diagnosis")]
    pub of: SchemaName,
}

/// Files that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaName {
    /// The JSON of `analyze --format json`.
    Analysis,
    /// The JSON of `diff --format json`.
    Comparison,
    /// The JSON of `diagnose --format json`.
    Diagnosis,
    /// `expected.json` of a sample bundle.
    Expected,
    /// The JSON of `fleet --format json`.
    Fleet,
    /// `overrides.yaml` at the root of a pack: what a site disables or re-rates.
    Overrides,
    /// `pack.yaml` at the root of a pack: its name and version.
    Pack,
    /// A signature file.
    Signature,
    /// The tables of `export --tables fleet` with the types of their columns; no JSON schema.
    Tables,
    /// A test file of a signature.
    Tests,
}

/// Arguments of `completions`.
#[derive(Debug, Clone, ClapArgs)]
pub struct Completions {
    /// The shell.
    pub shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(Debug, Clone, ClapArgs)]
pub struct Man {
    /// The command; without it the page of casefile itself.
    pub command: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use facts::limit::Limit;

    #[test]
    fn the_switch_that_a_limit_names_exists() {
        let text = String::new;
        let limits = [
            Limit::ArchiveBytes(0),
            Limit::ArchiveDepth(0),
            Limit::Copies { object: text(), dropped: 0 },
            Limit::DocumentBytes(0),
            Limit::LineBytes { lines: 0, bound: 0 },
            Limit::LogHits { text: text(), lines: 0 },
            Limit::MemberBytes(0),
            Limit::Memory(0),
            Limit::MemoryOfNames { budget: 0, entries: 0 },
            Limit::Members(0),
            Limit::Unlisted(0),
            Limit::PathDepth(0),
            Limit::Folder,
            Limit::Folders(0),
            Limit::Ratio(0),
            Limit::Repeated(0),
            Limit::Services(0),
            Limit::SharedBytes,
            Limit::Time(0),
            Limit::TotalBytes(0),
            Limit::TotalBytesWithin(0),
            Limit::Captures { bound: 0, signature: text(), entity: text(), evidence: text() },
        ];
        let program = Args::command();
        let commands: Vec<_> = program.get_subcommands().collect();
        for switch in limits.iter().filter_map(Limit::switch) {
            let is_there = |command: &&clap::Command| {
                command
                    .get_arguments()
                    .any(|argument| argument.get_long().map(|long| format!("--{long}")).as_deref() == Some(switch))
            };
            assert!(commands.iter().any(is_there), "{switch}");
        }
    }
}
