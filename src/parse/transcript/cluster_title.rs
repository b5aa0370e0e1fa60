//! Titles of the clusters of a paste: `HUB:`, `MEMBER prod-2:`, `--- workload cluster tenant7`.
//!
//! Why: who asks about several clusters runs the same commands on each, and writes above them no more than which one it is.
//! Without it what two clusters answer is one cluster that contradicts itself.
//!
//! Invariants: a title holds nothing but what a cluster is to others and its name, between marks or before a colon; directly below
//! it somebody types a command, or a fence begins. So a key of YAML and a sentence are none. Who sets `--- mgmt ---` above the
//! commands of one cluster means another by `--- tenant7 ---` above `kubectl`.

use crate::transcript::dialect::fence;
use std::collections::BTreeSet;

/// The longest title.
const LONGEST: usize = 100;
/// Blank lines between a title and the first command.
const APART: usize = 2;
/// Marks around a title.
const MARKS: [char; 8] = ['#', '=', '-', '*', '+', '~', '_', '>'];
/// What a cluster is to others, and the name of one that has no other.
const ROLES: [(&str, &str); 7] = [
    ("hub", "hub"),
    ("management", "management"),
    ("mgmt", "management"),
    ("workload", "workload"),
    ("guest", "workload"),
    ("tenant", "workload"),
    ("member", "member"),
];

/// The name of the cluster whose title the line at this place is. `styles`: those of the titles of the text that say what a cluster
/// is to others; `is_typed`: is it a line in which a command was typed?
pub(super) fn at(
    lines: &[String],
    at: usize,
    styles: &BTreeSet<Style<'_>>,
    is_typed: impl Fn(&str) -> bool,
) -> Option<String> {
    let line = lines.get(at)?;
    let said = read(line);
    let is_said = said.is_some();
    let name = said.or_else(|| alike(line, styles))?;
    let mut below = lines.get(at + 1..)?.iter().take(APART + 1).skip_while(|line| line.trim().is_empty());
    let is_of_cluster = |line: &str| match is_said {
        true => fence(line).is_some() || is_typed(line),
        // A machine has a title as well, and what is asked there is no `kubectl`.
        false => is_typed(line) && line.contains("kubectl"),
    };
    below.next().filter(|line| is_of_cluster(line)).map(|_| name)
}

/// The marks before and behind a title.
pub(super) type Style<'t> = (&'t str, &'t str);

/// The styles of the titles of a text that say what a cluster is to others.
pub(super) fn styles(lines: &[String]) -> BTreeSet<Style<'_>> {
    lines.iter().filter(|line| read(line).is_some()).filter_map(|line| style(line)).map(|(style, _)| style).collect()
}

/// The marks of a line and what stands between them; at least two marks on either side.
fn style(line: &str) -> Option<(Style<'_>, &str)> {
    let line = line.trim_end();
    let bare = line.trim_matches(MARKS);
    let start = line.len() - line.trim_start_matches(MARKS).len();
    let marks = (&line[..start], &line[(start + bare.len()).min(line.len())..]);
    (marks.0.len() > 1 && marks.1.len() > 1).then_some((marks, bare.trim()))
}

/// The name of a line that looks like the titles which say what a cluster is to others.
fn alike(line: &str, styles: &BTreeSet<Style<'_>>) -> Option<String> {
    let (style, name) = style(line).filter(|_| line.len() <= LONGEST)?;
    (styles.contains(&style) && is_name(name)).then(|| name.to_owned())
}

/// The name that a line tells, if it can be a title.
fn read(line: &str) -> Option<String> {
    let text = line.trim_end();
    if text.len() > LONGEST || text.starts_with([' ', '\t']) {
        return None;
    }
    let bare = text.trim_matches(|c: char| MARKS.contains(&c) || c.is_whitespace());
    let is_marked = text.starts_with("# ")
        || text.starts_with("##")
        || ["--", "==", "**", "__", "++", "~~"].iter().any(|mark| text.starts_with(mark));
    let (bare, has_colon) = match bare.strip_suffix([':', '：']) {
        Some(bare) => (bare.trim_end(), true),
        None => (bare, false),
    };
    if !is_marked && !has_colon {
        return None;
    }
    // What stands in brackets says more of the same cluster.
    let bare =
        bare.split_once('(').filter(|(_, rest)| rest.ends_with(')')).map_or(bare, |(before, _)| before.trim_end());
    let mut words = bare.split_whitespace().peekable();
    while words.next_if(|word| ["on", "from", "in", "the"].iter().any(|own| word.eq_ignore_ascii_case(own))).is_some() {
    }
    let role = words.next()?.to_ascii_lowercase();
    let (_, role) = ROLES.iter().find(|(word, _)| *word == role)?;
    let is_cluster =
        words.next_if(|word| ["cluster", "side"].iter().any(|own| word.eq_ignore_ascii_case(own))).is_some();
    match (words.next(), words.next()) {
        (None, _) => Some((*role).to_owned()),
        (Some(word), None) => {
            let name = word.trim_matches(['`', '"', '\'']);
            // A word that is no name says which part of the cluster: `hub agent:`, `workload pods:`.
            let is_told = is_cluster || name.contains(|c: char| c == '-' || c.is_ascii_digit());
            (is_told && is_name(name)).then(|| name.to_owned())
        }
        _ => None,
    }
}

/// Is it a name as Kubernetes gives them?
fn is_name(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
    word.len() > 1 && word.starts_with(|c: char| c.is_ascii_alphanumeric()) && word.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::{at, styles};
    use std::collections::BTreeSet;

    fn title(line: &str, below: &str) -> Option<String> {
        let lines = [line.to_owned(), String::new(), below.to_owned()];
        at(&lines, 0, &BTreeSet::new(), |line| line.starts_with("$ "))
    }

    #[test]
    fn a_name_between_the_marks_of_a_title_is_one() {
        let text = |title: &str, typed: &str| {
            let lines = ["--- mgmt ---", "$ kubectl get md", title, typed].map(str::to_owned);
            at(&lines, 2, &styles(&lines), |line| line.starts_with("$ "))
        };
        assert_eq!(text("--- tenant7 ---", "$ kubectl get nodes").as_deref(), Some("tenant7"));
        for (title, typed) in [
            ("--- worker-3 ---", "$ crictl ps -a"),
            ("=== tenant7 ===", "$ kubectl get nodes"),
            ("--- tenant7", "$ kubectl get nodes"),
            ("--- The nodes ---", "$ kubectl get nodes"),
            ("--- tenant7 ---", "apiVersion: v1"),
            ("------", "$ kubectl get nodes"),
        ] {
            assert_eq!(text(title, typed), None, "{title} above {typed}");
        }
    }

    #[test]
    fn a_title_names_a_cluster() {
        for (line, name) in [
            ("HUB:", "hub"),
            ("MEMBER prod-2:", "prod-2"),
            ("--- management cluster", "management"),
            ("--- workload cluster tenant7", "tenant7"),
            ("=== mgmt ===", "management"),
            ("**Workload cluster payments**", "payments"),
            ("on the hub cluster:", "hub"),
            ("workload side:", "workload"),
            ("Workload cluster (kubeconfig from clusterctl get kubeconfig):", "workload"),
        ] {
            assert_eq!(title(line, "$ kubectl get nodes").as_deref(), Some(name), "{line}");
            assert_eq!(title(line, "it is slow"), None, "{line}");
        }
        assert_eq!(title("hub:", "```").as_deref(), Some("hub"));
        for line in [
            "hub",
            "hub agent:",
            "hub-agent log:",
            "workload pods:",
            "  hub:",
            "member",
            "the hub is slow, look:",
            "# kubectl get hub",
            "Hub, then member:",
        ] {
            assert_eq!(title(line, "$ kubectl get nodes"), None, "{line}");
        }
    }
}
