//! Lines of several containers in one output: `stern`, `kubetail` and `kubectl logs --prefix` put Pod and container in front
//! of each.
//!
//! Why: read as one log they are the words of nobody, and the last word of one container is taken for the last one of all.
//!
//! Invariants: a line begins such a stretch only if what stands behind the names is a line of a log, or if a line of `stern`
//! above it has announced its Pod; every line of a stretch belongs to one container; the number of containers is bounded.

use crate::transcript::stretch;
use std::collections::{BTreeMap, BTreeSet};

/// Containers of one stretch that are told apart; lines of others are of nobody in particular.
const MOST: usize = 64;
/// Bytes in which the names stand.
const LONGEST: usize = 400;

/// What stands in front of a line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Owner<'t> {
    /// The namespace, where several are shown.
    pub namespace: Option<&'t str>,
    pub pod: &'t str,
    pub container: Option<&'t str>,
}

/// The lines of one container: their indexes, and what it wrote itself.
pub(super) type Written<'t> = Vec<(usize, &'t str)>;

/// Is it the name of a Pod? All have a part behind a dash: of whoever made it, or of its machine.
fn is_pod(word: &str) -> bool {
    is_name(word) && word.contains('-')
}

fn is_name(word: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.');
    !word.is_empty()
        && word.len() < 254
        && word.bytes().all(plain)
        && !word.starts_with(['-', '.'])
        && !word.ends_with('-')
}

fn is_container(word: &str) -> bool {
    is_name(word) && word.starts_with(|c: char| c.is_ascii_lowercase()) && !word.contains('.')
}

/// `[pod/web-0/app] `, `[web-0 app] `
fn bracketed(line: &str) -> Option<(Owner<'_>, &str)> {
    let (inner, rest) = line.strip_prefix('[')?.split_once("] ")?;
    let (pod, container) = match inner.strip_prefix("pod/") {
        Some(inner) => inner.split_once('/')?,
        None => inner.split_once(' ')?,
    };
    (is_pod(pod) && is_container(container))
        .then_some((Owner { namespace: None, pod, container: Some(container) }, rest))
}

/// `web-0 app `, and with the namespace in front.
fn plain(line: &str) -> Option<(Owner<'_>, &str)> {
    let (first, behind) = line.split_once(' ')?;
    let (second, rest) = behind.split_once(' ')?;
    let spaced = || {
        let (container, rest) = rest.split_once(' ')?;
        let owner = Owner { namespace: Some(first), pod: second, container: Some(container) };
        (is_container(first) && is_pod(second) && is_container(container) && is_logged(rest)).then_some((owner, rest))
    };
    let alone = || {
        let owner = Owner { namespace: None, pod: first, container: Some(second) };
        (is_pod(first) && is_container(second)).then_some((owner, rest))
    };
    spaced().or_else(alone)
}

fn is_logged(rest: &str) -> bool {
    stretch::is_log(rest) || stretch::is_levelled(rest)
}

/// Whose line it is, and the line itself.
fn read(line: &str) -> Option<(Owner<'_>, &str)> {
    let head = line.get(..line.floor_char_boundary(LONGEST))?;
    let (owner, rest) = if head.starts_with('[') { bracketed(head)? } else { plain(head)? };
    Some((owner, line.get(head.len() - rest.len()..)?))
}

/// What `stern` says of a container that it begins or ends to follow: `+ web-0 › app`.
fn announced(line: &str) -> Option<Owner<'_>> {
    let inner = line.strip_prefix("+ ").or_else(|| line.strip_prefix("- "))?;
    let (pod, container) = inner.trim_end().split_once(" › ")?;
    let (namespace, pod) = match pod.split_once(' ') {
        Some((namespace, pod)) => (Some(namespace), pod),
        None => (None, pod),
    };
    (is_pod(pod) && is_container(container)).then_some(Owner { namespace, pod, container: Some(container) })
}

/// How many of the lines, from the first one on, have their container in front of them; none if the first begins no such
/// stretch.
pub(super) fn length(lines: &[&str]) -> Option<usize> {
    let mut known: BTreeSet<Owner<'_>> = BTreeSet::new();
    let (mut count, mut sure) = (0, false);
    let mut end = 0;
    for (at, line) in lines.iter().enumerate() {
        if count == 0 && at > MOST {
            break;
        }
        if let Some(owner) = announced(line) {
            known.insert(owner);
            (sure, end) = (true, at + 1);
            continue;
        }
        let Some((owner, rest)) = read(line) else { break };
        if !known.contains(&owner) && !is_logged(rest) {
            break;
        }
        sure |= line.starts_with("[pod/");
        known.insert(owner);
        (count, end) = (count + 1, at + 1);
    }
    // One line alone may be a sentence that begins with two names.
    (count > 1 || sure && count > 0).then_some(end)
}

/// The lines of each container, in the order of their names; `None`: of those beyond the bound.
pub(super) fn apart<'t>(lines: &[&'t str]) -> BTreeMap<Option<Owner<'t>>, Written<'t>> {
    let mut all: BTreeMap<Option<Owner<'t>>, Written<'t>> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((owner, rest)) = read(line) else { continue };
        let owner = Some(owner).filter(|owner| all.len() < MOST || all.contains_key(&Some(owner.clone())));
        all.entry(owner).or_default().push((at, rest));
    }
    all
}

/// Lines of a text among which such a stretch is looked for.
const LOOK: usize = 400;

/// Does such a stretch begin in the first lines of a text?
pub(super) fn is_in(head: &str) -> bool {
    let lines: Vec<&str> = head.lines().take(LOOK).collect();
    // A line or two tell as much as all that follow.
    (0..lines.len()).any(|at| length(&lines[at..lines.len().min(at + 3)]).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        let lines: Vec<&str> = text.lines().collect();
        let Some(end) = length(&lines) else { return "-".to_owned() };
        let apart = apart(&lines[..end]).into_iter().map(|(owner, written)| {
            let owner = owner.map_or("?".to_owned(), |owner| {
                let namespace = owner.namespace.map_or(String::new(), |namespace| format!("{namespace}/"));
                format!("{namespace}{} {}", owner.pod, owner.container.unwrap_or_default())
            });
            let lines: Vec<String> = written.iter().map(|(at, text)| format!("{at}: {text}")).collect();
            format!("{owner} [{}]", lines.join(" | "))
        });
        format!("{end}: {}", apart.collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn lines_of_each_container() {
        let stern = "+ web-0 › app\nweb-0 app it starts\nweb-1 app 2026-05-14T10:00:01Z b\nweb-0 app c\nand so on\n";
        assert_eq!(show(stern), "4: web-0 app [1: it starts | 3: c], web-1 app [2: 2026-05-14T10:00:01Z b]");
        let all =
            "shop web-0 app 2026-05-14T10:00:01Z a\nkube-system dns-5d78c9869d-hx4k4 dns 2026-05-14T10:00:02Z b\n";
        assert_eq!(
            show(all),
            "2: kube-system/dns-5d78c9869d-hx4k4 dns [1: 2026-05-14T10:00:02Z b], shop/web-0 app [0: 2026-05-14T10:00:01Z a]"
        );
        assert_eq!(
            show("[pod/web-0/app] [ERROR] a\n[pod/web-0/side] [INFO] b\n"),
            "2: web-0 app [0: [ERROR] a], web-0 side [1: [INFO] b]"
        );
        assert_eq!(
            show("[web-0 app] E0514 10:00:02.418771       1 a.go:7] x\n[web-0 app] y\n"),
            "2: web-0 app [0: E0514 10:00:02.418771       1 a.go:7] x | 1: y]"
        );
    }

    #[test]
    fn what_begins_with_two_names_and_is_no_log() {
        for text in [
            "kube-system pods are fine\nkube-system pods are fine\n",
            "web-0 app 2026-05-14T10:00:01Z alone\n",
            "web-0   1/1   Running   0   5m\nweb-1   1/1   Running   0   5m\n",
            "[kubelet-check] It seems\n[kubelet-check] It seems\n",
            "[control-plane init] x\n[control-plane init] y\n",
            "+ web-0 › app\n",
            "",
        ] {
            assert_eq!(show(text), "-", "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn foreign_text_never_panics(text in "[-+\\[\\]a-z0-9 ›\u{e9}/:\n]{0,200}") {
            show(&text);
            show(&format!("+ web-0 › app\n{text}"));
        }
    }
}
