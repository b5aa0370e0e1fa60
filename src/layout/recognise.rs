//! Which layouts a bundle holds, and where: by the names of its members.
//!
//! Why names: they are known for every member, cheap, and say what a collector did even where its files are
//! empty or damaged. Content decides only where two collectors use one name ([`crate::Manifest::mark`]).
//!
//! Invariants: the result depends on the set of names alone; a member belongs to the deepest layout around
//! it; at one root there is one layout.

use crate::{LAYOUTS, Layout, path, starts};
use std::collections::{BTreeMap, BTreeSet};

/// A layout at its root.
#[derive(Debug, Clone)]
pub(crate) struct Recognised {
    pub layout: &'static Layout,
    /// Its root: empty, or a path with `/` at its end.
    pub root: String,
}

/// Finds all layouts. `marks` are members whose content names their layout: member name and layout name.
pub(crate) fn recognise<'a>(
    names: impl Iterator<Item = &'a str>,
    marks: &BTreeSet<(&'a str, &'static str)>,
) -> Vec<Recognised> {
    // For each root and layout: which groups of marks were seen, and whether something speaks against it.
    let mut seen: BTreeMap<(&str, usize), (BTreeSet<usize>, bool)> = BTreeMap::new();
    for name in names {
        for start in starts(name) {
            let (root, rest) = name.split_at(start);
            let first = rest.split('/').next().unwrap_or_default();
            for (index, layout) in LAYOUTS.iter().enumerate() {
                for (group, patterns) in layout.marks.iter().enumerate() {
                    if patterns.iter().any(|pattern| begins(pattern, first) && path::matches(pattern, rest).is_some()) {
                        seen.entry((root, index)).or_default().0.insert(group);
                    }
                }
                if layout.unless.iter().any(|pattern| begins(pattern, first) && path::matches(pattern, rest).is_some())
                {
                    seen.entry((root, index)).or_default().1 = true;
                }
            }
        }
    }
    for (name, layout) in marks {
        let root = name.rfind('/').map_or(0, |at| at + 1);
        if let Some(index) = LAYOUTS.iter().position(|known| known.name == *layout) {
            seen.entry((&name[..root], index)).or_default().0.extend(0..LAYOUTS[index].marks.len());
        }
    }
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for ((root, index), (groups, against)) in &seen {
        if groups.len() == LAYOUTS[*index].marks.len() && !against {
            found.entry(root).or_insert(*index);
        }
    }
    found.into_iter().map(|(root, index)| Recognised { layout: LAYOUTS[index], root: root.to_owned() }).collect()
}

/// Can a pattern match a path that begins with this segment? Saves most of the matching.
fn begins(pattern: &str, first: &str) -> bool {
    let word = pattern.split('/').next().unwrap_or_default();
    word.contains(['{', '*']) || word == first
}

/// The layout that a member belongs to, with its path below the root; a file beside the root is `../name`.
pub(crate) fn tree_of(found: &[Recognised], name: &str) -> Option<(usize, String)> {
    let inside = found
        .iter()
        .enumerate()
        .filter(|(_, recognised)| name.starts_with(recognised.root.as_str()))
        .max_by_key(|(_, recognised)| recognised.root.len());
    if let Some((index, recognised)) = inside {
        return Some((index, name[recognised.root.len()..].to_owned()));
    }
    let beside = found.iter().position(|recognised| {
        let root = recognised.root.trim_end_matches('/');
        let parent = root.rfind('/').map_or(0, |at| at + 1);
        !root.is_empty() && name.strip_prefix(&root[..parent]).is_some_and(|rest| !rest.contains('/'))
    })?;
    let file = name.rsplit('/').next().unwrap_or(name);
    Some((beside, format!("../{file}")))
}

/// The name of the bundle's layout: that of the layout with most members, where it is more than a part of a
/// folder that somebody put together. `top` is the common root folder of all names.
pub(crate) fn main<'a>(found: &[Recognised], top: &str, names: impl Iterator<Item = &'a str>) -> Option<&'static str> {
    let mut members: BTreeMap<usize, usize> = BTreeMap::new();
    for name in names {
        if let Some((index, _)) = tree_of(found, name) {
            *members.entry(index).or_default() += 1;
        }
    }
    let whole = |index: usize| {
        let recognised = &found[index];
        !recognised.layout.is_part || top.starts_with(&recognised.root) || recognised.root.ends_with("!/")
    };
    // Of equally many the first root counts.
    let most = members.iter().filter(|(index, _)| whole(**index)).max_by_key(|(index, n)| (**n, usize::MAX - **index));
    most.map(|(index, _)| found[*index].layout.name)
}
