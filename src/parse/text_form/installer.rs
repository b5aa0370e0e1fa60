//! Requests to the ACP installer and its progress replies: JSON that people keep beside a bundle.
//!
//! A request becomes an `installerrequests`, a reply an `installerprogresses`, both with their fields as
//! given, and of a reply the first map that holds both `status` and `type` once more as
//! `progress.status` and `progress.type`: the whole shape of a reply is not public.
//! Source: Alauda "Installing the global Cluster" (request bodies of DCS, VMware vSphere and HCS; "status:
//! Success and type: Complete" of `/cpaas-installer/api/progress`).
//!
//! Invariant: conditions of Kubernetes have `type` and `status` too, so a reply is claimed only where the
//! name of the file or the command says what it is.

use crate::answer::Asked;
use crate::secrets;
use crate::text_form::form::{NONE, TextForm};
use crate::text_form::records;
use crate::text_form::records::Records;
use facts::node::{Node, Value};
use facts::object::Form;
use facts::record::Parsed;
use facts::secrets::Counts;

pub(super) const FORM: TextForm = TextForm { name: "installer", document: Some(try_document), ..NONE };

/// Reads either; `None` if it is something else.
fn try_document(asked: &Asked<'_>, document: &Node, form: Form) -> Option<Parsed> {
    let has = |field: &str| document.get(field).is_some_and(|node| matches!(node.value, Value::Map(_)));
    let name = records::stem(asked.name);
    if has("registry") && has("console") && (has("basic") || has("cluster")) {
        let mut records = Records::of_document(asked, "installer-request", form);
        let mut request = document.clone();
        let masked = mask_certificate(&mut request);
        records.whole("installerrequests", name, request);
        let mut parsed = records.finish();
        parsed.redactions += masked;
        return Some(parsed);
    }
    let lower = asked.name.to_ascii_lowercase();
    let named = lower.contains("progress") || lower.contains("installer");
    let by_command = asked.command.is_some_and(|c| c.text.contains("/cpaas-installer/api/progress"));
    if !matches!(document.value, Value::Map(_)) || !(named || by_command) {
        return None;
    }
    let (status, kind) = state(document, 8)?;
    let mut node = document.clone();
    node.set_at(&["progress", "status"], status.clone());
    node.set_at(&["progress", "type"], kind.clone());
    let mut records = Records::of_document(asked, "installer-progress", form);
    records.whole("installerprogresses", name, node);
    Some(records.finish())
}

/// Masks the certificate of a third party: chain, private key and PKCS#12 values stand there in base64
/// under names that do not say which of them are secret.
fn mask_certificate(request: &mut Node) -> Counts {
    fn entry<'n>(node: &'n mut Node, key: &str) -> Option<&'n mut Node> {
        let Value::Map(entries) = &mut node.value else { return None };
        entries.iter_mut().find(|(name, _)| &**name == key).map(|(_, node)| node)
    }
    ["console", "cert", "thirdParty"]
        .iter()
        .try_fold(request, |node, key| entry(node, key))
        .map_or(Counts::NONE, secrets::redact_whole)
}

/// The first map with a text as `status` and one as `type`.
fn state(node: &Node, depth: u32) -> Option<(&Node, &Node)> {
    if depth == 0 {
        return None;
    }
    let text = |field: &str| node.get(field).filter(|n| n.as_str().is_some());
    if let (Some(status), Some(kind)) = (text("status"), text("type")) {
        return Some((status, kind));
    }
    node.entries().iter().map(|(_, child)| child).chain(node.items()).find_map(|child| state(child, depth - 1))
}

#[cfg(test)]
mod tests {
    use crate::text_form::testing::read_json;

    #[test]
    fn a_request_keeps_its_fields_and_loses_its_passwords() {
        let text = r#"{"basic":{"username":"admin@example.test","password":"UkVEQUNURUQ="},"registry":{"domain":"acp.example.test:11443","username":"svc","password":"UkVEQUNURUQ="},"console":{"host":["10.30.1.10"],"globalHost":"acp.example.test","cert":{"selfSigned":{}}},"cluster":{"clusterCIDR":"100.3.0.0/16","features":{"ha":{"vip":"10.30.1.10"}}},"product":["base","acp"],"hostIP":"10.30.0.5"}"#;
        insta::assert_snapshot!(read_json("yamls/installer-config-dcs.json", text), @"1: installerrequests installer-config-dcs | basic: {username: admin@example.test, password: [redacted]} registry: {domain: acp.example.test:11443, username: svc, password: [redacted]} console: {host: 10.30.1.10, globalHost: acp.example.test, cert: selfSigned: } cluster: {clusterCIDR: 100.3.0.0/16, features: ha: vip: 10.30.1.10} product: {base, acp} hostIP: {10.30.0.5}");
    }

    #[test]
    fn a_reply_by_its_two_fields_wherever_they_are() {
        insta::assert_snapshot!(read_json("progress.json", r#"{"status":"Success","type":"Complete"}"#), @"1: installerprogresses progress | status: {Success} type: {Complete} progress: {status: Success, type: Complete}");
        insta::assert_snapshot!(read_json("progress.json", r#"{"code":0,"data":{"status":"Processing","type":"Install"}}"#), @"1: installerprogresses progress | code: {0} data: {status: Processing, type: Install} progress: {status: Processing, type: Install}");
        insta::assert_snapshot!(read_json("a.json", r#"{"status":"True","type":"Ready"}"#), @"something else");
    }
}
