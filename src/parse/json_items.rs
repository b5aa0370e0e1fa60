//! A JSON list of any length, item by item: an item becomes an object before the next one is read.
//!
//! Why: the Pods and Events of a large cluster are hundreds of megabytes of JSON in one list. Held whole, text and trees
//! would take gigabytes, and a bound on documents would cut them off in the middle.
//!
//! How: the items are taken out of the text, and what is left of it is read as ever: the head of the list, blank lines
//! where its items stood, so that all lines keep their numbers, its end, and whatever stands behind it.
//!
//! Items are cut out one after the other, a batch at a time, and become objects side by side: that takes ten times as long
//! as cutting them.
//!
//! Invariants: a text gives the same records as if it were held whole, whatever the threads; where anything is odd (an item
//! that is not sound, or that is no map) the rest of the text is not taken apart; what is held at a time is one batch
//! of items and their neighbours in the stream.

use crate::known::Known;
use crate::manifest::{Item, Items, Trim};
use crate::sniff;
use facts::origin::MemberId;
use facts::parallel;
use intake::Limits;
use serde_json::value::RawValue;
use std::io::Read;

/// Bytes that are asked for at once.
const STEP: usize = 1 << 20;

/// What is left of a text without the items of its lists.
#[derive(Debug)]
pub(super) struct Taken {
    /// The beginning of the text, as far as it was taken apart; what follows it in the member belongs behind it.
    pub text: Vec<u8>,
    /// The items, for each document of the text that is such a list, in their order.
    pub lists: Vec<Items>,
    /// More was found than fits into the memory of a run, so reading ended there.
    pub is_over: bool,
}

/// How many items are read at once.
#[derive(Debug, Clone, Copy)]
struct Batches {
    /// Bytes of them on one thread.
    few: usize,
    /// Bytes of them on several, of a list that has more.
    many: usize,
    /// Items that a thread takes at a time.
    share: usize,
}

const BATCHES: Batches = Batches { few: 256 << 10, many: 8 << 20, share: 16 };

/// How items are read.
#[derive(Clone, Copy)]
struct Reading<'a> {
    limits: &'a Limits,
    trim: Option<Trim<'a>>,
    batches: Batches,
}

impl Reading<'_> {
    fn threads(self) -> usize {
        self.trim.map_or(1, |trim| trim.threads.get())
    }
}

/// Takes the items out of the lists that a member begins with. `head` are the bytes that were read of it so far.
pub(super) fn take(
    member: MemberId,
    head: Vec<u8>,
    body: &mut dyn Read,
    known: &Known,
    limits: &Limits,
    trim: Option<Trim<'_>>,
) -> Taken {
    take_by(member, head, body, known, Reading { limits, trim, batches: BATCHES })
}

fn take_by(member: MemberId, head: Vec<u8>, body: &mut dyn Read, known: &Known, reading: Reading<'_>) -> Taken {
    let limits = reading.limits;
    let mut window = Window { bytes: head, at: 0, from: None, line: 1, body, ended: false };
    let mut taken = Taken { text: Vec::new(), lists: Vec::new(), is_over: false };
    let mut room = limits.memory_of_facts();
    loop {
        window.space(&mut taken.text);
        let Some(length) = window.head_of_list() else { break };
        let (line, head) = (window.line, String::from_utf8_lossy(window.next(length)).into_owned());
        let mut items = Items::new(member, known, limits, &closed(&head), line);
        window.pass(length, &mut taken.text);
        let end = list(&mut window, &mut taken.text, &mut items, reading, &mut room);
        taken.lists.push(items);
        match end {
            End::Whole => {}
            End::Odd => break,
            End::Over => {
                taken.text.extend(b"]}");
                taken.is_over = true;
                return taken;
            }
        }
    }
    taken.text.extend(window.next(usize::MAX));
    taken
}

/// How the items of a list ended.
enum End {
    Whole,
    /// Something follows that is to be read as it stands.
    Odd,
    /// The memory is used up.
    Over,
}

/// An item that was cut out.
struct Span {
    /// Where it stands, from the beginning of the batch.
    start: usize,
    length: usize,
    line: u32,
    /// How long the text was before it.
    text: usize,
}

/// Reads the items of a list to its end.
fn list(window: &mut Window<'_>, text: &mut Vec<u8>, items: &mut Items, reading: Reading<'_>, room: &mut u64) -> End {
    let Reading { limits, batches, .. } = reading;
    let mut most = batches.few;
    loop {
        let mut batch = Vec::new();
        window.hold();
        let end = cut_out(window, text, &mut batch, limits, most);
        let read = read(items, window.held(), &batch, reading);
        let last = batch.len().saturating_sub(1);
        for (at, (span, item)) in batch.iter().zip(read).enumerate() {
            let Some(item) = item else {
                window.back_to(span);
                text.truncate(span.text);
                return End::Odd;
            };
            let weight = items.add(item);
            if at == last && end.is_some() {
                break;
            }
            match room.checked_sub(weight) {
                Some(left) => *room = left,
                None => {
                    text.truncate(batch.get(at + 1).map_or(text.len(), |next| next.text));
                    return End::Over;
                }
            }
        }
        window.let_go();
        if let Some(end) = end {
            return end;
        }
        most = if reading.threads() > 1 { batches.many } else { batches.few };
    }
}

/// Cuts items out until they have so many bytes; how the list ended, if it did.
fn cut_out(
    window: &mut Window<'_>,
    text: &mut Vec<u8>,
    batch: &mut Vec<Span>,
    limits: &Limits,
    most: usize,
) -> Option<End> {
    while window.held().len() < most {
        window.space(text);
        if window.peek() != Some(b'{') {
            // An empty list, or one with other things in it.
            return Some(rest_of_list(window, text));
        }
        let Some(length) = window.value(limits.document_bytes) else { return Some(End::Odd) };
        batch.push(Span { start: window.held().len(), length, line: window.line, text: text.len() });
        window.pass_lines(length, text);
        window.space(text);
        match window.peek() {
            Some(b',') => {
                window.at += 1;
                window.space(text);
                match window.peek() {
                    Some(b'{') => {}
                    // A comma before nothing is a mistake that is said where the rest is read.
                    Some(b']') => {
                        text.push(b',');
                        return Some(End::Odd);
                    }
                    _ => return Some(End::Odd),
                }
            }
            Some(b']') | None => return Some(rest_of_list(window, text)),
            Some(_) => {
                // No comma: without the item nobody would see that something is wrong here.
                text.push(b':');
                return Some(End::Odd);
            }
        }
    }
    None
}

/// Reads the items of a batch, side by side if they are many, in their order.
fn read(items: &Items, held: &[u8], batch: &[Span], reading: Reading<'_>) -> Vec<Option<Item>> {
    let Reading { limits, trim, batches: Batches { few, share, .. } } = reading;
    let first = items.count();
    let item = |(at, span): (usize, &Span)| {
        let text = held.get(span.start..span.start + span.length).unwrap_or_default();
        items.item(first + at, text, span.line, limits, trim)
    };
    let threads = reading.threads().min(batch.len().div_ceil(share));
    if held.len() <= few || threads <= 1 {
        return batch.iter().enumerate().map(item).collect();
    }
    parallel::in_shares(threads, share, batch.len(), |share| {
        batch.iter().enumerate().skip(share.start).take(share.len()).map(item).collect()
    })
}

/// What stands between the last item of a list and the end of its document.
fn rest_of_list(window: &mut Window<'_>, text: &mut Vec<u8>) -> End {
    if window.peek() != Some(b']') {
        return End::Odd;
    }
    window.pass(1, text);
    loop {
        window.space(text);
        match window.peek() {
            Some(b'}') => {
                window.pass(1, text);
                return End::Whole;
            }
            Some(b',') => window.pass(1, text),
            _ => return End::Odd,
        }
        if field(window, text).is_none() {
            return End::Odd;
        }
    }
}

/// A field of a map; `None` where something else stands.
fn field(window: &mut Window<'_>, text: &mut Vec<u8>) -> Option<()> {
    window.space(text);
    let key = window.value(STEP as u64).filter(|_| window.peek() == Some(b'"'))?;
    window.pass(key, text);
    window.space(text);
    window.peek().filter(|byte| *byte == b':')?;
    window.pass(1, text);
    window.space(text);
    let value = window.value(STEP as u64)?;
    window.pass(value, text);
    Some(())
}

/// The head of a list as a document of its own, with an empty list.
fn closed(head: &str) -> String {
    format!("{head}]}}")
}

/// The part of a member that is held.
struct Window<'a> {
    bytes: Vec<u8>,
    /// The first byte that was not taken.
    at: usize,
    /// The first byte of what is held though it was taken, if anything is.
    from: Option<usize>,
    /// The line of the first byte that was not taken.
    line: u32,
    body: &'a mut dyn Read,
    ended: bool,
}

impl Window<'_> {
    /// So many of the bytes that come next, as far as they are held.
    fn next(&self, length: usize) -> &[u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        rest.get(..length).unwrap_or(rest)
    }

    /// Holds what is taken from now on.
    fn hold(&mut self) {
        self.from = Some(self.at);
    }

    /// What was taken and is held.
    fn held(&self) -> &[u8] {
        self.bytes.get(self.from.unwrap_or(self.at)..self.at).unwrap_or_default()
    }

    fn let_go(&mut self) {
        self.from = None;
    }

    /// Takes back an item of what is held, and all behind it.
    fn back_to(&mut self, span: &Span) {
        self.at = self.from.take().unwrap_or(self.at).saturating_add(span.start).min(self.at);
        self.line = span.line;
    }

    fn peek(&mut self) -> Option<u8> {
        while self.at >= self.bytes.len() && self.more() {}
        self.bytes.get(self.at).copied()
    }

    /// Takes so many bytes, and leaves them in the text.
    fn pass(&mut self, length: usize, text: &mut Vec<u8>) {
        text.extend(self.next(length));
        self.skip(length);
    }

    /// Takes so many bytes, and leaves their lines in the text.
    fn pass_lines(&mut self, length: usize, text: &mut Vec<u8>) {
        let before = self.line;
        self.skip(length);
        text.resize(text.len() + (self.line - before) as usize, b'\n');
    }

    fn skip(&mut self, length: usize) {
        let lines = memchr::memchr_iter(b'\n', self.next(length)).count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.at = self.at.saturating_add(length).min(self.bytes.len());
    }

    /// Takes blanks, of which the lines stay.
    fn space(&mut self, text: &mut Vec<u8>) {
        while let Some(byte) = self.peek() {
            let rest = &self.bytes[self.at..];
            let length = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if length == 0 || !byte.is_ascii_whitespace() {
                return;
            }
            self.pass_lines(length, text);
        }
    }

    /// Reads on, as much as is held of what was not taken, so that a long value is looked at a few times only. False at the
    /// end.
    fn more(&mut self) -> bool {
        if self.ended {
            return false;
        }
        let gone = self.from.unwrap_or(self.at);
        self.bytes.drain(..gone);
        self.at -= gone;
        self.from = self.from.map(|_| 0);
        let before = self.bytes.len();
        // The body of a member never fails: it ends, and the intake says why.
        let _ = (&mut *self.body).take((before - self.at).max(STEP) as u64).read_to_end(&mut self.bytes);
        self.ended = self.bytes.len() == before;
        !self.ended
    }

    /// The length of the sound value that comes next; `None` if there is none, or a longer one.
    fn value(&mut self, most: u64) -> Option<usize> {
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<&RawValue>();
            match values.next() {
                Some(Ok(_)) => return Some(values.byte_offset()).filter(|length| *length as u64 <= most),
                Some(Err(error)) if !error.is_eof() => return None,
                _ => {}
            }
            if rest.len() as u64 > most || !self.more() {
                return None;
            }
        }
    }

    /// The length of the head of a list that comes next, with the bracket that opens its items, if it is held.
    fn head_of_list(&mut self) -> Option<usize> {
        while self.bytes.len() - self.at < sniff::HEAD && self.more() {}
        let rest = self.next(usize::MAX);
        let mut at = 0;
        let blank = |at: &mut usize| {
            *at += rest.get(*at..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        };
        let mut first = true;
        loop {
            blank(&mut at);
            if rest.get(at) != Some(if first { &b'{' } else { &b',' }) {
                return None;
            }
            (at, first) = (at + 1, false);
            blank(&mut at);
            let mut keys = serde_json::Deserializer::from_slice(rest.get(at..)?).into_iter::<String>();
            let key = keys.next()?.ok()?;
            at += keys.byte_offset();
            blank(&mut at);
            if rest.get(at) != Some(&b':') {
                return None;
            }
            at += 1;
            blank(&mut at);
            if key == "items" {
                return (rest.get(at) == Some(&b'[')).then_some(at + 1);
            }
            let mut values = serde_json::Deserializer::from_slice(rest.get(at..)?).into_iter::<&RawValue>();
            values.next()?.ok()?;
            at += values.byte_offset();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest;
    use facts::record::Parsed;
    use proptest::prelude::*;
    use std::num::NonZero;

    /// A text that is read piece by piece, beginning with so many bytes of it: on one thread, and in the smallest batches on
    /// three.
    fn apart(text: &str, head: usize) -> Parsed {
        let of = |reading: Reading<'_>| {
            let head = head.min(text.len());
            let (id, known) = (MemberId(0), Known::default());
            let mut body = &text.as_bytes()[head..];
            let taken = take_by(id, text.as_bytes()[..head].to_vec(), &mut body, &known, reading);
            let mut left = taken.text;
            body.read_to_end(&mut left).unwrap();
            manifest::read_json_known(id, &known, &left, reading.limits, taken.lists)
        };
        let limits = Limits::default();
        let one = of(Reading { limits: &limits, trim: None, batches: BATCHES });
        for batches in [Batches { few: 1, many: 200, share: 1 }, Batches { few: 90, many: 91, share: 2 }] {
            assert_eq!(of(Reading { limits: &limits, trim: Some(side_by_side()), batches }), one, "{text}");
        }
        one
    }

    fn side_by_side() -> Trim<'static> {
        Trim { cut: &|_| {}, threads: const { NonZero::new(3).unwrap() } }
    }

    fn whole(text: &str) -> Parsed {
        manifest::read_json(MemberId(0), "x.json", text.as_bytes(), &Limits::default())
    }

    const POD: &str = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"u"}}"#;
    const BARE: &str = r#"{"metadata":{"name":"b","namespace":"n"}}"#;

    /// The same, but for the numbers of columns in what is said of damage.
    fn same(text: &str) {
        let expected = whole(text);
        for head in [text.len(), text.len() / 2 + 8, 64] {
            assert_eq!(apart(text, head), expected, "{text}");
        }
    }

    #[test]
    fn a_list_reads_the_same_in_pieces() {
        let items = |items: &[&str]| items.join(",\n");
        let many = items(&[POD, POD, POD]);
        for text in [
            format!(
                "{{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{{\"resourceVersion\":\"7\"}},\"items\":[{many}]}}"
            ),
            format!(
                "{{\"apiVersion\":\"v1\",\"items\":[\n{many}\n],\"kind\":\"List\",\"metadata\":{{\"resourceVersion\":\"\"}}}}\n"
            ),
            format!(
                "{{\"items\":[{many}],\"kind\":\"PodList\",\"metadata\":{{\"continue\":\"x\",\"resourceVersion\":\"9\"}}}}"
            ),
            // Kinds that follow from the list.
            format!("{{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[{BARE},{POD}]}}"),
            format!(
                "{{\"items\":[\n{BARE},{POD}],\"kind\":\"MachineList\",\"apiVersion\":\"cluster.x-k8s.io/v1beta1\"}}"
            ),
            format!("{{\"kind\":\"List\",\"items\":[]}}\n{{\"kind\":\"List\",\"items\":[{many}]}}\n{POD}"),
            // What is odd.
            format!("{{\"kind\":\"List\",\"items\":[{many},7,{POD}]}}"),
            format!("{{\"kind\":\"List\",\"items\":[7,{many}]}}"),
            format!("{{\"kind\":\"List\",\"items\":null}}\n{POD}"),
            format!("{{\"kind\":\"List\",\"items\":[{many}]}}\nError from server (Forbidden): no\n"),
            format!("{{\"kind\":\"List\",\"items\":[{POD},{{\"kind\":\"Pod\",\"spec\":{{}}}},{POD}]}}"),
            r#"{"kind":"Odd","apiVersion":"x.io/v1","metadata":{"name":"a"},"items":{"b":1}}"#.to_owned(),
        ] {
            same(&text);
        }
    }

    #[test]
    fn damage_keeps_what_stands_before_it_and_says_so() {
        for broken in ["{\"kind\":\"Po", "{\"kind\": bad}]}", "]", ",{}]}", "", &format!("{POD} {POD}]}}")] {
            let text = format!("{{\"kind\":\"List\",\"items\":[\n{POD},\n{POD},\n{broken}");
            let (expected, seen) = (whole(&text), apart(&text, 80));
            let lines = |parsed: &Parsed| parsed.unread.iter().map(|(line, _)| *line).collect::<Vec<_>>();
            assert_eq!((seen.records.len(), lines(&seen)), (expected.records.len(), lines(&expected)), "{text}");
            assert!(!seen.unread.is_empty(), "{text}");
        }
    }

    #[test]
    fn an_item_that_follows_an_unknown_kind_is_never_read_without_its_own() {
        // Its kind decides what is masked.
        let secret = r#"{"metadata":{"name":"s","namespace":"n"},"data":{"k":"aHVudGVyMg=="}}"#;
        let text = format!("{{\"items\":[{POD},\n{secret}],\"kind\":\"SecretList\",\"apiVersion\":\"v1\"}}");
        let shown = format!("{:?}", apart(&text, 64));
        assert!(!shown.contains("aHVudGVyMg"), "{shown}");
        let text = text.replace(&format!("{POD},\n"), "");
        let shown = format!("{:?}", apart(&text, 64));
        assert!(!shown.contains("aHVudGVyMg"), "{shown}");
    }

    #[test]
    fn what_takes_more_than_the_memory_ends_the_reading() {
        let (id, known) = (MemberId(0), Known::default());
        let limits = Limits { memory: 64 << 10, ..Limits::default() };
        let many = vec![POD; 500].join(",");
        let text = format!("{{\"kind\":\"List\",\"items\":[{many}]}}");
        let read = |trim, batches| {
            let reading = Reading { limits: &limits, trim, batches };
            let taken = take_by(id, Vec::new(), &mut text.as_bytes(), &known, reading);
            assert!(taken.is_over);
            manifest::read_json_known(id, &known, &taken.text, &limits, taken.lists)
        };
        let parsed = read(None, BATCHES);
        assert!((2..50).contains(&parsed.records.len()), "{}", parsed.records.len());
        assert!(parsed.unread.is_empty(), "{:?}", parsed.unread);
        assert_eq!(read(Some(side_by_side()), Batches { few: 1, many: 900, share: 3 }), parsed);
    }

    proptest! {
        #[test]
        fn pieces_of_any_length_say_the_same(
            names in prop::collection::vec(("[a-z]{1,9}", 0u8..4, any::<bool>()), 0..9),
            kind in prop::sample::select(vec!["List", "PodList", ""]),
            kind_first in any::<bool>(),
            head in 1usize..300,
        ) {
            let item = |(name, lines, own): &(String, u8, bool)| {
                let own = if *own || kind != "PodList" { "\"kind\":\"Pod\",\"apiVersion\":\"v1\"," } else { "" };
                format!("{{{own}{}\"metadata\":{{\"name\":\"{name}\",\"uid\":\"u\"}}}}", "\n".repeat(usize::from(*lines)))
            };
            let items = names.iter().map(item).collect::<Vec<_>>().join(",\n");
            let stated = format!("\"kind\":\"{kind}\",\"apiVersion\":\"v1\"");
            let text = match kind_first {
                true => format!("{{{stated},\"items\":[{items}]}}"),
                false => format!("{{\"items\":[{items}],{stated}}}"),
            };
            let expected = whole(&text);
            // Without its own kind an item behind one that has it is not read before the kind of the list is known.
            let mixed = !kind_first && kind == "PodList" && names.iter().any(|name| !name.2) && names[0].2;
            if !mixed {
                prop_assert_eq!(apart(&text, head), expected);
            }
        }
    }
}
