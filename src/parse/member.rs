//! Reads one member: looks at its first bytes, then treats it as a document (held whole, parsed into
//! records) or as a log (streamed line by line).
//!
//! Invariants: no member is lost. What no parser understands is searched as a log and listed as unread;
//! a document that stands among error texts keeps both; whatever is cut says so.

use crate::answer;
use crate::answer::{Asked, Remark};
use crate::etcdctl;
use crate::failure;
use crate::fragment::{self, Place};
use crate::frames;
use crate::frames::Framed;
use crate::json_items;
use crate::kept;
use crate::known::Known;
use crate::laid_out;
use crate::manifest::Items;
pub use crate::manifest::Trim;
use crate::own_report;
use crate::scan;
use crate::scan::Literals;
use crate::sniff;
use crate::sniff::Guess;
use crate::tool_reports;
use crate::transcript;
use crate::transcript::Session;
use crate::wrapped;
use crate::{
    installer_log, interrupted, journald, json, manifest, null_word, other_text, pairs, stated, table, text_form,
    unwrapped,
};
use facts::coverage::{Answer, Basis, Namespaces, State};
use facts::cut::{Cut, Damage};
use facts::kind::KindName;
use facts::limit::Limit;
use facts::log::ScannedLog;
use facts::object::Form;
use facts::order::Order;
use facts::origin::{Citation, MemberId};
use facts::record::{Command, Parsed, Record, Stamp, Stated};
use facts::secrets::Counts;
use facts::shortfall::{WhyFailed, WhyPartial, WhyTruncated};
use facts::unread;
use facts::unread::WhyUnread;
use intake::Limits;
use std::borrow::Cow;
use std::io::Read;

/// The largest document of a program other than kubectl that is looked at.
const MAX_PROGRAM_DOCUMENT: usize = 8 << 20;
/// Lines of a text in which words of tools are looked for.
const MOST_REPORT_LINES: usize = 5_000;
/// Where a document of Kubernetes says that it is one.
const HEAD_OF_DOCUMENT: usize = 4 << 10;
/// Bytes of a file that holds nothing but a date.
const LONGEST_DATE: usize = 120;

/// What one member held.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MemberContent {
    /// Records, for documents.
    pub parsed: Parsed,
    /// Hits and counts, for logs.
    pub log: Option<ScannedLog>,
    /// Logs of containers that stand in it one after the other.
    pub framed: Vec<Framed>,
    /// It had no bytes at all.
    pub empty: bool,
    /// Why reading stopped before the member's end, if it did: what lists it holds are partial.
    pub cut: Option<Cut>,
    /// Secret values masked while reading.
    pub redactions: Counts,
    /// Limits that were reached.
    pub limits_hit: Vec<Limit>,
    /// When a collector says that it was, in its words.
    pub collected: Option<String>,
    /// It is a transcript: the contexts and logs in it.
    pub session: Option<Session>,
}

/// Reads a member to its end. `name` decides only where the content does not (an empty list, a table
/// without a kind).
pub fn read(id: MemberId, name: &str, body: &mut dyn Read, literals: &Literals, limits: &Limits) -> MemberContent {
    read_with(id, name, body, literals, limits, None)
}

/// The same for a member whose command is known: it states the kind and the scope of what was printed.
pub fn read_with(
    id: MemberId,
    name: &str,
    body: &mut dyn Read,
    literals: &Literals,
    limits: &Limits,
    command: Option<&Command>,
) -> MemberContent {
    let known = Known { command: command.cloned(), ..Known::default() };
    read_trimmed(id, name, body, literals, limits, &known, None)
}

/// The same for a member of which something is known; `trim` says how the objects of a long list are read.
pub fn read_trimmed(
    id: MemberId,
    name: &str,
    body: &mut dyn Read,
    literals: &Literals,
    limits: &Limits,
    known: &Known,
    trim: Option<Trim<'_>>,
) -> MemberContent {
    let asked = Asked { member: id, name, command: known.command.as_ref() };
    let content = MemberContent::default();
    let taken = Vec::new();
    let mut reader = Reader { id, name, asked, known, literals, limits, trim, taken, in_transcript: false, content };
    let head = reader.take(body, sniff::HEAD as u64);
    if head.is_empty() {
        reader.content.empty = true;
        return reader.content;
    }
    if own_report::is_one(&head) {
        // What Casefile said of a bundle is no evidence of it.
        reader.unread(1, WhyUnread::Aside(own_report::WHAT));
        return reader.content;
    }
    let whole = head.len() < sniff::HEAD;
    if let Some(text) = utf16(&head) {
        // PowerShell writes UTF-16 when a command's output is redirected.
        let text = if whole { text } else { utf16(&reader.document(head, body)).unwrap_or_default() };
        reader.decide(text.into_bytes(), true, &mut std::io::empty());
    } else if memchr::memchr(0x1b, &head).is_some() && is_document(&wrapped::without_colours(&head), name, whole) {
        // A terminal that colours what kubectl prints, written to a file.
        let text = wrapped::without_colours(&reader.document(head, body));
        reader.decide(text, true, &mut std::io::empty());
    } else if let Some(text) = laid_out(&head, name, whole) {
        reader.decide(text.into_bytes(), true, &mut std::io::empty());
    } else {
        reader.decide(head, whole, body);
    }
    let manifest = text_form::manifest_file(&reader.asked, &reader.content.parsed.records);
    reader.content.parsed.records.extend(manifest);
    reader.content.redactions += reader.content.parsed.redactions;
    reader.content
}

/// A short text whose tables somebody laid out anew, with them as kubectl prints them.
fn laid_out(head: &[u8], name: &str, whole: bool) -> Option<String> {
    let text = std::str::from_utf8(head).ok().filter(|_| whole)?;
    match laid_out::text(text) {
        Cow::Owned(text) if matches!(sniff::guess(head, name, whole), Guess::Text | Guess::Log) => Some(text),
        _ => None,
    }
}

/// Is it held whole, and no log? Those are searched line by line as they are written.
fn is_document(head: &[u8], name: &str, whole: bool) -> bool {
    matches!(sniff::guess(head, name, whole), Guess::Json | Guess::Yaml | Guess::Text)
}

/// What a command in a transcript printed; lines are those of this text.
/// `followed`: the transcript goes on behind it.
pub(super) fn read_output(
    id: MemberId,
    bytes: &[u8],
    limits: &Limits,
    command: Option<&Command>,
    followed: bool,
) -> Parsed {
    let (literals, known) = (Literals::default(), Known { command: command.cloned(), followed, ..Known::default() });
    let asked = Asked { member: id, name: "", command };
    let (name, literals, known, content) = ("", &literals, &known, MemberContent::default());
    let (trim, taken) = (None, Vec::new());
    let mut reader = Reader { id, name, asked, known, literals, limits, trim, taken, in_transcript: true, content };
    reader.decide(bytes.to_vec(), true, &mut std::io::empty());
    reader.content.parsed
}

struct Reader<'a> {
    id: MemberId,
    name: &'a str,
    asked: Asked<'a>,
    known: &'a Known,
    literals: &'a Literals,
    limits: &'a Limits,
    trim: Option<Trim<'a>>,
    /// Items of lists that were read before the lists.
    taken: Vec<Items>,
    /// What is read is a part of a transcript already.
    in_transcript: bool,
    content: MemberContent,
}

impl Reader<'_> {
    /// Up to so many bytes. A read error ends the member, and is said.
    fn take(&mut self, body: &mut dyn Read, limit: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Err(error) = body.take(limit).read_to_end(&mut bytes) {
            self.content.cut = Some(Cut::Damage(Damage::Stopped(error.to_string())));
        }
        bytes
    }

    /// The whole document, as far as the limit allows.
    fn document(&mut self, mut bytes: Vec<u8>, body: &mut dyn Read) -> Vec<u8> {
        let limit = self.limits.document_bytes;
        let left = limit.saturating_sub(bytes.len() as u64);
        bytes.extend(self.take(body, left.saturating_add(1)));
        if bytes.len() as u64 > limit {
            bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
            let limit = Limit::DocumentBytes(limit);
            self.content.limits_hit.push(limit.clone());
            self.content.cut = Some(Cut::Limit(limit));
        }
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        bytes
    }

    /// A document of JSON without the items of its lists, which are read meanwhile.
    fn without_items(&mut self, head: Vec<u8>, body: &mut dyn Read) -> Vec<u8> {
        let taken = json_items::take(self.id, head, body, self.known, self.limits, self.trim);
        self.taken = taken.lists;
        if taken.is_over {
            kept::say(&mut self.content, self.limits.memory);
            return taken.text;
        }
        self.document(taken.text, body)
    }

    fn decide(&mut self, mut head: Vec<u8>, whole: bool, body: &mut dyn Read) {
        if frames::is_framed(&head) {
            self.frames(head.chain(body), 0);
            return;
        }
        if whole && let Some(date) = self.date(&head) {
            self.content.parsed = date;
            return;
        }
        if whole && let Some(set) = text_form::configuration(&self.asked, &head) {
            self.content.parsed = set;
            return;
        }
        let guess = sniff::guess(&head, self.name, whole);
        if !self.in_transcript && transcript::is_possible(&String::from_utf8_lossy(&head), self.name, guess) {
            let most = (transcript::MAX_BYTES + 1).saturating_sub(head.len());
            head.extend(self.take(body, most as u64));
            let found =
                transcript::read(self.id, self.name, &String::from_utf8_lossy(&head), self.literals, self.limits);
            if let Some(found) = found {
                let cut = self.content.cut.take();
                self.content = found;
                self.content.cut = cut;
                return;
            }
        }
        match guess {
            Guess::Binary => self.unread(1, WhyUnread::Binary),
            Guess::Html => self.unread(1, WhyUnread::WebPage),
            Guess::Log => self.log(&head, body),
            Guess::Json => {
                let bytes = if whole { self.document(head, body) } else { self.without_items(head, body) };
                let own = std::str::from_utf8(&bytes)
                    .ok()
                    .and_then(|text| text_form::read_json(&self.asked, text).or_else(|| self.program_document(text)));
                match own {
                    Some(parsed) => self.content.parsed = parsed,
                    None => self.manifest(&bytes, "json"),
                }
            }
            Guess::Yaml => {
                let bytes = self.document(head, body);
                let own = std::str::from_utf8(&bytes)
                    .ok()
                    .and_then(|text| text_form::read_yaml(&self.asked, text, self.limits));
                match own {
                    Some(parsed) => self.content.parsed = parsed,
                    None => self.manifest(&bytes, "yaml"),
                }
            }
            Guess::Text => {
                let bytes = self.document(head, body);
                self.text(&bytes);
            }
        }
    }

    /// The answer of `date`, which people keep in a file of that name.
    fn date(&self, text: &[u8]) -> Option<Parsed> {
        let file = self.name.rsplit(['/', '!']).next().unwrap_or(self.name);
        let stem = file.split('.').next().unwrap_or(file).to_ascii_lowercase();
        if text.len() > LONGEST_DATE || !matches!(stem.as_str(), "date" | "timestamp" | "collected" | "collected-at") {
            return None;
        }
        let text = std::str::from_utf8(text).ok()?.trim();
        let is_date = text.bytes().any(|b| b.is_ascii_digit()) && text.contains(':') && !text.contains('\n');
        let citation = Citation::line(self.id, 1, text);
        let stamp = is_date.then(|| Stamp { what: Stated::CollectedAt, text: text.to_owned(), citation })?;
        Some(Parsed { records: vec![Record::from(stamp)], format: "date", ..Parsed::default() })
    }

    /// One JSON document that a program other than kubectl printed.
    fn program_document(&self, text: &str) -> Option<Parsed> {
        // Objects of Kubernetes are most of what is JSON, and large: their trees are built once, elsewhere.
        let head = text.get(..text.floor_char_boundary(HEAD_OF_DOCUMENT)).unwrap_or(text);
        if text.len() > MAX_PROGRAM_DOCUMENT || head.contains("\"apiVersion\"") {
            return None;
        }
        let [document] = json::json_values(text, self.limits.nesting).try_into().ok()?;
        text_form::read_document(&self.asked, &document, Form::Json)
    }

    /// Logs of containers, behind so many lines of the member.
    fn frames(&mut self, body: impl Read, before: u32) {
        let framed = frames::read(self.id, body, before, self.literals, self.limits);
        for one in &framed {
            self.note_log(&one.log);
            let of = format!("container {} of Pod {}/{}", one.container, one.namespace, one.pod);
            let (line, state) = match &one.error {
                Some((line, text)) => (*line, State::Error(WhyFailed::Said(failure::quoted(text.clone())))),
                None if !one.whole => (one.line, State::Truncated(WhyTruncated::DumpEnds)),
                None => continue,
            };
            self.content.parsed.records.push(Record::from(Answer {
                kind: KindName { plural: "pods/log".to_owned(), group: String::new() },
                namespaces: Namespaces::Some(vec![one.namespace.clone()]),
                names: Some(vec![format!("{}/{}", one.pod, one.container)]),
                selector: None,
                citation: Citation::line(self.id, line, &format!("the log of {of}: {}", state.word())),
                state,
                basis: Basis::Stated,
                order: Order::default(),
            }));
        }
        self.content.framed = framed;
        if self.content.parsed.format.is_empty() {
            self.content.parsed.format = "logs of containers";
        }
    }

    /// JSON or YAML, with texts of kubectl before and after it.
    fn manifest(&mut self, bytes: &[u8], format: &'static str) {
        if frames::find(bytes).is_some() {
            // `kubectl cluster-info dump` on standard output: of each namespace its lists, then its logs.
            self.manifest(&frames::without(bytes), format);
            state_dump(&mut self.content.parsed);
            self.frames(bytes, 0);
            return;
        }
        let text = pairs::readable(bytes);
        let (text, remarks, interrupted) = self.set_aside(&text, format);
        let mut parsed = if format == "json" {
            let taken = std::mem::take(&mut self.taken);
            manifest::read_json_known(self.id, self.known, text.as_bytes(), self.limits, taken)
        } else {
            manifest::read_yaml_interrupted(self.id, self.known, text.as_bytes(), self.limits, interrupted)
        };
        if manifest::is_over(&parsed, self.limits) {
            kept::say(&mut self.content, self.limits.memory);
        }
        null_word::restore(self.name, &mut parsed.records);
        if format == "json"
            && parsed.records.is_empty()
            && let Some(parsed) = text_form::read_json(&self.asked, &text)
        {
            self.content.parsed = parsed;
            return;
        }
        if parsed.records.is_empty()
            && let Some(part) = self.part(&text)
        {
            self.content.parsed = part;
            return;
        }
        if let Some(command) = self.asked.command {
            stated::restate(self.id, command, &mut parsed);
        }
        fold(&mut parsed.unread);
        let failed = parsed.unread.iter().any(|(_, why)| *why != WhyUnread::EmptyList);
        let mut trouble = None;
        for remark in remarks {
            match remark {
                (_, Remark::Noise | Remark::Discovery) => {}
                (_, Remark::Answer(answer)) => {
                    if answer::is_trouble(&answer.state) {
                        trouble.get_or_insert_with(|| {
                            WhyPartial::Beside(failure::quoted(answer.citation.excerpt.clone()))
                        });
                    }
                    parsed.records.push(Record::Answer(answer));
                }
                (line, Remark::Unproven { why, trouble: is_trouble }) => {
                    if is_trouble {
                        trouble.get_or_insert_with(|| WhyPartial::BesideUnread(Box::new(why.clone())));
                    }
                    parsed.unread.push((line, why));
                }
            }
        }
        if let Some(trouble) = trouble {
            demote(&mut parsed, &trouble);
        }
        unread::sort(&mut parsed.unread);
        self.content.parsed = parsed;
        if failed {
            self.log(bytes, &mut std::io::empty());
        }
    }

    /// A document that begins inside an object.
    fn part(&self, text: &str) -> Option<Parsed> {
        let (id, name) = (self.id, self.name);
        let place = Place { member: id, name, first: 1, command: self.asked.command, limits: self.limits };
        let lines: Vec<&str> = text.lines().collect();
        fragment::length(&lines, self.asked.command).filter(|length| *length == lines.len())?;
        fragment::read(&place, &lines)
    }

    /// Takes kubectl's own texts off both ends of a document, and the half of a line that an error cut, with
    /// the number of that line. Lines are emptied, not removed, so that all others keep their numbers.
    fn set_aside<'t>(&self, text: &'t str, format: &str) -> (Cow<'t, str>, Vec<(u32, Remark)>, Option<u32>) {
        let asked = &self.asked;
        let mut remarks = Vec::new();
        let mut emptied = String::new();
        let mut start = 0;
        for (number, line) in (1u32..).zip(text.split_inclusive('\n')) {
            if !line.trim().is_empty() {
                let Some(what) = answer::line(asked, number, line) else { break };
                remarks.push((number, what));
            }
            start += line.len();
            if line.ends_with('\n') {
                emptied.push('\n');
            }
        }
        let body = &text[start..];
        let mut end = body.len();
        let (mut found, mut is_cut) = (false, false);
        for line in body.rsplit('\n') {
            let from = end.saturating_sub(line.len());
            if !line.trim().is_empty() {
                let cut = interrupted::at(line)
                    .filter(|_| format == "json" || !interrupted::is_own_in_yaml(&body[..from], line));
                let indented = line.starts_with([' ', '\t']);
                if cut.is_none() && (indented || !answer::is_one(line)) {
                    break;
                }
                found = true;
                is_cut |= cut.is_some();
            }
            end = from.saturating_sub(1);
        }
        if remarks.is_empty() && !found {
            return (Cow::Borrowed(text), remarks, None);
        }
        let lines = |part: &str| u32::try_from(memchr::memchr_iter(b'\n', part.as_bytes()).count()).unwrap_or(u32::MAX);
        let kept = body.get(..end).unwrap_or(body);
        let number = lines(&emptied).saturating_add(lines(kept)).saturating_add(1);
        let mut cut_at = None;
        for (number, line) in (number..).zip(body[kept.len()..].split('\n')) {
            let cut = interrupted::at(line);
            if is_cut && cut.is_some() {
                cut_at.get_or_insert(number);
            }
            let line = cut.and_then(|at| line.get(at..)).unwrap_or(line);
            remarks.extend(answer::line(asked, number, line).map(|what| (number, what)));
        }
        emptied.push_str(kept);
        emptied.push('\n');
        (Cow::Owned(emptied), remarks, cut_at)
    }

    /// Text that a command printed.
    fn text(&mut self, bytes: &[u8]) {
        let text = pairs::readable(bytes);
        let text = unwrapped::text(text.trim_start_matches('\u{feff}'));
        let text = &*transcript::dialect::straight(&text);
        let text = &*transcript::dialect::unquoted(text);
        let text = &*laid_out::text(text);
        if journald::has_no_entries(text) {
            self.content.parsed.format = "journald";
            self.unread(1, WhyUnread::NoEntries);
            return;
        }
        let reports = self.reports(text);
        match text_form::read(&self.asked, text) {
            Some((form, mut parsed)) => {
                if !reports.records.is_empty() {
                    // A table of a tool is none of kubectl.
                    let is_foreign = |table: &facts::record::Table| {
                        reports.lines.contains(&table.line)
                            && !table::is_known(&table.headers)
                            && !table::is_printed(&table.headers)
                    };
                    parsed.records.retain(|record| !matches!(record, Record::Table(table) if is_foreign(table)));
                    parsed.records.extend(reports.records);
                }
                if self.known.followed || !self.in_transcript && self.asked.command.is_some() {
                    etcdctl::ends_here(&mut parsed.records);
                }
                let search = parsed.records.is_empty() || form.ends_with_log;
                self.content.parsed = parsed;
                if search {
                    self.log(bytes, &mut std::io::empty());
                }
            }
            None if !reports.records.is_empty() => {
                self.content.parsed =
                    Parsed { format: tool_reports::FORMAT, records: reports.records, ..Parsed::default() };
                self.log(text.as_bytes(), &mut std::io::empty());
            }
            None => {
                self.log(text.as_bytes(), &mut std::io::empty());
                let is_log = is_log_name(self.name) || self.asked.command.is_some_and(|command| command.verb == "logs");
                if !is_log && !text.trim_matches(['\0', ' ', '\n', '\r', '\t']).is_empty() {
                    self.unread(1, other_text::reason(text).unwrap_or(WhyUnread::NoFormat));
                }
            }
        }
    }

    /// What tools say in a text. A text with fences that is no session shows what one may see.
    fn reports(&self, text: &str) -> tool_reports::Found {
        let lines: Vec<&str> = text.lines().take(MOST_REPORT_LINES).collect();
        let guide = !self.in_transcript
            && (transcript::is_guide(self.name) || lines.iter().any(|line| transcript::dialect::fence(line).is_some()));
        if guide {
            return tool_reports::Found::default();
        }
        let mut found = tool_reports::read(&self.asked, &[], &lines, 1);
        if !self.in_transcript {
            let pings = tool_reports::of_pings(&self.asked, &lines, 1);
            found.records.extend(pings.records);
            found.lines.extend(pings.lines);
        }
        found
    }

    fn unread(&mut self, line: u32, why: WhyUnread) {
        self.content.parsed.unread.push((line, why));
    }

    /// A log: its head, already taken, and the rest.
    fn log(&mut self, head: &[u8], body: &mut dyn Read) {
        let log = if installer_log::is_named(self.name) {
            let mut watch = installer_log::Watch::new(head.chain(body));
            let log = scan::scan(self.id, &mut watch, self.literals, self.limits);
            if let Some(parsed) = watch.finish(&self.asked).filter(|_| self.content.parsed.records.is_empty()) {
                self.content.parsed = parsed;
            }
            log
        } else {
            scan::scan(self.id, head.chain(body), self.literals, self.limits)
        };
        self.note_log(&log);
        self.content.log = Some(log);
    }

    /// What a scan says besides lines.
    fn note_log(&mut self, log: &ScannedLog) {
        self.content.redactions += log.redactions;
        if let Some(reason) = &log.stopped {
            self.content.cut.get_or_insert_with(|| Cut::Damage(Damage::Stopped(reason.clone())));
        }
        let cut: u64 = log.machines().map(|log| log.tally.cut_lines).sum();
        if cut > 0 {
            let bound = self.limits.line_bytes as u64;
            self.content.limits_hit.push(Limit::LineBytes { lines: cut, bound });
        }
        for (literal, count) in log.machines().flat_map(|log| &log.tally.hits_beyond) {
            let text = self.literals.text(*literal).unwrap_or("?").to_owned();
            self.content.limits_hit.push(Limit::LogHits { text, lines: *count });
        }
    }
}

/// `kubectl cluster-info dump` writes whole lists, each of one namespace.
/// Source: `kubernetes/kubectl:pkg/cmd/clusterinfo/clusterinfo_dump.go@v0.34.0`.
fn state_dump(parsed: &mut Parsed) {
    for record in &mut parsed.records {
        if let Record::Answer(answer) = record
            && answer.basis.is_listed()
            && answer.state == State::Complete
        {
            answer.basis = Basis::Stated;
        }
    }
    // An empty list does not say of which namespace it is.
    parsed.unread.retain(|(_, why)| *why != WhyUnread::EmptyList);
}

/// Documents and items that are no Kubernetes objects are said once, with their number: one file of
/// other JSON holds thousands of them.
fn fold(unread: &mut Vec<(u32, WhyUnread)>) {
    let count = unread.iter().filter(|(_, why)| why.is_not_kubernetes()).count();
    if count < 2 {
        return;
    }
    let mut many = Some(WhyUnread::ManyNotKubernetes(count));
    unread.retain_mut(|(_, why)| {
        if !why.is_not_kubernetes() {
            return true;
        }
        // The first one stands for all.
        many.take().map(|all| *why = all).is_some()
    });
}

/// Does the name say that it is a log? Then lines in no known format are no surprise.
fn is_log_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let mut parts = lower.rsplit('/');
    let file = parts.next().unwrap_or_default();
    file.contains(".log") || file.starts_with("logs") || parts.any(|folder| folder == "logs" || folder == "log")
}

/// A list in a text with an error is not known to be whole.
fn demote(parsed: &mut Parsed, why: &WhyPartial) {
    for record in &mut parsed.records {
        if let Record::Answer(answer) = record
            && matches!(answer.state, State::Complete | State::Empty)
        {
            answer.state = State::Partial(why.clone());
        }
    }
}

/// Two bytes to one unit of UTF-16.
type Decode = fn([u8; 2]) -> u16;

/// Text in UTF-16 with a byte order mark; `None` for anything else.
pub(crate) fn utf16(bytes: &[u8]) -> Option<String> {
    let (rest, decode): (&[u8], Decode) = match bytes {
        [0xff, 0xfe, rest @ ..] => (rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => (rest, u16::from_be_bytes),
        _ => return None,
    };
    let (units, _) = rest.as_chunks::<2>();
    Some(char::decode_utf16(units.iter().map(|unit| decode(*unit))).map(|c| c.unwrap_or('\u{fffd}')).collect())
}
