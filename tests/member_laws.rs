//! Laws of reading a member, for any bytes.

use casefile::facts::origin::MemberId;
use casefile::intake::Limits;
use casefile::parse::member::{self, MemberContent};
use casefile::parse::record::Record;
use casefile::parse::scan::Literals;

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
            let _ = casefile::parse::command::parse(&line);
            let _ = casefile::parse::answer::kind_hint(&line);
        }
    }
}
