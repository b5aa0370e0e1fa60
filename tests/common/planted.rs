//! Secrets drawn by lot, in every form of `tests/data/hostile/secret-forms.txt`: for the tests of the mask and of all
//! that is built on it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The same numbers in each run.
pub(crate) struct Lot(pub(crate) u64);

impl Lot {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below
    }

    fn of(&mut self, charset: &str, length: usize) -> String {
        let charset = charset.as_bytes();
        (0..length).map(|_| char::from(charset[self.next(charset.len())])).collect()
    }

    fn secret(&mut self, charset: &str) -> String {
        const WORD: &str = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
        const MARKS: &str = "!@#$%^*()[]{}+=~_-./:?&;,|";
        let word = |lot: &mut Self, length| {
            let middle = lot.of(WORD, length);
            format!("{}{}{middle}", lot.of("ABCDEFGHJK", 1), lot.of("23456789", 1))
        };
        match charset {
            "any" => (0..4).map(|_| word(self, 2) + &self.of(MARKS, 1)).collect::<String>() + &word(self, 2),
            "hex" => self.of("0123456789abcdef", 32),
            "HEX" => self.of("0123456789ABCDEF", 40),
            "upper" => self.of("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", 30),
            "small" => word(self, 18).to_lowercase(),
            "base64" => STANDARD.encode(format!("app:{}{}", word(self, 12), self.of("xyz", 2))),
            "bootstrap" => format!("{}.{}", self.of("abcdefgh234567", 6), word(self, 14).to_lowercase()),
            _ => word(self, 18),
        }
    }
}

/// A form with secrets in it: the text, and what must not be seen of it.
pub(crate) fn planted(form: &str, lot: &mut Lot) -> (String, Vec<String>) {
    let (charset, form) = match form.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((charset, form)) => (charset, form),
        None => ("any", form),
    };
    let layers = form.matches("[b64]").count();
    let form = form.replace("[b64]", "").replace("<ESC>", "\u{1b}");
    let mut secrets = Vec::new();
    let mut parts = form.split("{}");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let secret = lot.secret(charset);
        text.push_str(&secret);
        text.push_str(part);
        secrets.push(secret);
    }
    if layers > 0 {
        text = text.replace("\\n", "\n");
    }
    for _ in 0..layers {
        text = STANDARD.encode(&text);
        secrets = vec![text.clone()];
    }
    (text, secrets)
}

/// Is a piece of eight characters of a secret in a text?
pub(crate) fn shows(text: &str, secret: &str) -> bool {
    secret.as_bytes().windows(8).any(|piece| text.as_bytes().windows(8).any(|window| window == piece))
}

/// The forms.
pub(crate) fn forms() -> impl Iterator<Item = &'static str> {
    include_str!("../data/hostile/secret-forms.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}
