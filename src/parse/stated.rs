//! Gives the lists of a member the scope that the command behind it states.
//!
//! Why apart from the parsers: a list in JSON or YAML looks the same whatever was asked, so what it proves
//! is a matter of the command alone.
//!
//! Invariants: a command states a scope only for what it printed as a list; without `-A` and `-n` the
//! namespace is that of whoever ran it, which nobody knows, so only a cluster-scoped kind is covered then;
//! names and selectors narrow what is proven; a list of several kinds says nothing about a kind that it
//! holds no object of.

use crate::answer;
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::order::Order;
use facts::origin::{Citation, MemberId};
use facts::record::{Command, Parsed, Record};
use facts::unread::WhyUnread;

/// Restates the lists of a member as answers to `command`, and its empty lists as empty answers.
pub(crate) fn restate(member: MemberId, command: &Command, parsed: &mut Parsed) {
    if command.verb != "get" {
        return;
    }
    for record in &mut parsed.records {
        if let Record::Answer(answer) = record
            && answer.basis.is_listed()
        {
            answer.namespaces = namespaces(command);
            answer.names = names(command);
            answer.selector.clone_from(&command.selector);
            answer.basis = basis(command);
        }
    }
    let [typed] = command.kinds.as_slice() else { return };
    let Ok(kind) = answer::unambiguous(typed) else { return };
    let records = &mut parsed.records;
    parsed.unread.retain(|(line, why)| {
        if *why != WhyUnread::EmptyList {
            return true;
        }
        records.push(Record::from(Answer {
            kind: kind.clone(),
            namespaces: namespaces(command),
            names: names(command),
            selector: command.selector.clone(),
            state: State::Empty,
            basis: basis(command),
            order: Order::default(),
            citation: Citation::line(member, *line, &format!("empty list of `{}`", command.text)),
        }));
        false
    });
}

/// An empty list of namespaces is one namespace that nobody names; the facts read it as all where the
/// kind is cluster-scoped.
fn namespaces(command: &Command) -> Namespaces {
    match &command.namespace {
        _ if command.all_namespaces => Namespaces::All,
        Some(namespace) => Namespaces::Some(vec![namespace.clone()]),
        None => Namespaces::Some(Vec::new()),
    }
}

fn names(command: &Command) -> Option<Vec<String>> {
    (!command.names.is_empty()).then(|| command.names.clone())
}

fn basis(command: &Command) -> Basis {
    if command.names.is_empty() { Basis::Stated } else { Basis::Named }
}

#[cfg(test)]
mod tests {
    use crate::command;
    use crate::member::read_with;
    use crate::scan::Literals;
    use facts::record::Record;
    use intake::Limits;

    use super::*;

    fn show(command: &str, text: &str) -> String {
        let command = command::parse(command).unwrap();
        let literals = Literals::new([]);
        let limits = Limits::default();
        let content = read_with(MemberId(0), "a.txt", &mut text.as_bytes(), &literals, &limits, Some(&command));
        let mut out = String::new();
        for record in content.parsed.records {
            match record {
                Record::Answer(a) => {
                    let (names, selector) = (a.names, a.selector);
                    let scope = format!("{:?} {names:?} {selector:?}", a.namespaces);
                    out += &format!("{} {scope} {} {}\n", a.kind, a.state.word(), a.basis.word());
                }
                Record::Table(table) => out += &format!("table of `{}`\n", table.command.unwrap_or_default().text),
                _ => {}
            }
        }
        out + &content.parsed.unread.into_iter().map(|(line, why)| format!("{line}! {why}\n")).collect::<String>()
    }

    const PODS: &str =
        "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: a, namespace: x}\nkind: List\n";
    const NONE: &str = "apiVersion: v1\nkind: List\nitems: []\n";

    #[test]
    fn the_command_states_the_scope_of_a_list() {
        insta::assert_snapshot!(show("kubectl get pods -A -o yaml", PODS), @"pods All None None complete stated");
        insta::assert_snapshot!(show("kubectl get pods -n x -o yaml", PODS), @r#"pods Some(["x"]) None None complete stated"#);
        insta::assert_snapshot!(show("kubectl get pods -o yaml", PODS), @"pods Some([]) None None complete stated");
        insta::assert_snapshot!(
            show("kubectl get pods -A -l app=a -o yaml", PODS),
            @r#"pods All None Some("app=a") complete stated"#
        );
        insta::assert_snapshot!(
            show("kubectl get pods -n x a b -o yaml", PODS),
            @r#"pods Some(["x"]) Some(["a", "b"]) None complete named"#
        );
    }

    #[test]
    fn an_empty_list_is_an_answer_to_a_command_that_names_one_kind() {
        insta::assert_snapshot!(show("kubectl get pods -A -o yaml", NONE), @"pods All None None empty stated");
        insta::assert_snapshot!(
            show("kubectl get machines -A -o yaml", NONE),
            @"1! empty list: proves nothing without its command"
        );
        insta::assert_snapshot!(
            show("kubectl get pods,nodes -A -o yaml", NONE),
            @"1! empty list: proves nothing without its command"
        );
    }

    #[test]
    fn texts_of_kubectl_take_the_kind_of_the_command() {
        insta::assert_snapshot!(show("kubectl get pods -A", "No resources found\n"), @"pods All None None empty stated");
        insta::assert_snapshot!(
            show("kubectl get pods -n x", "NAME   READY   STATUS    RESTARTS   AGE\na      1/1     Running   0          3d\n"),
            @"table of `kubectl get pods -n x`"
        );
    }
}
