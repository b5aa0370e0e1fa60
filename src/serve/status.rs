//! Refusals, as the API server words them (`metav1.Status`).
//!
//! Decision: what is not in the bundle is refused with 403 and the reason `NotInBundle`, and 404 with `NotFound` is given
//! only to what is known not to be there. `kubectl get --ignore-not-found` prints nothing on `NotFound`, and
//! `kubectl wait --for=delete` takes it for success: both would turn "not collected" into "does not exist".
//! Source: `kubernetes/apimachinery:pkg/api/errors/errors.go@v0.34`: an unknown reason counts by its code.

use crate::reply::Reply;
use serde_json::{Value, json};

/// The reason for what the bundle does not tell.
const NOT_IN_BUNDLE: &str = "NotInBundle";

/// What somebody asked for: group, plural and name.
pub(crate) type About<'a> = (&'a str, &'a str, &'a str);

/// It is known that it does not exist.
pub(crate) fn not_found(about: About<'_>, beside: &str) -> Reply {
    let (group, plural, name) = about;
    let of = if group.is_empty() { plural.to_owned() } else { format!("{plural}.{group}") };
    refusal(404, "NotFound", &format!("{of} \"{name}\" not found{beside}"), about)
}

/// The bundle does not tell, and why.
pub(crate) fn not_in_bundle(about: About<'_>, why: &str) -> Reply {
    refusal(403, NOT_IN_BUNDLE, &format!("not in the bundle: {why}"), about)
}

/// There is no such address.
pub(crate) fn no_such_path(why: &str) -> Reply {
    refusal(404, "NotFound", why, ("", "", ""))
}

/// The request is wrong.
pub(crate) fn bad_request(why: &str) -> Reply {
    refusal(400, "BadRequest", why, ("", "", ""))
}

/// It would change something, or run something.
pub(crate) fn read_only(what: &str) -> Reply {
    let why = format!("the bundle is read only: {what}");
    refusal(405, "MethodNotAllowed", &why, ("", "", ""))
}

/// A fault of Casefile, or of the disk.
pub(crate) fn failed(why: &str) -> Reply {
    refusal(500, "InternalError", why, ("", "", ""))
}

fn refusal(code: u16, reason: &str, message: &str, (group, plural, name): About<'_>) -> Reply {
    let details = [("name", name), ("group", group), ("kind", plural)];
    let details: serde_json::Map<String, Value> = details
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(key, text)| (key.to_owned(), text.into()))
        .collect();
    Reply::json(&json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": message, "reason": reason, "details": details, "code": code,
    }))
    .coded(code)
}
