//! The mask of objects, with the grammars that it needs to read documents within values.
//!
//! What secrets look like is known in [`facts::secrets`], below everything that keeps a text from outside.

pub use facts::secrets::{is_secret_name, mask_counted, mask_text};

use facts::kind::KindName;
use facts::node::Node;
use facts::object::Tree;
use facts::secrets::{Counts, Readers};

/// Documents with secrets inside a value are read to this depth.
const NESTING: u32 = 50;

/// Reads the documents that a value holds.
pub const READERS: Readers = Readers {
    manifest: |text, line| crate::manifest::trees(text, line, NESTING),
    json: |text| crate::json::json_values(text, 100).pop(),
};

/// The tree of an object with its secret values masked, and how many there were.
pub fn tree(kind: Option<&KindName>, node: Node) -> (Tree, Counts) {
    Tree::masked(kind, node, &READERS)
}

/// Masks secret values of a tree in place; returns how many.
pub fn mask_object(kind: Option<&KindName>, node: &mut Node) -> Counts {
    facts::secrets::mask_tree(kind, node, &READERS)
}

/// Masks everything that a node holds; returns how many values.
pub(crate) fn redact_whole(node: &mut Node) -> Counts {
    facts::secrets::redact_whole(node, &READERS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use std::borrow::Cow;

    fn mask(text: &str) -> String {
        mask_text(text).0.into_owned()
    }

    fn object(kind: &str, json: &str) -> (String, u64) {
        let mut node = crate::json::to_node(json, 1, 100).unwrap();
        let count = mask_object(Some(&KindName::parse(kind)), &mut node).total();
        (node.to_string(), count)
    }

    #[test]
    fn texts_with_secrets() {
        let jwt = "eyJhbGciOiJSUzI1NiIsImtpZCI6Ij.eyJpc3MiOiJrdWJlcm5ldGVz.c2lnbmF0dXJl-_x";
        insta::assert_snapshot!(mask(&format!("Authorization: Bearer {jwt}, next")), @"Authorization: Bearer [redacted], next");
        insta::assert_snapshot!(mask(&format!("got {jwt}")), @"got [redacted]");
        insta::assert_snapshot!(mask("GET https://admin:s3cr3t@10.0.0.1:6443/x failed"), @"GET https://admin:[redacted]@10.0.0.1:6443/x failed");
        insta::assert_snapshot!(mask("run --password=hunter2 --v=4"), @"run --password=[redacted] --v=4");
        insta::assert_snapshot!(mask("kubeadm join 10.0.0.1:6443 --token abcdef.0123456789abcdef --v 5"), @"kubeadm join 10.0.0.1:6443 --token [redacted] --v 5");
        insta::assert_snapshot!(mask("bootstrap token abcdef.0123456789abcdef expired"), @"bootstrap token [redacted] expired");
        insta::assert_snapshot!(mask(r#"{"user":"x","password":"hunter2"}"#), @r#"{"user":"x","password":"[redacted]"}"#);
        insta::assert_snapshot!(mask(r#"{\"password\":\"hunter2\"}"#), @r#"{\"password\":\"[redacted]\"}"#);
        insta::assert_snapshot!(mask("key AKIAIOSFODNN7EXAMPLE used"), @"key [redacted] used");
        insta::assert_snapshot!(
            mask(r"k: -----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----\n end"),
            @r"k: -----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----\n end"
        );
        insta::assert_snapshot!(mask("-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE"), @"-----BEGIN EC PRIVATE KEY-----[redacted]");
        insta::assert_snapshot!(mask("key: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUk= end"), @"key: [redacted] end");
    }

    #[test]
    fn texts_that_look_like_it_and_are_none() {
        for text in [
            "etcdserver: no leader",
            "token=",
            "invalid bearer token, token has expired",
            "error: token: unexpected end of file",
            "image registry.example/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
            "Get \"https://10.0.0.1:6443/healthz\": dial tcp 10.0.0.1:6443: connect: connection refused",
            "secret \"wl-blue-kubeconfig\" not found",
            "MountVolume.SetUp failed for volume \"kube-api-access-abcde\" : failed to fetch token: Unauthorized",
            "event cp-abcdef.17d0a1b2c3d4e5f6",
            "passwordSecretRef: my-secret",
            "serviceaccounts \"default\" is forbidden: cannot create resource \"serviceaccounts/token\"",
            "password: null",
            "ca: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSQ==",
        ] {
            assert_eq!(mask(text), text);
        }
    }

    #[test]
    fn masking_twice_changes_nothing() {
        for text in ["--token abcdef.0123456789abcdef", "password=hunter2 x", "a://b:c@d", "Bearer abcdefgh12345678"] {
            let once = mask(text);
            assert_eq!(mask_text(&once), (Cow::Borrowed(once.as_str()), 0));
        }
    }

    #[test]
    fn objects_with_secrets() {
        insta::assert_debug_snapshot!(
            object("secrets", r#"{"data":{"a":"eA==","b":""},"stringData":{"c":"d"},"metadata":{"name":"n","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"}}}"#),
            @r#"
        (
            "data: a: [redacted], b: , stringData: c: [redacted], metadata: name: n, annotations: kubectl.kubernetes.io/last-applied-configuration: [redacted]",
            3,
        )
        "#
        );
        let (text, count) = object(
            "clustercredentials.platform.tkestack.io",
            r#"{"metadata":{"name":"cc-1"},"clusterName":"wl","token":"a","caKey":"bbb","tenantID":"t"}"#,
        );
        assert_eq!(
            (text.as_str(), count),
            ("metadata: name: cc-1, clusterName: wl, token: [redacted], caKey: [redacted], tenantID: t", 2)
        );
        let (text, _) = object(
            "pods",
            r#"{"env":[{"name":"DB_PASSWORD","value":"x"},{"name":"LEVEL","value":"debug"},{"name":"API_TOKEN","valueFrom":{"secretKeyRef":{"name":"s","key":"token"}}}]}"#,
        );
        assert_eq!(
            text,
            "env: name: DB_PASSWORD, value: [redacted], name: LEVEL, value: debug, name: API_TOKEN, valueFrom: secretKeyRef: name: s, key: token"
        );
        let (text, _) = object(
            "kubeadmconfigs",
            r#"{"discovery":{"bootstrapToken":{"token":"abcdef.0123456789abcdef","caCertHashes":["sha256:aa"]}},"bootstrapTokenRef":"r","tokenSecretName":"n","automountServiceAccountToken":true,"password":""}"#,
        );
        assert_eq!(
            text,
            "discovery: bootstrapToken: token: [redacted], caCertHashes: sha256:aa, bootstrapTokenRef: r, tokenSecretName: n, automountServiceAccountToken: true, password: "
        );
    }

    #[test]
    fn the_last_applied_annotation_of_any_object() {
        let keep = r#"{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"kind\":\"ConfigMap\"}"}}}"#;
        assert_eq!(object("configmaps", keep).1, 0);
        let hide = r#"{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"kind\":\"ClusterCredential\",\"caKey\":\"x\"}"}}}"#;
        assert_eq!(object("configmaps", hide).1, 1);
    }

    /// A KubeadmControlPlane carries the whole configuration as the content of a file.
    #[test]
    fn encryption_keys_inside_a_text() {
        let key = "c2FtcGxlLWtleS1vZi0zMi1ieXRlcy0wMTIzNDU2Nzg=";
        let content = format!(
            "apiVersion: apiserver.config.k8s.io/v1\\nkind: EncryptionConfiguration\\nresources:\\n- providers:\\n  - aescbc: {{keys: [{{name: k, secret: {key}}}]}}"
        );
        let (text, count) = object("", &format!(r#"{{"path":"/etc/x","content":"{content}"}}"#));
        assert_eq!((text.as_str(), count), ("path: /etc/x, content: [redacted]", 1));
        assert_eq!(mask(&format!("        secret: {key}")), "        secret: [redacted]");
        assert_eq!(
            mask("mounted secret: registry-pull-credentials in pod"),
            "mounted secret: registry-pull-credentials in pod"
        );
    }

    #[test]
    fn encryption_keys() {
        let (text, count) = object("", r#"{"aescbc":{"keys":[{"name":"key1","secret":"c2VjcmV0"}]}}"#);
        assert_eq!((text.as_str(), count), ("aescbc: keys: name: key1, secret: [redacted]", 1));
    }

    fn held(text: &str) -> Option<Node> {
        let mut node = Node::map(1);
        node.set("password", Node::str(1, text));
        mask_object(None, &mut node);
        facts::mask::of_node(node.get("password")?)?.holds.as_deref().cloned()
    }

    const CONFIGURATION: &str = "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- resources: [secrets]\n  providers:\n  - aescbc:\n      keys:\n      - name: key1\n        secret: c2FtcGxlLWtleS1vZi0zMi1ieXRlcy0wMTIzNDU2Nzg=\n";

    #[test]
    fn an_encryption_configuration_keeps_all_but_its_keys() {
        for text in [CONFIGURATION.to_owned(), STANDARD.encode(CONFIGURATION)] {
            let held = held(&text).expect("it is one");
            let shown = held.to_string();
            assert!(shown.contains("key1") && shown.contains("[redacted]") && !shown.contains("c2FtcGxl"), "{shown}");
            let debug = format!("{held:?}");
            assert!(!debug.contains("c2FtcGxl") && !debug.contains("sample-key"), "{debug}");
        }
        assert!(held("kind: EncryptionConfiguration").is_none());
    }
}
