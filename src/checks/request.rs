//! I01, I07 and I10: the request to the installer, where a list of keys or the form of a secret decides.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::outcome::{Found, fail, judge, pass, warn};
use facts::mask::{Form, Mask};
use facts::object::Lookup;

/// Keys that every request must have.
const REQUIRED: [&str; 6] = ["basic", "registry", "console", "product", "deployMode", "hostIP"];
/// The shortest text that is taken for base64.
const SHORTEST: usize = 8;

/// I01: the request has every required key.
pub(super) fn keys(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(request) = here.request() else { return Vec::new() };
    let is_missing = |key: &&str| matches!(here.request_field(key), Some(Lookup::NotSet(_)));
    let missing: Vec<&str> = REQUIRED.into_iter().filter(is_missing).collect();
    vec![match missing.is_empty() {
        true => pass("the request has every key", [request.citation()]),
        false => fail(format!("the request lacks {}", missing.join(", ")), [request.citation()]),
    }]
}

/// I07: passwords are base64, the user name is not.
pub(super) fn passwords(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(request) = here.request() else { return Vec::new() };
    let field = |path: &str| request.any(&[path, &format!("spec.{path}")]);
    let mut found = Vec::new();
    for part in ["basic", "registry"] {
        let path = format!("{part}.password");
        let at = [field(&path).citation().unwrap_or_else(|| request.citation())];
        let mask = request.mask(&[part, "password"]).or_else(|| request.mask(&["spec", part, "password"]));
        found.extend(mask.map(|mask| match mask.form {
            Form::Base64 { newline: false, .. } => pass(format!("{path} is base64"), at),
            Form::Base64 { newline: true, .. } => {
                warn(format!("{path} decodes to a text that ends in a line end (`echo` without -n)"), at)
            }
            _ => fail(format!("{path} is not base64: a plain text stands there"), at),
        }));
    }
    let user = field("basic.username");
    if let (Some(text), Some(citation)) = (user.text(), user.citation()) {
        let is_base64 = matches!(Mask::of(&text).form, Form::Base64 { .. });
        let is_plain = !is_base64 || text.contains('@') || text.len() < SHORTEST;
        let told = match is_plain {
            true => "basic.username is plain text",
            false => "basic.username is base64; it must be plain text, such as admin@cpaas.io",
        };
        found.push(judge(is_plain, told, [citation]));
    }
    found
}

/// I10: console.cert has exactly one of selfSigned and thirdParty.
pub(super) fn certificate(here: &Installation<'_>, _: &Profile) -> Found {
    let Some(cert) = here.request_field("console.cert") else { return Vec::new() };
    let Some(citation) = cert.citation() else { return Vec::new() };
    let keys = cert.node().map_or(&[][..], |node| node.entries()).iter().map(|(key, _)| &**key);
    let known: Vec<&str> = keys.filter(|key| matches!(*key, "selfSigned" | "thirdParty")).collect();
    vec![match known.as_slice() {
        [one] => pass(format!("console.cert has {one}"), [citation]),
        [] => fail("console.cert has neither selfSigned nor thirdParty", [citation]),
        _ => fail("console.cert has both selfSigned and thirdParty; one of them must stand alone", [citation]),
    }]
}
