//! Quantities of Kubernetes: `500m`, `8Gi`, `1e3`.
//!
//! Source: <https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/>.

/// Parts of one: a quantity has at most nine places behind its point.
const NANO: i128 = 1_000_000_000;

/// A quantity in billionths; `None` for what is none.
pub(crate) fn quantity(text: &str) -> Option<i128> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '+' | '-'))).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let (sign, number) = match number.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, number.strip_prefix('+').unwrap_or(number)),
    };
    let (whole, places) = number.split_once('.').unwrap_or((number, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + places.len() == 0 || !is_digits(whole) || !is_digits(places) {
        return None;
    }
    let mut value: i128 = format!("0{whole}").parse().ok()?;
    value = value.checked_mul(NANO)?;
    let places: String = places.chars().chain("000000000".chars()).take(9).collect();
    value = value.checked_add(places.parse().ok()?)?;
    let scaled = match suffix {
        "" => Some(value),
        "n" => Some(value / NANO),
        "u" => Some(value / 1_000_000),
        "m" => Some(value / 1_000),
        _ => value.checked_mul(factor(suffix)?),
    };
    Some(scaled? * sign)
}

fn factor(suffix: &str) -> Option<i128> {
    if let Some(exponent) = suffix.strip_prefix(['e', 'E']).filter(|rest| !rest.is_empty()) {
        return 10_i128.checked_pow(exponent.parse().ok()?);
    }
    let power = |of: i128, letters: &str, letter: &str| {
        let at = letters.find(letter).filter(|_| letter.len() == 1)?;
        of.checked_pow(u32::try_from(at).ok()? + 1)
    };
    match suffix.strip_suffix('i') {
        Some(letter) => power(1024, "KMGTPE", letter),
        None => power(1000, "kMGTPE", suffix),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_has_its_value() {
        for (text, expected) in [
            ("2", Some(2 * NANO)),
            ("500m", Some(NANO / 2)),
            ("1.5", Some(3 * NANO / 2)),
            ("8Gi", Some((8 << 30) * NANO)),
            ("16393244Ki", Some(16_393_244 * 1024 * NANO)),
            ("1k", Some(1000 * NANO)),
            ("1E", Some(1_000_000_000_000_000_000 * NANO)),
            ("1e3", Some(1000 * NANO)),
            ("-1", Some(-NANO)),
            ("many", None),
            ("", None),
            ("1Qi", None),
            ("1.2.3", None),
            ("99999999999999999999999999999999999999999E", None),
        ] {
            assert_eq!(quantity(text), expected, "{text}");
        }
    }
}
