//! The parts of an address as people write it: `https://registry.example.test:11443/path`.

use std::net::IpAddr;

/// The gateway by which Pods of the bootstrap host reach its registry; it exists on that host alone.
/// Source: alauda/immutable-infra-docs:docs/en/install/global@92a8c6e.
pub(super) const GATEWAY: &str = "172.18.0.1";

/// An address in its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Address<'t> {
    pub has_scheme: bool,
    pub has_path: bool,
    pub host: &'t str,
    pub port: Option<&'t str>,
}

/// An address without `https://`.
pub(super) fn without_scheme(text: &str) -> &str {
    text.split_once("://").map_or(text, |(_, rest)| rest)
}

impl<'t> Address<'t> {
    /// The parts of a text.
    pub(crate) fn of(text: &'t str) -> Self {
        let bare = without_scheme(text);
        let (authority, has_path) = bare.split_once('/').map_or((bare, false), |(authority, _)| (authority, true));
        let (host, port) = authority.rsplit_once(':').map_or((authority, None), |(host, port)| (host, Some(port)));
        Self { has_scheme: bare.len() != text.len(), has_path, host, port }
    }
}

/// Is a host one of the addresses by which only the bootstrap host reaches itself?
pub(super) fn is_bootstrap_only(host: &str) -> bool {
    matches!(host, "localhost" | GATEWAY) || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_an_address() {
        let parts = |text| {
            let of = Address::of(text);
            (of.has_scheme, of.host, of.port, of.has_path)
        };
        assert_eq!(parts("https://r.example.test:11443/v2"), (true, "r.example.test", Some("11443"), true));
        assert_eq!(parts("10.30.0.5:11443"), (false, "10.30.0.5", Some("11443"), false));
        assert_eq!(parts("10.30.0.5"), (false, "10.30.0.5", None, false));
    }

    #[test]
    fn addresses_of_the_bootstrap_host_alone() {
        for host in ["localhost", "127.0.0.1", "172.18.0.1", "::1"] {
            assert!(is_bootstrap_only(host), "{host}");
        }
        assert!(!is_bootstrap_only("10.30.0.5") && !is_bootstrap_only("registry.example.test"));
    }
}
