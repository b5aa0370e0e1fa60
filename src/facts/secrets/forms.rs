//! Every form of `tests/data/hostile/secret-forms.txt` with secrets drawn by lot, through the mask.

use super::{mask_text, mask_unknown};
use planted::{Lot, forms, planted, shows};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

#[path = "../../../tests/common/planted.rs"]
mod planted;

#[test]
fn no_form_of_a_secret_passes() {
    let (mut count, mut failed) = (0, Vec::new());
    for (form, seed) in forms().flat_map(|form| (1..=6).map(move |seed| (form, seed))) {
        let mut lot = Lot(seed * 7919 + form.len() as u64);
        for around in
            ["{}", "E0601 10:00:00.000000 1 x.go:1] failed: {} next", "{\"log\":\"{}\\n\",\"stream\":\"stderr\"}"]
        {
            let (inner, secrets) = planted(form, &mut lot);
            let inner =
                if around.starts_with("{\"log") { inner.replace('\\', "\\\\").replace('"', "\\\"") } else { inner };
            let text = around.replacen("{}", &inner, 1);
            let masked = mask_text(&text).0.into_owned();
            count += secrets.len();
            if secrets.iter().any(|secret| shows(&masked, secret)) {
                failed.push(format!("{form}\n    {text}\n    {masked}"));
            }
            assert_eq!(mask_text(&masked).0, masked, "masking twice changes {text}");
            let last_words = mask_unknown(&text).0;
            assert!(last_words.chars().count() <= super::UNKNOWN_SHOWN + 1, "{last_words}");
        }
    }
    assert!(count >= 5_000, "{count}");
    assert!(failed.is_empty(), "{} of {count} passed:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn last_words_keep_what_is_no_secret() {
    for text in [
        "panic: runtime error: index out of range [5] with length 3 goroutine 1 [running]: main.main()",
        "cannot reach https://10.96.0.1:443/api/v1/namespaces/shop/configmaps/orders-5d8f9c7b6d: connection refused",
        "pod web-5d8f9c7b6d-x7k2p uid 3bbe3bab-8db6-4cd2-a2fd-51a9370a5d7a on fe80::1ff:fe23:4567:890a raft term 18",
        "image r.example/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef not found",
        "member 8e9e05c52164694d of cluster cdf818194e3a8c32 is unhealthy since 2026-05-14T09:57:58.123456Z v1.31.2+k3s1",
        "java.lang.IllegalStateException: org.springframework.beans.factory.BeanCreationException in OrdersApplicationConfiguration",
        "/var/lib/kubelet/pods/3bbe3bab-8db6-4cd2-a2fd-51a9370a5d7a/volumes/kubernetes.io~projected/kube-api-access-8xk2p missing",
    ] {
        assert_eq!(mask_unknown(text).0, text);
    }
    for text in [
        "go.etcd.io/etcd/server/etcdmain.startEtcdOrProxyV2(0xc000136000, 0x15, 0x16)",
        "extension-apiserver-authentication,user-agent:kube-scheduler/v1.20.2 (linux/amd64)",
        "x509CertificateRequestV1Beta2Handler of TestHTTP2ServerPush17 in Base64URLEncoderV3",
        "kubectl create clusterrolebinding x --clusterrole=x --user=system:kube-controller-manager",
        "date -u +%FT%T.%3N; chronyc tracking",
        "kubectl get x -o 'custom-columns=SECRET:.spec.bmc.credentialsName'; kubectl get y -o 'custom-columns=PASSWORD:.data[*].key,A:.metadata.name'",
        "kubectl -n kube-system delete secret worker-1.node-password.rke2",
        "kubectl create configmap x --from-literal=KUBERNETES_SERVICE_HOST=10.0.0.1 --from-literal=KUBERNETES_SERVICE_PORT=6443",
    ] {
        assert_eq!(mask_text(text).0, text);
    }
    for text in [
        "4f9aK2mXq7RtB8vZc1Lw0pSd",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "bG9uZ1NlY3JldFZhbHVlMTIzNDU2Nzg5MAxQ==",
    ] {
        let (masked, count) = mask_unknown(&format!("started with {text} as it seems"));
        assert!(!count.is_none() && !shows(&masked, text), "{masked}");
    }
}

/// A digest behind an `@` is no password; what stands beside it may be one.
#[test]
fn a_digest_hides_no_secret_beside_it() {
    let digest = "r.example/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    let secret = "H4ev5qM9A69sK2ud";
    assert_eq!(mask_text(digest).0, digest);
    for dsn in
        ["app:{}@tcp(db:3306)/shop", "scott/{}@ORCL:1521/x", "app:{}@db.example:5432", "postgres://app:{}@db/shop"]
    {
        let dsn = dsn.replace("{}", secret);
        for text in [format!("sqlplus {dsn} in {digest}"), format!("{digest} with {dsn}")] {
            let masked = mask_text(&text).0;
            assert!(!shows(&masked, secret) && masked.contains(digest), "{masked}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_goes_in_as_a_secret_never_comes_out(
        form in prop::sample::select(forms().collect::<Vec<_>>()),
        seed in any::<u64>(),
        before in "[a-z0-9]{0,8}( [a-zA-Z]{1,9}){0,3}",
        after in "( [a-z]{1,9}){0,3}",
    ) {
        let (text, secrets) = planted(form, &mut Lot(seed));
        let text = format!("{before} {text}{after}");
        let masked = mask_text(&text).0.into_owned();
        prop_assert!(!secrets.iter().any(|secret| shows(&masked, secret)), "{}\n{}", text, masked);
        prop_assert_eq!(&mask_text(&masked).0, &masked, "masking twice changes {}", text);
    }

    #[test]
    fn masking_again_finds_nothing_more(
        forms in prop::collection::vec(prop::sample::select(forms().collect::<Vec<_>>()), 1..4),
        seed in any::<u64>(),
        between in "[ \n]([a-z-]{1,9}[ \"={}]){0,24}",
    ) {
        let mut lot = Lot(seed);
        let texts: Vec<String> = forms.iter().map(|form| planted(form, &mut lot).0).collect();
        let text = texts.join(&between) + &between;
        let masked = mask_text(&text).0.into_owned();
        prop_assert_eq!(&mask_text(&masked).0, &masked, "masking twice changes {}", text);
    }
}
