//! Titles of the clusters of a paste: `HUB:`, `MEMBER prod-2:`, `--- workload cluster tenant7`.
//!
//! Why: who asks about several clusters runs the same commands on each, and writes above them no more than which one it is.
//! Without it what two clusters answer is one cluster that contradicts itself.
//!
//! Invariants: a title holds nothing but what a cluster is to others and its name, between marks or before a colon; directly below
//! it somebody types a command, or a fence begins. So a key of YAML and a sentence are none.

use crate::transcript::dialect::fence;

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

/// The name of the cluster whose title the line at this place is. `is_typed`: is it a line in which a command was typed?
pub(super) fn at(lines: &[String], at: usize, is_typed: impl Fn(&str) -> bool) -> Option<String> {
    let name = lines.get(at).and_then(|line| read(line))?;
    let mut below = lines.get(at + 1..)?.iter().take(APART + 1).skip_while(|line| line.trim().is_empty());
    below.next().filter(|line| fence(line).is_some() || is_typed(line)).map(|_| name)
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
    use super::at;

    fn title(line: &str, below: &str) -> Option<String> {
        let lines = [line.to_owned(), String::new(), below.to_owned()];
        at(&lines, 0, |line| line.starts_with("$ "))
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
