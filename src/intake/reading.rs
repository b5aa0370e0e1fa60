//! The state of reading one bundle: what was handed on, what was not and why, and how much is left.

use super::body::{Allowance, Body, Cut};
use super::decode::{Broken, Decoded};
use super::sniff::{Peeked, Shape, sniff};
use super::{Intake, Limits, Member, MemberId, Visitor, name};
use std::io::Read;

/// Where a stream stands in the bundle.
#[derive(Debug, Clone)]
pub struct Place {
    /// Its name, if it is a member.
    pub name: String,
    /// What stands before the names of what it holds, if it is an archive: empty for the bundle itself.
    pub prefix: String,
    /// Archives around it.
    pub level: u32,
    /// It comes out of a compression, so that a tar in it is no archive in an archive.
    pub unpacked: bool,
    /// Its length, if an archive states one. Then the archive says what damage there is.
    pub expected: Option<u64>,
}

impl Place {
    /// The bundle itself, an archive or a single file.
    pub fn bundle(name: &str) -> Self {
        Self { name: name.to_owned(), prefix: String::new(), level: 0, unpacked: false, expected: None }
    }

    /// A file in a folder, or an entry in an archive.
    pub fn inside(name: String, level: u32, expected: Option<u64>) -> Self {
        Self { prefix: format!("{name}!/"), name, level, unpacked: false, expected }
    }

    /// What comes out of a compressed stream at this place.
    fn unpacked(&self) -> Self {
        let prefix =
            if self.unpacked && !self.prefix.is_empty() { format!("{}!/", self.name) } else { self.prefix.clone() };
        let name = format!("{prefix}{}", name::unpacked(&self.name));
        Self { name, prefix, level: self.level + u32::from(self.unpacked), unpacked: true, expected: None }
    }
}

/// Damage, until the common root folder is known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Damage {
    place: String,
    text: String,
}

/// Reading one bundle.
pub struct Reading<'a> {
    limits: &'a Limits,
    next_id: &'a mut u32,
    visitor: &'a mut dyn Visitor,
    bundle: String,
    members: Vec<Member>,
    unread: Vec<(String, String)>,
    unlisted: u64,
    limits_hit: Vec<(String, String, Option<String>)>,
    damage: Vec<Damage>,
    spent: u64,
    stopped: bool,
}

impl<'a> Reading<'a> {
    /// Begins.
    pub fn new(bundle: String, limits: &'a Limits, next_id: &'a mut u32, visitor: &'a mut dyn Visitor) -> Self {
        Self {
            limits,
            next_id,
            visitor,
            bundle,
            members: Vec::new(),
            unread: Vec::new(),
            unlisted: 0,
            limits_hit: Vec::new(),
            damage: Vec::new(),
            spent: 0,
            stopped: false,
        }
    }

    /// A limit across members was reached: nothing more is to be read.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Whether a name of so many components is too deep.
    pub fn too_deep(&self, components: usize) -> bool {
        components > self.limits.path_depth as usize
    }

    /// Lists an entry that is not handed on. The list is as long as the limit of members at most.
    pub fn list(&mut self, name: &str, reason: impl Into<String>) {
        if self.unread.len() as u64 >= self.limits.members {
            self.unlisted += 1;
        } else {
            self.unread.push((name.to_owned(), reason.into()));
        }
    }

    /// Says a limit that was reached at a member.
    pub fn limit(&mut self, which: &str, text: impl Into<String>, name: &str) {
        if self.limits_hit.len() < 1_000 {
            self.limits_hit.push((which.to_owned(), text.into(), Some(name.to_owned())));
        }
    }

    /// Says damage at a place; an empty place is the bundle itself.
    pub fn damage(&mut self, place: &str, text: impl Into<String>) {
        if self.damage.len() < 1_000 {
            self.damage.push(Damage { place: place.trim_end_matches("!/").to_owned(), text: text.into() });
        }
    }

    /// Says why a stream of entries ended before its end.
    pub fn broke(&mut self, place: &Place, cut: &Cut, last: Option<&str>) {
        match cut {
            Cut::Limit(which, text) => self.limit(which, text.as_str(), last.unwrap_or(&place.name)),
            Cut::Damage(text) => {
                let inside = last.map(|name| format!(", in or after `{name}`")).unwrap_or_default();
                self.damage(&place.prefix, format!("{text}{inside}; what stands before was read"));
            }
        }
    }

    /// A name of an archive or a folder made safe, or `None` if the entry is listed instead.
    pub fn admit(&mut self, prefix: &str, raw: &[u8]) -> Option<String> {
        let safe = name::safe(raw);
        let full = format!("{prefix}{}", safe.text);
        if safe.text.is_empty() {
            self.list(&format!("{prefix}{}", name::shown(raw)), "it has no name");
            return None;
        }
        if self.too_deep(safe.depth) {
            let text = format!("it lies {} folders deep", safe.depth - 1);
            self.list(&full, format!("limit path-depth: {text}"));
            self.limit("path-depth", text, &full);
            return None;
        }
        if let Some(reason) = name::metadata(&safe.text) {
            self.list(&full, reason);
            return None;
        }
        if safe.climbed {
            let raw = name::shown(raw);
            self.damage(prefix, format!("the name `{raw}` leads out of the bundle; it was read as `{}`", safe.text));
        }
        Some(full)
    }

    /// Opens a stream if it is an archive or compressed, else hands it on.
    pub fn open(&mut self, place: &Place, source: &mut dyn Read) {
        let mut source = Peeked::new(source);
        let shape = sniff(source.head());
        let nested = match shape {
            Shape::Tar => !place.unpacked,
            Shape::Gzip | Shape::Xz => true,
            Shape::Unsupported(_) | Shape::Plain => false,
        };
        if nested && place.level + u32::from(place.unpacked) > self.limits.archive_depth {
            let text = format!("it is an archive inside {} others", place.level);
            self.list(&place.name, format!("limit archive-depth: {text}"));
            self.limit("archive-depth", text, &place.name);
            return;
        }
        match shape {
            Shape::Tar => self.tar(place, &mut source),
            Shape::Gzip => self.unpack(place, Decoded::gzip(source, self.limits.ratio)),
            Shape::Xz => self.unpack(place, Decoded::xz(source, self.limits.ratio)),
            Shape::Unsupported(what) => self.list(&place.name, format!("{what} is not supported: unpack it first")),
            Shape::Plain => self.member(place, &mut source),
        }
    }

    fn unpack(&mut self, place: &Place, decoded: Decoded<'_>) {
        let mut decoded = Peeked::new(decoded);
        if let Some(broken) = decoded.failed().and_then(Broken::behind) {
            let text = broken.to_string();
            self.list(&place.name, text.clone());
            self.damage(&place.name, format!("{text}; nothing of it could be read"));
            return;
        }
        self.open(&place.unpacked(), &mut decoded);
    }

    /// Hands a member on.
    fn member(&mut self, place: &Place, source: &mut dyn Read) {
        if self.members.len() as u64 >= self.limits.members || *self.next_id == u32::MAX {
            self.stop("members", format!("reading stopped after {} members", self.members.len()), &place.name);
            return;
        }
        let id = MemberId(*self.next_id);
        *self.next_id += 1;
        let total = self.limits.total_bytes.saturating_sub(self.spent);
        let allowance = Allowance { member: self.limits.member_bytes, total };
        let mut body = Body::new(source, allowance, place.expected);
        self.visitor.member(id, &place.name, &mut body);
        let (bytes, sha256, cut) = body.finish();
        self.spent += bytes;
        if let Some(cut) = &cut {
            self.visitor.cut(id, cut.reason());
            match cut {
                Cut::Limit(which @ "total-bytes", _) => {
                    self.stop(which, format!("reading stopped after {} bytes", self.spent), &place.name);
                }
                Cut::Limit(which, text) => self.limit(which, text.as_str(), &place.name),
                Cut::Damage(text) if place.expected.is_none() => {
                    self.damage(&place.name, format!("{text}; what stands before was read"));
                }
                Cut::Damage(_) => {}
            }
        }
        let cut = cut.map(|cut| cut.reason().to_owned());
        self.members.push(Member { id, name: place.name.clone(), bytes, sha256, cut });
    }

    fn stop(&mut self, which: &str, text: String, name: &str) {
        self.stopped = true;
        self.limit(which, text, name);
    }

    /// Counts bytes that belong to no member: an archive of nothing but padding is bounded too.
    pub fn spend(&mut self, bytes: u64) {
        self.spent = self.spent.saturating_add(bytes);
        if self.spent > self.limits.total_bytes && !self.stopped {
            self.stop("total-bytes", format!("reading stopped after {} bytes", self.spent), "");
        }
    }

    /// Reads and forgets up to `count` bytes; gives how many there were, and why they ended.
    pub fn skip(&mut self, source: &mut dyn Read, count: u64) -> (u64, Option<Cut>) {
        let mut buffer = [0; 8 << 10];
        let mut skipped = 0;
        while skipped < count {
            let room = buffer.len().min(usize::try_from(count - skipped).unwrap_or(usize::MAX));
            let (filled, error) = super::sniff::fill(source, &mut buffer[..room]);
            skipped += filled as u64;
            self.spend(filled as u64);
            if let Some(error) = error {
                return (skipped, Some(Cut::from_error(&error)));
            }
            if filled < room || self.stopped {
                break;
            }
        }
        (skipped, None)
    }

    /// Ends: names lose the common root folder, lists are sorted.
    pub fn finish(mut self) -> Intake {
        let root = name::common_root(self.members.iter().map(|member| member.name.as_str()));
        let strip = |name: &str| name.strip_prefix(root.as_str()).unwrap_or(name).to_owned();
        for member in &mut self.members {
            member.name = strip(&member.name);
        }
        self.members.sort_by(|a, b| (&a.name, a.sha256, &a.cut).cmp(&(&b.name, b.sha256, &b.cut)));
        let mut unread: Vec<_> = self.unread.into_iter().map(|(name, reason)| (strip(&name), reason)).collect();
        unread.sort();
        if self.unlisted > 0 {
            let text = format!("{} more entries that were not read are not listed", self.unlisted);
            self.limits_hit.push(("members".to_owned(), text, None));
        }
        let mut limits_hit: Vec<_> = self
            .limits_hit
            .into_iter()
            .map(|(which, text, name)| (which, text, name.filter(|name| !name.is_empty()).map(|name| strip(&name))))
            .collect();
        limits_hit.sort();
        limits_hit.dedup();
        self.damage.sort();
        self.damage.dedup();
        let damage = self
            .damage
            .iter()
            .map(|Damage { place, text }| {
                let place = if place.is_empty() { self.bundle.clone() } else { strip(place) };
                format!("{place}: {text}")
            })
            .collect();
        Intake { name: self.bundle, root, members: self.members, unread, limits_hit, damage }
    }
}
