//! Text from outside, as it may be shown: its secrets are masked.
//!
//! Why a type: lines, messages, names of files, reasons and excerpts come from strangers and end in reports. Where a
//! fact holds such a text, it holds this type, and there is no way to make one but through the mask; a parser
//! that forgets it does not compile.
//!
//! Invariants: the text inside was masked; masking it again changes nothing; copies share it, for the same excerpt is
//! cited by many facts.

use crate::secrets::{self, Counts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A text from outside, masked.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Outside(Arc<str>);

impl Outside {
    /// A text with its secrets masked, and how many there were.
    pub fn counted(text: &str) -> (Self, Counts) {
        let (text, count) = secrets::mask_counted(text);
        (Self(text.into()), count)
    }

    /// What an application that nobody knows printed: shortened, and whatever may be a secret is masked.
    pub fn unknown(text: &str) -> (Self, Counts) {
        let (text, count) = secrets::mask_unknown(text);
        (Self(text.into()), count)
    }

    /// The same for a message. A long one keeps its beginning and its end: programs put the reason last.
    pub fn unknown_message(text: &str) -> Self {
        Self(secrets::mask_unknown_whole(text).into()).shortened_inside(secrets::UNKNOWN_SHOWN)
    }

    /// The name of a file.
    pub fn name(name: &str) -> Self {
        Self(secrets::mask_name(name).0.into())
    }

    /// The first characters of it.
    #[must_use]
    pub fn shortened(self, most: usize) -> Self {
        if self.0.len() <= most { self } else { self.start(most) }
    }

    /// Its beginning and its end, where it has more characters: programs say first what they were doing, and last what came in
    /// between.
    #[must_use]
    pub fn shortened_inside(self, most: usize) -> Self {
        let count = if self.0.len() <= most { most } else { self.0.chars().count() };
        if count <= most {
            return self;
        }
        let behind = most * 2 / 5;
        let place = |at: usize| self.0.char_indices().nth(at).map_or(self.0.len(), |(place, _)| place);
        let head = self.0.get(..place(most - behind)).unwrap_or_default();
        let tail = self.0.get(place(count - behind)..).unwrap_or_default();
        // Whole words, unless one is as long as all that is kept.
        let head = head.rsplit_once(' ').map_or(head, |(words, _)| words);
        let tail = tail.split_once(' ').map_or(tail, |(_, words)| words);
        Self(format!("{head} … {tail}").into())
    }

    /// A copy of its first characters.
    #[must_use]
    pub fn start(&self, most: usize) -> Self {
        match self.0.char_indices().nth(most) {
            Some((cut, _)) => Self(format!("{}…", &self.0[..cut]).into()),
            None => self.clone(),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Outside {
    fn from(text: &str) -> Self {
        Self(secrets::mask_text(text).0.into())
    }
}

impl From<String> for Outside {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&String> for Outside {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<Cow<'_, str>> for Outside {
    fn from(text: Cow<'_, str>) -> Self {
        Self::from(text.as_ref())
    }
}

impl From<Outside> for String {
    fn from(text: Outside) -> Self {
        text.0.as_ref().to_owned()
    }
}

impl Deref for Outside {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Outside {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Outside {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Reads like the text, so that states in tests stay short.
impl fmt::Debug for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl PartialEq<str> for Outside {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other
    }
}

impl PartialEq<&str> for Outside {
    fn eq(&self, other: &&str) -> bool {
        *self.0 == **other
    }
}

impl PartialEq<String> for Outside {
    fn eq(&self, other: &String) -> bool {
        *self.0 == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_way_past_the_mask() {
        let line = "login password=hunter2";
        for text in [Outside::from(line), line.to_owned().into(), serde_json_like(line), Outside::unknown(line).0] {
            assert_eq!(text, "login password=[redacted]");
        }
    }

    fn serde_json_like(text: &str) -> Outside {
        use serde::de::IntoDeserializer;
        let text: serde::de::value::StrDeserializer<'_, serde::de::value::Error> = text.into_deserializer();
        Outside::deserialize(text).unwrap()
    }
}
