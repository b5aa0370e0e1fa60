//! What is masked in texts, and what only looks like a secret and must stay readable.

use parse::secrets::mask_text;
use proptest::prelude::*;

const JWT: &str = "eyJhbGciOiJSUzI1NiIsImtpZCI6Ij.eyJpc3MiOiJrdWJlcm5ldGVz.c2lnbmF0dXJl-_x";

#[test]
fn secrets_are_masked() {
    // `<<` and `>>` stand around what must go.
    for marked in [
        "Authorization: Bearer <<JWT>>",
        "authorization: Basic <<YWRtaW46aHVudGVyMg==>>",
        "curl -H 'Authorization: Bearer <<abcdefgh12345678ijkl>>' https://10.0.0.1",
        "time=\"2026-05-01T10:00:00Z\" msg=\"login\" token=<<JWT>>",
        "kubeadm join 10.0.0.1:6443 --token <<abcdef.0123456789abcdef>> --discovery-token-ca-cert-hash sha256:0123",
        "kubeadm join --token=<<abcdef.0123456789abcdef>> --certificate-key <<0123456789abcdef0123456789abcdef>>",
        "bootstrap tokens <<abcdef.0123456789abcdef>>, <<ghijkl.0123456789abcdef>>",
        "GET https://admin:<<s3cr3t>>@10.0.0.1:6443/healthz failed",
        "postgres://app:<<p4ss>>@db:5432/app?sslmode=disable",
        "connecting to redis://:<<hunter2>>@redis:6379/0",
        "mysqld --password=<<hunter2>> --verbose",
        "--storage-driver-password=<<hunter2>>",
        "dex --oidc-client-secret=<<ZXhhbXBsZS1hcHAtc2VjcmV0>>",
        "MYSQL_ROOT_PASSWORD=<<hunter2>>",
        "  DB_PASSWORD:  <<hunter2>>",
        "export PGPASSWORD='<<hunter2>>'; psql",
        r#"{"user":"x","password":"<<hunter2>>"}"#,
        r#"{\"user\":\"x\",\"password\":\"<<hunter2>>\"}"#,
        r#"level=info msg="config" clientSecret=<<0a1b2c3d4e5f>>"#,
        "ssh passphrase: <<correcthorse>>",
        "aws_access_key_id = <<AKIAIOSFODNN7EXAMPLE>>",
        "aws_secret_access_key = <<wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY>>",
        "secretKey: <<wJalrXUtnFEMIK7MDENG>>",
        "apiKey=<<0a1b2c3d4e>>",
        "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=<<bXktYXp1cmUtYWNjb3VudC1rZXk=>>",
        "X-Auth-Token: <<0123456789abcdef0123456789abcdef>>",
        r#"{"auths":{"registry.example":{"auth":"<<dXNlcjpwYXNzd29yZA==>>"}}}"#,
        "client-key-data: <<LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUk=>>",
        "-----BEGIN OPENSSH PRIVATE KEY-----<<\nb3BlbnNzaC1rZXk\n>>-----END OPENSSH PRIVATE KEY-----",
        r"key: -----BEGIN PRIVATE KEY-----<<\nMIIE\n>>-----END PRIVATE KEY-----\n",
        "git clone with <<ghp_0123456789abcdefghijABCDEFGHIJ012345>>",
        "CI_TOKEN set to <<glpat-0123456789abcdefghij>>",
        "vault login <<hvs.CAESIJ0123456789abcdefgh>>",
        "echo <<one>> | docker login --password-stdin && echo <<two>> | docker login --password-stdin r.example",
        "image registry.example/app/<<dG9rZW49WnE3dlRyNGtXcDJtWG44YwpwYXNzd29yZD1odW50ZXIy>>",
    ] {
        let marked = marked.replace("JWT", JWT);
        let clear = marked.replace("<<", "").replace(">>", "");
        let mut parts = marked.split("<<");
        let mut expected = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            expected.push_str("[redacted]");
            expected.push_str(part.split_once(">>").map_or("", |(_, after)| after));
        }
        assert!(expected.contains("[redacted]"), "{marked}");
        assert_eq!(mask_text(&clear).0, expected, "{marked}");
    }
}

#[test]
fn what_only_looks_like_a_secret_stays() {
    let mut wrong = Vec::new();
    for text in [
        "uid: 3bbe3bab-8db6-4cd2-a2fd-51a9370a5d7a",
        "image registry.example/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "token: sha256:0123456789abcdef0123456789abcdef",
        "caCertHashes: [\"sha256:0123456789abcdef0123456789abcdef\"]",
        "the token has expired",
        "kubectl logs -n fleet-system deploy/member-agent -c refresh-token --tail=50",
        "kubectl logs -n kube-flannel kube-flannel-ds-7z5lk --all-containers --previous --ignore-errors",
        "kubectl logs -n files unrar -c unrar --previous --prefix",
        "kubectl logs -n mysql mysql-0 -c mysql --previous",
        "invalid bearer token, token lookup failed",
        "Unable to authenticate the request: invalid bearer token",
        "failed to fetch token: Unauthorized",
        "secretName: wl-blue-kubeconfig",
        "bootstrapTokenRef: bootstrap-token-abcdef",
        "passwordSecretRef: my-secret",
        "secret \"wl-blue-kubeconfig\" not found",
        "Secret=\"prod-a/prod-a-control-plane-v5x7k\"",
        "couldn't get Secret: failed to get secret default/x-1234567890abcdef",
        "kubelet --kubeconfig=/etc/kubernetes/kubelet.conf --v=2",
        "--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf",
        "--tls-secret=istio-system/cacerts",
        "--root-ca-key-secret=router-ca",
        "--token-auth-file=/etc/kubernetes/tokens.csv --token-ttl=24h0m0s",
        "the --token flag is deprecated, use --password option instead",
        "{\"kind\":\"TokenReview\",\"tokenReview\":{\"status\":{\"authenticated\":false}}}",
        "\"initial-cluster-token\":\"etcd-cluster-0123456789\"",
        "--initial-cluster-token \"etcd-cluster-1\" --initial-cluster-state=new",
        "ETCD_INITIAL_CLUSTER_TOKEN=etcd-cluster-0123456789",
        "continueToken: 0123456789abcdef0123",
        "pod node01.17d0a1b2c3d4e5f6 event",
        "v1beta1.0123456789abcdef",
        "Get \"https://10.0.0.1:6443/api/v1/nodes\": dial tcp 10.0.0.1:6443: connect: connection refused",
        "etcd endpoint https://127.0.0.1:2379,https://[::1]:2379 is healthy, mail admin@example.com",
        "password: null",
        "password authentication failed for user \"app\"",
        "password: <set to the key 'password' in secret 'db'>  Optional: false",
        "DB_PASSWORD: $(DB_PASSWORD) PGPASSWORD=${PGPASSWORD}",
        "  MYSQL_PASSWORD: $MYSQL_PASSWORD",
        "tls: private key: not found; privateKey: tls.key",
        "secretKey: tls.key",
        "private key does not match public key",
        "ca: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSQ==",
        "serviceAccountToken:(*v1.ServiceAccountTokenProjection)(nil)",
        "automountServiceAccountToken: false",
        "/var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory",
        "auth: basic enabled; author\":\"someone\"",
        r#"{"level":"warn","ts":"2026-05-14T09:57:58.100Z","logger":"etcd-client","caller":"v3@v3.5.21/retry_interceptor.go:62","msg":"retrying"}"#,
        "pkg/mod/k8s.io/client-go@v0.31.2/tools/cache/reflector.go:243: Failed to watch",
        r#""authorization":{"description":"This field configures an extension"}"#,
        r"`metadata.annotations['\u003cKEY\u003e']`, `metadata.labels['\u003cKEY\u003e']`, the pod's namespace",
        "-----BEGIN CERTIFICATE-----\\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\\nRTESMBAGA1UEChMJQmFsdGltb3JlMRMwEQYDVQQLEwpDeWJlclRydXN0MSIwIAYD\\n-----END CERTIFICATE----- token",
        "verbs: [get, list, secret, token], resources: [\"secrets\", \"tokenreviews\"]",
        "the password to Keystone was refused, set password to a longer one",
        "FailedMount: MountVolume.SetUp failed for volume \"kube-api-access-8xk2p\": references non-existent secret key: tls.crt",
        "user:admin@example.com mailed app:v1.2.3 to ops@example.com",
        "docker run -u 1000:1000 -p 8080:80 registry.example:5000/app:1.2 && ssh -p 22 root@10.0.0.1",
        "key=/registry/pods/kube-system/etcd-cp-1 range_end=/registry/pods/kube-system/etcd-cp-2 lease: 694d8f2a1b3c4d5e",
        "containerd://1152f083e0d55a5f8c7b6a5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f exited",
        "secret ***HIDDEN*** password=***HIDDEN*** token: [redacted]",
    ] {
        let masked = mask_text(text).0;
        if masked != text {
            wrong.push(format!("{text}\n  {masked}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn masking_any_text_twice_changes_nothing(text in "\\PC{0,200}") {
        let once = mask_text(&text).0.into_owned();
        prop_assert_eq!(mask_text(&once), (once.as_str().into(), 0));
    }

    #[test]
    fn masking_texts_made_of_secrets_twice_changes_nothing(parts in prop::collection::vec(prop::sample::select(vec![
        "password", "token", "secret", "--", "=", ": ", " ", "\"", "\\\"", "\n", "://", "@", "a:b", "abcdef.0123456789abcdef",
        "eyJhbGciOiJSUzI1NiIs.eyJpc3MiOiJr.c2ln", "AKIAIOSFODNN7EXAMPLE", "bearer ", "0123456789abcdef0", "key", "-", "_",
        "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "[redacted]", "***", "auth\":", "hunter2", "x",
    ]), 0..14)) {
        let once = mask_text(&parts.concat()).0.into_owned();
        prop_assert_eq!(mask_text(&once), (once.as_str().into(), 0), "{:?}", parts);
    }
}
