//! The words that every output uses for verdicts, states, severities and places, so that they never differ.

use super::model::{BundleInfo, CitationInfo, EntityInfo, EvidenceState};
use crate::signature::model::{Risk, Severity, VerdictWord};

/// The verdict for people.
pub fn verdict(verdict: VerdictWord) -> &'static str {
    match verdict {
        VerdictWord::Confirmed => "confirmed",
        VerdictWord::Probable => "probable",
        VerdictWord::Undecided => "undecided",
        VerdictWord::Resolved => "resolved",
        VerdictWord::RuledOut => "ruled out",
    }
}

/// All verdicts in the order of a report.
pub const VERDICTS: [VerdictWord; 5] = [
    VerdictWord::Confirmed,
    VerdictWord::Probable,
    VerdictWord::Undecided,
    VerdictWord::Resolved,
    VerdictWord::RuledOut,
];

/// The verdict as a word of identifiers: `ruled_out`.
pub fn verdict_key(verdict: VerdictWord) -> &'static str {
    match verdict {
        VerdictWord::RuledOut => "ruled_out",
        other => self::verdict(other),
    }
}

/// The severity for people.
pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "critical",
        Severity::High => "high",
        Severity::Medium => "medium",
        Severity::Low => "low",
        Severity::Info => "info",
    }
}

/// The risk of a step for people.
pub fn risk(risk: Risk) -> &'static str {
    match risk {
        Risk::Safe => "safe",
        Risk::Disruptive => "disruptive",
        Risk::Destructive => "destructive",
    }
}

/// The state of a piece of evidence for people.
pub fn evidence(state: EvidenceState) -> &'static str {
    match state {
        EvidenceState::Supports => "supports",
        EvidenceState::Contradicts => "contradicts",
        EvidenceState::Unknown => "unknown",
    }
}

/// The entity without its kind: `namespace/name`.
pub fn entity(entity: &EntityInfo) -> String {
    match &entity.namespace {
        Some(namespace) => format!("{namespace}/{}", entity.name),
        None => entity.name.clone(),
    }
}

/// The place of a citation: `member:line`, with the path where there is one.
pub fn place(citation: &CitationInfo) -> String {
    let mut text = citation.member.clone();
    if let Some(line) = citation.line {
        text.push_str(&format!(":{line}"));
    }
    if let Some(path) = citation.path.as_deref().filter(|path| !path.is_empty()) {
        text.push_str(&format!(" ({path})"));
    }
    text
}

/// The names of the bundles, joined.
pub fn bundles(bundles: &[BundleInfo]) -> String {
    bundles.iter().map(|bundle| bundle.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// `1 finding`, `2 findings`.
pub fn count(number: u64, singular: &str, plural: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { singular } else { plural })
}

/// A number with a comma between thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Bytes for people, in powers of 1,024.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = number as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{number} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

/// A length of time in its largest whole unit: `30 seconds`, `5 minutes`, `2 hours`, `1 day`.
pub fn span(seconds: i64) -> String {
    for (unit, singular, plural) in [(86_400, "day", "days"), (3_600, "hour", "hours"), (60, "minute", "minutes")] {
        if seconds >= unit && seconds % unit == 0 {
            return count((seconds / unit).unsigned_abs(), singular, plural);
        }
    }
    count(seconds.unsigned_abs(), "second", "seconds")
}

/// Seconds as kubectl prints an age: `45s`, `12m`, `5h`, `3d`, `2y10d`.
/// Source: `k8s.io/apimachinery/pkg/util/duration/duration.go@v0.31.0`, `HumanDuration`, without its second unit below a day.
pub fn age(seconds: i64) -> String {
    match seconds {
        i64::MIN..0 => "0s".to_owned(),
        0..120 => format!("{seconds}s"),
        120..7_200 => format!("{}m", seconds / 60),
        7_200..172_800 => format!("{}h", seconds / 3_600),
        _ if seconds < 63_072_000 => format!("{}d", seconds / 86_400),
        _ => format!("{}y{}d", seconds / 31_536_000, seconds % 31_536_000 / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::{age, bytes, count, thousands};

    #[test]
    fn numbers_read_like_numbers() {
        assert_eq!(
            [thousands(0), thousands(999), thousands(1_000), thousands(12_345_678)],
            ["0", "999", "1,000", "12,345,678"]
        );
        assert_eq!([bytes(0), bytes(1023), bytes(1536), bytes(5 << 30)], ["0 B", "1023 B", "1.5 KiB", "5.0 GiB"]);
        assert_eq!([count(1, "finding", "findings"), count(2, "finding", "findings")], ["1 finding", "2 findings"]);
        assert_eq!(
            [age(-5), age(119), age(120), age(7_200), age(200_000), age(63_072_000)],
            ["0s", "119s", "2m", "2h", "2d", "2y0d"]
        );
    }
}
