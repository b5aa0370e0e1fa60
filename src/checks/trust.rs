//! C19: both sides of a pair of bare metal trust the tokens of machines: the keys of service accounts, and the
//! hand-over of machines.

use crate::checklist::Profile;
use crate::installation::Installation;
use crate::outcome::{Found, judge};
use crate::pair::Pair;
use facts::node::Node;
use facts::origin::Citation;

/// A text under the last of several keys, wherever the map that holds the first of them stands.
fn below<'n>(node: &'n Node, keys: &[&str]) -> Option<&'n Node> {
    node.at(keys).or_else(|| node.entries().iter().find_map(|(_, child)| below(child, keys)))
}

/// A value of the AppRelease of the provider.
fn value(here: &Installation<'_>, keys: &[&str]) -> Option<(String, Citation)> {
    let (values, mut citation) = here.release()?.field("spec.values").set()?;
    let node = below(values, keys)?;
    if node.line > 0 {
        citation.line = node.line;
    }
    Some((node.value.scalar()?, citation))
}

/// C19, besides what `patterns/checks.yaml` compares.
pub(super) fn of_machines(pair: &Pair<'_>, _: &Profile) -> Found {
    if !pair.sides().iter().any(|(_, here)| here.is("ProviderBaremetal")) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let secrets = pair.sides().map(|(_, here)| here.named("secrets", "global-sa"));
    if let [Some(a), Some(b)] = secrets
        && let (Some(x), Some(y)) = (a.mask(&["data", "tls.key"]), b.mask(&["data", "tls.key"]))
    {
        let same = x.same_secret(y);
        let told = if same { "are equal" } else { "differ" };
        let told = format!("the keys that sign tokens of service accounts {told}");
        found.push(judge(same, told, [a.citation(), b.citation()]));
    }
    for (side, here) in pair.sides() {
        if let Some((mode, citation)) = value(here, &["elemental", "systemAgent", "authMode"]) {
            let told = format!("elemental.systemAgent.authMode of the {side} is `{mode}`, wanted is `shared`");
            found.push(judge(mode == "shared", told, [citation]));
        }
        let address = value(here, &["handoffHook", "controlPlaneVIP"]);
        if let (Some((address, citation)), Some((vip, at))) = (address, here.vip()) {
            let told = format!("handoffHook.controlPlaneVIP of the {side} is {address}, its control plane has {vip}");
            found.push(judge(address == vip, told, [citation, at]));
        }
    }
    found
}
