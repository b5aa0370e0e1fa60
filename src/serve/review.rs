//! What somebody may do: get, list and watch, and nothing else. Clients such as k9s and `kubectl auth can-i` ask for it
//! with a POST that writes nothing.
//!
//! Source: `kubernetes/api:authorization/v1/types.go@v0.34`.

use crate::reply::Reply;
use crate::status;
use serde_json::{Value, json};

const ALLOWED: [&str; 3] = ["get", "list", "watch"];
const WHY_NOT: &str = "the bundle is read only";

/// Answers `selfsubjectaccessreviews` and `selfsubjectrulesreviews`; `None` for any other kind.
pub(crate) fn answer(plural: &str, body: &[u8]) -> Option<Reply> {
    let asked: Value = match plural {
        "selfsubjectaccessreviews" | "selfsubjectrulesreviews" => serde_json::from_slice(body).unwrap_or_default(),
        _ => return None,
    };
    let mut spec = asked.get("spec").cloned().unwrap_or_default();
    if let Some(verb) = verb_of_protobuf(body) {
        spec = json!({ "resourceAttributes": { "verb": verb } });
    }
    if plural == "selfsubjectrulesreviews" {
        let rules = json!([{ "verbs": ALLOWED, "apiGroups": ["*"], "resources": ["*"] }]);
        let of_paths = json!([{ "verbs": ["get"], "nonResourceURLs": ["*"] }]);
        let status = json!({ "resourceRules": rules, "nonResourceRules": of_paths, "incomplete": false });
        return Some(review("SelfSubjectRulesReview", spec, status));
    }
    let verb = |of: &str| spec.get(of).and_then(|attributes| attributes.get("verb")?.as_str());
    let Some(verb) = verb("resourceAttributes").or_else(|| verb("nonResourceAttributes")) else {
        return Some(status::bad_request("expected a SelfSubjectAccessReview in JSON, with a verb in it"));
    };
    let is_allowed = ALLOWED.contains(&verb);
    let status = match is_allowed {
        true => json!({ "allowed": true }),
        false => json!({ "allowed": false, "denied": true, "reason": WHY_NOT }),
    };
    Some(review("SelfSubjectAccessReview", spec, status))
}

/// The verb of a SelfSubjectAccessReview in protobuf, which kubectl sends since 1.33.
///
/// Source: `kubernetes/apimachinery:pkg/runtime/serializer/protobuf/protobuf.go@v0.34` (four bytes, then an `Unknown` whose
/// field 2 is the object); `kubernetes/api:authorization/v1/generated.proto` (`spec` is field 2; in it resource attributes
/// are field 1 and others field 2, and the verb is field 2 of both).
fn verb_of_protobuf(body: &[u8]) -> Option<String> {
    let object = field(body.strip_prefix(b"k8s\0")?, 2)?;
    let spec = field(object, 2)?;
    let attributes = field(spec, 1).or_else(|| field(spec, 2))?;
    String::from_utf8(field(attributes, 2)?.to_vec()).ok()
}

/// The bytes of the first field of this number that has bytes.
fn field(mut message: &[u8], wanted: u64) -> Option<&[u8]> {
    while !message.is_empty() {
        let key = number(&mut message)?;
        match key & 7 {
            0 => {
                number(&mut message)?;
            }
            1 => message = message.get(8..)?,
            2 => {
                let length = usize::try_from(number(&mut message)?).ok()?;
                let (bytes, rest) = message.split_at_checked(length)?;
                if key >> 3 == wanted {
                    return Some(bytes);
                }
                message = rest;
            }
            5 => message = message.get(4..)?,
            _ => return None,
        }
    }
    None
}

/// A number in groups of seven bits.
fn number(message: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = message.split_first()?;
        *message = rest;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn review(kind: &str, spec: Value, status: Value) -> Reply {
    let review = json!({
        "kind": kind, "apiVersion": "authorization.k8s.io/v1", "metadata": {}, "spec": spec, "status": status,
    });
    Reply::json(&review).coded(201)
}

#[cfg(test)]
mod tests {
    use super::verb_of_protobuf;

    #[test]
    fn a_verb_is_read_from_protobuf() {
        let body = b"k8s\0\x12\x0a\x12\x08\x0a\x06\x12\x04list";
        assert_eq!(verb_of_protobuf(body).as_deref(), Some("list"));
        for end in 0..body.len() {
            assert_eq!(verb_of_protobuf(&body[..end]), None);
        }
        assert_eq!(verb_of_protobuf(b"k8s\0\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), None);
    }
}
