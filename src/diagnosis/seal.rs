//! The last look for secrets before a diagnosis leaves: over every text of it, whoever wrote it.
//!
//! Why once more, although a fact is masked when it is made: sentences are put together out of facts, names and
//! library texts, and a report goes to strangers. What only shows as a secret in the whole sentence is found here.
//!
//! Invariant: no text of a sealed diagnosis changes when it is masked again.

use crate::model::Diagnosis;
use facts::secrets::mask_text;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;
use std::mem::take;

/// Masks what is left in the texts of a diagnosis.
pub fn seal(mut diagnosis: Diagnosis) -> Diagnosis {
    let all = rows(&mut diagnosis.findings)
        .and_then(|()| rows(&mut diagnosis.not_assessed))
        .and_then(|()| rows(&mut diagnosis.coverage))
        .and_then(|()| rows(&mut diagnosis.unread))
        .and_then(|()| rows(&mut diagnosis.limits_hit));
    let Ok(()) = all else { return unsealable() };
    // Those are done, and would be held twice.
    let (findings, not_assessed) = (take(&mut diagnosis.findings), take(&mut diagnosis.not_assessed));
    let (coverage, unread) = (take(&mut diagnosis.coverage), take(&mut diagnosis.unread));
    let limits_hit = take(&mut diagnosis.limits_hit);
    match one(&mut diagnosis) {
        Ok(()) => Diagnosis { findings, not_assessed, coverage, unread, limits_hit, ..diagnosis },
        Err(_) => unsealable(),
    }
}

/// Masks the rows of a list, one after the other: as values they take several times as much memory.
fn rows<T: Serialize + DeserializeOwned>(rows: &mut [T]) -> serde_json::Result<()> {
    rows.iter_mut().try_for_each(one)
}

/// Masks the texts of one thing.
fn one<T: Serialize + DeserializeOwned>(whole: &mut T) -> serde_json::Result<()> {
    let mut value = serde_json::to_value(&*whole)?;
    if mask(&mut value) > 0 {
        // Only free texts are ever masked, so the shape stays what it was.
        *whole = serde_json::from_value(value)?;
    }
    Ok(())
}

/// Masks what is left in a sentence that is put together after the diagnosis was sealed.
pub fn seal_text(text: &mut String) {
    if let (Cow::Owned(masked), 1..) = mask_text(text) {
        *text = masked;
    }
}

/// Nothing of a diagnosis of which a secret cannot be taken is shown.
fn unsealable() -> Diagnosis {
    let answer = "This diagnosis is not shown: a secret in it could not be masked. Please report this bundle's form.";
    Diagnosis { answer: answer.to_owned(), ..Diagnosis::default() }
}

/// Masks the texts of a value in place; returns how many secrets there were.
fn mask(value: &mut Value) -> u64 {
    match value {
        Value::String(text) => {
            let (Cow::Owned(masked), count) = mask_text(text) else { return 0 };
            *text = masked;
            count
        }
        Value::Array(items) => items.iter_mut().map(mask).sum(),
        Value::Object(fields) => {
            let secret = |key: &String| matches!(mask_text(key), (Cow::Owned(_), _));
            let mut count = 0;
            if fields.keys().any(secret) {
                let old = take(fields);
                for (key, value) in old {
                    let (masked, found) = mask_text(&key);
                    count += found;
                    fields.insert(masked.into_owned(), value);
                }
            }
            count + fields.values_mut().map(mask).sum::<u64>()
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_passes_unmasked() {
        let mut diagnosis =
            Diagnosis { answer: "it printed password=hunter2 at the end".to_owned(), ..Diagnosis::default() };
        diagnosis.options.insert("token=Zq7vTr4kWp2mXn8c".to_owned(), "x".to_owned());
        let sealed = seal(diagnosis);
        assert_eq!(sealed.answer, "it printed password=[redacted] at the end");
        assert_eq!(sealed.options.keys().next().unwrap(), "token=[redacted]");
        assert_eq!(seal(sealed.clone()), sealed);
        let unread = crate::model::Unread {
            member: "x".to_owned(),
            line: None,
            reason: "it says password=hunter2".to_owned(),
            cause: None,
        };
        let listed = Diagnosis { unread: vec![unread], ..Diagnosis::default() };
        assert_eq!(seal(listed).unread[0].reason, "it says password=[redacted]", "rows of long lists too");
        let mut later = "it printed password=hunter2 at the end".to_owned();
        seal_text(&mut later);
        assert_eq!(later, sealed.answer);
    }
}
