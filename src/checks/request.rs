//! Group I: the request to the installer.

use crate::Profile;
use crate::State::{Fail, Pass, Warn};
use crate::networks::is_bootstrap_only;
use crate::outcome::{Outcome, State};
use crate::rule::{Need, Rule, rule};
use crate::side::Side;
use crate::thing::{Field, Thing};
use facts::mask::{Form, Mask};
use facts::node::{Node, Value};

pub(super) const RULES: [Rule; 10] = [
    rule("I01", &[Need::Request], keys),
    rule("I02", &[Need::Request, Need::Provider], networks),
    rule("I03", &[Need::Request, Need::Provider], console_host),
    rule("I04", &[Need::Request], platform_host),
    rule("I05", &[Need::Request], host_ip),
    rule("I06", &[Need::Request], registry),
    rule("I07", &[Need::Request], passwords),
    rule("I08", &[Need::Request], product),
    rule("I09", &[Need::Request], ports),
    rule("I10", &[Need::Request], certificate),
];

fn request<'f>(side: &Side<'f>) -> Option<Thing<'f>> {
    side.request()
}

fn field<'f>(side: &Side<'f>, path: &str) -> Field<'f> {
    side.request_field(path).unwrap_or(Field::Unknown)
}

/// Are the networks part of the request? With DCS and bare metal they are, with vSphere and HCS they must not.
fn carries_networks(side: &Side<'_>) -> Option<bool> {
    side.provider().map(|provider| matches!(provider.name, "DCS" | "ProviderBaremetal"))
}

fn keys(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(request) = request(side) else { return Vec::new() };
    let missing: Vec<&str> = ["basic", "registry", "console", "product", "deployMode", "hostIP"]
        .into_iter()
        .filter(|key| matches!(field(side, key), Field::NotSet(_)))
        .collect();
    if missing.is_empty() {
        return vec![Outcome::new(Pass, "the request has every key", [request.citation()])];
    }
    vec![Outcome::new(Fail, format!("the request lacks {}", missing.join(", ")), [request.citation()])]
}

fn networks(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let (Some(request), Some(carries)) = (request(side), carries_networks(side)) else { return Vec::new() };
    let parts = ["cluster.clusterCIDR", "cluster.serviceCIDR", "cluster.features.ha"];
    let mut outcomes = Vec::new();
    for path in parts {
        let field = field(side, path);
        match (&field, carries) {
            (Field::NotSet(citation), true) => {
                outcomes.push(Outcome::new(Fail, format!("{path} is not set"), [citation.clone()]))
            }
            (Field::Set(_, citation), false) => {
                outcomes.push(Outcome::new(
                    Fail,
                    format!("{path} is set, and must be absent for this provider"),
                    [citation.clone()],
                ));
            }
            _ => {}
        }
    }
    if carries {
        if let (Some(text), Some(citation), Some((vip, at))) = (
            field(side, "cluster.features.ha.vip").text(),
            field(side, "cluster.features.ha.vip").citation(),
            side.vip(),
        ) && text != vip
        {
            outcomes.push(Outcome::new(
                Fail,
                format!("features.ha.vip is {text}, the address of the control plane {vip}"),
                [citation, at],
            ));
        }
        if let Field::Set(node, citation) = field(side, "cluster.features.ha.vport")
            && !matches!(node.value, Value::Int(6443))
        {
            outcomes.push(Outcome::new(
                Fail,
                format!("features.ha.vport is `{node}`, not the number 6443"),
                [citation],
            ));
        }
        if let Field::Set(node, citation) = field(side, "cluster.features.ha.isThirdParty")
            && !matches!(node.value, Value::Bool(true))
        {
            outcomes.push(Outcome::new(
                Fail,
                format!("features.ha.isThirdParty is `{node}`, not the boolean true"),
                [citation],
            ));
        }
    }
    if outcomes.is_empty() {
        outcomes.push(Outcome::new(Pass, "cluster is as this provider needs it", [request.citation()]));
    }
    outcomes
}

fn console_host(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let (Some(request), Some(carries)) = (request(side), carries_networks(side)) else { return Vec::new() };
    let host = field(side, "console.host");
    let Some(citation) = host.citation() else { return vec![Outcome::unknown("console.host is not shown")] };
    let Some(Node { value: Value::List(items), .. }) = host.node() else {
        let told = host.text().map_or("console.host is not set".to_owned(), |text| {
            format!("console.host is the text `{text}`, not a list")
        });
        return vec![Outcome::new(Fail, told, [citation])];
    };
    let names: Vec<String> = items.iter().filter_map(|item| item.value.scalar()).collect();
    if !carries {
        let state = if names.is_empty() { Pass } else { Fail };
        let told = if names.is_empty() {
            "console.host is empty".to_owned()
        } else {
            format!("console.host has {}, and must be empty for this provider", names.join(", "))
        };
        return vec![Outcome::new(state, told, [citation])];
    }
    match side.vip() {
        Some((vip, at)) => {
            let right = names == [vip.clone()];
            let told = format!("console.host is [{}], the address of the control plane {vip}", names.join(", "));
            vec![Outcome::new(if right { Pass } else { Fail }, told, [citation, at])]
        }
        None => vec![Outcome::unknown(format!(
            "the address of the control plane is not known, to compare console.host of {request} with"
        ))],
    }
}

fn platform_host(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let host = field(side, "console.globalHost");
    let (Some(text), Some(citation)) = (host.text(), host.citation()) else {
        return host
            .citation()
            .map(|citation| Outcome::new(Fail, "console.globalHost is not set", [citation]))
            .into_iter()
            .collect();
    };
    if text.contains("://") || text.contains('/') {
        return vec![Outcome::new(
            Fail,
            format!("console.globalHost is `{text}`; it has a scheme or a path"),
            [citation],
        )];
    }
    let other = side.release().map(|release| release.field("spec.values.global.host"));
    if let Some(other) = other
        && let (Some(name), Some(at)) = (other.text(), other.citation())
    {
        let state = if name == text { Pass } else { Fail };
        return vec![Outcome::new(
            state,
            format!("console.globalHost is `{text}`, values.global.host of the AppRelease `{name}`"),
            [citation, at],
        )];
    }
    vec![Outcome::new(Pass, format!("console.globalHost is `{text}`"), [citation])]
}

fn host_ip(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let host = field(side, "hostIP");
    let (Some(text), Some(citation)) = (host.text(), host.citation()) else { return Vec::new() };
    let mut outcomes = Vec::new();
    if is_bootstrap_only(&text) {
        outcomes.push(Outcome::new(
            Fail,
            format!("hostIP is {text}, which only the bootstrap host itself reaches"),
            [citation.clone()],
        ));
    }
    // Once the platform is installed, the registry is its own.
    let cluster = side.cluster().filter(|_| !side.is_installed());
    if let Some(registry) = cluster.map(|cluster| cluster.annotation("cpaas.io/registry-address"))
        && let (Some(address), Some(at)) = (registry.text(), registry.citation())
    {
        let bare = address.split("://").last().unwrap_or(&address);
        let own = bare.split(['/', ':']).next().unwrap_or(bare);
        let state = if own == text { Pass } else { Fail };
        outcomes.push(Outcome::new(
            state,
            format!("hostIP is {text}, the host of `cpaas.io/registry-address` {own}"),
            [citation, at],
        ));
    }
    outcomes
}

fn registry(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let domain = field(side, "registry.domain");
    let (Some(text), Some(citation)) = (domain.text(), domain.citation()) else {
        return domain
            .citation()
            .map(|citation| Outcome::new(Fail, "registry.domain is not set", [citation]))
            .into_iter()
            .collect();
    };
    let (host, port) = text.rsplit_once(':').unwrap_or((text.as_str(), ""));
    let (state, why): (State, &str) = match (host, port) {
        (_, "") => (Fail, "; it has no port, documented is 11443"),
        (host, _) if is_bootstrap_only(host) => (Fail, "; only the bootstrap host itself reaches that address"),
        (_, "11443") if !text.contains('/') => (Pass, ""),
        _ => (Fail, "; documented is host:11443"),
    };
    vec![Outcome::new(state, format!("registry.domain is `{text}`{why}"), [citation])]
}

fn passwords(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some(request) = request(side) else { return Vec::new() };
    let mask = |path: [&str; 2]| -> Option<&Mask> {
        request.mask(&path).or_else(|| request.mask(&["spec", path[0], path[1]]))
    };
    let mut outcomes = Vec::new();
    for path in [["basic", "password"], ["registry", "password"]] {
        let at = field(side, &path.join(".")).citation().unwrap_or_else(|| request.citation());
        match mask(path).map(|mask| mask.form) {
            Some(Form::Base64 { newline: false, .. }) => {
                outcomes.push(Outcome::new(Pass, format!("{} is base64", path.join(".")), [at]))
            }
            Some(Form::Base64 { newline: true, .. }) => {
                outcomes.push(Outcome::new(
                    Warn,
                    format!("{} decodes to a text that ends in a line end (`echo` without -n)", path.join(".")),
                    [at],
                ));
            }
            Some(_) => outcomes.push(Outcome::new(
                Fail,
                format!("{} is not base64: a plain text stands there", path.join(".")),
                [at],
            )),
            None => {}
        }
    }
    let user = field(side, "basic.username");
    if let (Some(text), Some(citation)) = (user.text(), user.citation()) {
        let encoded = matches!(Mask::of(&text).form, Form::Base64 { .. }) && !text.contains('@');
        let state = if encoded && text.len() >= 8 { Fail } else { Pass };
        let told = if state == Fail {
            "basic.username is base64; it must be plain text, such as admin@cpaas.io"
        } else {
            "basic.username is plain text"
        };
        outcomes.push(Outcome::new(state, told, [citation]));
    }
    outcomes
}

fn product(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let (list, mode) = (field(side, "product"), field(side, "deployMode"));
    let mut outcomes = Vec::new();
    if let (Some(node), Some(citation)) = (list.node(), list.citation()) {
        let names: Vec<String> = node.items().iter().filter_map(|item| item.value.scalar()).collect();
        let missing: Vec<&str> =
            ["base", "acp"].into_iter().filter(|name| !names.iter().any(|own| own == name)).collect();
        let told = if missing.is_empty() {
            format!("product has {}", names.join(", "))
        } else {
            format!("product has {}, and lacks {}", names.join(", "), missing.join(", "))
        };
        outcomes.push(Outcome::new(if missing.is_empty() { Pass } else { Fail }, told, [citation]));
    }
    if let (Some(text), Some(citation)) = (mode.text(), mode.citation()) {
        outcomes.push(Outcome::new(
            if text == "normal" { Pass } else { Fail },
            format!("deployMode is `{text}`, documented is `normal`"),
            [citation],
        ));
    }
    outcomes
}

fn ports(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let wanted = [("console.httpPort", 80), ("console.httpsPort", 443)];
    let found = wanted.iter().filter_map(|(path, port)| match field(side, path) {
        Field::Set(node, citation) => {
            let state = if node.value == Value::Int(*port) { Pass } else { Warn };
            Some(Outcome::new(state, format!("{path} is `{node}`, documented is the number {port}"), [citation]))
        }
        _ => None,
    });
    found.collect()
}

fn certificate(side: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let cert = field(side, "console.cert");
    let Some(citation) = cert.citation() else { return Vec::new() };
    let keys: Vec<&str> = cert.node().map_or(Vec::new(), |node| node.entries().iter().map(|(key, _)| &**key).collect());
    let known: Vec<&str> = keys.iter().filter(|key| matches!(**key, "selfSigned" | "thirdParty")).copied().collect();
    match known.as_slice() {
        [one] => vec![Outcome::new(Pass, format!("console.cert has {one}"), [citation])],
        [] => vec![Outcome::new(Fail, "console.cert has neither selfSigned nor thirdParty", [citation])],
        _ => vec![Outcome::new(
            Fail,
            "console.cert has both selfSigned and thirdParty; one of them must stand alone",
            [citation],
        )],
    }
}
