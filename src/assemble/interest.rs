//! How much of each object is kept: all of what a signature reads, and little of the rest.
//!
//! Why: a bundle can hold hundreds of thousands of Pods and Events that no signature asks about. Their trees
//! would fill the memory for a table and a timeline. So right after a member is read, its objects are cut
//! to what contexts, clocks, products, the inventory and the timeline read.
//!
//! Invariant: an object of a kind that a signature or a derived object reads keeps every field but the
//! bookkeeping of `managedFields`, of which the times stay; so no verdict can rest on a field that was cut.
//! An object of any kind whose conditions or phase show that something is wrong is kept with its status.
//! An object that was cut says so ([`Shown::Kept`]): what is missing in it is unknown, never "not set".

use catalogue::conditions;
use catalogue::kinds::Catalogue;
use facts::kind::KindName;
use facts::node::{Node, Value};
use facts::object::{Form, ObjectRecord, Shown};
use facts::record::Record;
use parse::member::MemberContent;
use std::collections::BTreeSet;

/// What is kept of which kind.
#[derive(Debug, Default)]
pub struct Interest {
    /// Kinds kept whole.
    whole: BTreeSet<KindName>,
    /// Kinds kept for tables and the timeline.
    shown: BTreeSet<KindName>,
    /// Kinds kept whole in one namespace.
    placed: BTreeSet<(KindName, String)>,
    /// Every kind is kept whole.
    all: bool,
}

impl Interest {
    /// `whole` are the kinds that signatures and derived objects read, `shown` those that reports show.
    pub fn new(whole: BTreeSet<KindName>, shown: BTreeSet<KindName>) -> Self {
        Self { whole, shown, placed: BTreeSet::new(), all: false }
    }

    /// Keeps every kind whole, those that nobody knows too: for commands that are asked anything about a bundle.
    #[must_use]
    pub fn and_all(mut self) -> Self {
        self.all = true;
        self
    }

    /// Is every kind kept, whether it is [`wanted`](Self::wanted) or not?
    pub fn is_all(&self) -> bool {
        self.all
    }

    /// Besides, keeps kinds whole where they are in one namespace.
    #[must_use]
    pub fn and_in(mut self, placed: impl IntoIterator<Item = (KindName, &'static str)>) -> Self {
        self.placed = placed.into_iter().map(|(kind, namespace)| (kind, namespace.to_owned())).collect();
        self
    }

    /// Every kind that is kept as an object; others are counted.
    pub fn wanted(&self) -> BTreeSet<KindName> {
        let placed = self.placed.iter().map(|(kind, _)| kind);
        self.whole.union(&self.shown).chain(placed).cloned().collect()
    }

    /// Cuts the objects of a member that was just read.
    pub fn cut(&self, content: &mut MemberContent, catalogue: &Catalogue) {
        for record in &mut content.parsed.records {
            if let Record::Object(object) = record {
                self.cut_object(object, catalogue);
            }
        }
    }

    /// Cuts one object that was just read.
    pub fn cut_object(&self, record: &mut ObjectRecord, catalogue: &Catalogue) {
        // The text forms are small, and print their fields under other names.
        if !matches!(record.form, Form::Json | Form::Yaml) {
            return;
        }
        record.node.prune(drop_bookkeeping);
        if self.all {
            return;
        }
        let stated = record.api_version.as_deref().zip(record.node.at(&["kind"]).and_then(Node::as_str));
        let kind = match (stated, &record.kind) {
            (Some((version, kind)), _) => catalogue.kind_of(version, kind),
            (None, Some(kind)) => catalogue.canonical(kind),
            // Its kind may follow from the name of its file, which is decided later.
            (None, None) => return,
        };
        if kind.group == "casefile.dev" || self.whole.contains(&kind) {
            return;
        }
        let namespace = record.namespace.as_deref().unwrap_or_default();
        if self.placed.iter().any(|(placed, own)| *placed == kind && own == namespace) {
            return;
        }
        let in_trouble = is_in_trouble(&kind, record);
        if !record.shown.is_manifest() {
            record.shown = Shown::Kept;
        }
        let is_shown = self.shown.contains(&kind) || in_trouble;
        record.node.prune(|node| keep_what_is_read(node, is_shown));
    }
}

/// Does an object say of itself that something is wrong with it, or has it yet to go? Then it is kept, of whatever kind
/// it is. So is a run, for one that got through makes an older one that failed history.
pub(crate) fn is_in_trouble(kind: &KindName, record: &ObjectRecord) -> bool {
    let is_run = || {
        conditions::is_run(kind)
            || conditions::family(&record.name) != record.name && conditions::has_finished(&record.node)
    };
    !record.shown.is_manifest()
        && !conditions::is_of_its_own(kind)
        && (record.node.at(&["metadata", "deletionTimestamp"]).is_some()
            || !conditions::wrong(&record.node).is_empty()
            || is_run())
}

/// Of the fields of an object that nobody asks for, those that the rest of the program reads.
fn keep_what_is_read(node: &mut Node, is_shown: bool) {
    let Value::Map(fields) = &mut node.value else { return };
    fields.retain_mut(|(name, field)| match &**name {
        "metadata" => {
            trim_metadata(field);
            true
        }
        "spec" => {
            trim_spec(field);
            true
        }
        "status" => {
            trim_status(field);
            is_shown
        }
        "involvedObject" | "regarding" => {
            keep_fields(field, &["kind", "namespace", "name"]);
            is_shown
        }
        "source" | "deprecatedSource" | "series" | "holder" => is_shown,
        _ => !matches!(field.value, Value::Map(_) | Value::List(_)),
    });
    fields.shrink_to_fit();
}

/// Of `managedFields` only the times say something: when the object was written.
fn drop_bookkeeping(node: &mut Node) {
    let Value::Map(fields) = &mut node.value else { return };
    let Some((_, metadata)) = fields.iter_mut().find(|(name, _)| &**name == "metadata") else { return };
    let Value::Map(entries) = &mut metadata.value else { return };
    if let Some((_, Node { value: Value::List(items), .. })) =
        entries.iter_mut().find(|(name, _)| &**name == "managedFields")
    {
        items.iter_mut().for_each(|item| keep_fields(item, &["time"]));
        items.shrink_to_fit();
    }
}

fn keep_fields(node: &mut Node, names: &[&str]) {
    if let Value::Map(entries) = &mut node.value {
        entries.retain(|(name, _)| names.contains(&&**name));
        entries.shrink_to_fit();
    }
}

/// Names, times, labels, owners; of annotations the keys alone, by which products are recognised, but for
/// those by which a Node names its Machine and Cluster.
fn trim_metadata(node: &mut Node) {
    let Value::Map(entries) = &mut node.value else { return };
    for (name, entry) in entries.iter_mut() {
        if &**name == "annotations"
            && let Value::Map(annotations) = &mut entry.value
        {
            let others = annotations.iter_mut().filter(|(key, _)| !key.contains("cluster.x-k8s.io/"));
            others.for_each(|(_, value)| value.value = Value::Null);
        }
    }
    let goes_away = entries.iter().any(|(name, _)| &**name == "deletionTimestamp");
    entries.retain(|(name, _)| match &**name {
        "generateName" | "selfLink" => false,
        // What an object that is to go waits for.
        "finalizers" => goes_away,
        _ => true,
    });
    entries.shrink_to_fit();
}

/// Plain values, and the images of containers, by which products are recognised.
fn trim_spec(node: &mut Node) {
    let Value::Map(entries) = &mut node.value else { return };
    entries.retain_mut(|(name, entry)| match (&**name, &mut entry.value) {
        ("containers" | "initContainers", Value::List(items)) => {
            items.iter_mut().for_each(|item| keep_fields(item, &["name", "image"]));
            true
        }
        ("template", Value::Map(template)) => {
            template.retain(|(name, _)| &**name == "spec");
            template.iter_mut().for_each(|(_, spec)| trim_spec(spec));
            true
        }
        (_, Value::Map(_) | Value::List(_)) => false,
        _ => true,
    });
    entries.shrink_to_fit();
}

fn trim_status(node: &mut Node) {
    let Value::Map(entries) = &mut node.value else { return };
    entries.retain_mut(|(name, entry)| {
        if let ("containerStatuses" | "initContainerStatuses", Value::List(items)) = (&**name, &mut entry.value) {
            let kept = ["name", "ready", "restartCount", "state", "lastState"];
            items.iter_mut().for_each(|item| keep_fields(item, &kept));
        }
        !matches!(&**name, "images" | "podIPs" | "hostIPs" | "volumesInUse" | "volumesAttached" | "allocatable")
    });
    entries.shrink_to_fit();
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::origin::MemberId;
    use intake::Limits;
    use parse::manifest;

    const POD: &str = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop","labels":{"app":"web"},
        "annotations":{"example.com/note":"a long text"},"managedFields":[{"manager":"kubelet","time":"2026-03-04T09:00:00Z","fieldsV1":{"f:spec":{}}}]},
        "spec":{"nodeName":"w-1","containers":[{"name":"c","image":"registry.example.com/web:1","env":[{"name":"A","value":"b"}]}],"tolerations":[{"key":"x"}]},
        "status":{"phase":"Running","containerStatuses":[{"name":"c","ready":true,"restartCount":2,"image":"x","imageID":"y"}],"podIPs":[{"ip":"10.0.0.1"}]}}"#;

    #[test]
    fn an_object_that_was_cut_says_so() {
        let parsed = manifest::read_json(MemberId(0), "pod.json", POD.as_bytes(), &Limits::default());
        let mut content = MemberContent { parsed, ..MemberContent::default() };
        Interest::default().cut(&mut content, &Catalogue::built_in());
        let Some(Record::Object(object)) = content.parsed.records.first() else { panic!("a Pod") };
        assert_eq!(object.shown, Shown::Kept);
    }

    fn cut(whole: &[&str], shown: &[&str]) -> String {
        let kinds = |names: &[&str]| names.iter().map(|name| KindName::parse(name)).collect();
        let parsed = manifest::read_json(MemberId(0), "pod.json", POD.as_bytes(), &Limits::default());
        let mut content = MemberContent { parsed, ..MemberContent::default() };
        Interest::new(kinds(whole), kinds(shown)).cut(&mut content, &Catalogue::built_in());
        let Some(Record::Object(object)) = content.parsed.records.into_iter().next() else { return String::new() };
        object.node.to_string()
    }

    #[test]
    fn what_a_signature_reads_keeps_all_but_bookkeeping() {
        let kept = cut(&["pods"], &[]);
        for text in ["tolerations", "key: x", "imageID", "a long text", "env", "time: 2026-03-04T09:00:00Z"] {
            assert!(kept.contains(text), "{text} in {kept}");
        }
        assert!(!kept.contains("fieldsV1"), "{kept}");
    }

    #[test]
    fn who_wants_everything_gets_each_kind_whole() {
        let parsed = manifest::read_json(MemberId(0), "pod.json", POD.as_bytes(), &Limits::default());
        let mut content = MemberContent { parsed, ..MemberContent::default() };
        Interest::default().and_all().cut(&mut content, &Catalogue::built_in());
        let Some(Record::Object(object)) = content.parsed.records.first() else { panic!("a Pod") };
        assert_eq!(object.shown, Shown::Everything);
        assert!(object.node.to_string().contains("tolerations") && !object.node.to_string().contains("fieldsV1"));
    }

    #[test]
    fn what_is_only_shown_keeps_what_tables_and_the_timeline_read() {
        insta::assert_snapshot!(cut(&[], &["pods"]), @"apiVersion: v1, kind: Pod, metadata: name: web, namespace: shop, labels: app: web, annotations: example.com/note: null, managedFields: time: 2026-03-04T09:00:00Z, spec: nodeName: w-1, containers: name: c, image: registry.example.com/web:1, status: phase: Running, containerStatuses: name: c, ready: true, restartCount: 2");
    }

    #[test]
    fn what_is_only_counted_keeps_its_identity_and_the_marks_of_products() {
        insta::assert_snapshot!(cut(&[], &[]), @"apiVersion: v1, kind: Pod, metadata: name: web, namespace: shop, labels: app: web, annotations: example.com/note: null, managedFields: time: 2026-03-04T09:00:00Z, spec: nodeName: w-1, containers: name: c, image: registry.example.com/web:1");
    }
}
