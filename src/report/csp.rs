//! The Content-Security-Policy of the page: nothing may be loaded, and only the style and the script that
//! Casefile wrote may act. Should a text of a bundle ever get past the escaping, the browser still refuses it.

use sha2::{Digest, Sha256};

/// The policy for a page with exactly this style and this script inline.
pub fn policy(style: &str, script: &str) -> String {
    with_forms(style, script, "none")
}

/// The same for a page whose forms may go to `forms`: `none`, or `self` for the server that it came from.
pub fn with_forms(style: &str, script: &str, forms: &str) -> String {
    format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; img-src data:; base-uri 'none'; form-action '{forms}'",
        source(style),
        source(script)
    )
}

/// The hash source of an inline element with this content.
pub fn source(content: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(content.as_bytes())))
}

/// Base64 with padding (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or_default());
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = (group >> (18 - 6 * i)) & 63;
            out.push(if i <= chunk.len() { char::from(DIGITS[digit as usize]) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn hashes_are_what_browsers_compute() {
        assert_eq!(
            ["", "f", "fo", "foo", "foob"].map(|text| super::base64(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
        assert_eq!(super::source(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}
