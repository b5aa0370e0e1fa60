//! What secrets look like in a text, and the mask in their place.
//!
//! Four ways to find one: a name calls what follows secret (`named`, by the table of `names` and the rules of quotes in
//! `value`); a shape says what it is (`shapes`); base64 that holds one (`encoded`); and, in texts of applications that
//! nobody knows, characters that were drawn by lot (`random`). All look at the text as a person reads it (`fold`).
//!
//! Invariants: masking twice changes nothing; a reference to a secret (`secretName`, `tokenRef`), names of objects,
//! UUIDs, digests, images and addresses stay readable, because diagnoses need them; a text without any mark of a
//! secret costs one scan. Of a text whose writer is known only what was drawn by lot without doubt is masked without a
//! name (`encoded::lots`), of any other also what may have been.

mod clean;
mod counts;
mod encoded;
mod fold;
#[cfg(test)]
mod forms;
mod named;
mod names;
mod random;
mod shapes;
mod tree;
mod value;

pub use counts::Counts;
pub use tree::{Readers, mask_tree, redact_whole};

use fold::Folded;
use std::borrow::Cow;
use std::ops::Range;

/// What stands in a text in place of a secret.
pub const MASK: &str = "[redacted]";

/// Rounds until nothing is left to mask; a mask may end what hid another secret.
const ROUNDS: u32 = 8;

/// Shorter words say of themselves only that they are words.
const SHORTEST_TOKEN: usize = 20;

/// Layers of base64 that are looked into.
const LAYERS: u32 = 3;

/// Most characters shown of a text of an application that nobody knows.
pub const UNKNOWN_SHOWN: usize = 200;

/// What a secret is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Password,
    Token,
    Key,
    Secret,
    /// Credentials in a URL or the name of a data source.
    Url,
    /// The value of a header: credentials, cookies.
    Header,
    /// The hash of a password.
    Hash,
    Signature,
    Webhook,
    /// An encoded document that holds secrets.
    Document,
    /// Characters drawn by lot.
    Drawn,
}

/// Where a text stands, which decides how much is taken for a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// A field of an object, whose values are compared.
    Field,
    /// A line, a sentence, the name of a file.
    Text,
    /// The name of a file, in which people and collectors write `_` for what may not stand there.
    Name,
    /// What an application that nobody knows printed.
    Unknown,
}

#[derive(Debug, Clone)]
struct Found {
    range: Range<usize>,
    kind: Kind,
}

/// Masks the secrets in a line or several; returns how many.
pub fn mask_text(text: &str) -> (Cow<'_, str>, u64) {
    let (text, counts) = mask_counted(text);
    (text, counts.total())
}

/// The same, with what they are.
pub fn mask_counted(text: &str) -> (Cow<'_, str>, Counts) {
    masked(text, Where::Text)
}

/// Masks the secrets in a field of an object. What is compared, such as a certificate, stays.
pub fn mask_field(text: &str) -> (Cow<'_, str>, Counts) {
    if is_plain(text) || clean::is_known(text) {
        return (Cow::Borrowed(text), Counts::NONE);
    }
    let found = masked(text, Where::Field);
    if matches!(found.0, Cow::Borrowed(_)) {
        clean::remember(text);
    }
    found
}

/// Masks the secrets in what an application that nobody knows printed, and whatever was drawn by lot; shortened.
pub fn mask_unknown(text: &str) -> (String, Counts) {
    let (text, count) = masked(text, Where::Unknown);
    match text.char_indices().nth(UNKNOWN_SHOWN) {
        Some((cut, _)) => (format!("{}…", &text[..cut]), count),
        None => (text.into_owned(), count),
    }
}

/// The same as [`mask_unknown`], without shortening: whoever calls it shows no more of it than [`UNKNOWN_SHOWN`] characters.
pub(crate) fn mask_unknown_whole(text: &str) -> String {
    masked(text, Where::Unknown).0.into_owned()
}

/// Masks the secrets in the name of a file.
pub fn mask_name(name: &str) -> (Cow<'_, str>, Counts) {
    masked(name, Where::Name)
}

/// Does the name of a field or variable say that its value is a secret, whatever it looks like? `clientKey` and the like
/// often name a file, so their value tells.
pub fn is_secret_name(name: &str) -> bool {
    names::family(name).is_some_and(|family| match family.need {
        names::Need::Any | names::Need::Header => {
            family.kind != Kind::Key || !name.to_ascii_lowercase().contains("client")
        }
        names::Need::Mixed => matches!(family.kind, Kind::Token),
        names::Need::Long => false,
    })
}

/// What the value of a field of this name is, if it is a secret.
fn kind_of(name: &str) -> Kind {
    names::family(name).map_or(Kind::Secret, |family| family.kind)
}

/// May the value of a field of this name be a secret, if it looks like one?
pub fn is_secret_value(name: &str, value: &str) -> bool {
    names::family(name).is_some_and(|family| match family.need {
        names::Need::Any if family.kind == Kind::Key => {
            !random::is_reference(value) && !value::is_nothing(value, value)
        }
        names::Need::Any | names::Need::Header => !value::is_nothing(value, value),
        names::Need::Mixed => random::is_secret_like(value),
        names::Need::Long => value.len() >= 16 && random::is_secret_like(value),
    })
}

/// Is it a single short word, a number or a time? Most fields of objects are, and none of them is looked at further.
fn is_plain(text: &str) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    let time = |b: u8| b.is_ascii_digit() || matches!(b, b'T' | b'Z' | b':' | b'.' | b'+' | b'-');
    text.len() < SHORTEST_TOKEN && text.bytes().all(word) || text.len() <= 40 && text.bytes().all(time)
}

fn masked(text: &str, place: Where) -> (Cow<'_, str>, Counts) {
    let mut text = Cow::Borrowed(text);
    let mut counts = Counts::NONE;
    for _ in 0..ROUNDS {
        let mut out = String::new();
        let mut from = 0;
        for found in spans(&text, place, LAYERS) {
            let range = found.range;
            out.push_str(text.get(from..range.start).unwrap_or_default());
            out.push_str(MASK);
            from = range.end;
            counts += Counts::one(found.kind);
        }
        if from == 0 {
            break;
        }
        out.push_str(text.get(from..).unwrap_or_default());
        text = Cow::Owned(out);
    }
    (text, counts)
}

/// The secrets of a text in its order, none within another.
fn spans(text: &str, place: Where, layers: u32) -> impl Iterator<Item = Found> + use<> {
    let mut found = Vec::new();
    let folded = Folded::of(text);
    let seen: &str = &folded.text;
    let rows = shapes::rows_of(seen);
    if rows & shapes::NAMED != 0 {
        named::find(seen, &mut found);
    }
    shapes::find(seen, rows, &mut found);
    encoded::find(seen, place, layers, &mut found);
    if place == Where::Name {
        encoded::wild(seen, &mut found);
        // The same bytes, so every position leads to the same place.
        let written = seen.replace('_', "/");
        named::find(&written, &mut found);
        shapes::find(&written, shapes::rows_of(&written), &mut found);
    }
    match place {
        Where::Unknown => encoded::drawn(seen, &mut found),
        Where::Text | Where::Name | Where::Field => encoded::lots(seen, &mut found),
    }
    found.retain(|one| !one.range.is_empty());
    found.sort_by_key(|one| (one.range.start, std::cmp::Reverse(one.range.end)));
    let mut apart: Vec<Found> = Vec::with_capacity(found.len());
    for one in found {
        match apart.last_mut() {
            Some(last) if one.range.start < last.range.end => last.range.end = last.range.end.max(one.range.end),
            _ => apart.push(one),
        }
    }
    for one in &mut apart {
        one.range = folded.origin(one.range.start)..folded.origin(one.range.end);
    }
    // What was masked before is no secret any more.
    apart.retain(|one| text.get(one.range.clone()).is_some_and(|text| text != MASK && !text.is_empty()));
    apart.into_iter()
}
