//! Namespaces that the names of Pods tell.
//!
//! Why: half of all tables of `kube-system` are pasted without their command, and without a namespace a Pod of the control
//! plane is one of anybody.
//!
//! Invariant: several names of one namespace tell it, one alone never does: anybody may call a Pod `etcd-0`.

use crate::built_in;
use facts::lazy_regex::LazyRegex;
use serde::Deserialize;
use std::sync::LazyLock;

/// A namespace, with the Pods that only it has.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Home {
    namespace: String,
    /// So many of the patterns must fit.
    least: usize,
    pods: Vec<String>,
    #[serde(skip)]
    regexes: Vec<LazyRegex>,
}

#[derive(Deserialize)]
struct Homes {
    homes: Vec<Home>,
}

static HOMES: LazyLock<Vec<Home>> = LazyLock::new(|| {
    let mut homes = built_in::document::<Homes>("kinds.yaml").map(|file| file.homes).unwrap_or_default();
    for home in &mut homes {
        home.regexes = home.pods.iter().map(|pod| LazyRegex::proven(&format!("^(?:{pod})$"))).collect();
    }
    homes
});

/// The namespace of Pods that all live in one; `None` where their names do not tell it.
pub fn of_pods<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Option<&'static str> {
    let tells = |home: &&Home| {
        let fitting = home.regexes.iter().filter(|regex| names.clone().any(|name| regex.is_match(name) == Some(true)));
        fitting.take(home.least).count() == home.least
    };
    let mut found = HOMES.iter().filter(tells);
    found.next().filter(|_| found.next().is_none()).map(|home| home.namespace.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_names_tell_a_namespace() {
        let of = |names: &[&str]| of_pods(names.iter().copied());
        assert_eq!(of(&["web-0", "kube-scheduler-cp-1", "coredns-5d78c9869d-hx4k4"]), Some("kube-system"));
        assert_eq!(of(&["etcd-0", "etcd-1", "etcd-2"]), None, "a database that somebody runs");
        assert_eq!(of(&["kube-proxy-x2x4z"]), None);
        assert_eq!(of(&[]), None);
    }
}
