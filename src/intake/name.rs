//! Names of members: made safe once, here.
//!
//! Decision: a name that points outside the bundle (`../x`, `/etc/x`) loses the parts that do so, and the
//! member is read under what is left; `..` is said as damage. Nothing is ever extracted, so such a name
//! harms nobody, while dropping the member would lose evidence (`tar -P` writes absolute names in good
//! faith). Rejected: to refuse such members.
//!
//! Invariants: a safe name is relative, has no empty, `.` or `..` component, and no control character;
//! two different names stay different, except for those parts.

use crate::left_out::WhyLeftOut;
use std::fmt::Write;

/// A name made safe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SafeName {
    /// The name; empty if nothing is left.
    pub text: String,
    /// It had `..` in it.
    pub climbed: bool,
    /// Number of its components.
    pub depth: usize,
}

/// Makes a name of an archive or a file system safe. Backslashes are characters like any other.
pub(crate) fn safe(raw: &[u8]) -> SafeName {
    let mut name = SafeName { text: String::with_capacity(raw.len()), climbed: false, depth: 0 };
    for component in raw.split(|b| *b == b'/') {
        match component {
            b"" | b"." => {}
            b".." => name.climbed = true,
            _ => {
                if name.depth > 0 {
                    name.text.push('/');
                }
                escape(component, &mut name.text);
                name.depth += 1;
            }
        }
    }
    name
}

/// A text of the bundle that is shown and is no name of a member, such as the target of a link.
pub(crate) fn shown(raw: &[u8]) -> String {
    let mut text = String::new();
    escape(raw, &mut text);
    text
}

/// Writes control characters, characters that turn the direction of text, and bytes that are no UTF-8 as
/// escapes.
fn escape(raw: &[u8], out: &mut String) {
    for chunk in raw.utf8_chunks() {
        for c in chunk.valid().chars() {
            let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}');
            if c.is_control() || turns {
                out.extend(c.escape_unicode());
            } else {
                out.push(c);
            }
        }
        for byte in chunk.invalid() {
            // Writing into a String cannot fail.
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
}

/// Why a member is left alone because of its name, if so: what desktops add to folders and archives.
pub(crate) fn metadata(name: &str) -> Option<WhyLeftOut> {
    let last = name.rsplit('/').next().unwrap_or(name);
    if last.starts_with("._") || last == ".DS_Store" || name.split('/').any(|component| component == "__MACOSX") {
        return Some(WhyLeftOut::Desktop("macOS"));
    }
    let windows = ["thumbs.db", "desktop.ini"].iter().any(|own| last.eq_ignore_ascii_case(own));
    windows.then_some(WhyLeftOut::Desktop("Windows"))
}

/// The name of what a compressed file holds: its own last component without the ending of compression.
pub(crate) fn unpacked(name: &str) -> &str {
    let last = name.rsplit('/').next().unwrap_or(name);
    [".gz", ".bz2", ".zst", ".xz", ".tgz", ".tbz", ".tbz2", ".tzst", ".txz"]
        .iter()
        .find_map(|ending| last.strip_suffix(ending))
        .filter(|stem| !stem.is_empty())
        .unwrap_or(last)
}

/// Folders right below the root in what collectors write.
const FOLDERS: [&str; 42] = [
    // Troubleshoot.
    "cluster-info",
    "cluster-resources",
    "collector-errors",
    "execution-data",
    "host-collectors",
    "metadata",
    // must-gather, crust-gather, insights.
    "cluster",
    "cluster-scoped-resources",
    "conditional",
    "config",
    "etcd_info",
    "events",
    "host_service_logs",
    "insights-operator",
    "namespaces",
    // sosreport, and whatever was collected of a node.
    "boot",
    "dev",
    "etc",
    "home",
    "lib",
    "opt",
    "proc",
    "root",
    "run",
    "sos_commands",
    "sos_logs",
    "sos_reports",
    "sos_strings",
    "sys",
    "usr",
    "var",
    // Sonobuoy.
    "hosts",
    "meta",
    "plugins",
    "podlogs",
    "resources",
    "serverversion",
    // support-bundle-kit, crash-diagnostics.
    "kubecapture",
    "external",
    "logs",
    "nodes",
    "yamls",
];

/// The folder that all names share and that is stripped from them, with its slash; empty if none.
///
/// A folder that is named after the role of a cluster stays: it says which cluster the members show. So does
/// one that a collector names always alike: it is part of a layout, and the root lies above it. Where an
/// archive was cut, all that is left of it may lie in one such folder.
pub(crate) fn common_root<'a>(mut names: impl Iterator<Item = &'a str>) -> String {
    let Some((root, _)) = names.next().and_then(|name| name.split_once('/')) else { return String::new() };
    let shared = names.all(|name| name.strip_prefix(root).is_some_and(|rest| rest.starts_with('/')));
    if !shared || root.ends_with('!') || is_role(root) || FOLDERS.contains(&root) {
        String::new()
    } else {
        format!("{root}/")
    }
}

/// Whether a folder's name is a role (`hub`, `member1`, `m2`): the names of contexts in a plain folder.
fn is_role(name: &str) -> bool {
    let numbered = name.strip_prefix('m').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    matches!(name, "hub" | "workload" | "management" | "global") || name.starts_with("member") || numbered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_leaves_the_bundle() {
        let name = |raw: &[u8]| safe(raw).text;
        assert_eq!(name(b"./a//b/./c.txt"), "a/b/c.txt");
        assert_eq!(name(b"/etc/passwd"), "etc/passwd");
        assert_eq!(name(b"a\\b.txt"), "a\\b.txt");
        assert_eq!(name(b"a\nb\xff"), "a\\u{a}b\\xff");
        assert_eq!(name("a\u{202e}gpj.exe".as_bytes()), "a\\u{202e}gpj.exe");
        assert_eq!(safe(b"../../x"), SafeName { text: "x".into(), climbed: true, depth: 1 });
        assert_eq!(safe(b".."), SafeName { text: String::new(), climbed: true, depth: 0 });
    }

    #[test]
    fn what_desktops_add_is_left_alone() {
        assert!(metadata("a/._b.txt").is_some());
        assert!(metadata("__MACOSX/a.txt").is_some());
        assert!(metadata("a/.DS_Store").is_some());
        assert!(metadata("a/Thumbs.db").is_some());
        assert!(metadata("Desktop.ini").is_some());
        assert_eq!(metadata("a/._/b.txt"), None);
        assert_eq!(metadata("etc/desktop.init"), None);
    }

    #[test]
    fn a_compressed_file_gives_its_name_to_what_it_holds() {
        assert_eq!(unpacked("logs/etcd.log.1.gz"), "etcd.log.1");
        assert_eq!(unpacked("logs/etcd.log"), "etcd.log");
        assert_eq!(unpacked("a/.gz"), ".gz");
    }

    #[test]
    fn one_folder_shared_by_all_is_the_root() {
        let root = |names: &[&str]| common_root(names.iter().copied());
        assert_eq!(root(&["b/x", "b/y/z"]), "b/");
        assert_eq!(root(&["b/x", "bc/y"]), "");
        assert_eq!(root(&["b/x", "y"]), "");
        assert_eq!(root(&["hub/x", "hub/y"]), "");
        assert_eq!(root(&["m2/x"]), "");
        assert_eq!(root(&["namespaces/a/x", "namespaces/b/y"]), "");
        assert_eq!(root(&["x.tar.gz!/a", "x.tar.gz!/b"]), "");
        assert_eq!(root(&[]), "");
    }
}
