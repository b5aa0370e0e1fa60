//! Which certificate a command in a session showed.
//!
//! Why: what openssl prints of a certificate does not say where it was. The command does, and without it the certificates of
//! two commands would be one.
//!
//! Invariant: a certificate that its own output names keeps that name; only what the reader of an output could not name,
//! for an output has no file, is named here.

use super::shell::Shell;
use facts::record::Record;

/// Names the certificates of one output, which begins at `line`.
pub(super) fn name(records: &mut [Record], shell: Option<&Shell>, line: u32) {
    let told = shell.and_then(source);
    for record in records {
        if let Record::Object(object) = record
            && object.kind.as_ref().is_some_and(|kind| kind.plural == "certificates" && kind.group == "casefile.dev")
            && (object.name.is_empty() || object.name.starts_with(' '))
        {
            // The reader numbers those of one output from the second on.
            let number = object.name.rsplit_once(' ').map_or(String::new(), |(_, number)| format!(" {number}"));
            let named = told.clone().unwrap_or_else(|| format!("line {line}"));
            object.name = format!("{named}{number}");
        }
    }
}

/// `/etc/kubernetes/pki/ca.crt` of `-in`, `host:6443` of `-connect`, `secret lab-kubeconfig` of what a pipe was fed with.
fn source(shell: &Shell) -> Option<String> {
    if shell.program != "openssl" {
        return None;
    }
    let behind = |option: &str| {
        let at = shell.arguments.iter().position(|word| word == option)?;
        shell.arguments.get(at + 1).filter(|word| !word.starts_with(['-', '/', '<']) || word.len() > 1).cloned()
    };
    behind("-in").filter(|name| name != "-" && name != "/dev/stdin").or_else(|| behind("-connect")).or_else(|| {
        let words: Vec<&str> = shell.fed_by.as_deref()?.split_whitespace().collect();
        let kinds = ["secret", "secrets", "csr", "configmap", "cm"];
        let connect = words.windows(2).find(|pair| pair[0] == "-connect").map(|pair| pair[1].to_owned());
        let slashed = words.iter().find(|word| word.split_once('/').is_some_and(|(kind, _)| kinds.contains(&kind)));
        let spaced = words.windows(2).find(|pair| kinds.contains(&pair[0]) && !pair[1].starts_with('-'));
        let file = || words.iter().skip(1).find(|word| word.contains(['/', '.']) && !word.starts_with('-'));
        connect.or_else(|| slashed.map(|word| word.replace('/', " "))).or_else(|| Some(spaced?.join(" "))).or_else(
            || match words.first() {
                Some(&("cat" | "grep" | "awk" | "sed" | "tail" | "head")) => Some((*file()?).to_owned()),
                _ => words.contains(&"config").then(|| "kubeconfig".to_owned()),
            },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::shell;

    #[test]
    fn what_a_command_shows() {
        let of = |line: &str| shell::read(line).as_ref().and_then(source);
        assert_eq!(
            of("openssl x509 -noout -enddate -in /etc/kubernetes/pki/ca.crt").as_deref(),
            Some("/etc/kubernetes/pki/ca.crt")
        );
        assert_eq!(
            of("openssl s_client -connect shop.example.test:443 </dev/null 2>/dev/null | head -12").as_deref(),
            Some("shop.example.test:443")
        );
        let secret = "kubectl -n lab get secret lab-5-kubeconfig -o jsonpath='{.data.value}' | base64 -d | openssl x509 -noout -dates";
        assert_eq!(of(secret).as_deref(), Some("secret lab-5-kubeconfig"));
        let piped = "openssl s_client -connect 10.0.0.1:6443 </dev/null | openssl x509 -noout -dates";
        assert_eq!(of(piped).as_deref(), Some("10.0.0.1:6443"));
        let fed = "echo | openssl s_client -connect 10.0.0.1:6443 2>/dev/null | openssl x509 -noout -dates -subject";
        assert_eq!(of(fed).as_deref(), Some("10.0.0.1:6443"));
        assert_eq!(
            of("grep client-cert ~/.kube/config | awk '{print $2}' | base64 -d | openssl x509 -noout -enddate")
                .as_deref(),
            Some("~/.kube/config")
        );
        assert_eq!(
            of("kubectl config view --raw | base64 -d | openssl x509 -noout -enddate").as_deref(),
            Some("kubeconfig")
        );
        assert_eq!(of("kubectl get pods"), None);
    }
}
