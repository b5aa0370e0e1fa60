//! Short names that people give to kubectl: `kgp`, `kdno`, `klf`.
//!
//! Why: whoever types kubectl all day has them, and a paste shows what was typed. They are those of two collections that
//! most people have theirs from.
//!
//! Invariant: a name that is not surely such a one is none; what stands in front of it decides as for any other program.
//!
//! Source: `ohmyzsh/ohmyzsh:plugins/kubectl/kubectl.plugin.zsh`, `ahmetb/kubectl-aliases:generate_aliases.py`.

/// Kinds by their short names.
const KINDS: [(&str, &str); 32] = [
    ("p", "pods"),
    ("po", "pods"),
    ("s", "services"),
    ("svc", "services"),
    ("d", "deployments"),
    ("dep", "deployments"),
    ("no", "nodes"),
    ("ns", "namespaces"),
    ("cm", "configmaps"),
    ("sec", "secrets"),
    ("i", "ingresses"),
    ("ing", "ingresses"),
    ("pv", "persistentvolumes"),
    ("pvc", "persistentvolumeclaims"),
    ("sc", "storageclasses"),
    ("rs", "replicasets"),
    ("ss", "statefulsets"),
    ("sts", "statefulsets"),
    ("ds", "daemonsets"),
    ("j", "jobs"),
    ("job", "jobs"),
    ("cj", "cronjobs"),
    ("e", "events"),
    ("ev", "events"),
    ("sa", "serviceaccounts"),
    ("hpa", "horizontalpodautoscalers"),
    ("pdb", "poddisruptionbudgets"),
    ("ep", "endpoints"),
    ("crd", "customresourcedefinitions"),
    ("csr", "certificatesigningrequests"),
    ("netpol", "networkpolicies"),
    ("a", "all"),
];

/// What such a name stands for, without `kubectl` itself.
pub(super) fn words(name: &str) -> Option<Vec<String>> {
    let of = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect());
    match name {
        "kg" => return of(&["get"]),
        "kd" => return of(&["describe"]),
        "kl" | "klo" => return of(&["logs"]),
        "klf" | "klof" => return of(&["logs", "-f"]),
        "klop" => return of(&["logs", "-p"]),
        "kgaa" => return of(&["get", "all", "-A"]),
        "kgpa" | "kgpall" | "kgpoall" => return of(&["get", "pods", "-A"]),
        "kgpw" => return of(&["get", "pods", "-w"]),
        "kgpwide" | "kgpowide" => return of(&["get", "pods", "-o", "wide"]),
        "kgnowide" => return of(&["get", "nodes", "-o", "wide"]),
        _ => {}
    }
    let (rest, verb) = match (name.strip_prefix("kg"), name.strip_prefix("kd")) {
        (Some(rest), _) => (rest, "get"),
        (_, Some(rest)) => (rest, "describe"),
        _ => return None,
    };
    let (_, kind) = KINDS.iter().find(|(short, _)| *short == rest)?;
    of(&[verb, kind])
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn a_short_name_is_what_it_stands_for() {
        let show = |name: &str| words(name).map_or_else(|| "-".to_owned(), |words| words.join(" "));
        for (name, expected) in [
            ("kgp", "get pods"),
            ("kdno", "describe nodes"),
            ("klf", "logs -f"),
            ("kgpa", "get pods -A"),
            ("kgpvc", "get persistentvolumeclaims"),
            ("kgb", "-"),
            ("kind", "-"),
            ("kubectl", "-"),
            ("k9s", "-"),
        ] {
            assert_eq!(show(name), expected, "{name}");
        }
    }
}
