//! What the collector's account may do: `kubectl auth can-i`.
//!
//! `--list` gives objects `accessrules` (`spec.resources`, `spec.nonResourceURLs`, `spec.resourceNames`,
//! `spec.verbs`); a single `no` is the answer `forbidden` about the kind that was asked for. Source:
//! `kubernetes/kubectl:pkg/cmd/auth/cani.go@v0.34`, `pkg/describe/rbac.go`.

use crate::answer;
use crate::answer::Asked;
use crate::text_form::form::{NONE, TextForm};
use crate::text_form::records;
use crate::text_form::records::Records;
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::node::Node;
use facts::order::Order;
use facts::origin::Citation;
use facts::record::{Command, Parsed, Record};
use facts::unread::WhyUnread;
use nom::Parser;
use nom::bytes::complete::is_not;
use nom::character::complete::{char, space0};
use nom::multi::many1;
use nom::sequence::{delimited, preceded};

pub(super) const FORM: TextForm = TextForm {
    name: "access",
    text: Some(try_parse),
    document: Some(|asked, document, _| try_document(asked, document)),
    ..NONE
};

/// Reads either; `None` if it is something else.
fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let (number, first) = records::lines(text).find(|(_, line)| !answer::is_one(line))?;
    if is_header(first) {
        return list(asked, text, number);
    }
    let command = asked.command.filter(|command| command.text.contains("auth can-i"))?;
    one(asked, command, number, first)
}

fn is_header(line: &str) -> bool {
    line.starts_with("Resources ") && line.contains(" Non-Resource URLs ") && line.trim_end().ends_with("Verbs")
}

fn list(asked: &Asked<'_>, text: &str, header: u32) -> Option<Parsed> {
    let mut records = Records::new(asked, "auth-can-i");
    for (number, line) in records::lines(text).skip_while(|(number, _)| *number <= header) {
        // The resource may be missing; the other three cells stand in brackets.
        let (resource, cells) = line.find('[').map_or((line, ""), |at| line.split_at(at));
        let cell = delimited(char('['), nom::combinator::opt(is_not("]")), char(']'));
        let Ok((_, cells)) = many1(preceded(space0::<_, nom::error::Error<&str>>, cell)).parse(cells) else {
            records.unread(number, WhyUnread::no_but("row of `auth can-i --list`", answer::short(line)));
            continue;
        };
        let [urls, names, verbs] = cells[..] else {
            records.unread(number, WhyUnread::no("row of `auth can-i --list`"));
            continue;
        };
        let words = |cell: Option<&str>| cell.unwrap_or_default().to_owned();
        rule(&mut records, number, &[resource.trim().to_owned()], &words(urls), &words(names), &words(verbs));
    }
    records.finish_if_any()
}

fn rule(records: &mut Records<'_>, line: u32, resources: &[String], urls: &str, names: &str, verbs: &str) {
    let mut node = Node::map(line);
    let resources = resources.iter().map(String::as_str).filter(|text| !text.is_empty());
    node.set_at(&["spec", "resources"], records::texts(line, resources.clone()));
    for (field, cell) in [("nonResourceURLs", urls), ("resourceNames", names), ("verbs", verbs)] {
        node.set_at(&["spec", field], records::texts(line, cell.split_whitespace()));
    }
    let name = format!("{} {urls} {names} {verbs}", resources.collect::<Vec<_>>().join(","));
    records.whole("accessrules", name.trim(), node);
}

/// `yes`, `no`, `no - reason`.
fn one(asked: &Asked<'_>, command: &Command, line: u32, text: &str) -> Option<Parsed> {
    let mut records = Records::new(asked, "auth-can-i");
    let word = text.split(' ').next()?;
    if word == "yes" {
        return Some(records.finish());
    }
    if word != "no" {
        return None;
    }
    // `auth can-i list pods`: what stands behind the verb is a kind, perhaps with a name.
    let mut words = command.text.split_whitespace().skip_while(|word| *word != "can-i").skip(1);
    let verb = words.by_ref().find(|word| !word.starts_with('-'))?;
    let kind = words.find(|word| !word.starts_with('-'))?;
    let kind = kind.split('/').next().unwrap_or(kind);
    if matches!(verb, "get" | "list" | "*")
        && let Ok(kind) = answer::unambiguous(kind)
    {
        let namespaces = match &command.namespace {
            Some(namespace) => Namespaces::Some(vec![namespace.clone()]),
            None if command.all_namespaces => Namespaces::All,
            None => Namespaces::Some(Vec::new()),
        };
        records.push(Record::from(Answer {
            kind,
            namespaces,
            names: None,
            selector: None,
            state: State::Forbidden(format!("`{}` says no", command.text).into()),
            basis: Basis::Stated,
            order: Order::default(),
            citation: Citation::line(asked.member, line, text),
        }));
    }
    Some(records.finish())
}

/// The rules of a `SelfSubjectRulesReview`, as collectors keep them: a list of maps with verbs.
fn try_document(asked: &Asked<'_>, document: &Node) -> Option<Parsed> {
    let items = document.items();
    let is_rule = |node: &Node| {
        node.get("verbs").is_some() && (node.get("resources").is_some() || node.get("nonResourceURLs").is_some())
    };
    if items.is_empty() || !items.iter().all(is_rule) {
        return None;
    }
    let mut records = Records::new(asked, "auth-can-i");
    for item in items {
        let words = |field: &str| {
            let all = item.get(field).map_or(&[][..], Node::items).iter().filter_map(Node::as_str);
            all.map(str::to_owned).collect::<Vec<_>>()
        };
        let groups = words("apiGroups");
        let resources: Vec<String> = words("resources")
            .iter()
            .flat_map(|resource| {
                let full =
                    |group: &String| if group.is_empty() { resource.clone() } else { format!("{resource}.{group}") };
                groups.iter().map(full).collect::<Vec<_>>()
            })
            .collect();
        let joined = |field: &str| words(field).join(" ");
        rule(
            &mut records,
            item.line,
            &resources,
            &joined("nonResourceURLs"),
            &joined("resourceNames"),
            &joined("verbs"),
        );
    }
    Some(records.finish())
}

#[cfg(test)]
mod tests {
    use crate::text_form::testing::{read, read_json, read_of};

    #[test]
    fn a_list_of_rules() {
        let text = "Resources                                       Non-Resource URLs   Resource Names   Verbs\nselfsubjectreviews.authentication.k8s.io        []                  []               [create]\n                                                [/healthz]          []               [get]\npods                                            []                  [a]              [get list]\n";
        insta::assert_snapshot!(read("can-i.txt", text), @r"
        2: accessrules selfsubjectreviews.authentication.k8s.io   create | spec: {resources: selfsubjectreviews.authentication.k8s.io, nonResourceURLs: , resourceNames: , verbs: create}
        3: accessrules /healthz  get | spec: {resources: , nonResourceURLs: /healthz, resourceNames: , verbs: get}
        4: accessrules pods  a get list | spec: {resources: pods, nonResourceURLs: , resourceNames: a, verbs: get, list}
        ");
        insta::assert_snapshot!(read_json("x.json", r#"[{"verbs":["get"],"apiGroups":["","apps"],"resources":["a"]}]"#), @"1: accessrules a,a.apps   get | spec: {resources: a, a.apps, nonResourceURLs: , resourceNames: , verbs: get}");
    }

    #[test]
    fn a_single_no_is_forbidden() {
        insta::assert_snapshot!(read_of("kubectl auth can-i list secrets -n kube-system", "no\n"), @r#"1: secrets Some(["kube-system"]) forbidden"#);
        insta::assert_snapshot!(read_of("kubectl auth can-i list pods -A", "no - no RBAC policy matched\n"), @"1: pods All forbidden");
        insta::assert_snapshot!(read_of("kubectl auth can-i list pods -A", "yes\n"), @"");
        insta::assert_snapshot!(read("a.txt", "no\n"), @"something else");
    }
}
