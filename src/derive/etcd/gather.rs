//! Reads all that a context says about etcd.

use crate::etcd::draft::{Asked, Draft};
use crate::etcd::member::Membership;
use crate::reader::Reader;
use facts::coverage::State;
use facts::kind::KindName;
use facts::object::Sighting;
use facts::store::Coverage;

/// Reads everything that a context says about etcd.
pub(super) fn gather(reader: Reader<'_>) -> Membership {
    let Reader { facts, context, .. } = reader;
    let mut draft = Draft::new(reader);
    let as_of = reader.log_clock();
    for_each(reader, "etcdmembers", |sighting| draft.member(sighting));
    for_each(reader, "etcdmemberlists", |sighting| draft.member_list(sighting));
    for_each(reader, "etcdendpointstatuses", |sighting| draft.status(sighting));
    for_each(reader, "etcdendpointhealths", |sighting| draft.health(sighting));
    for_each(reader, "etcdhealthanswers", |sighting| draft.health_answer(sighting));
    for_each(reader, "etcdclienterrors", |sighting| draft.client_error(sighting));
    for_each(reader, "etcdalarms", |sighting| draft.alarm(sighting));
    let no_alarm =
        |c: &&Coverage| c.context == context && c.answer.kind.plural == "etcdalarms" && c.answer.state == State::Empty;
    draft.without_alarm.extend(facts.coverage.iter().filter(no_alarm).map(|c| Asked::answer(&c.answer)));
    for_each(reader, "etcdleadertransfers", |sighting| draft.transfer(sighting));
    for_each(reader, "pods", |sighting| draft.pod(sighting));
    for_each(reader, "staticpods", |sighting| draft.pod(sighting));
    for (index, stream) in facts.streams.iter().enumerate() {
        if stream.context == context {
            draft.stream(index, stream, as_of);
        }
    }
    draft.settle()
}

fn for_each(reader: Reader<'_>, plural: &str, mut take: impl FnMut(&Sighting)) {
    let group = if plural == "pods" { "" } else { "casefile.dev" };
    let kind = KindName { plural: plural.to_owned(), group: group.to_owned() };
    for id in reader.facts.of_kind(reader.context, &kind) {
        reader.object(*id).sightings.iter().for_each(&mut take);
    }
}
