//! Links inside a bundle: other names of members, resolved among the names of the bundle and never on disk.
//!
//! Why: a link can be the only name that says what a file is. Troubleshoot shows the log of a Pod at
//! `<collector>/<pod>/<container>.log` as a link into `cluster-resources/`, sosreport puts what is too long
//! into `sos_strings/` and links to it from where its command belongs, and `/var/log/containers/` is
//! nothing but links.
//!
//! Decisions: content is read once, as the member; a link adds a name to it. A link to a folder adds a name
//! to each member below. An absolute target is looked for at the root of the archive and at that of the
//! link's own top folder, since collectors archive `/` below a folder of their own.
//!
//! Invariants: nothing outside of the archive that holds the link is ever a target; the order of entries
//! means nothing, a link may come before its target; chains are followed for [`HOPS`] links at most; a target
//! that no system would follow ([`TARGET_BYTES`], [`TARGET_PARTS`]) leads nowhere, and where a link ends is worked
//! out once, so the work grows with the bytes of all targets and no faster.

use crate::left_out::WhyLeftOut;
use crate::name;
use crate::{Member, MemberId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Bound;

/// Links in a row that are followed; as many as Linux follows.
const HOPS: usize = 40;
/// Bytes of a target that is followed: `PATH_MAX` of Linux.
pub(crate) const TARGET_BYTES: usize = 4096;
/// Folders that a target names at most. Linux has no such bound; a tool that writes bundles needs far fewer.
const TARGET_PARTS: usize = 256;
/// Bytes of a target that a report shows.
const SHOWN_BYTES: usize = 200;

/// How a link names its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    /// By a path from its own folder.
    Symbolic,
    /// By a path from the root of the archive.
    Hard,
}

impl fmt::Display for LinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Symbolic => "symbolic link",
            Self::Hard => "hard link",
        })
    }
}

/// Another name of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The other name, made like the name of a member.
    pub name: String,
    /// The member's own name.
    pub target: String,
    pub member: MemberId,
}

/// A link as it was found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// What stands before all names of its archive.
    pub prefix: String,
    /// Its name, with the prefix.
    pub name: String,
    /// What kind it is.
    pub kind: LinkKind,
    /// Its target as it stands there.
    pub target: Vec<u8>,
}

/// What became of all links.
#[derive(Debug, Default)]
pub struct Resolved {
    /// Other names of members, sorted.
    pub links: Vec<Link>,
    /// Links that name no member, with the reason.
    pub unread: Vec<(String, WhyLeftOut)>,
    /// Names beyond the bound.
    pub beyond: u64,
}

/// Why a link names no member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dead {
    /// It leads out of the bundle.
    Outside,
    /// To what is not in the bundle.
    Nowhere,
    /// To itself in the end.
    Circle,
    /// To a folder that it lies in.
    Around,
    /// To what was not read.
    Unread,
    /// To a folder without a member.
    NoFiles,
    /// Its target is longer than any that is followed.
    Long,
}

impl fmt::Display for Dead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dead::Outside => "outside of the bundle",
            Dead::Nowhere => "which is not in the bundle",
            Dead::Circle => "which leads in a circle",
            Dead::Around => "a folder that it lies in",
            Dead::Unread => "which was not read",
            Dead::NoFiles => "a folder of links and of what was not read",
            Dead::Long => "longer than a path can be",
        })
    }
}

/// Finds the members that links lead to, with at most `bound` names in all, and a few for each member: links to folders
/// name everything below them.
pub fn resolve(mut found: Vec<Found>, members: &[Member], unread: &[(String, WhyLeftOut)], bound: u64) -> Resolved {
    found.sort();
    found.dedup();
    let bound = bound.min(1_000 + 4 * members.len() as u64);
    let mut names = Names::default();
    for member in members {
        names.members.entry(&member.name).or_default().push(member.id);
    }
    names.unread.extend(unread.iter().map(|(name, _)| name.as_str()));
    for link in &found {
        names.links.entry(&link.name).or_insert(link);
    }
    let mut resolved = Resolved::default();
    for link in &found {
        let room = usize::try_from(bound).unwrap_or(usize::MAX).saturating_sub(resolved.links.len());
        match names.targets(link, room) {
            Ok(targets) => {
                resolved.beyond += u64::from(targets.len() > room);
                let links = targets.into_iter().take(room);
                resolved.links.extend(links.map(|(name, target, member)| Link {
                    name,
                    target: target.to_owned(),
                    member,
                }));
            }
            Err(dead) => {
                resolved.unread.push((link.name.clone(), left_out(link.kind, &link.target, dead)));
            }
        }
    }
    let position: BTreeMap<MemberId, usize> = members.iter().enumerate().map(|(at, member)| (member.id, at)).collect();
    resolved.links.sort_by(|a, b| (&a.name, position.get(&a.member)).cmp(&(&b.name, position.get(&b.member))));
    resolved.links.dedup();
    resolved
}

/// How a link that names no member is listed; of a long target its beginning is shown.
pub(crate) fn left_out(kind: LinkKind, target: &[u8], why: Dead) -> WhyLeftOut {
    let mut shown = name::shown(target.get(..SHOWN_BYTES).unwrap_or(target));
    if target.len() > SHOWN_BYTES {
        shown.push('…');
    }
    WhyLeftOut::Link { kind, target: shown, why }
}

/// All names of a bundle.
#[derive(Default)]
struct Names<'a> {
    members: BTreeMap<&'a str, Vec<MemberId>>,
    links: BTreeMap<&'a str, &'a Found>,
    unread: BTreeSet<&'a str>,
    /// Where links lead that were gone through.
    ends: RefCell<Ends<'a>>,
}

/// Where links lead, by the name of the link and the root of absolute targets.
type Ends<'a> = BTreeMap<(&'a str, String), Result<Walked, Dead>>;

/// Where a link leads.
#[derive(Debug, Clone)]
struct Walked {
    /// The path, without what stands before all names of the archive.
    path: String,
    /// Links that were followed on the way, itself included.
    hops: usize,
}

/// A name that a link gives to a member: the name, the member's own, and the member.
type Named<'a> = (String, &'a str, MemberId);

impl<'a> Names<'a> {
    /// The members that a link leads to, each with the name that the link gives it; one more than there is
    /// room for at most.
    fn targets(&self, link: &Found, room: usize) -> Result<Vec<Named<'a>>, Dead> {
        let absolute = link.target.first() == Some(&b'/');
        let end = match self.end(link, "") {
            // What is absolute may be meant from the folder that stands for the root.
            Err(Dead::Nowhere | Dead::Outside) if absolute => {
                let own = link.name.strip_prefix(&link.prefix).unwrap_or(&link.name);
                let top = own.split_once('/').map(|(top, _)| top);
                top.map_or(Err(Dead::Outside), |top| self.end(link, top)).map_err(|dead| match dead {
                    Dead::Nowhere => Dead::Outside,
                    dead => dead,
                })?
            }
            end => end?,
        };
        if let Some((name, ids)) = self.members.get_key_value(end.as_str()) {
            return Ok(ids.iter().map(|id| (link.name.clone(), *name, *id)).collect());
        }
        if self.below(&end).next().is_none() {
            return Err(Dead::Unread);
        }
        if link.name.starts_with(&folder(&end)) {
            return Err(Dead::Around);
        }
        let slash = if end == link.prefix { "/" } else { "" };
        let named = self.below(&end).flat_map(|(name, ids)| {
            let rest = name.strip_prefix(&end).unwrap_or(name);
            ids.iter().map(move |id| (format!("{}{slash}{rest}", link.name), name, *id))
        });
        Ok(named.take(room.saturating_add(1)).collect())
    }

    /// The members in a folder or an archive.
    fn below(&self, end: &str) -> impl Iterator<Item = (&'a str, &Vec<MemberId>)> {
        let in_folder = folder(end);
        let in_archive = if in_folder == end { None } else { Some(format!("{end}!/")) };
        in_archive.into_iter().chain([in_folder]).flat_map(|start| {
            let range = self.members.range::<str, _>((Bound::Included(start.as_str()), Bound::Unbounded));
            range.map(|(name, ids)| (*name, ids)).take_while(move |(name, _)| name.starts_with(&start))
        })
    }

    /// The name at the end of a chain of links: of a member, of a folder, or of something that was not read.
    fn end(&self, link: &Found, root: &str) -> Result<String, Dead> {
        let walked = self.walk(link, root, 0)?;
        let end = format!("{}{}", link.prefix, walked.path);
        let there = self.members.contains_key(end.as_str())
            || self.unread.contains(end.as_str())
            || self.below(&end).next().is_some();
        let start = folder(&end);
        let from = (Bound::Included(start.as_str()), Bound::Unbounded);
        let known = self.links.range::<str, _>(from).map(|(name, _)| *name).next();
        let unread = self.unread.range::<str, _>(from).next().copied();
        match there {
            true => Ok(end),
            false if [known, unread].into_iter().flatten().any(|name| name.starts_with(&start)) => Err(Dead::NoFiles),
            false => Err(Dead::Nowhere),
        }
    }

    /// The path that a link leads to, whether or not something is there. `hops` are the links before it.
    fn walk(&self, link: &Found, root: &str, hops: usize) -> Result<Walked, Dead> {
        if hops >= HOPS {
            return Err(Dead::Circle);
        }
        let parts = link.target.split(|b| *b == b'/').filter(|part| !matches!(*part, b"" | b"."));
        if link.target.len() > TARGET_BYTES || parts.clone().count() > TARGET_PARTS {
            return Err(Dead::Long);
        }
        let prefix = link.prefix.as_str();
        let mut here = prefix.to_owned();
        match (link.kind, link.target.first() == Some(&b'/')) {
            (LinkKind::Symbolic, false) => {
                let own = link.name.strip_prefix(prefix).unwrap_or(&link.name);
                here.push_str(own.rsplit_once('/').map_or("", |(folder, _)| folder));
            }
            (LinkKind::Symbolic, true) => here.push_str(root),
            (LinkKind::Hard, _) => {}
        }
        let mut followed = 1;
        for part in parts {
            if part == b".." {
                let path = here.get(prefix.len()..).filter(|path| !path.is_empty()).ok_or(Dead::Outside)?;
                let above = path.rsplit_once('/').map_or(0, |(folder, _)| folder.len());
                here.truncate(prefix.len() + above);
                continue;
            }
            if here.len() > prefix.len() {
                here.push('/');
            }
            here.push_str(&name::shown(part));
            if here.len() > prefix.len() + TARGET_BYTES {
                return Err(Dead::Nowhere);
            }
            if !self.members.contains_key(here.as_str())
                && let Some((own, next)) = self.links.get_key_value(here.as_str())
            {
                let walked = self.walk_on(own, next, root, hops + followed)?;
                followed += walked.hops;
                here.truncate(prefix.len());
                here.push_str(&walked.path);
            }
        }
        Ok(Walked { path: here.get(prefix.len()..).unwrap_or_default().to_owned(), hops: followed })
    }

    /// The same for a link on the way, which many others may pass.
    fn walk_on(&self, own: &'a str, link: &Found, root: &str, hops: usize) -> Result<Walked, Dead> {
        let key = (own, root.to_owned());
        let known = self.ends.borrow().get(&key).cloned();
        let walked = known.unwrap_or_else(|| self.walk(link, root, hops));
        match walked {
            Ok(walked) if hops + walked.hops > HOPS => Err(Dead::Circle),
            // Whether there are too many of them depends on where one starts.
            Err(Dead::Circle) => Err(Dead::Circle),
            walked => self.ends.borrow_mut().entry(key).or_insert(walked).clone(),
        }
    }
}

/// What all names in a folder begin with.
fn folder(end: &str) -> String {
    if end.is_empty() || end.ends_with('/') { end.to_owned() } else { format!("{end}/") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::left_out::Special;

    /// Links as `name -> target`, hard ones as `name = target`; members by name. Gives all that was said.
    fn told(members: &[&str], links: &[&str]) -> Vec<String> {
        let mut names: Vec<&str> = members.to_vec();
        names.sort_unstable();
        let members: Vec<Member> = (0..)
            .zip(names)
            .map(|(id, name)| Member { id: MemberId(id), name: name.into(), bytes: 0, sha256: [0; 32], cut: None })
            .collect();
        let found = |text: &&str| {
            let hard = text.split_once(" = ").map(|(name, target)| (name, LinkKind::Hard, target));
            let (name, kind, target) = hard
                .or_else(|| text.split_once(" -> ").map(|(name, target)| (name, LinkKind::Symbolic, target)))
                .unwrap();
            let prefix = name.rfind("!/").map_or("", |at| &name[..at + 2]).to_owned();
            Found { prefix, name: name.to_owned(), kind, target: target.as_bytes().to_vec() }
        };
        let unread = [("pipe".to_owned(), WhyLeftOut::Special(Special::Fifo))];
        let resolved = resolve(links.iter().map(found).collect(), &members, &unread, 100);
        let links = resolved.links.iter().map(|link| format!("{} is {}", link.name, link.target));
        links.chain(resolved.unread.iter().map(|(name, reason)| format!("{name}: {reason}"))).collect()
    }

    #[test]
    fn links_are_other_names_of_members() {
        assert_eq!(told(&["a/x", "b/y"], &["b/l -> ../a/x"]), ["b/l is a/x"]);
        assert_eq!(told(&["a/x"], &["a/l -> x", "a/h = a/x"]), ["a/h is a/x", "a/l is a/x"]);
        assert_eq!(told(&["a/x"], &["l -> ./a//./x"]), ["l is a/x"]);
    }

    #[test]
    fn chains_are_followed_and_circles_are_not() {
        assert_eq!(told(&["x"], &["a -> b", "b -> c", "c -> x"]), ["a is x", "b is x", "c is x"]);
        assert_eq!(
            told(&["x"], &["a -> b", "b -> a", "c -> c"]),
            [
                "a: symbolic link to `b`, which leads in a circle",
                "b: symbolic link to `a`, which leads in a circle",
                "c: symbolic link to `c`, which leads in a circle",
            ]
        );
    }

    #[test]
    fn as_many_links_in_a_row_are_followed_as_linux_follows_wherever_one_starts() {
        let chain = |count: usize| -> Vec<String> {
            let next = |at: usize| if at + 1 == count { "x".to_owned() } else { format!("l{:03}", at + 1) };
            (0..count).map(|at| format!("l{at:03} -> {}", next(at))).collect()
        };
        let dead = |count: usize| {
            let links = chain(count);
            let said = told(&["x"], &links.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(said.len(), count);
            said.iter().filter(|line| line.ends_with("leads in a circle")).count()
        };
        assert_eq!([dead(HOPS), dead(HOPS + 1), dead(HOPS + 60)], [0, 1, 60]);
        let folders = ["a -> b", "b -> d", "1 -> a/../a/../a/x", "d/up -> ../a"];
        assert_eq!(told(&["d/x"], &folders)[0], "1 is d/x");
    }

    #[test]
    fn a_target_that_is_longer_than_a_path_is_not_followed() {
        let dots = format!("l -> {}x", "y/../".repeat(129));
        let parts = format!("l -> {}x", "y/".repeat(256));
        let bytes = format!("l -> {}", "y".repeat(TARGET_BYTES + 1));
        for link in [dots, parts, bytes] {
            let said = told(&["x"], &[&link]);
            assert!(said[0].ends_with("…`, longer than a path can be"), "{said:?}");
            assert!(said[0].len() < 300);
        }
        assert_eq!(told(&["x"], &[&format!("l -> {}x", "./".repeat(1000))]), ["l is x"]);
    }

    #[test]
    fn a_link_to_a_folder_names_what_is_in_it() {
        assert_eq!(
            told(&["pods/a/0.log", "pods/a/1.log", "pods/ab/0.log"], &["current -> pods/a"]),
            ["current/0.log is pods/a/0.log", "current/1.log is pods/a/1.log"]
        );
        assert_eq!(
            told(&["pods/a/0.log"], &["l -> pods", "x -> l/a/0.log"]),
            ["l/a/0.log is pods/a/0.log", "x is pods/a/0.log"]
        );
        assert_eq!(told(&["b/x"], &["b/self -> ."]), ["b/self: symbolic link to `.`, a folder that it lies in"]);
        assert_eq!(
            told(&["b/x"], &["b/c/up -> ../.."]),
            ["b/c/up: symbolic link to `../..`, a folder that it lies in"]
        );
    }

    #[test]
    fn a_link_to_what_was_unpacked_names_what_came_out() {
        assert_eq!(told(&["a.gz!/a"], &["latest.gz -> a.gz"]), ["latest.gz!/a is a.gz!/a"]);
    }

    #[test]
    fn no_link_leaves_its_archive() {
        assert_eq!(
            told(
                &["x", "in.tar!/y"],
                &["a -> ../x", "b -> /etc/passwd", "c -> none", "in.tar!/l -> ../x", "d -> pipe"]
            ),
            [
                "a: symbolic link to `../x`, outside of the bundle",
                "b: symbolic link to `/etc/passwd`, outside of the bundle",
                "c: symbolic link to `none`, which is not in the bundle",
                "d: symbolic link to `pipe`, which was not read",
                "in.tar!/l: symbolic link to `../x`, outside of the bundle",
            ]
        );
    }

    #[test]
    fn an_absolute_target_is_meant_from_the_root_of_the_archive_or_of_its_top_folder() {
        assert_eq!(
            told(&["var/log/pods/0.log"], &["var/log/c.log -> /var/log/pods/0.log"]),
            ["var/log/c.log is var/log/pods/0.log"]
        );
        assert_eq!(
            told(&["sos/var/log/pods/0.log"], &["sos/var/log/c.log -> /var/log/pods/0.log"]),
            ["sos/var/log/c.log is sos/var/log/pods/0.log"]
        );
    }
}
