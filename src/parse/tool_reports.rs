//! What programs beside kubectl's tables say that is wrong, found in a text line by line: errors of commands, states of
//! releases, peers and units (`patterns/tools.yaml`).
//!
//! Each is an object `toolreports`: `spec.tool`, `spec.of`, `status.class`, `status.says`, `status.wrong`,
//! `status.state`, and `status.day` where its line names one. It is named after what it is about, else after its command, so that a later word about the same thing
//! is a later sighting of one object: a release that is deployed by now, a command that got through at last.
//!
//! Invariants: objects of one text that speak of different things have different names; no more than [`MOST`] are made of
//! one text; nothing is judged here.

use crate::answer::{Asked, short};
use crate::pings;
use crate::stacked;
use crate::text_form::records::{self, Records};
use catalogue::kinds::Catalogue;
use catalogue::tools::{self, Report, Run, Table};
use facts::node::Node;
use facts::record::{Command, Record};
use std::collections::{BTreeMap, BTreeSet};

/// Reports of one text.
const MOST: usize = 60;
/// Lines among which a program shows that they are its own.
const HEAD: usize = 12;
/// Longer lines are no reports.
const LONG: usize = 4_000;

/// What was found in a text.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The objects.
    pub records: Vec<Record>,
    /// The lines that were read.
    pub lines: Vec<u32>,
}

/// The program that a command runs, as the rows of `patterns/tools.yaml` name it; without a command the one that the file is
/// called after, or that its text shows.
fn tool<'a>(asked: &Asked<'a>, lines: &[&str]) -> Option<&'a str> {
    let Some(command) = asked.command else {
        let head = || lines.iter().take(HEAD).copied();
        return tools::named_by_file(asked.name).or_else(|| tools::marked(head()));
    };
    if let Some(inner) = inside(command) {
        return Some(inner);
    }
    match tools::program(&command.text) {
        Some(program @ ("kubectl" | "oc" | "helm" | "flux" | "argocd" | "cilium" | "clusterctl" | "kubeadm")) => {
            Some(program)
        }
        _ => Some(command.verb.as_str()).filter(|verb| !verb.is_empty()),
    }
}

/// The program that a command runs in a container: `kubectl exec deploy/tools -- sh -c "ceph -s"`.
fn inside(command: &Command) -> Option<&str> {
    let (before, inner) = command.text.split_once(" -- ")?;
    if !before.split_whitespace().any(|word| matches!(word, "exec" | "rsh" | "debug")) {
        return None;
    }
    let bare =
        |word: &&str| !word.starts_with('-') && !word.contains('=') && !matches!(*word, "sudo" | "env" | "timeout");
    let of_shell = |word: &&str| !matches!(word.rsplit('/').next(), Some("sh" | "bash" | "ash" | "chroot" | "host"));
    let words = inner.split_whitespace().map(|word| word.trim_matches(['"', '\'', '/']));
    let program = words.filter(bare).find(|word| of_shell(word) && word.parse::<u64>().is_err())?;
    program.rsplit('/').next().filter(|program| !program.is_empty())
}

/// The release that a command of helm is about: `helm upgrade --install -n shop web ./chart`.
fn release(command: &str) -> Option<&str> {
    const VERBS: [&str; 7] = ["status", "upgrade", "install", "rollback", "uninstall", "history", "get"];
    const WITH_VALUE: [&str; 15] = [
        "-n",
        "--namespace",
        "--kube-context",
        "--kubeconfig",
        "--timeout",
        "--version",
        "-f",
        "--values",
        "--set",
        "--set-string",
        "--set-file",
        "--history-max",
        "--revision",
        "-o",
        "--output",
    ];
    let mut words = command.split_whitespace().skip_while(|word| *word != "helm" && !word.ends_with("/helm")).skip(1);
    let mut verb = false;
    while let Some(word) = words.next() {
        if WITH_VALUE.contains(&word) {
            words.next();
            continue;
        }
        if word.starts_with('-') {
            continue;
        }
        if verb {
            let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
            return Some(word).filter(|word| word.chars().all(is_name));
        }
        if !VERBS.contains(&word) {
            return None;
        }
        verb = true;
    }
    None
}

/// Reads the lines of a text, the first of which has this number. Lines in front of it, `above`, say nothing by themselves, but may
/// say why a line failed.
pub(crate) fn read(asked: &Asked<'_>, above: &[&str], lines: &[&str], first: u32) -> Found {
    let tool = tool(asked, lines);
    let mut found = Found::default();
    let mut table: Option<Table> = None;
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut runs = Runs::default();
    let numbered = (first..).zip(lines).enumerate().filter(|(_, (_, line))| line.len() < LONG);
    for (at, (number, line)) in numbered {
        if line.trim().is_empty() {
            table = None;
            continue;
        }
        if let Some(begun) = tools::table(line) {
            if begun.is_of_a_program() {
                found.lines.push(number);
            }
            table = Some(begun);
            runs.tables += 1;
            continue;
        }
        let report = tools::line(line, tool).or_else(|| table.as_ref()?.row(line));
        if let Some(run) = table.as_ref().and_then(|table| table.run(line)) {
            runs.add(run, report.is_some().then_some(found.records.len()));
        }
        let Some(mut report) = report else { continue };
        if let Some(rest) = goes_on(&report.says, lines.get(at + 1), tool) {
            report.says = format!("{} {rest}", report.says.trim_end());
        }
        if let Some(causes) = report.causes_above.then(|| stacked::causes(above, lines.get(..at)?)).flatten() {
            report.says = causes;
        }
        // Rows of a history are about one thing, and the last counts.
        let one = report.of.as_deref() == Some("history");
        if report.class == "release" && report.tool == "helm" && (one || report.of.is_none()) {
            let release = asked.command.and_then(|command| release(&command.text));
            report.of = release.map(str::to_owned).or(report.of);
        }
        found.lines.push(number);
        if found.records.len() >= MOST {
            break;
        }
        let name = name(asked, &report);
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        let name = if *count > 1 && !one && report.of.is_none() { format!("{name} ({count})") } else { name };
        found.records.push(record(asked, (number, line), &name, &report));
    }
    let past = runs.past();
    let mut at = 0..;
    found.records.retain(|_| at.next().is_none_or(|at| !past.contains(&at)));
    found
}

/// What a message that ends in a colon goes on with: the next line, unless that is a report of its own.
fn goes_on<'a>(says: &str, next: Option<&&'a str>, tool: Option<&str>) -> Option<&'a str> {
    let next = next.filter(|next| says.trim_end().ends_with(':') && next.len() < LONG)?;
    // kubeadm puts its advice behind the last error, in the same line where that has no label.
    let text = next.split("[preflight] If you know").next().unwrap_or_default().trim();
    (!text.is_empty() && tools::line(next, tool).is_none()).then_some(text)
}

/// What the runs of ping in a text show together.
pub(crate) fn of_pings(asked: &Asked<'_>, lines: &[&str], first: u32) -> Found {
    let mut found = Found::default();
    for (at, report) in pings::find(lines).into_iter().take(MOST) {
        let number = first.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
        found.lines.push(number);
        let text = lines.get(at).copied().unwrap_or_default();
        found.records.push(record(asked, (number, text), &name(asked, &report), &report));
    }
    found
}

/// A table, and what the names of its runs have in common.
type Family = (usize, String);

/// The greater, the newer.
type Order = (i64, String);

/// Rows of runs: where a newer one of the same thing got through, that an older one failed is history.
#[derive(Default)]
struct Runs {
    /// Tables so far.
    tables: usize,
    /// Of each family the newest that got through.
    finished: BTreeMap<Family, Order>,
    /// Those that are reported, with the place of the report.
    wrong: Vec<(Family, Order, usize)>,
}

impl Runs {
    fn add(&mut self, run: Run, report: Option<usize>) {
        let family = (self.tables, run.family);
        if run.finished {
            let newest = self.finished.entry(family.clone()).or_insert_with(|| run.order.clone());
            if *newest < run.order {
                newest.clone_from(&run.order);
            }
        }
        if let Some(report) = report {
            self.wrong.push((family, run.order, report));
        }
    }

    /// The places of the reports that are history.
    fn past(self) -> BTreeSet<usize> {
        let is_past = |(family, order, _): &(_, _, _)| self.finished.get(family).is_some_and(|newest| newest > order);
        self.wrong.iter().filter(|run| is_past(run)).map(|(.., report)| *report).collect()
    }
}

/// The kind that a command of Flux lists, if it is not that of what Flux applies: a source, and the release that is made of
/// it, are often called alike.
fn kind(command: &Command) -> Option<String> {
    const GROUPS: [&str; 4] = ["sources", "source", "images", "image"];
    const APPLIED: [&str; 2] = ["kustomizations", "all"];
    let words = || command.text.split_whitespace().skip_while(|word| *word != "get").skip(1);
    let mut words = words().filter(|word| command.verb == "flux" && !word.starts_with('-'));
    let word = words.find(|word| !GROUPS.contains(word))?;
    let known = Catalogue::shared().meanings(word);
    let kind = known.first().map_or(word, |known| known.name.plural.as_str());
    (!APPLIED.contains(&kind)).then(|| kind.to_owned())
}

/// What a report is about, in the words by which a later one is known to be of the same.
fn name(asked: &Asked<'_>, report: &Report) -> String {
    match (&report.of, asked.command) {
        (Some(of), Some(command)) if of == "history" => short(&command.text),
        (Some(of), command) => match command.and_then(kind) {
            Some(kind) => format!("{} {kind} {of}", report.tool),
            None => format!("{} {of}", report.tool),
        },
        (None, Some(command)) => short(&command.text),
        (None, None) => short(&report.says).chars().take(80).collect(),
    }
}

fn record(asked: &Asked<'_>, (line, text): (u32, &str), name: &str, report: &Report) -> Record {
    let mut node = Node::map(line);
    node.set_at(&["spec", "tool"], Node::str(line, report.tool));
    if let Some(of) = &report.of {
        node.set_at(&["spec", "of"], Node::str(line, of.as_str()));
    }
    if let Some(command) = asked.command {
        node.set_at(&["spec", "command"], Node::str(line, short(&command.text)));
    }
    node.set_at(&["status", "class"], Node::str(line, report.class.as_str()));
    node.set_at(&["status", "says"], Node::str(line, report.says.as_str()));
    if let Some(day) = text.split_whitespace().find_map(day) {
        node.set_at(&["status", "day"], Node::str(line, day));
    }
    node.set_at(&["status", "wrong"], records::boolean(line, report.wrong));
    node.set_at(&["status", "state"], records::boolean(line, report.state));
    one(asked, name, node)
}

/// The day that a word begins with: `2026-01-20`.
fn day(word: &str) -> Option<&str> {
    let day = word.get(..10)?;
    let is_day = day.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    is_day.then_some(day)
}

/// The command got through this time: what was wrong with it is over.
pub(crate) fn over(asked: &Asked<'_>, line: u32, name: &str) -> Record {
    let mut node = Node::map(line);
    node.set_at(&["status", "wrong"], records::boolean(line, false));
    one(asked, name, node)
}

fn one(asked: &Asked<'_>, name: &str, node: Node) -> Record {
    let line = node.line;
    let mut records = Records::new(asked, FORMAT);
    records.partial(PLURAL, name, node);
    let mut parsed = records.finish();
    // Later lines of one text are later words.
    if let Some(Record::Object(object)) = parsed.records.first_mut() {
        object.order.transcript = Some((asked.member, u64::from(line)));
    }
    parsed.records.swap_remove(0)
}

/// The kind of the objects.
pub(crate) const PLURAL: &str = "toolreports";
/// The format as `inspect` names it.
pub(crate) const FORMAT: &str = "output of a tool";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command;
    use facts::origin::MemberId;
    use proptest::strategy::Strategy;

    #[test]
    fn the_release_that_a_command_of_helm_is_about() {
        assert_eq!(release("helm status billing -n bill"), Some("billing"));
        assert_eq!(release("sudo helm -n shop upgrade --install --timeout 5m web ./chart"), Some("web"));
        assert_eq!(release("helm list -A"), None);
        assert_eq!(release("helm status $RELEASE"), None);
        let command = Command { text: "helm status billing".to_owned(), verb: "helm".to_owned(), ..Command::default() };
        let asked = Asked { member: MemberId(0), name: "", command: Some(&command) };
        let found = read(&asked, &[], &["NAME: billing", "STATUS: pending-upgrade"], 1);
        let names = found.records.iter().map(|record| match record {
            Record::Object(object) => object.name.as_str(),
            _ => "",
        });
        assert_eq!(names.collect::<Vec<_>>(), ["helm billing"]);
    }

    #[test]
    fn two_kinds_of_one_name_are_two() {
        let names = |command: &str| {
            let command = Command { text: command.to_owned(), verb: "flux".to_owned(), ..Command::default() };
            let asked = Asked { member: MemberId(0), name: "", command: Some(&command) };
            let text = [
                "NAMESPACE  \tNAME\tREVISION     \tSUSPENDED\tREADY\tMESSAGE",
                "flux-system\tshop\tmain@sha1:0b4e\tFalse    \tFalse\tit failed",
            ];
            let found = read(&asked, &[], &text, 1).records.into_iter().filter_map(|record| match record {
                Record::Object(object) => Some(object.name.to_string()),
                _ => None,
            });
            found.collect::<Vec<_>>().join(", ")
        };
        for applied in ["flux get kustomizations -A", "flux get ks -A", "flux get all -A"] {
            assert_eq!(names(applied), "flux flux-system/shop", "{applied}");
        }
        assert_eq!(names("flux get helmreleases -A"), names("flux get hr -A"));
        assert_eq!(names("flux get sources git -A"), "flux git flux-system/shop");
    }

    #[test]
    fn the_program_inside_a_container() {
        let of = |text: &str| {
            let command = command::parse(text).unwrap_or_default();
            inside(&command).map(str::to_owned)
        };
        assert_eq!(of("kubectl -n rook-ceph exec deploy/rook-ceph-tools -- ceph -s").as_deref(), Some("ceph"));
        assert_eq!(of("oc debug node/w-1 -- chroot /host crictl ps -a").as_deref(), Some("crictl"));
        assert_eq!(of("kubectl exec -it tools-0 -- bash -c 'ceph health detail'").as_deref(), Some("ceph"));
        assert_eq!(of("kubectl exec web-0 -- timeout 5 /usr/bin/curl -v http://api").as_deref(), Some("curl"));
        assert_eq!(of("kubectl get pods -A"), None);
    }

    fn show(command: &str, text: &str) -> String {
        let command = (!command.is_empty()).then(|| command::parse(command).unwrap_or_default());
        let asked = Asked { member: MemberId(0), name: "", command: command.as_ref() };
        let lines: Vec<&str> = text.lines().collect();
        let mut out = String::new();
        for record in read(&asked, &[], &lines, 1).records {
            let Record::Object(object) = record else { panic!("only objects") };
            let at = |path: &[&str]| object.node.at(path).and_then(|node| node.value.scalar()).unwrap_or_default();
            let wrong = if at(&["status", "wrong"]) == "true" { "wrong" } else { "well" };
            out += &format!(
                "{}: {} | {wrong} {}: {}\n",
                object.line,
                object.name,
                at(&["status", "class"]),
                at(&["status", "says"])
            );
        }
        out
    }

    #[test]
    fn a_run_that_failed_is_history_once_a_newer_one_got_through() {
        let wf = "NAME        STATUS      AGE\netl-x7k2p   Failed      9d\netl-9q2mm   Succeeded   8d\n";
        assert_eq!(show("kubectl get workflows", wf), "");
        let dump = "NAME            STATUS            CREATED\ndump-20261119   Completed         2026-11-19\ndump-20261110   PartiallyFailed   2026-11-10\n";
        assert_eq!(show("velero get backups", dump), "");
        // The newest failed; another one got through; and what lasts has no run.
        let last = "NAME        STATUS      AGE\netl-x7k2p   Failed      2d\netl-9q2mm   Succeeded   8d\n";
        assert_eq!(show("kubectl get workflows", last).lines().count(), 1);
        let other = "NAME        STATUS      AGE\netl-x7k2p   Failed      9d\nweb-9q2mm   Succeeded   8d\n";
        assert_eq!(show("kubectl get workflows", other).lines().count(), 1);
        let member = "NAME     STATUS   AGE\ndb-1     Failed   9d\ndb-2     Ready    8d\n";
        assert_eq!(show("kubectl get widgets", member).lines().count(), 1);
    }

    #[test]
    fn lines_and_rows_are_named_after_what_they_are_about() {
        insta::assert_snapshot!(show("kubectl get pods", "Error from server (Forbidden): pods is forbidden: User \"u\" cannot list resource \"pods\"\n"), @r#"1: kubectl get pods | wrong forbidden: pods is forbidden: User "u" cannot list resource "pods""#);
        insta::assert_snapshot!(show("", "NAME NAMESPACE REVISION UPDATED STATUS CHART APP VERSION\nvault vault 7 2025-05-02 pending-upgrade vault-0.27.0 1\nredis apps 3 2025-01-20 deployed redis-18 7\n\nand so on\n"), @r"
        2: helm vault | wrong release: pending-upgrade
        3: helm redis | well release: 
        ");
        insta::assert_snapshot!(show("", "error execution phase preflight: failed\n\t[ERROR CRI]: not running\n\t[ERROR Swap]: on\n"), @r"
        1: kubeadm preflight | wrong kubeadm: failed
        2: kubeadm CRI | wrong kubeadm: not running
        3: kubeadm Swap | wrong kubeadm: on
        ");
        // An error without a label stands on the next line alone.
        insta::assert_snapshot!(show("", "error execution phase preflight: [preflight] Some fatal errors occurred:\nfailed to create new CRI runtime service: unknown service runtime.v1.RuntimeService[preflight] If you know what you are doing, you can\n"), @"1: kubeadm preflight | wrong kubeadm: [preflight] Some fatal errors occurred: failed to create new CRI runtime service: unknown service runtime.v1.RuntimeService");
        insta::assert_snapshot!(show("", "error execution phase preflight: [preflight] Some fatal errors occurred:\n\t[ERROR CRI]: not running\n"), @r"
        1: kubeadm preflight | wrong kubeadm: [preflight] Some fatal errors occurred:
        2: kubeadm CRI | wrong kubeadm: not running
        ");
        assert_eq!(show("", "When kubectl prints `Error from server (Forbidden): x`, a role is missing.\n"), "");
    }

    proptest::proptest! {
        #[test]
        fn foreign_text_never_panics_and_is_bounded(
            lines in proptest::collection::vec(proptest::prop_oneof![
                proptest::sample::select(vec![
                    "Error from server: x", "NAME SUSPENDED READY MESSAGE", "a\u{e9} False False b", "member 8211f1d0f64f3269 is unreachable",
                    "REVISION UPDATED STATUS CHART DESCRIPTION", "2 x failed y", "",
                ]).prop_map(str::to_owned),
                "[ -~\u{e9}\u{a0}`*|\t]{0,60}",
            ], 0..200),
        ) {
            let text = lines.join("\n");
            proptest::prop_assert!(show("helm list", &text).lines().count() <= MOST * 2);
        }
    }
}
