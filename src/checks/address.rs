//! The host of an address as people write it: `https://registry.example.test:11443/path`.

use std::net::IpAddr;

/// The gateway by which Pods of the bootstrap host reach its registry; it exists on that host alone.
/// Source: alauda/immutable-infra-docs:docs/en/install/global@92a8c6e.
const GATEWAY: &str = "172.18.0.1";

/// An address without `https://`.
pub(super) fn without_scheme(text: &str) -> &str {
    text.split_once("://").map_or(text, |(_, rest)| rest)
}

/// The host of an address, without scheme, port and path.
pub(super) fn host(text: &str) -> &str {
    let bare = without_scheme(text);
    let authority = bare.split_once('/').map_or(bare, |(authority, _)| authority);
    authority.rsplit_once(':').map_or(authority, |(host, _)| host)
}

/// Is a host one of the addresses by which only the bootstrap host reaches itself?
pub(super) fn is_bootstrap_only(host: &str) -> bool {
    matches!(host, "localhost" | GATEWAY) || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_of_an_address() {
        assert_eq!(host("https://r.example.test:11443/v2"), "r.example.test");
        assert_eq!(host("10.30.0.5:11443"), "10.30.0.5");
        assert_eq!(host("10.30.0.5"), "10.30.0.5");
    }

    #[test]
    fn addresses_of_the_bootstrap_host_alone() {
        for host in ["localhost", "127.0.0.1", "172.18.0.1", "::1"] {
            assert!(is_bootstrap_only(host), "{host}");
        }
        assert!(!is_bootstrap_only("10.30.0.5") && !is_bootstrap_only("registry.example.test"));
    }
}
