//! What a session says of the records that were read in it: that they are not whole, not believed, or of one node.
//!
//! Invariant: nothing is added to what was read but the node on which it was.

use crate::{answer, etcdctl};
use facts::coverage::State;
use facts::kind::KindName;
use facts::node::Node;
use facts::object::{ObjectRecord, Shown};
use facts::path::{Path, Step};
use facts::record::Record;
use facts::shortfall::WhyPartial;
use facts::unread::WhyUnread;

/// The tables of it were cut.
pub(super) fn cut_tables(records: &mut [Record], why: &WhyPartial) {
    for record in records {
        if let Record::Table(table) = record {
            table.cut.get_or_insert_with(|| why.clone());
        }
    }
}

/// What went through a filter is not whole.
pub(super) fn narrow(records: &mut Vec<Record>, filter: &str) {
    let why = WhyPartial::Filtered(answer::short(filter).into());
    cut_tables(records, &why);
    for record in records.iter_mut() {
        if let Record::Answer(answer) = record
            && matches!(answer.state, State::Complete | State::Empty)
        {
            answer.state = State::Partial(why.clone());
        }
    }
    let list = KindName::parse("etcdmemberlists.casefile.dev");
    records.retain(|record| !matches!(record, Record::Object(object) if object.kind.as_ref() == Some(&list)));
}

/// Why an object of a paste is not believed, if it is not.
pub(super) fn doubt(object: &ObjectRecord, bare_document: bool) -> Option<WhyUnread> {
    // What a tool reports is called after its command, which may be cut, or read a file (`< values.json`).
    let is_report =
        object.kind.as_ref().is_some_and(|kind| kind.group == "casefile.dev" && kind.plural == "toolreports");
    let placeholder = |text: &str| !is_report && (text.contains(['<', '>', '$', '{', '…']) || text == "...");
    if placeholder(&object.name) || object.namespace.as_deref().is_some_and(placeholder) {
        return Some(WhyUnread::Placeholder(answer::short(&object.name).into()));
    }
    let states = object.uid.is_some()
        || ["creationTimestamp", "resourceVersion"].iter().any(|key| object.node.at(&["metadata", key]).is_some())
        || object.node.get("status").is_some_and(|status| !status.value.is_empty());
    (bare_document && !states && object.api_version.is_some())
        .then(|| WhyUnread::NoState(answer::short(&object.name).into()))
}

/// Says of a record of a node's runtime, its disks, its clock, its units or its own member of etcd which node it is of.
pub(super) fn on_node(object: &mut ObjectRecord, host: &str) {
    let of_node = |plural: &str| {
        plural.starts_with("crictl")
            || matches!(plural, "filesystems" | "diskusages" | "clocks" | "systemdunits" | "sysctls" | "cgroupdrivers")
    };
    let own = object.kind.as_ref().filter(|kind| kind.group == "casefile.dev");
    let is_local = |plural: &str| etcdctl::is_local(plural, &object.node);
    if !own.is_some_and(|kind| of_node(&kind.plural) || is_local(&kind.plural)) {
        return;
    }
    object.node.set_at(&["spec", "node"], Node::str(object.line, host));
    if let Shown::Paths(paths) = &mut object.shown {
        paths.push(Path(["spec", "node"].map(|name| Step::Field(name.to_owned())).to_vec()));
    }
}
