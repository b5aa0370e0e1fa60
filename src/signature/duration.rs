//! Durations as people write them: `30s`, `10m`, `1h`, `7d`, `1h30m`.

/// Seconds of a duration; `None` if the text is not one. Units are `s`, `m`, `h`, `d`, each with a whole
/// number before it; parts add up.
pub fn seconds(text: &str) -> Option<i64> {
    let mut rest = text;
    let mut sum: i64 = 0;
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number: i64 = rest.get(..digits)?.parse().ok()?;
        let factor = match rest.get(digits..digits + 1)? {
            "s" => 1,
            "m" => 60,
            "h" => 3_600,
            "d" => 86_400,
            _ => return None,
        };
        sum = sum.checked_add(number.checked_mul(factor)?)?;
        rest = rest.get(digits + 1..)?;
    }
    (!text.is_empty()).then_some(sum)
}

/// A duration in the form that [`seconds`] reads: `1h30m`.
pub fn text(seconds: i64) -> String {
    let units = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)];
    let mut rest = seconds.max(0);
    let mut text = String::new();
    for (unit, factor) in units {
        if rest >= factor {
            text.push_str(&format!("{}{unit}", rest / factor));
            rest %= factor;
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::{seconds, text};

    #[test]
    fn durations_are_written_as_they_are_read() {
        assert_eq!([text(0), text(90), text(5_400), text(604_800)], ["0s", "1m30s", "1h30m", "7d"]);
        assert_eq!(seconds(&text(93_784)), Some(93_784));
    }

    #[test]
    fn reads_durations_and_nothing_else() {
        assert_eq!(seconds("10m"), Some(600));
        assert_eq!(seconds("1h30m"), Some(5_400));
        assert_eq!(seconds("7d"), Some(604_800));
        assert_eq!(seconds("30s"), Some(30));
        for not in ["", "10", "m", "1w", "-5m", "1.5h", "99999999999999999999s", "10 m", "é"] {
            assert_eq!(seconds(not), None, "{not}");
        }
    }
}
