//! The host of an address as people write it: `https://registry.example.test:11443/path`.

/// An address without `https://`.
pub fn without_scheme(text: &str) -> &str {
    text.split_once("://").map_or(text, |(_, rest)| rest)
}

/// The host of an address, without scheme, port and path.
pub fn host(text: &str) -> &str {
    let bare = without_scheme(text);
    let authority = bare.split_once('/').map_or(bare, |(authority, _)| authority);
    authority.rsplit_once(':').map_or(authority, |(host, _)| host)
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
}
