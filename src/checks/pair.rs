//! C06, C08, C14 and C15: what the primary and the standby cluster of a pair must agree on, and where they must
//! differ, as far as `patterns/checks.yaml` cannot say it.
//!
//! The two sides are the contexts named `primary` and `standby` (`--as primary,standby`). Keys are compared
//! by their masks and never shown.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::outcome::{Found, fail, judge, pass, unknown};
use facts::mask::Form;
use std::collections::BTreeSet;
use std::net::IpAddr;

/// A primary and a standby cluster.
pub(super) struct Pair<'f> {
    pub primary: Installation<'f>,
    pub standby: Installation<'f>,
}

/// A bootstrap host and the cluster that was installed from it.
pub(super) struct Handover<'f> {
    pub bootstrap: Installation<'f>,
    pub global: Installation<'f>,
}

impl<'f> Pair<'f> {
    /// Both sides with their names.
    pub(crate) fn sides(&self) -> [(&'static str, &Installation<'f>); 2] {
        [("primary", &self.primary), ("standby", &self.standby)]
    }
}

/// C06: the console of each side is bound to no address but its own.
pub(super) fn console_hosts(pair: &Pair<'_>, _: &Profile) -> Found {
    let mut found = Vec::new();
    for (side, here) in pair.sides() {
        let (Some((vip, at)), Some(field)) = (here.vip(), here.request_field("console.host")) else { continue };
        let hosts: BTreeSet<String> = field.texts().into_iter().collect();
        for text in hosts.iter().filter(|text| text.parse::<IpAddr>().is_ok() && **text != vip) {
            let told = format!("console.host of the {side} has {text}, its control plane has {vip}");
            found.push(fail(told, field.citation().into_iter().chain([at.clone()])));
        }
    }
    found
}

/// C08: the address of the platform is a DNS name.
pub(super) fn platform_name(pair: &Pair<'_>, _: &Profile) -> Found {
    let address = pair.primary.platform_host().filter(|(text, _)| text.parse::<IpAddr>().is_ok());
    let told = |text| format!("the address of the platform is {text}; a failover needs a DNS name");
    address.map(|(text, citation)| fail(told(text), [citation])).into_iter().collect()
}

/// The ModuleInfo of etcd-sync was not collected.
fn no_sync() -> Found {
    vec![unknown("the ModuleInfo of etcd-sync on the standby was not collected")]
}

/// C14: etcd-sync reads from the primary.
pub(super) fn sync_address(pair: &Pair<'_>, _: &Profile) -> Found {
    let Some(sync) = pair.standby.sync() else { return no_sync() };
    let Some((text, citation)) = sync.field("spec.config.active_cluster_vip").valued() else {
        return vec![unknown("active_cluster_vip is not shown")];
    };
    let Some((primary, at)) = pair.primary.vip() else {
        return vec![unknown("the address of the primary is not known")];
    };
    let is_own = pair.standby.vip().is_some_and(|(own, _)| own == text);
    let why = if is_own { "; that is the standby itself, and the active cluster is the other one" } else { "" };
    let told = format!("active_cluster_vip is {text}, the address of the primary is {primary}{why}");
    vec![judge(text == primary, told, [citation, at])]
}

/// C15: etcd-sync has the token in its base64 form.
pub(super) fn sync_token(pair: &Pair<'_>, _: &Profile) -> Found {
    let Some(sync) = pair.standby.sync() else { return no_sync() };
    let at = [sync.citation()];
    vec![match sync.mask(&["spec", "config", "active_cluster_token"]).map(|mask| mask.form) {
        Some(Form::Base64 { token: true, .. }) => pass("active_cluster_token is the base64 form of a token", at),
        Some(Form::Token) => {
            fail("active_cluster_token is the decoded token; the base64 form of the Secret is wanted", at)
        }
        Some(_) => fail("active_cluster_token does not decode to a token", at),
        // Later editions keep the token in a Secret of its own.
        None => unknown(format!("{sync} has no active_cluster_token")),
    }]
}
