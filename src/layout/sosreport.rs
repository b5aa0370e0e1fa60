//! sosreport: one host, with the output of commands in files that are named after them.
//!
//! Source: `sosreport/sos:sos/utilities.py` (`_mangle_command`), `sos/report/plugins/{kubernetes,openshift}.py`,
//! `sos/report/__init__.py` (manifest) at 4.8.
//!
//! The name of a file spells its command, with `_` for what a file name should not hold; so it states what was
//! asked. A kubeconfig in it is one of this host and no other cluster. `manifest.json` says how each command
//! ended. A log beyond the size limit is kept by its end, as `sos_strings/PLUGIN/NAME.tailed`.

use crate::named_command;
use crate::path::Captures;
use crate::{Found, Is, Layout, Manifest, Rule, document, no_finish, rule};
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::order::Order;
use facts::origin::Citation;
use facts::record::{Command, Record, Stamp, Stated};
use facts::shortfall::{WhyFailed, WhyTruncated};
use facts::unread::{NotAsExpected, WhyUnread};
use parse::answer::short;

pub(crate) const LAYOUT: Layout = Layout {
    name: "sosreport",
    marks: &[&["sos_commands/**", "sos_reports/manifest.json"]],
    unless: &[],
    is_part: false,
    rules: RULES,
    finish: no_finish,
};

const SELF: &str = "what sos says about itself";
const HOST: &str = "a reading of the host that no signature rests on";
const FILE: &str = "a file of the host that no signature rests on";

const RULES: &[Rule] = &[
    rule("sos_reports/manifest.json", Is::Manifest(manifest)),
    rule("sos_reports/**", Is::Aside(SELF)),
    rule("sos_logs/**", Is::Aside(SELF)),
    rule("version.txt", Is::Aside(SELF)),
    rule("sos_strings/{plugin}/var.log.pods.{namespace}_{pod}_{uid}.{container}.{n}.log.tailed", Is::Log(end_only)),
    rule("sos_strings/{plugin}/{file}.tailed", Is::Log(end_only)),
    rule("sos_commands/{plugin}/journalctl_{rest}", Is::Log(never_cut)),
    // Folders below a plugin differ between versions.
    rule("sos_commands/kubernetes/{file}", Is::Command(of_name)),
    rule("sos_commands/kubernetes/{a}/{file}", Is::Command(of_name)),
    rule("sos_commands/kubernetes/{a}/{b}/{file}", Is::Command(of_name)),
    rule("sos_commands/kubernetes/{a}/{b}/{c}/{file}", Is::Command(of_name)),
    rule("sos_commands/kubernetes/{a}/{b}/{c}/{d}/{file}", Is::Command(of_name)),
    rule("sos_commands/microk8s/{file}", Is::Command(of_name)),
    rule("sos_commands/microk8s/{a}/{file}", Is::Command(of_name)),
    rule("sos_commands/openshift/{file}", Is::Command(of_name)),
    rule("sos_commands/openshift/{a}/{file}", Is::Command(of_name)),
    rule("sos_commands/openshift/{a}/{b}/{file}", Is::Command(of_name)),
    rule("sos_commands/openshift/{a}/{b}/{c}/{file}", Is::Command(of_name)),
    rule("sos_commands/openvswitch/**", Is::Aside(HOST)),
    rule("sos_commands/dpkg/**", Is::Aside(HOST)),
    rule("sos_commands/rpm/**", Is::Aside(HOST)),
    rule("sos_commands/snap/**", Is::Aside(HOST)),
    rule("sos_commands/lxd/**", Is::Aside(HOST)),
    rule("sos_commands/{plugin}/juju_{rest}", Is::Aside("what Juju says, which no signature rests on")),
    rule("sos_commands/{plugin}/ls_{rest}", Is::Aside(HOST)),
    rule("sos_commands/process/lsof{rest}", Is::Aside(HOST)),
    rule("sos_commands/process/pstree{rest}", Is::Aside(HOST)),
    rule("sos_commands/**", Is::Text(HOST)),
    rule("sos_strings/**", Is::Text(HOST)),
    rule("etc/**", Is::Text(FILE)),
    rule("usr/**", Is::Text(FILE)),
    rule("lib/**", Is::Text(FILE)),
    rule("boot/**", Is::Text(FILE)),
    rule("opt/**", Is::Text(FILE)),
    rule("var/**", Is::Text(FILE)),
    rule("run/**", Is::Text(FILE)),
    rule("proc/**", Is::Text(HOST)),
    rule("sys/**", Is::Text(HOST)),
    // The root holds other names of what some commands printed.
    rule("environment", Is::Text(HOST)),
    rule("installed-{what}", Is::Text(HOST)),
];

fn never_cut(_: u64, _: u64) -> Option<WhyTruncated> {
    None
}

fn end_only(_: u64, _: u64) -> Option<WhyTruncated> {
    Some(WhyTruncated::SosKeepsEnd)
}

fn of_name(captures: &Captures) -> Option<Command> {
    named_command::spelled(captures.get("file")?)
}

/// How each command ended: what failed was not collected, what was cut is not whole.
fn manifest(found: &Found<'_>, content: &str) -> Result<Manifest, NotAsExpected> {
    let node = document(content)?;
    let plugins = node.at(&["components", "report", "plugins"]).ok_or("expected `components.report.plugins`")?;
    let mut manifest = Manifest::default();
    let times = [&["components", "report", "end_time"][..], &["end_time"], &["start_time"]];
    let time = times.iter().filter_map(|keys| node.at(keys)).find(|time| time.as_str().is_some_and(|t| !t.is_empty()));
    if let Some((time, text)) = time.and_then(|time| Some((time, time.as_str()?))) {
        let (text, citation) = (text.replacen(' ', "T", 1), Citation::line(found.member, time.line, text));
        manifest.records.push(Record::from(Stamp { what: Stated::CollectedAt, text, citation }));
    }
    for (_, plugin) in plugins.entries() {
        for entry in plugin.get("commands").map_or(&[][..], Node::items) {
            ended(found, entry, &mut manifest);
        }
    }
    Ok(manifest)
}

fn ended(found: &Found<'_>, entry: &Node, manifest: &mut Manifest) {
    let text = |field: &str| entry.get(field).and_then(Node::as_str).unwrap_or_default();
    let code = entry.get("return_code").and_then(|code| code.value.integer()).unwrap_or(0);
    let is_cut = entry.get("truncated").is_some_and(|cut| cut.value == Value::Bool(true));
    let file = text("filepath").rsplit('/').next().unwrap_or_default();
    let asked = named_command::spelled(file);
    let shown = match (text("exec"), text("parameters")) {
        ("", _) => file.to_owned(),
        (exec, parameters) => format!("{exec} {parameters}"),
    };
    let command = || short(shown.trim());
    let (state, why) = match (code, is_cut) {
        (0, false) => return,
        (0, true) => {
            let cut = WhyTruncated::Sos(command().into());
            (State::Truncated(cut.clone()), WhyUnread::CommandCut(cut))
        }
        // Not there is not failed: sos asks for much that a host need not have.
        (127, _) => return,
        (code, _) => {
            let failed = WhyFailed::Code(command().into(), code);
            (State::Error(failed.clone()), WhyUnread::CommandFailed(failed))
        }
    };
    let is_kubernetes = matches!(asked.as_ref().map(|command| command.verb.as_str()), Some("get" | "describe"));
    let Some(command) = asked.filter(|_| is_kubernetes) else {
        manifest.unread.push((entry.line, why));
        return;
    };
    for typed in &command.kinds {
        let kind = KindName::parse(typed);
        let namespace = command.namespace.clone();
        manifest.records.push(Record::from(Answer {
            kind,
            namespaces: namespace.map_or(Namespaces::All, |namespace| Namespaces::Some(vec![namespace])),
            names: (!command.names.is_empty()).then(|| command.names.clone()),
            selector: None,
            citation: Citation::line(found.member, entry.line, &state.detail().unwrap_or_default()),
            state: state.clone(),
            basis: Basis::Stated,
            order: Order::default(),
        }));
    }
}
