//! Laws of reading a member, for any bytes.

use facts::origin::MemberId;
use facts::record::Record;
use intake::Limits;
use parse::member;
use parse::member::MemberContent;
use parse::scan::Literals;

/// A dump that an error of the collecting command cut, at whatever byte.
mod interrupted {
    use super::*;
    use facts::coverage::State;
    use facts::node::Node;
    use facts::object::{ObjectRecord, Shown};
    use proptest::prelude::*;

    const ERRORS: [&str; 6] = [
        "Error from server (Timeout): the server was unable to return a response in the time allotted",
        "Error from server: etcdserver: request timed out",
        "error: timed out waiting for the condition",
        "error: unable to decode an event from the watch stream: http2: client connection lost",
        "Unable to connect to the server: net/http: TLS handshake timeout",
        "The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?",
    ];

    const YAML: &str = "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    labels:\n      app: web\n    name: web-1\n    namespace: shop\n  spec:\n    nodeName: node-a\n  status:\n    conditions:\n    - message: all is well\n      status: \"True\"\n      type: Ready\n    phase: Running\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: web-2\n    namespace: shop\n  spec:\n    nodeName: node-b\n  status:\n    message: |-\n      first line\n      second line\n    phase: Failed\nkind: List\nmetadata:\n  resourceVersion: \"\"\n";
    const JSON: &str = "{\n  \"apiVersion\": \"v1\",\n  \"items\": [\n    {\n      \"apiVersion\": \"v1\",\n      \"kind\": \"Pod\",\n      \"metadata\": {\"name\": \"web-1\", \"namespace\": \"shop\"},\n      \"status\": {\"phase\": \"Running\"}\n    },\n    {\n      \"apiVersion\": \"v1\",\n      \"kind\": \"Pod\",\n      \"metadata\": {\"name\": \"web-2\", \"namespace\": \"shop\"}\n    }\n  ],\n  \"kind\": \"List\"\n}\n";
    const TABLE: &str = "NAMESPACE   NAME    READY   STATUS    RESTARTS   AGE\nshop        web-1   1/1     Running   0          5m\nshop        web-2   0/1     Pending   0          4m59s\nshop        web-3   0/1     Error     7          12d\n";
    const DESCRIBE: &str = "Name:         web-1\nNamespace:    shop\nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  example.com/v1\nKind:         Widget\nSpec:\n  Size:  5\nStatus:\n  Message:  it is well\n  Phase:    Running\nEvents:     <none>\n\n\nName:         web-2\nNamespace:    shop\nLabels:       <none>\nAnnotations:  <none>\nAPI Version:  example.com/v1\nKind:         Widget\nSpec:\n  Size:  6\nStatus:\n  Message:  it is well\n  Phase:    Running\nEvents:     <none>\n";

    fn content(name: &str, text: &str) -> MemberContent {
        member::read(MemberId(0), name, &mut text.as_bytes(), &Literals::new(Vec::new()), &Limits::default())
    }

    fn objects(content: &MemberContent) -> Vec<&ObjectRecord> {
        let all = content.parsed.records.iter();
        all.filter_map(|record| if let Record::Object(object) = record { Some(&**object) } else { None }).collect()
    }

    /// Each value in the tree with the keys that lead to it.
    fn values(node: &Node, at: &str, out: &mut Vec<(String, String)>) {
        for (key, child) in node.entries() {
            values(child, &format!("{at}.{key}"), out);
        }
        for (index, child) in node.items().iter().enumerate() {
            values(child, &format!("{at}[{index}]"), out);
        }
        if node.entries().is_empty() && node.items().is_empty() {
            out.push((at.to_owned(), node.to_string()));
        }
    }

    fn of(object: &ObjectRecord) -> Vec<(String, String)> {
        let mut out = Vec::new();
        values(&object.node, "", &mut out);
        out
    }

    #[test]
    fn colours_of_a_terminal_change_nothing() {
        for (name, text) in
            [("pods.yaml", YAML), ("pods.json", JSON), ("get-pods.txt", TABLE), ("describe-widgets.txt", DESCRIBE)]
        {
            let coloured: String = text.lines().map(|line| format!("\u{1b}[0;32m{line}\u{1b}[0m\n")).collect();
            assert!(!content(name, text).parsed.records.is_empty());
            assert_eq!(content(name, &coloured).parsed, content(name, text).parsed, "{name}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn what_is_kept_is_true_and_the_loss_is_told(
            which in 0..4usize,
            at in any::<prop::sample::Index>(),
            error in 0..ERRORS.len(),
            on_its_own_line in any::<bool>(),
        ) {
            let (name, text) = [("pods.yaml", YAML), ("pods.json", JSON), ("get-pods.txt", TABLE), ("describe-widgets.txt", DESCRIBE)][which];
            let cut = 1 + at.index(text.len() - 1);
            let lines = text[..cut].rfind('\n').map_or(cut, |end| end + 1);
            let broken = format!("{}{}\n", &text[..if on_its_own_line { lines } else { cut }], ERRORS[error]);
            let (whole, found) = (content(name, text), content(name, &broken));

            let whole_list = |record: &Record| match record {
                Record::Answer(answer) => answer.state == State::Complete,
                Record::Table(table) => table.cut.is_none(),
                _ => false,
            };
            prop_assert!(!found.parsed.records.iter().any(whole_list), "a list is taken for whole: {broken}");
            let failed = |record: &Record| matches!(record, Record::Answer(answer) if matches!(answer.state, State::Error(_) | State::Partial(_)));
            let told = !found.parsed.unread.is_empty() || found.parsed.records.iter().any(failed) || found.log.is_some();
            prop_assert!(told, "the loss is not told: {broken}");

            // What a tool reports is the error itself, and no object that it speaks of.
            let is_report = |object: &&ObjectRecord| object.kind.as_ref().is_some_and(|kind| kind.plural == "toolreports");
            for object in objects(&found).into_iter().filter(|object| !is_report(object)) {
                let same = objects(&whole).into_iter().find(|other| other.name == object.name);
                let Some(same) = same else {
                    prop_assert!(false, "no such object: {} in {broken}", object.name);
                    continue;
                };
                for (path, value) in of(object) {
                    // What a text that broke off does not show is not known; what it shows is as it was.
                    let known = of(same).contains(&(path.clone(), value.clone()));
                    prop_assert!(known || matches!(object.shown.text(), Shown::Paths(_) | Shown::Until(_)) && value.is_empty(), "{path}: {value} in {broken}");
                }
                if matches!(object.shown, Shown::Everything) {
                    prop_assert_eq!(of(object), of(same), "in {}", broken);
                }
            }
            let rows = |content: &MemberContent| -> Vec<String> {
                let tables = content.parsed.records.iter().filter_map(|record| match record {
                    Record::Table(table) => Some(table),
                    _ => None,
                });
                tables.flat_map(|table| table.rows.iter().map(|row| row.cells.join("|"))).collect()
            };
            for row in rows(&found) {
                prop_assert!(rows(&whole).contains(&row), "no such row: {row} in {broken}");
            }
        }
    }
}

/// Whatever the bytes: no panic, and a member that has any is never empty and unread at once.
mod laws {
    use super::*;
    use proptest::prelude::*;

    const SEEDS: [&str; 6] = [
        "NAMESPACE   NAME   READY   AGE\nns          a      1/1     2d\n            b      0/1\n\nNAME AGE\na 1d\n",
        "Name:         a\nNamespace:    ns\nLabels:       a=b\nAnnotations:  k:\n                v...\nAPI Version:  e.com/v1\nKind:         W\nStatus:\n  C:\n    B:  1\n    A:  x\ny\nEvents:\n  Type  Reason  Age  From  Message\n  ----  ------  ---  ----  -------\n  W     R       1s   k     m\n",
        "No resources found in a namespace.\nError from server (NotFound): pods \"x\" not found\nerror: the server doesn't have a resource type \"x\"\n",
        "{\"kind\":\"List\",\"items\":[]}\nError from server (Forbidden): pods is forbidden: User \"u\" cannot list resource \"pods\" in API group \"\" in the namespace \"x\"\n",
        "Warning: x\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nUnable to connect to the server: EOF\n",
        "NAME CLUSTER NODENAME PROVIDERID PHASE AGE VERSION\na b c vsphere://d Running 1d v1.2.3\na b 1d v1.2.3\n",
    ];

    fn read_bytes(bytes: &[u8]) -> MemberContent {
        let literals = Literals::new(["x".to_owned()]);
        member::read(MemberId(0), "get-pods.txt", &mut &*bytes, &literals, &Limits::default())
    }

    proptest! {
        #[test]
        fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let content = read_bytes(&bytes);
            prop_assert_eq!(content.empty, bytes.is_empty());
        }

        #[test]
        fn mutated_texts(
            seed in 0..SEEDS.len(),
            edits in proptest::collection::vec((any::<prop::sample::Index>(), "[ -~\n\té│]{0,3}", 0..4usize), 0..12),
        ) {
            let mut text: Vec<char> = SEEDS[seed].chars().collect();
            for (at, new, gone) in edits {
                if text.is_empty() { break }
                let at = at.index(text.len());
                let end = (at + gone).min(text.len());
                text.splice(at..end, new.chars());
            }
            let text: String = text.into_iter().collect();
            let content = read_bytes(text.as_bytes());
            let said = !content.parsed.records.is_empty() || !content.parsed.unread.is_empty() || content.log.is_some();
            prop_assert!(said || text.trim().is_empty(), "nothing was said of {:?}", text);
            for record in content.parsed.records {
                if let Record::Table(table) = record {
                    for row in table.rows {
                        prop_assert_eq!(row.cells.len(), table.headers.len());
                    }
                }
            }
        }

        #[test]
        fn commands(line in "[ -~é]{0,80}") {
            let line = format!("kubectl {line}");
            let _ = parse::command::parse(&line);
            let _ = parse::answer::kind_hint(&line);
        }
    }
}
