//! What a path of an object says, over all its sightings: the three-valued heart of the facts.
//!
//! Why here and not in one merged tree: a merged tree forgets who said what. Each question walks the
//! sightings, keeps the latest ones that show the field, and answers only if those agree.
//!
//! Invariants: an answer never depends on the order in which sightings were read; a sighting that does
//! not show a field says nothing about it; disagreement without an order is *unknown*, never a choice.

use crate::object::{Form, Lookup, Object, ObjectId, Shown, Sighting};
use crate::origin::{Citation, MemberId};
use crate::path::Path;
use crate::seen::{Seen, see, see_text};
use crate::store::Facts;
use crate::unknown::{Said, Unknown};
use crate::walk::Place;
use std::cmp::Ordering;

/// Why a derived object leaves a field open, where it says so in `status.whyUnknown`.
fn why_derived(object: &Object) -> Option<String> {
    let mut derived = object.sightings.iter().map(|sighting| &sighting.record).filter(|r| r.form == Form::Derived);
    derived.find_map(|record| record.node.at(&["status", "whyUnknown"])?.value.scalar())
}

impl Facts {
    /// What a path of an object says.
    pub fn lookup(&self, id: ObjectId, path: &Path) -> Lookup<'_> {
        self.lookup_in(id, path).0
    }

    /// What a path of an object says, and the sighting that says it; none where nothing is known.
    pub fn lookup_in(&self, id: ObjectId, path: &Path) -> (Lookup<'_>, Option<&Sighting>) {
        let object = self.object(id);
        let unknown = |why: Unknown| (Lookup::Unknown(why), None);
        match self.decide(object, path) {
            Decided::Answer(index, seen) => {
                let sighting = &object.sightings[index];
                let answer = seen.into_lookup(self, sighting);
                // What a derived field rests on; where it names nothing of its own, what the object rests on.
                let fields = self.derived_from.get(&id);
                let whole = || fields.and_then(|fields| fields.iter().flat_map(|(_, field)| &field.citations).next());
                let answer = match self.rests_on(id, path).first().or_else(whole) {
                    Some(citation) => answer.cited(citation),
                    None => answer,
                };
                (answer, Some(sighting))
            }
            Decided::NotShown => {
                let why = self.why_left_open(id, path).map(str::to_owned).or_else(|| why_derived(object));
                unknown(match why {
                    Some(reason) => Unknown::LeftOpen(reason),
                    None => {
                        Unknown::NotShown { kind: object.kind.clone(), name: object.name.clone(), path: path.clone() }
                    }
                })
            }
            Decided::Disagree(all) => {
                let said = all.iter().map(|(index, seen)| {
                    let cited = seen.spot(self, &object.sightings[*index]).cite();
                    let member = self.member_name(cited.member).to_owned();
                    Said { value: seen.in_words(), member, line: cited.line }
                });
                unknown(Unknown::Disagree(said.collect()))
            }
        }
    }

    /// What a manifest states at a path, its text taken by itself: a field that is missing in a part which the text
    /// shows whole is not set there. Of any other object what [`Facts::lookup`] says.
    pub fn stated(&self, id: ObjectId, path: &Path) -> Lookup<'_> {
        let object = self.object(id);
        if !object.is_manifest() {
            return self.lookup(id, path);
        }
        let mut said =
            object.sightings.iter().filter_map(|sighting| Some((sighting, see_text(&sighting.record, path)?)));
        match said.next() {
            Some((sighting, first)) if said.all(|(_, other)| first.agrees(&other)) => first.into_lookup(self, sighting),
            _ => self.lookup(id, path),
        }
    }

    /// The name of a member, for messages.
    fn member_name(&self, member: MemberId) -> &str {
        self.members.get(&member).map_or("?", |name| name.shown())
    }

    /// Which sightings win for a path, and whether they agree.
    pub(crate) fn decide<'a>(&self, object: &'a Object, path: &Path) -> Decided<'a> {
        if let [only] = object.sightings.as_slice() {
            // Nothing to choose from, as for most objects.
            return see(&only.record, path).map_or(Decided::NotShown, |seen| Decided::Answer(0, seen));
        }
        let mut seen: Vec<(usize, Seen<'a>)> = Vec::new();
        for (index, sighting) in object.sightings.iter().enumerate() {
            if let Some(what) = see(&sighting.record, path) {
                seen.push((index, what));
            }
        }
        // What somebody wanted does not argue with what is.
        let is_manifest = |(index, _): &(usize, Seen<'_>)| object.sightings[*index].record.shown.is_manifest();
        if seen.iter().any(|one| !is_manifest(one)) {
            seen.retain(|one| !is_manifest(one));
        }
        // A piece of a map says less than any form that shows the whole of it.
        if seen.iter().any(|(_, s)| !s.fragment()) {
            seen.retain(|(_, s)| !s.fragment());
        }
        if seen.len() > 1 {
            let newest: Vec<bool> = seen
                .iter()
                .map(|(a, _)| {
                    !seen
                        .iter()
                        .any(|(b, _)| compare(&object.sightings[*a], &object.sightings[*b]) == Some(Ordering::Less))
                })
                .collect();
            if newest.contains(&true) {
                let mut keep = newest.iter();
                seen.retain(|_| keep.next().copied().unwrap_or(true));
            }
        }
        // What a form tells of some items of a list says less than a form that shows the list.
        if seen.iter().any(|(_, s)| !matches!(s, Seen::AtLeast(_) | Seen::Redacted(_))) {
            seen.retain(|(_, s)| !matches!(s, Seen::AtLeast(_)));
        }
        // The best citation first: full forms, then the place in the bundle.
        seen.sort_by(|(a, sa), (b, sb)| {
            let rank = |index: usize, seen: &Seen<'_>| {
                let record = &object.sightings[index].record;
                (
                    seen.weakness(),
                    record.shown != Shown::Everything,
                    record.form,
                    self.member_name(record.member).to_owned(),
                    record.line,
                )
            };
            rank(*a, sa).cmp(&rank(*b, sb))
        });
        let Some((first, rest)) = seen.split_first() else { return Decided::NotShown };
        if rest.iter().all(|(_, other)| first.1.agrees(other)) {
            let (index, seen) = seen.swap_remove(0);
            Decided::Answer(index, seen)
        } else {
            Decided::Disagree(seen)
        }
    }

    /// A citation of a place in the sighting of an object.
    pub(crate) fn cite_place(&self, sighting: &Sighting, place: &Place<'_>, excerpt: &str) -> Citation {
        let record = &sighting.record;
        let line = if place.line > 0 { place.line } else { record.line };
        let excerpt = match self.rows.get(&(record.member, line)) {
            Some(row) if record.form == Form::Table => row,
            _ => excerpt,
        };
        let citation = Citation::line(record.member, line, excerpt);
        match record.form {
            Form::Json | Form::Yaml => {
                let path = place.path(&record.node);
                let dot = if record.path.is_empty() || path.is_empty() { "" } else { "." };
                citation.with_path(format!("{}{dot}{path}", record.path))
            }
            _ => citation,
        }
    }
}

/// The outcome over all sightings.
pub(crate) enum Decided<'a> {
    /// This sighting gives the field.
    Answer(usize, Seen<'a>),
    /// None shows it.
    NotShown,
    /// These all count, and say different things.
    Disagree(Vec<(usize, Seen<'a>)>),
}

/// Which of two sightings of one object is the newer state; `None` where nothing says so.
///
/// Rules: a higher resourceVersion of one UID, else the later place in one transcript, else the later
/// stated time. Equal resourceVersions are one state.
pub fn compare(a: &Sighting, b: &Sighting) -> Option<Ordering> {
    if let (Some(x), Some(y)) = (&a.record.uid, &b.record.uid)
        && x == y
        && let (Some(x), Some(y)) = (a.resource_version, b.resource_version)
    {
        return Some(x.cmp(&y));
    }
    a.record.order.compare_looks(&b.record.order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::KindName;
    use crate::node::{Node, Value};
    use crate::object::{ContextId, ObjectRecord, Tree};
    use crate::order::Order;

    fn path(text: &str) -> Path {
        Path::parse(text).unwrap()
    }

    fn map(line: u32, entries: Vec<(&str, Node)>) -> Node {
        Node::new(line, Value::Map(entries.into_iter().map(|(k, v)| (k.into(), v)).collect()))
    }

    fn record(member: u32, form: Form, shown: Shown, node: Node) -> ObjectRecord {
        ObjectRecord {
            kind: Some(KindName::parse("machines.cluster.x-k8s.io")),
            api_version: None,
            namespace: Some("ns".to_owned()),
            name: "m".to_owned(),
            uid: None,
            form,
            shown,
            node: Tree::of(node),
            member: MemberId(member),
            line: 1,
            path: if form == Form::Json { "items[2]".to_owned() } else { String::new() },
            order: Order::default(),
        }
    }

    fn full(member: u32, phase: &str) -> ObjectRecord {
        let ready = map(6, vec![("type", Node::str(6, "Ready")), ("status", Node::str(7, "False"))]);
        let status =
            map(3, vec![("phase", Node::str(4, phase)), ("conditions", Node::new(5, Value::List(vec![ready])))]);
        record(member, Form::Json, Shown::Everything, map(1, vec![("status", status)]))
    }

    fn table(member: u32, phase: &str) -> ObjectRecord {
        let mut node = Node::map(2);
        if !phase.is_empty() {
            node.set_at(&["status", "phase"], Node::text(2, phase));
        }
        node.set_at(&["metadata", "labels"], map(2, vec![("a/b", Node::str(2, ""))]));
        let shown =
            Shown::Paths([path("metadata.name"), path("status.phase"), path("metadata.labels")].into_iter().collect());
        ObjectRecord { line: 2, ..record(member, Form::Table, shown, node) }
    }

    fn facts(records: Vec<ObjectRecord>) -> Facts {
        let sightings = records
            .into_iter()
            .map(|record| {
                let version = record.node.at(&["metadata", "resourceVersion"]).and_then(Node::as_str);
                Sighting { resource_version: version.and_then(|v| v.parse().ok()), record }
            })
            .collect();
        let object = Object {
            context: ContextId(0),
            kind: KindName::parse("machines.cluster.x-k8s.io"),
            namespace: Some("ns".to_owned()),
            name: "m".to_owned(),
            uid: None,
            sightings,
            shadow: false,
            presence: crate::presence::Presence::There,
        };
        let members = (0..4).map(|i| (MemberId(i), format!("file{i}").into())).collect();
        let rows = [((MemberId(1), 2), "m   Provisioned   3d".into())].into();
        Facts { objects: vec![object], members, rows, ..Facts::default() }
    }

    fn ask(facts: &Facts, text: &str) -> String {
        let cited = |spot: &crate::spot::Spot<'_>| {
            let c = spot.cite();
            format!("{}:{} {} `{}`", c.member.0, c.line, c.path, c.excerpt)
        };
        match facts.lookup(ObjectId(0), &path(text)) {
            Lookup::Found(all) => {
                all.iter().map(|(n, c)| format!("{n} @ {}", cited(c))).collect::<Vec<_>>().join(" | ")
            }
            Lookup::NotSet(c) => format!("not set @ {}", cited(&c)),
            Lookup::NotSetOrEmpty(c) => format!("not set or empty @ {}", cited(&c)),
            Lookup::Redacted(c) => format!("redacted @ {}", cited(&c)),
            Lookup::AtLeast(values) => {
                format!("at least {}", values.iter().map(|(node, _)| node.to_string()).collect::<Vec<_>>().join("|"))
            }
            Lookup::Unknown(Unknown::NotShown { kind, name, path }) => {
                format!("unknown: nothing that was collected of {kind} `{name}` shows `{path}`")
            }
            Lookup::Unknown(Unknown::Disagree(said)) => {
                let said = said.iter().map(|said| format!("{} in {}:{}", said.value, said.member, said.line));
                format!("unknown: sources disagree: {}", said.collect::<Vec<_>>().join(", "))
            }
            Lookup::Unknown(Unknown::LeftOpen(why)) => format!("unknown: {why}"),
        }
    }

    fn versioned(mut record: ObjectRecord, uid: &str, version: &str) -> ObjectRecord {
        record.uid = Some(uid.to_owned());
        record.node.set_at(&["metadata", "resourceVersion"], Node::str(2, version));
        record
    }

    #[test]
    fn objects_1_a_full_form_shows_values_and_what_is_not_set() {
        let f = facts(vec![full(0, "Provisioned")]);
        insta::assert_snapshot!(ask(&f, "status.phase"), @r#"Provisioned @ 0:4 items[2].status.phase `"phase": "Provisioned"`"#);
        insta::assert_snapshot!(ask(&f, "status.conditions[type=Ready].status"), @r#"False @ 0:7 items[2].status.conditions[0].status `"status": "False"`"#);
        insta::assert_snapshot!(ask(&f, "status.nodeRef"), @"not set @ 0:3 items[2].status `status:`");
        insta::assert_snapshot!(ask(&f, "status.conditions[type=Other].status"), @"not set @ 0:5 items[2].status.conditions `conditions:`");
    }

    #[test]
    fn objects_1_a_table_row_shows_its_columns_and_nothing_else() {
        let f = facts(vec![table(1, "Provisioned")]);
        insta::assert_snapshot!(ask(&f, "status.phase"), @"Provisioned @ 1:2  `m   Provisioned   3d`");
        insta::assert_snapshot!(ask(&f, "status.nodeRef"), @"unknown: nothing that was collected of machines.cluster.x-k8s.io `m` shows `status.nodeRef`");
        insta::assert_snapshot!(ask(&f, "status.conditions[type=Ready].status"), @"unknown: nothing that was collected of machines.cluster.x-k8s.io `m` shows `status.conditions[type=Ready].status`");
    }

    #[test]
    fn objects_1_an_empty_cell_is_not_set_or_empty() {
        let f = facts(vec![table(1, "")]);
        assert!(ask(&f, "status.phase").starts_with("not set or empty @ 1:2"), "{}", ask(&f, "status.phase"));
        let mut none = table(1, "<none>");
        none.member = MemberId(1);
        assert!(ask(&facts(vec![none]), "status.phase").starts_with("not set or empty @ 1:2"));
    }

    #[test]
    fn objects_1_a_labels_column_is_complete_and_its_values_may_be_empty() {
        let f = facts(vec![table(1, "Running")]);
        assert!(ask(&f, "metadata.labels[\"a/b\"]").starts_with(" @ 1:2"), "{}", ask(&f, "metadata.labels[\"a/b\"]"));
        assert!(ask(&f, "metadata.labels[\"other\"]").starts_with("not set @ 1:2"));
        assert!(ask(&f, "metadata.annotations[\"other\"]").starts_with("unknown"));
    }

    #[test]
    fn objects_1_a_masked_value_is_redacted_and_hides_what_lies_below() {
        let mut record = full(0, "x");
        record.node.set_at(&["data"], Node::new(9, Value::REDACTED));
        let f = facts(vec![record]);
        assert!(ask(&f, "data").starts_with("redacted @ 0:9"));
        assert!(ask(&f, "data.token").starts_with("redacted @ 0:9"));
    }

    #[test]
    fn objects_1_describe_says_nothing_of_what_it_leaves_out() {
        let mut described = full(0, "Running");
        described.form = Form::Describe;
        described.node.set_at(&["metadata", "annotations"], map(3, vec![("long", Node::text(3, "abc..."))]));
        let f = facts(vec![described]);
        assert!(ask(&f, "metadata.managedFields").starts_with("unknown"));
        assert!(ask(&f, "metadata.annotations[\"long\"]").starts_with("unknown"));
        assert!(ask(&f, "metadata.annotations[\"other\"]").starts_with("not set"));
    }

    #[test]
    fn objects_1_describe_prints_a_list_of_one_like_its_item() {
        let mut described = full(1, "Running");
        described.form = Form::Describe;
        let one = map(6, vec![("Type", Node::text(6, "Ready")), ("Status", Node::text(7, "False"))]);
        described.node.set_at(&["status", "conditions"], one);
        let f = facts(vec![described.clone()]);
        assert!(ask(&f, "status.conditions[type=Ready].status").starts_with("False @ 1:7"));
        assert!(ask(&f, "status.conditions[type=Other].status").starts_with("not set"));
        let f = facts(vec![full(0, "Running"), described]);
        assert!(f.conflicts_of(f.object(ObjectId(0))).is_empty());
    }

    #[test]
    fn objects_1_a_key_that_describe_prints_in_title_case_may_be_another() {
        let mut described = full(0, "Running");
        described.form = Form::Describe;
        described.node.set_at(&["spec", "matchLabels"], map(3, vec![("App", Node::text(3, "web"))]));
        let f = facts(vec![described]);
        assert!(ask(&f, "spec.matchLabels[\"app\"]").starts_with("unknown"));
        assert!(ask(&f, "spec.matchLabels[\"App\"]").starts_with("web"));
        assert!(ask(&f, "spec.matchLabels[\"tier\"]").starts_with("not set"));
    }

    #[test]
    fn objects_3_blanks_that_a_printed_form_drops_are_no_conflict() {
        let f = facts(vec![table(1, "Running"), full(0, "Running ")]);
        let paths: Vec<String> = f.conflicts_of(f.object(ObjectId(0))).into_iter().map(|c| c.path).collect();
        assert_eq!(paths, ["metadata.labels"]);
    }

    #[test]
    fn conflicts_list_their_values_by_member_name_whatever_the_numbers_of_members() {
        let listed = |names: [&str; 2]| {
            let mut f = facts(vec![table(1, "Pending"), table(2, "Failed"), table(0, "Failed")]);
            f.members = [(MemberId(1), "m"), (MemberId(2), names[0]), (MemberId(0), names[1])]
                .map(|(id, name)| (id, name.into()))
                .into();
            let found = f.conflicts_of(f.object(ObjectId(0)));
            found[0].values.iter().map(|(text, c)| format!("{text} {}", f.members[&c.member])).collect::<Vec<_>>()
        };
        assert_eq!(listed(["a", "b"]), ["`Failed` a", "`Failed` b", "`Pending` m"]);
        assert_eq!(listed(["a", "b"]), listed(["b", "a"]));
    }

    #[test]
    fn objects_2_equal_values_come_from_the_full_form() {
        for records in [vec![table(1, "Running"), full(0, "Running")], vec![full(0, "Running"), table(1, "Running")]] {
            assert!(ask(&facts(records), "status.phase").contains("items[2].status.phase"));
        }
    }

    #[test]
    fn objects_3_without_an_order_different_values_are_unknown_and_listed() {
        let f = facts(vec![table(1, "Pending"), full(0, "Running")]);
        insta::assert_snapshot!(ask(&f, "status.phase"), @"unknown: sources disagree: `Running` in file0:4, `Pending` in file1:2");
        let listed = f.conflicts_of(f.object(ObjectId(0)));
        assert_eq!(listed.iter().map(|c| c.path.as_str()).collect::<Vec<_>>(), ["metadata.labels", "status.phase"]);
        let f = facts(vec![full(0, "Running"), full(2, "Failed")]);
        assert_eq!(f.conflicts_of(f.object(ObjectId(0))).len(), 1);
    }

    #[test]
    fn objects_3_the_higher_resource_version_wins_as_an_integer() {
        let f = facts(vec![versioned(full(0, "Old"), "u", "9"), versioned(full(1, "New"), "u", "10")]);
        assert!(ask(&f, "status.phase").starts_with("New @ 1:4"));
        assert!(f.conflicts_of(f.object(ObjectId(0))).is_empty());
        let f = facts(vec![versioned(full(0, "Old"), "u", "9"), versioned(full(1, "New"), "other", "10")]);
        assert!(ask(&f, "status.phase").starts_with("unknown"));
    }

    #[test]
    fn objects_3_the_later_in_one_transcript_wins_and_files_have_no_order() {
        let at = |mut record: ObjectRecord, order| {
            record.order.transcript = Some((record.member, order));
            record
        };
        let f = facts(vec![at(table(1, "Old"), 1), at(table(1, "New"), 2)]);
        assert!(ask(&f, "status.phase").starts_with("New"));
        let f = facts(vec![at(table(1, "Old"), 1), at(table(2, "New"), 2)]);
        assert!(ask(&f, "status.phase").starts_with("unknown"));
    }

    #[test]
    fn objects_3_the_later_stated_time_wins_and_the_latest_that_shows_a_field_gives_it() {
        let at = |mut record: ObjectRecord, time: &str| {
            record.order.time = Some(time.parse().unwrap());
            record
        };
        let f = facts(vec![at(full(0, "Old"), "2026-01-01T00:00:00Z"), at(table(1, "New"), "2026-01-02T00:00:00Z")]);
        assert!(ask(&f, "status.phase").starts_with("New"));
        assert!(ask(&f, "status.conditions[type=Ready].status").starts_with("False @ 0:7"));
    }

    #[test]
    fn what_was_cut_from_an_object_is_unknown_and_never_not_set() {
        let cut = ObjectRecord { shown: Shown::Kept, ..full(0, "Running") };
        let f = facts(vec![cut.clone()]);
        assert!(ask(&f, "status.phase").starts_with("Running"));
        assert!(ask(&f, "spec.replicas").starts_with("unknown"));
        assert!(ask(&facts(vec![full(0, "Running")]), "spec.replicas").starts_with("not set"), "whole, it is not set");
        // A form that still shows the field is not argued with.
        let mut node = Node::map(2);
        node.set_at(&["spec", "replicas"], Node::text(2, "3"));
        let row = record(1, Form::Table, Shown::Paths(vec![path("spec.replicas")].into()), node);
        let f = facts(vec![cut, row]);
        assert!(ask(&f, "spec.replicas").starts_with('3'));
    }

    #[test]
    fn a_piece_of_a_map_does_not_argue_with_the_whole() {
        let f = facts(vec![table(1, "Running"), full(0, "Running")]);
        assert!(ask(&f, "status").contains("@ 0:3"));
        assert!(ask(&facts(vec![table(1, "Running")]), "status").contains("@ 1:2"));
    }
}
