//! The files of a bundle that analyzers read as they are: what collectors wrote beside the objects.
//!
//! Why a second reading: facts hold objects and lines, not files, and only a spec says which files it wants.
//!
//! Invariants: nothing is held that no analyzer asks for, and never more than the bound; a bundle that changed between
//! the readings is refused; the text of a file is shown through the mask alone.

use crate::known::{Known, Why};
use crate::logs::Logs;
use diagnose::{Collected, Input};
use facts::cut::Cut;
use facts::node::Node;
use facts::object::Tree;
use facts::origin::{Citation, MemberId};
use facts::outside::Outside;
use facts::secrets::Readers;
use facts::secrets::mask_counted;
use intake::{Limits, Source, Visitor};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// A file by which Troubleshoot knows the root of a bundle, and a folder that it always has.
const ROOTS: [&str; 2] = ["version.yaml", "cluster-resources/"];

/// The bundle cannot be read a second time.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    #[error(transparent)]
    Intake(#[from] intake::Error),
    /// It holds something else than at the first reading.
    #[error("{0} changed while it was read; run the command again when nothing writes to it")]
    Changed(Outside),
}

/// One file, held.
#[derive(Debug)]
pub(crate) struct File {
    pub member: MemberId,
    /// Its path below the root of the Troubleshoot bundle that it belongs to, or the one that it would have there.
    pub path: String,
    /// The line of the member with which it begins.
    first: u32,
    text: Text,
}

#[derive(Debug)]
enum Text {
    Whole(String),
    /// It ended before its time.
    Begun(String),
    NotHeld,
}

/// The files that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Files {
    held: Vec<File>,
    /// The bundle is standard input, which nobody can read twice.
    is_stdin: bool,
    /// All members by their name below the root of their Troubleshoot bundle.
    names: BTreeMap<String, MemberId>,
    /// A bundle of Troubleshoot is among them.
    is_troubleshoot: bool,
    /// Logs that collectors of the specs would have collected and nobody did: the path of each, and whose log it is.
    absent: Vec<(String, String)>,
}

/// A file that is wanted: its path, and the lines of the member that it is made of; all of them without.
#[derive(Debug)]
struct Wanted {
    path: String,
    span: Option<(u32, u32)>,
}

impl File {
    /// Its text, and whether that is all of it. Nobody may show it before it is masked.
    pub(crate) fn text(&self) -> Known<(&str, bool)> {
        match &self.text {
            Text::Whole(text) => Ok((text, true)),
            Text::Begun(text) => Ok((text, false)),
            Text::NotHeld => Err(Why::NotHeld(self.shown()).into()),
        }
    }

    /// Its text, if all of it was read.
    fn whole(&self) -> Known<&str> {
        match self.text()? {
            (text, true) => Ok(text),
            _ => Err(Why::Cut(self.shown()).into()),
        }
    }

    /// Its path as it may be shown.
    pub(crate) fn shown(&self) -> String {
        Outside::name(&self.path).into()
    }

    /// What it says as JSON, masked.
    pub(crate) fn json(&self, nesting: u32) -> Known<Tree> {
        let text = self.whole()?;
        let failed = |why: String| Why::Unreadable(self.shown(), why);
        serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|error| failed(format!("no JSON: {error}")))?;
        let node =
            parse::json::to_node(text, 1, nesting).map_err(|(line, why)| failed(format!("line {line}: {why}")))?;
        Ok(Tree::masked(None, node, &Readers::NONE).0)
    }

    /// What it says as YAML, its first document, masked.
    pub(crate) fn yaml(&self, nesting: u32) -> Known<Tree> {
        let text = self.whole()?;
        let mut documents =
            parse::yaml::chunks(text).into_iter().flat_map(|chunk| parse::yaml::read_chunk(&chunk, nesting));
        let first = documents.find(|document| document.node.is_some() || document.damage.is_some());
        let failed = |why: &str| Why::Unreadable(self.shown(), format!("no YAML: {why}"));
        match first {
            Some(parse::yaml::Document { node: Some(node), damage: None }) => {
                Ok(Tree::masked(None, node, &Readers::NONE).0)
            }
            Some(parse::yaml::Document { damage: Some((line, why)), .. }) => {
                Err(failed(&format!("line {line}: {why}")).into())
            }
            _ => Err(failed("it is empty").into()),
        }
    }

    /// The line in which a byte of it stands.
    pub(crate) fn line_at(&self, offset: usize) -> Citation {
        let Ok((text, _)) = self.text() else { return self.cite() };
        let before = text.get(..offset).unwrap_or(text);
        let number = before.bytes().filter(|byte| *byte == b'\n').count();
        let line = text.lines().nth(number).unwrap_or_default();
        let number = u32::try_from(number).unwrap_or(u32::MAX).saturating_add(self.first);
        Citation::line(self.member, number, line)
    }

    /// A node of it.
    pub(crate) fn cite_node(&self, node: &Node) -> Citation {
        let line = usize::try_from(node.line).unwrap_or_default();
        let text = self.text().ok().and_then(|(text, _)| text.lines().nth(line.saturating_sub(1)));
        Citation::line(self.member, node.line, text.unwrap_or_default().trim())
    }

    /// The file as a whole.
    pub(crate) fn cite(&self) -> Citation {
        Citation { member: self.member, line: 0, path: String::new(), excerpt: Outside::default() }
    }
}

/// A text with its secrets masked, if it has any.
pub(crate) fn masked(text: &str) -> Option<String> {
    let (masked, counts) = mask_counted(text);
    (!counts.is_none()).then(|| masked.into_owned())
}

impl Files {
    /// Reads the files that fit one of the patterns.
    ///
    /// # Errors
    /// If a bundle cannot be read again, or is another one.
    pub(crate) fn read(
        collected: &Collected,
        inputs: &[Input],
        limits: &Limits,
        wanted: &[Pattern],
        logs: &dyn Fn() -> Logs,
    ) -> Result<Self, FilesError> {
        let mut files = Self::default();
        let mut paths: BTreeMap<MemberId, Vec<Wanted>> = BTreeMap::new();
        for bundle in &collected.bundles {
            let names: Vec<&str> = bundle.intake.members.iter().map(|member| member.name.as_str()).collect();
            let roots = roots(&names);
            files.is_troubleshoot |= is_troubleshoot(&names);
            for member in &bundle.intake.members {
                for root in &roots {
                    let Some(path) = member.name.strip_prefix(root.as_str()) else { continue };
                    files.names.insert(path.to_owned(), member.id);
                    if wanted.iter().any(|pattern| pattern.fits(path)) {
                        paths.entry(member.id).or_default().push(Wanted { path: path.to_owned(), span: None });
                    }
                }
            }
        }
        if !wanted.is_empty() {
            files.place(&mut paths, wanted, logs());
        }
        if paths.is_empty() {
            return Ok(files);
        }
        let mut left = limits.memory / 4;
        let mut next_id = 0;
        for (input, bundle) in inputs.iter().zip(&collected.bundles) {
            if input.source == Source::Stdin {
                files.is_stdin = true;
                continue;
            }
            let mut holder = Holder { paths: &paths, held: Vec::new(), left, most: limits.document_bytes };
            let again = intake::read(&input.source, limits, &mut next_id, &mut holder)?;
            let members = |intake: &intake::Intake| intake.members.iter().map(|m| (m.id, m.sha256)).collect::<Vec<_>>();
            if members(&again) != members(&bundle.intake) {
                return Err(FilesError::Changed(Outside::name(&bundle.intake.name)));
            }
            left = holder.left;
            files.held.extend(holder.held);
        }
        files.held.sort_by(|a, b| (&a.path, a.member).cmp(&(&b.path, b.member)));
        Ok(files)
    }

    /// Adds the logs of other layouts under the paths of a Troubleshoot bundle, for patterns that no file of their own fits.
    fn place(&mut self, paths: &mut BTreeMap<MemberId, Vec<Wanted>>, wanted: &[Pattern], logs: Logs) {
        let open: Vec<&Pattern> = wanted.iter().filter(|own| !self.names.keys().any(|path| own.fits(path))).collect();
        let is_open = |path: &str| open.iter().any(|pattern| pattern.fits(path));
        for log in logs.placed.into_iter().filter(|log| is_open(&log.path)) {
            paths.entry(log.member).or_default().push(Wanted { path: log.path, span: log.span });
        }
        self.absent = logs.absent;
        self.absent.retain(|(path, _)| is_open(path));
    }

    /// Logs that fit a pattern and were not collected.
    pub(crate) fn absent<'f>(&'f self, pattern: &'f Pattern) -> impl Iterator<Item = &'f str> {
        self.absent.iter().filter(|(path, _)| pattern.fits(path)).map(|(_, whose)| whose.as_str())
    }

    /// Is there a bundle of Troubleshoot, whose collectors would have written what a spec names?
    pub(crate) fn is_troubleshoot(&self) -> bool {
        self.is_troubleshoot
    }

    /// The files that fit a pattern, by their path.
    pub(crate) fn fitting<'f>(&'f self, pattern: &'f Pattern) -> impl Iterator<Item = &'f File> {
        self.held.iter().filter(|file| pattern.fits(&file.path))
    }

    /// Is standard input the reason why a file is not there?
    pub(crate) fn is_stdin(&self) -> bool {
        self.is_stdin
    }

    /// The member at this path, held or not.
    pub(crate) fn named(&self, path: &str) -> Option<Citation> {
        let member = *self.names.get(path)?;
        Some(Citation { member, line: 0, path: String::new(), excerpt: Outside::default() })
    }
}

/// Is there what only a bundle of Troubleshoot has: its folder, or its file at the top? Others have files of that name deep
/// inside.
fn is_troubleshoot(names: &[&str]) -> bool {
    names.iter().any(|name| {
        let parts: Vec<&str> = name.rsplit("!/").next().unwrap_or_default().split('/').collect();
        let [own_file, own_folder] = ROOTS.map(|mark| mark.trim_end_matches('/'));
        let Some((file, folders)) = parts.split_last() else { return false };
        (*file == own_file && folders.len() < 2) || folders.contains(&own_folder)
    })
}

/// Where the Troubleshoot bundles in a bundle begin; the bundle itself where nothing shows one.
fn roots(names: &[&str]) -> BTreeSet<String> {
    let mut roots = BTreeSet::from([String::new()]);
    for name in names {
        for mark in ROOTS {
            let is_mark = |at: usize| name[..at].is_empty() || name[..at].ends_with('/');
            let ends_here = |at: usize| mark.ends_with('/') || at + mark.len() == name.len();
            roots.extend(
                name.match_indices(mark)
                    .map(|(at, _)| at)
                    .filter(|at| is_mark(*at) && ends_here(*at))
                    .map(|at| name[..at].to_owned()),
            );
        }
    }
    roots
}

/// A path with `*`, `?` and classes, as Go's `filepath.Match` reads it: none of them crosses a `/`.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    regex: Option<Regex>,
    text: String,
}

impl Pattern {
    pub(crate) fn new(text: &str) -> Self {
        let clean: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        let text = clean.join("/");
        let mut out = String::from("^");
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                '*' => out.push_str("[^/]*"),
                '?' => out.push_str("[^/]"),
                '[' => out.push('['),
                ']' => out.push(']'),
                '\\' => out.push_str(&regex::escape(&rest.next().unwrap_or('\\').to_string())),
                '^' | '-' if out.contains('[') && out.rfind('[') > out.rfind(']') => out.push(c),
                c => out.push_str(&regex::escape(&c.to_string())),
            }
        }
        out.push('$');
        Self { regex: Regex::new(&out).ok(), text }
    }

    pub(crate) fn fits(&self, path: &str) -> bool {
        self.text == path || self.regex.as_ref().is_some_and(|regex| regex.is_match(path))
    }

    /// As it may be shown.
    pub(crate) fn shown(&self) -> String {
        Outside::name(&self.text).into()
    }
}

/// Holds the members that are wanted.
struct Holder<'a> {
    paths: &'a BTreeMap<MemberId, Vec<Wanted>>,
    held: Vec<File>,
    /// Bytes that may still be held.
    left: u64,
    /// Bytes of one file.
    most: u64,
}

impl Visitor for Holder<'_> {
    fn member(&mut self, id: MemberId, _name: &str, body: &mut dyn Read) {
        let Some(paths) = self.paths.get(&id) else { return };
        let mut bytes = Vec::new();
        // The end of what can be read is the end of the file; the intake says why.
        let _ = body.take(self.most.min(self.left).saturating_add(1)).read_to_end(&mut bytes);
        let size = bytes.len() as u64;
        for Wanted { path, span } in paths {
            let part = span.map_or(bytes.as_slice(), |span| lines_of(&bytes, span));
            let taken = part.len() as u64;
            let is_cut = size > self.most && span.is_none_or(|(_, last)| count_lines(&bytes) < last);
            let text = match String::from_utf8_lossy(part).into_owned() {
                _ if taken > self.left => Text::NotHeld,
                text if is_cut => Text::Begun(text),
                text => Text::Whole(text),
            };
            if !matches!(text, Text::NotHeld) {
                self.left -= taken;
            }
            self.held.push(File { member: id, path: path.clone(), first: span.map_or(1, |(first, _)| first), text });
        }
    }

    fn cut(&mut self, id: MemberId, _cut: &Cut) {
        for file in self.held.iter_mut().filter(|file| file.member == id) {
            if let Text::Whole(text) = &mut file.text {
                file.text = Text::Begun(std::mem::take(text));
            }
        }
    }
}

/// Some lines of a text.
fn lines_of(bytes: &[u8], (first, last): (u32, u32)) -> &[u8] {
    let skipped = usize::try_from(first.saturating_sub(1)).unwrap_or(usize::MAX);
    let lines = usize::try_from(last).unwrap_or(usize::MAX);
    let ends = || memchr::memchr_iter(b'\n', bytes).map(|at| at + 1);
    let start = match skipped {
        0 => 0,
        skipped => ends().nth(skipped - 1).unwrap_or(bytes.len()),
    };
    let end = lines.checked_sub(1).and_then(|line| ends().nth(line)).unwrap_or(bytes.len());
    bytes.get(start..end).unwrap_or_default()
}

fn count_lines(bytes: &[u8]) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', bytes).count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_of_troubleshoot_is_known_by_its_top() {
        for (name, expected) in [
            ("version.yaml", true),
            ("support-bundle/version.yaml", true),
            ("upload/sb.tar.gz!/sb/version.yaml", true),
            ("sb/cluster-resources/pods/logs/shop/web-1/web.log", true),
            ("quay-io/cluster-scoped-resources/config.openshift.io/clusterversions/version.yaml", false),
            ("my-version.yaml", false),
        ] {
            assert_eq!(is_troubleshoot(&[name]), expected, "{name}");
        }
    }

    #[test]
    fn lines_are_counted_from_one() {
        for (text, span, expected) in [
            ("a\nb\nc\n", (1, 1), "a\n"),
            ("a\nb\nc\n", (2, 3), "b\nc\n"),
            ("a\nb\nc", (3, 3), "c"),
            ("a\nb", (2, 9), "b"),
            ("a\nb", (9, 9), ""),
            ("a\nb", (0, 0), "a\nb"),
        ] {
            assert_eq!(lines_of(text.as_bytes(), span), expected.as_bytes(), "{text:?} {span:?}");
        }
    }

    #[test]
    fn patterns_are_those_of_go() {
        for (pattern, path, expected) in [
            ("/static-hi.log", "static-hi.log", true),
            ("all-logs/*/web.log", "all-logs/web-1/web.log", true),
            ("all-logs/*", "all-logs/web-1/web.log", false),
            ("a/b.log", "a/bxlog", false),
            ("a/[0-9].txt", "a/7.txt", true),
            ("a/[^0-9].txt", "a/7.txt", false),
            ("a/?.txt", "a/é.txt", true),
            ("a//./b", "a/b", true),
            ("a[", "a[", true),
        ] {
            assert_eq!(Pattern::new(pattern).fits(path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn a_bundle_in_a_folder_or_an_archive_has_its_own_root() {
        let names = ["a/version.yaml", "a/x.txt", "b.tar.gz!/cluster-resources/nodes.json", "c/my-version.yaml"];
        let expected = ["", "a/", "b.tar.gz!/"].map(str::to_owned);
        assert_eq!(roots(&names), BTreeSet::from(expected));
    }
}
