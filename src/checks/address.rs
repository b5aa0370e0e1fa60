//! Addresses that mean something on the bootstrap host alone.

use std::net::IpAddr;

/// The gateway by which Pods of the bootstrap host reach its registry; it exists on that host alone.
/// Source: alauda/immutable-infra-docs:docs/en/install/global@92a8c6e.
const GATEWAY: &str = "172.18.0.1";

/// Is a host one of the addresses by which only the bootstrap host reaches itself?
pub(super) fn is_bootstrap_only(host: &str) -> bool {
    matches!(host, "localhost" | GATEWAY) || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_bootstrap_host_alone() {
        for host in ["localhost", "127.0.0.1", "172.18.0.1", "::1"] {
            assert!(is_bootstrap_only(host), "{host}");
        }
        assert!(!is_bootstrap_only("10.30.0.5") && !is_bootstrap_only("registry.example.test"));
    }
}
