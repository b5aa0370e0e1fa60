//! Reads all that a context says about etcd.

use crate::etcd::draft::{Asked, Draft};
use crate::etcd::member::Membership;
use crate::reader::Reader;
use facts::coverage::State;
use facts::kind::KindName;
use facts::object::{ObjectRecord, Shown};
use facts::origin::Citation;
use facts::store::Coverage;

/// Reads everything that a context says about etcd.
pub(super) fn gather(reader: Reader<'_>) -> Membership {
    let Reader { facts, context, .. } = reader;
    let mut draft = Draft::default();
    let as_of = reader.log_clock();
    for_each(reader, "etcdmembers", |record, asked| draft.member(&record.node, asked));
    for_each(reader, "etcdmemberlists", |record, asked| draft.member_list(&record.node, asked));
    for_each(reader, "etcdmemberchanges", |record, asked| draft.member_change(&record.node, asked));
    draft.apply_additions();
    // JSON prints the leader whenever there is one; a table shows only whether this member leads.
    for_each(reader, "etcdendpointstatuses", |record, asked| {
        draft.status(&record.node, record.shown == Shown::Everything, asked);
    });
    for_each(reader, "etcdendpointhealths", |record, asked| draft.health(&record.node, asked));
    for_each(reader, "etcdendpointhashes", |record, asked| draft.hash(&record.node, asked));
    for_each(reader, "etcdhealthanswers", |record, asked| draft.health_answer(&record.node, asked));
    for_each(reader, "etcdclienterrors", |record, asked| draft.client_error(&record.node, asked));
    for_each(reader, "etcdalarms", |record, asked| draft.alarm(&record.node, asked));
    let no_alarm =
        |c: &&Coverage| c.context == context && c.answer.kind.plural == "etcdalarms" && c.answer.state == State::Empty;
    draft.without_alarm.extend(facts.coverage.iter().filter(no_alarm).map(|c| Asked::answer(&c.answer)));
    for_each(reader, "etcdleadertransfers", |record, asked| draft.transfer(&record.node, asked));
    for_each(reader, "etcddefragmentations", |_, asked| draft.defragmented.push(asked.cited.clone()));
    for_each(reader, "pods", |record, asked| draft.pod(&record.node, asked));
    for_each(reader, "staticpods", |record, asked| draft.pod(&record.node, asked));
    for (index, stream) in facts.streams.iter().enumerate() {
        if stream.context == context {
            draft.stream(index, stream, as_of);
        }
    }
    draft.settle()
}

/// Every sighting of the objects of a kind, as an answer.
fn for_each(reader: Reader<'_>, plural: &str, mut take: impl FnMut(&ObjectRecord, &Asked)) {
    let group = if plural == "pods" { "" } else { "casefile.dev" };
    let kind = KindName { plural: plural.to_owned(), group: group.to_owned() };
    for id in reader.facts.of_kind(reader.context, &kind) {
        for sighting in &reader.object(*id).sightings {
            let record = &sighting.record;
            let part = |key: &str| record.node.get(key).map_or(String::new(), ToString::to_string);
            let excerpt = match plural {
                "pods" | "staticpods" => format!("Pod {}", record.name),
                "etcdmemberlists" => {
                    let listed = record.node.at(&["spec", "members"]);
                    format!("members: {}", listed.map(ToString::to_string).unwrap_or_default())
                }
                _ => format!("{} {}", part("spec"), part("status")),
            };
            let cited = reader.cited(sighting, Citation::line(record.member, record.line, excerpt.trim()));
            let order = record.order.transcript.map(|(_, position)| position);
            take(record, &Asked { time: record.order.time, order, cited });
        }
    }
}
