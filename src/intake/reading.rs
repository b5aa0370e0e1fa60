//! The state of reading one bundle: what was handed on, what was not and why, and how much is left.

use crate::blocks::Trimmed;
use crate::body::{Allowance, Body};
use crate::decode::{Decoded, RATIO_FROM, Yield};
use crate::left_out::WhyLeftOut;
use crate::links;
use crate::links::{Dead, Found, LinkKind, Resolved};
use crate::names::Names;
use crate::sniff::{BLOCK, Peeked, Shape, fill, sniff};
use crate::{Intake, Limits, Member, MemberId, Visitor, name};
use facts::cut::Cut;
use facts::limit::Limit;
use std::fs::{File, Metadata};
use std::io::{self, Cursor, Read, Seek};

/// Where a stream stands in the bundle.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// Its name, if it is a member.
    pub name: String,
    /// What stands before the names of what it holds, if it is an archive: empty for the bundle itself.
    pub prefix: String,
    /// Archives around it.
    pub level: u32,
    /// It comes out of a compression, so that a tar in it is no archive in an archive.
    pub unpacked: bool,
    /// It is an entry of a tar archive, which itself says what damage there is, and may count a NUL byte
    /// too much.
    pub in_tar: bool,
}

impl Place {
    /// The bundle itself, an archive or a single file.
    pub(crate) fn bundle(name: &str) -> Self {
        Self { name: name.to_owned(), prefix: String::new(), level: 0, unpacked: false, in_tar: false }
    }

    /// A file in a folder, or an entry in an archive.
    pub(crate) fn inside(name: String, level: u32) -> Self {
        Self { prefix: format!("{name}!/"), name, level, unpacked: false, in_tar: false }
    }

    /// An entry in a tar archive.
    pub(crate) fn in_tar(name: String, level: u32) -> Self {
        Self { in_tar: true, ..Self::inside(name, level) }
    }

    /// What comes out of a compressed stream at this place.
    fn unpacked(&self) -> Self {
        let prefix =
            if self.unpacked && !self.prefix.is_empty() { format!("{}!/", self.name) } else { self.prefix.clone() };
        let name = format!("{prefix}{}", name::unpacked(&self.name));
        Self { name, prefix, level: self.level + u32::from(self.unpacked), unpacked: true, in_tar: false }
    }
}

/// Bytes that a file takes on disk: of a sparse one hardly any.
fn on_disk(meta: &Metadata) -> u64 {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        meta.len().min(meta.blocks().saturating_mul(512).max(meta.blksize()))
    }
    #[cfg(not(unix))]
    meta.len()
}

/// Damage, until the common root folder is known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Damage {
    place: String,
    text: String,
}

/// Reading one bundle.
pub(crate) struct Reading<'a> {
    limits: &'a Limits,
    next_id: &'a mut u32,
    visitor: &'a mut dyn Visitor,
    /// The file that the bundle is, at the same place as its reader, and its size.
    pub(crate) whole: Option<(File, u64)>,
    bundle: String,
    members: Vec<Member>,
    unread: Vec<(String, WhyLeftOut)>,
    unlisted: u64,
    /// Room for names.
    names: Names,
    limits_hit: Vec<(Limit, Option<String>)>,
    damage: Vec<Damage>,
    links: Vec<Found>,
    spent: u64,
    /// What went in and came out of all compressions.
    all: Yield,
    /// Bytes of archives that are held now.
    held: u64,
    /// Members that lost the NUL byte behind them.
    trimmed: u64,
    stopped: bool,
}

impl<'a> Reading<'a> {
    /// Begins.
    pub(crate) fn new(bundle: String, limits: &'a Limits, next_id: &'a mut u32, visitor: &'a mut dyn Visitor) -> Self {
        Self {
            limits,
            next_id,
            visitor,
            whole: None,
            bundle,
            members: Vec::new(),
            unread: Vec::new(),
            unlisted: 0,
            names: Names::new(limits),
            limits_hit: Vec::new(),
            damage: Vec::new(),
            links: Vec::new(),
            spent: 0,
            all: Yield::new(limits.ratio),
            held: 0,
            trimmed: 0,
            stopped: false,
        }
    }

    /// A limit across members was reached: nothing more is to be read.
    pub(crate) fn stopped(&self) -> bool {
        self.stopped
    }

    /// The names of the members that were handed on after so many others.
    pub(crate) fn names_from(&self, from: usize) -> impl Iterator<Item = &str> {
        self.members.iter().skip(from).map(|member| member.name.as_str())
    }

    /// Bounds on what is read.
    pub(crate) fn limits(&self) -> &Limits {
        self.limits
    }

    /// Members handed on so far.
    pub(crate) fn count(&self) -> usize {
        self.members.len()
    }

    /// Members so far that lost the NUL byte behind them.
    pub(crate) fn trimmed(&self) -> u64 {
        self.trimmed
    }

    /// What went in and came out of all compressions: each adds to it.
    pub(crate) fn all(&self) -> Yield {
        self.all.clone()
    }

    /// Whether a name of so many components is too deep.
    pub(crate) fn too_deep(&self, components: usize) -> bool {
        components > self.limits.path_depth as usize
    }

    /// Lists an entry that is not handed on. The list is as long as the limit of members at most.
    pub(crate) fn list(&mut self, name: &str, why: WhyLeftOut) {
        if self.unread.len() as u64 >= self.limits.members {
            self.unlisted += 1;
        } else if self.names.entry(name.len()) {
            self.unread.push((name.to_owned(), why));
        }
    }

    /// Notes a link; what it leads to is known when all was read.
    pub(crate) fn link(&mut self, prefix: &str, name: &str, kind: LinkKind, target: &[u8]) {
        if target.len() > links::TARGET_BYTES {
            self.list(name, links::left_out(kind, target, Dead::Long));
        } else if self.links.len() as u64 >= self.limits.members {
            self.unlisted += 1;
        } else if self.names.entry(name.len() + target.len()) {
            self.links.push(Found { prefix: prefix.to_owned(), name: name.to_owned(), kind, target: target.to_vec() });
        }
    }

    /// Says a limit that was reached at a member.
    pub(crate) fn limit(&mut self, limit: Limit, name: &str) {
        if self.limits_hit.len() < 1_000 {
            self.limits_hit.push((limit, Some(name.to_owned())));
        }
    }

    /// Says damage at a place; an empty place is the bundle itself.
    pub(crate) fn damage(&mut self, place: &str, text: impl Into<String>) {
        if self.damage.len() < 1_000 {
            self.damage.push(Damage { place: place.trim_end_matches("!/").to_owned(), text: text.into() });
        }
    }

    /// Says why a stream of entries ended before its end.
    pub(crate) fn broke(&mut self, place: &Place, cut: &Cut, last: Option<&str>) {
        match cut {
            Cut::Limit(limit) => self.limit(limit.clone(), last.unwrap_or(&place.name)),
            Cut::Damage(damage) => {
                let inside = last.map(|name| format!(", in or after `{name}`")).unwrap_or_default();
                self.damage(&place.prefix, format!("{damage}{inside}; what stands before was read"));
            }
        }
    }

    /// A name of an archive or a folder made safe, or `None` if the entry is listed instead.
    pub(crate) fn admit(&mut self, prefix: &str, raw: &[u8]) -> Option<String> {
        let safe = name::safe(raw);
        let full = format!("{prefix}{}", safe.text);
        if safe.text.is_empty() {
            self.list(&format!("{prefix}{}", name::shown(raw)), WhyLeftOut::NoName);
            return None;
        }
        if self.too_deep(safe.depth) {
            let limit = Limit::PathDepth(safe.depth as u64 - 1);
            self.list(&full, WhyLeftOut::Limit(limit.clone()));
            self.limit(limit, &full);
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
    pub(crate) fn open(&mut self, place: &Place, source: &mut dyn Read) {
        let mut source = Peeked::new(source);
        let shape = sniff(source.head());
        if self.too_nested(place, shape) {
            return;
        }
        match shape {
            Shape::Tar => self.tar(place, &mut source),
            Shape::Zip => self.held_zip(place, &mut source),
            Shape::Compressed(compression) => {
                self.unpack(place, Decoded::new(compression, source, self.all()));
            }
            Shape::Unsupported(what) => self.list(&place.name, WhyLeftOut::Unsupported(what)),
            Shape::Plain => self.member(place, &mut source),
        }
    }

    /// Opens a file of the file system: what needs to jump about in it can do so.
    ///
    /// # Errors
    /// If its beginning cannot be read.
    pub(crate) fn open_file(&mut self, place: &Place, file: &mut File) -> io::Result<()> {
        let mut head = [0; BLOCK];
        let (filled, error) = fill(file, &mut head);
        if let (0, Some(error)) = (filled, error) {
            return Err(error);
        }
        let meta = file.metadata()?;
        let on_disk = on_disk(&meta);
        if meta.len() > RATIO_FROM && meta.len() > on_disk.saturating_mul(self.limits.ratio) {
            let limit = Limit::Ratio(self.limits.ratio);
            self.list(&place.name, WhyLeftOut::Limit(limit.clone()));
            self.limit(limit, &place.name);
            return Ok(());
        }
        self.all.pack(on_disk);
        file.rewind()?;
        if sniff(&head[..filled]) != Shape::Zip {
            self.open(place, file);
        } else if !self.too_nested(place, Shape::Zip) {
            self.zip(place, file);
        }
        Ok(())
    }

    /// Whether an archive lies inside too many others; says so.
    fn too_nested(&mut self, place: &Place, shape: Shape) -> bool {
        let nested = match shape {
            Shape::Tar | Shape::Zip => !place.unpacked,
            Shape::Compressed(_) => true,
            Shape::Unsupported(_) | Shape::Plain => false,
        };
        let too_nested = nested && place.level + u32::from(place.unpacked) > self.limits.archive_depth;
        if too_nested {
            let limit = Limit::ArchiveDepth(place.level);
            self.list(&place.name, WhyLeftOut::Limit(limit.clone()));
            self.limit(limit, &place.name);
        }
        too_nested
    }

    /// Reads a zip that comes as a stream. Its directory stands at its end, so it is held, within a bound.
    fn held_zip(&mut self, place: &Place, source: &mut dyn Read) {
        let room = self.limits.archive_bytes.saturating_sub(self.held);
        let mut bytes = Vec::new();
        let error = source.take(room).read_to_end(&mut bytes).err();
        let held = bytes.len() as u64;
        match error {
            Some(error) => self.broke(place, &Cut::from_error(&error), None),
            None if held == room && matches!(source.read(&mut [0]), Ok(1)) => {
                self.limit(Limit::ArchiveBytes(room), &place.name);
            }
            None => {}
        }
        self.held += held;
        self.zip(place, &mut Cursor::new(bytes));
        self.held -= held;
    }

    fn unpack(&mut self, place: &Place, decoded: Decoded<'_>) {
        let mut decoded = Peeked::new(decoded);
        if let Some(cut) = decoded.failed().and_then(Cut::behind) {
            self.list(&place.name, WhyLeftOut::Broken(cut.clone()));
            self.damage(&place.name, format!("{cut}; nothing of it could be read"));
            return;
        }
        self.open(&place.unpacked(), &mut decoded);
    }

    /// Hands a member on.
    fn member(&mut self, place: &Place, source: &mut dyn Read) {
        if self.members.len() as u64 >= self.limits.members || *self.next_id == u32::MAX {
            self.stop(Limit::Members(self.members.len() as u64), &place.name);
            return;
        }
        if !self.names.member(&place.name) {
            return;
        }
        let id = MemberId(*self.next_id);
        *self.next_id += 1;
        if let Some((file, of)) = &mut self.whole
            && let Ok(done) = file.stream_position()
        {
            self.visitor.part(done.min(*of), *of);
        }
        let total = self.limits.total_bytes.saturating_sub(self.spent);
        let allowance = Allowance { member: self.limits.member_bytes, total, time: self.limits.time };
        let (bytes, sha256, cut) = if place.in_tar {
            let mut source = Trimmed::new(source);
            let read = self.visit(id, &place.name, Body::new(&mut source, allowance));
            self.trimmed += u64::from(source.trimmed());
            read
        } else {
            self.visit(id, &place.name, Body::new(source, allowance))
        };
        self.spent += bytes;
        if let Some(cut) = &cut {
            self.visitor.cut(id, cut);
            match cut {
                Cut::Limit(Limit::TotalBytesWithin(_)) => self.stop(Limit::TotalBytes(self.spent), &place.name),
                Cut::Limit(limit @ Limit::Time(_)) => self.stop(limit.clone(), &place.name),
                Cut::Limit(limit) => self.limit(limit.clone(), &place.name),
                Cut::Damage(damage) if !place.in_tar => {
                    self.damage(&place.name, format!("{damage}; what stands before was read"));
                }
                Cut::Damage(_) => {}
            }
        }
        self.members.push(Member { id, name: place.name.clone(), bytes, sha256, cut });
    }

    fn visit(&mut self, id: MemberId, name: &str, mut body: Body<'_>) -> (u64, [u8; 32], Option<Cut>) {
        self.visitor.member(id, name, &mut body);
        if self.visitor.goes_on() {
            return body.finish();
        }
        self.stopped = true;
        body.so_far()
    }

    fn stop(&mut self, limit: Limit, name: &str) {
        self.stopped = true;
        self.limit(limit, name);
    }

    /// Counts bytes that belong to no member: an archive of nothing but padding is bounded too.
    pub(crate) fn spend(&mut self, bytes: u64) {
        self.spent = self.spent.saturating_add(bytes);
        if self.spent > self.limits.total_bytes && !self.stopped {
            self.stop(Limit::TotalBytes(self.spent), "");
        }
        if let Some(limit) = self.limits.time.and_then(|time| time.reached()).filter(|_| !self.stopped) {
            self.stop(limit, "");
        }
    }

    /// Reads and forgets up to `count` bytes; gives how many there were, and why they ended.
    pub(crate) fn skip(&mut self, source: &mut dyn Read, count: u64) -> (u64, Option<Cut>) {
        let mut buffer = [0; 8 << 10];
        let mut skipped = 0;
        while skipped < count {
            let room = buffer.len().min(usize::try_from(count - skipped).unwrap_or(usize::MAX));
            let (filled, error) = fill(source, &mut buffer[..room]);
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
    pub(crate) fn finish(mut self) -> Intake {
        self.members.sort_by(|a, b| (&a.name, a.sha256, &a.cut).cmp(&(&b.name, b.sha256, &b.cut)));
        let Resolved { mut links, unread, beyond } =
            links::resolve(self.links, &self.members, &self.unread, self.limits.members);
        self.unread.extend(unread);
        self.unlisted += beyond;
        let other_names = links.iter().map(|link| link.name.as_str());
        let root = name::common_root(self.members.iter().map(|member| member.name.as_str()).chain(other_names));
        let strip = |name: &str| name.strip_prefix(root.as_str()).unwrap_or(name).to_owned();
        for member in &mut self.members {
            member.name = strip(&member.name);
        }
        for link in &mut links {
            link.name = strip(&link.name);
            link.target = strip(&link.target);
        }
        let mut unread: Vec<_> = self.unread.into_iter().map(|(name, why)| (strip(&name), why)).collect();
        unread.sort_by_cached_key(|(name, why)| (name.clone(), why.to_string()));
        if self.unlisted > 0 {
            self.limits_hit.push((Limit::Unlisted(self.unlisted), None));
        }
        if self.names.beyond() > 0 {
            let limit = Limit::MemoryOfNames { budget: self.limits.memory, entries: self.names.beyond() };
            self.limits_hit.push((limit, None));
        }
        let mut limits_hit: Vec<_> = self
            .limits_hit
            .into_iter()
            .map(|(limit, name)| (limit, name.filter(|name| !name.is_empty()).map(|name| strip(&name))))
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
        Intake { name: self.bundle, root, members: self.members, links, unread, limits_hit, damage }
    }
}
