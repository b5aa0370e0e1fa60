//! Which kinds an API server serves: `kubectl api-resources` and `kubectl api-versions`.
//!
//! Why it matters: a kind that a whole listing does not hold does not exist on that server, so there are no
//! objects of it. What was printed with an error is no whole listing, and one that an option narrowed
//! (`--namespaced`, `--api-group`) is none either. Source: `kubernetes/kubectl:pkg/cmd/apiresources@v0.34`.
//!
//! Invariant: a listing says of itself whether it can be whole; the facts layer draws the conclusion.

use crate::answer;
use crate::answer::Asked;
use crate::text_form::form::{NONE, TextForm};
use crate::text_form::records;
use crate::text_form::records::Records;
use facts::kind::KindName;
use facts::origin::Citation;
use facts::record::{Parsed, Record, Served};
use facts::unread::WhyUnread;
use std::collections::BTreeSet;

pub(super) const FORM: TextForm = TextForm { name: "resources", text: Some(try_parse), ..NONE };

/// Reads either listing; `None` if it is something else.
fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let (line, first) = records::lines(text).find(|(_, line)| !answer::is_one(line))?;
    if is_header(first) {
        resources(asked, text, line, first)
    } else if is_version(first) && asked_for(asked, "api-versions") {
        versions(asked, text, line, first)
    } else {
        None
    }
}

/// `NAME  SHORTNAMES  APIVERSION  NAMESPACED  KIND`, `APIGROUP` instead of the version before 1.20.
fn is_header(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words[..], ["NAME", "SHORTNAMES", "APIVERSION" | "APIGROUP", "NAMESPACED", "KIND", ..])
}

/// `apps/v1`
fn is_version(line: &str) -> bool {
    let version = line.rsplit('/').next().unwrap_or_default();
    !line.contains(' ') && version.starts_with('v') && version[1..].starts_with(|c: char| c.is_ascii_digit())
}

fn asked_for(asked: &Asked<'_>, word: &str) -> bool {
    asked.command.is_some_and(|c| c.text.contains(word)) || records::stem(asked.name).replace('_', "-").contains(word)
}

/// Options that leave kinds out. `--verbs=list` leaves out none of which there could be objects.
fn is_narrowed(asked: &Asked<'_>) -> bool {
    asked.command.is_some_and(|c| ["--namespaced", "--api-group", "--categories"].iter().any(|o| c.text.contains(o)))
}

fn resources(asked: &Asked<'_>, text: &str, line: u32, header: &str) -> Option<Parsed> {
    let with_group = header.contains(" APIGROUP ");
    let (mut kinds, mut trouble) = (BTreeSet::new(), None);
    let (mut namespaced, mut cluster) = (false, false);
    let mut records = Records::new(asked, "api-resources");
    for (number, row) in records::lines(text).skip_while(|(number, _)| *number <= line) {
        let words: Vec<&str> = row.split_whitespace().collect();
        // Short names and the group of the core may be missing; `true` or `false` tells the columns apart.
        let flag = words.iter().position(|word| matches!(*word, "true" | "false"));
        match (flag, words.first()) {
            (Some(at @ 1..=3), Some(name)) if words.len() > at + 1 => {
                let before = words.get(at - 1).copied().filter(|_| at > 1);
                let group = if with_group {
                    // A short name has no dot and a group of Kubernetes nearly always one; three words are sure.
                    if at == 3 {
                        before.unwrap_or_default()
                    } else {
                        before.filter(|b| is_group(b)).unwrap_or_default()
                    }
                } else {
                    KindName::group_of(before.unwrap_or_default())
                };
                if words.get(at) == Some(&"true") {
                    namespaced = true
                } else {
                    cluster = true
                }
                kinds.insert(KindName { plural: name.to_ascii_lowercase(), group: group.to_ascii_lowercase() });
            }
            _ => {
                trouble.get_or_insert_with(|| answer::short(row));
                records.unread(number, WhyUnread::no_but("row of api-resources", answer::short(row)));
            }
        }
    }
    let discovery = records::lines(text).take_while(|(number, _)| *number < line).map(|(_, row)| row);
    let trouble = trouble.or_else(|| discovery.filter(|row| !row.starts_with("Warning: ")).map(answer::short).next());
    let narrowed = is_narrowed(asked) || !namespaced || !cluster || !kinds.contains(&KindName::parse("pods"));
    let is_whole = trouble.is_none() && !narrowed;
    let citation = Citation::line(asked.member, line, header);
    let stated = asked.command.is_some();
    records.push(Record::from(Served { kinds, groups: None, is_whole, stated, citation }));
    Some(records.finish())
}

/// The groups of Kubernetes whose names have no dot.
fn is_group(word: &str) -> bool {
    word.contains('.') || matches!(word, "apps" | "batch" | "autoscaling" | "policy" | "extensions")
}

fn versions(asked: &Asked<'_>, text: &str, line: u32, first: &str) -> Option<Parsed> {
    let mut groups = BTreeSet::new();
    let mut trouble = None;
    for (_, row) in records::lines(text) {
        if is_version(row) {
            groups.insert(KindName::group_of(row).to_ascii_lowercase());
        } else if !row.starts_with("Warning: ") {
            trouble.get_or_insert_with(|| answer::short(row));
        }
    }
    // Without a group that every server has, the listing breaks off.
    let is_whole = trouble.is_none() && groups.contains("apps");
    let mut records = Records::new(asked, "api-versions");
    let citation = Citation::line(asked.member, line, first);
    let stated = asked.command.is_some();
    let kinds = BTreeSet::new();
    records.push(Record::from(Served { kinds, groups: Some(groups), is_whole, stated, citation }));
    Some(records.finish())
}

#[cfg(test)]
mod tests {
    use crate::text_form::testing::{read, read_of};

    const TABLE: &str = "NAME         SHORTNAMES   APIVERSION                 NAMESPACED   KIND      VERBS\nbindings                  v1                         true         Binding   [create]\nnodes        no           v1                         false        Node      [create delete]\npods         po           v1                         true         Pod       [create delete]\nmachines     ma           cluster.x-k8s.io/v1beta1   true         Machine   [create]\n";

    #[test]
    fn the_table_of_today_and_that_of_before() {
        insta::assert_snapshot!(read("api-resources.txt", TABLE), @"1: serves bindings machines.cluster.x-k8s.io nodes pods | whole: true");
        let old = "NAME         SHORTNAMES   APIGROUP            NAMESPACED   KIND\nnodes        no                               false        Node\npods         po                               true         Pod\ndeployments  deploy       apps                true         Deployment\njobs                      batch               true         Job\n";
        insta::assert_snapshot!(read("a.txt", old), @"1: serves deployments.apps jobs.batch nodes pods | whole: true");
    }

    #[test]
    fn an_error_or_an_option_makes_it_less_than_whole() {
        let error = format!(
            "{TABLE}error: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: the server is currently unable to handle the request\n"
        );
        insta::assert_snapshot!(read("a.txt", &error), @r"
        1: serves bindings machines.cluster.x-k8s.io nodes pods | whole: false
        6! no row of api-resources: `error: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: the server is currently unable to handle the request`
        ");
        insta::assert_snapshot!(read_of("kubectl api-resources --api-group=x -o wide", TABLE), @"1: serves bindings machines.cluster.x-k8s.io nodes pods | whole: false");
    }

    #[test]
    fn versions_need_the_name_or_the_command() {
        insta::assert_snapshot!(read_of("kubectl api-versions", "apps/v1\nbatch/v1\nv1\n"), @"1: serves  | whole: true");
        insta::assert_snapshot!(read("x.txt", "apps/v1\nv1\n"), @"something else");
    }
}
