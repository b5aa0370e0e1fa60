//! What a long message comes down to, for a headline.
//!
//! Why: programs wrap an error in what they were doing (`failed to a: failed to b: the cause`), and validation prints whole
//! structures. The cause stands at the end, behind the last colons, and a headline has room for one line.
//!
//! Invariants: a text that fits in comes out as it is, on one line; of a longer one each part of the result stands in it.

/// Characters of a headline for it.
const MOST: usize = 110;
/// A cause of fewer characters says too little alone.
const FEW: usize = 25;
/// Characters of what was being done, before such a cause.
const HEAD: usize = 60;
/// A structure in braces of more characters is left out.
const STRUCTURE: usize = 24;
/// What stands before the text of an error of gRPC.
const CODE: &str = "rpc error: code = ";
const TEXT: &str = " desc = ";
/// Before what a command printed that the kubelet ran.
const OUTPUT: &str = " Output: ";
/// Behind these begins what went wrong in what stands before.
const MARKS: [&str; 3] = [": ", " err=", " err "];
/// Behind these, what refused something says why; what stands between only repeats what was asked for.
const WHY_REFUSED: [&str; 1] = ["was blocked due to the following policies "];
/// And behind this, without anything between: what a webhook says, often with several names in quotes.
const DENIED: &str = " denied the request: ";
/// A word in quotes of so many characters is an ID, and says nothing at the beginning.
const AN_ID: usize = 30;
/// Here begins the reason for which an API server refuses something: what follows may hold further colons, and only lists what
/// was asked for.
const REFUSED: [&str; 7] = [
    "exceeded quota: ",
    "failed quota: ",
    "admission webhook \"",
    "violates PodSecurity ",
    "forbidden: User \"",
    "is forbidden: no ",
    "violate the pod's disruption budget",
];
/// Sentences that begin so are advice, and no cause.
const ADVICE: [&str; 12] = [
    " (possibly because of \"",
    ", see https://",
    ". Retrying",
    ". list of ",
    ". Please",
    ". If ",
    ". This Secret might",
    ". See ",
    ". To ",
    ". Run ",
    ". Check ",
    ". For more",
];

/// Words of texts that say what went wrong.
const WRONG: [&str; 38] = [
    "fault",
    "permission",
    "fail",
    "error",
    "not ",
    "n't",
    "no ",
    "none",
    "denied",
    "exceed",
    "full",
    "time",
    "refused",
    "reset",
    "invalid",
    "forbidden",
    "cannot",
    "unable",
    "missing",
    "expired",
    "unknown",
    "must",
    "conflict",
    "already",
    "lost",
    "unreachable",
    "authori",
    "too ",
    "without",
    "wrong",
    "mismatch",
    "match",
    "disabled",
    "unsupported",
    "broken",
    "closed",
    "killed",
    "limit",
];

/// What a message comes down to.
#[must_use]
pub fn in_short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "*").collect();
    let line = words.join(" ");
    if line.chars().count() > MOST
        && let Some(answer) = answered(&line)
    {
        return match answer.chars().count() <= MOST {
            true => answer,
            false => format!("{} ...", head(&answer, MOST)),
        };
    }
    let line = without_code(without_structures(&line));
    if line.chars().count() <= MOST {
        return line;
    }
    let line =
        ADVICE.iter().filter_map(|advice| line.find(advice)).min().and_then(|end| line.get(..end)).unwrap_or(&line);
    let line = line.strip_suffix(": unknown").unwrap_or(line).trim_end_matches('.');
    // What a command printed begins with what it failed at.
    if let Some((_, output)) = line.rsplit_once(OUTPUT) {
        return match output.chars().count() <= MOST {
            true => output.to_owned(),
            false => format!("{} ...", head(output, MOST)),
        };
    }
    if line.chars().count() <= MOST {
        return line.to_owned();
    }
    if let Some(start) = REFUSED.iter().filter_map(|mark| line.find(mark)).min() {
        let refused = closed(line.get(start..).unwrap_or(line));
        if let Some((who, why)) = WHY_REFUSED.iter().find_map(|mark| refused.split_once(mark)) {
            let who = who.rsplit_once(": ").map_or(who, |(who, _)| who);
            return format!("{who}: ... {}{}", head(why, MOST), if why.chars().count() > MOST { " ..." } else { "" });
        }
        return match refused.split_once(DENIED) {
            _ if refused.chars().count() <= MOST => refused.to_owned(),
            Some((who, why)) if why.chars().count() <= MOST => format!("{who}{DENIED}{why}"),
            Some((who, why)) => format!("{who}{DENIED}{} ...", head(why, MOST)),
            None => format!("{} ...", head(refused, MOST)),
        };
    }
    let starts = MARKS.iter().flat_map(|mark| line.match_indices(mark).map(|(at, found)| at + found.len()));
    let mut starts: Vec<usize> = starts.collect();
    starts.sort_unstable();
    let rest = |start: &usize| line.get(*start..).map(closed).filter(|rest| begins_well(rest));
    let fits = |start: &&usize| rest(start).is_some_and(|rest| rest.chars().count() <= MOST);
    let fitting = starts.iter().find(fits);
    // What follows the last colons may be a number or a name, and what went wrong stands before it.
    if let Some(start) = fitting.filter(|start| rest(start).is_some_and(|rest| !tells(rest)))
        && let Some(before) =
            starts.iter().rev().filter(|other| *other < start).filter_map(rest).find(|rest| tells(rest))
    {
        return format!("{} ...", head(before, MOST));
    }
    match fitting.and_then(rest) {
        Some(cause) if cause.chars().count() >= FEW => cause.to_owned(),
        Some(cause) => format!("{} ... {cause}", head(line, HEAD)),
        None => format!("{} ...", head(starts.iter().rev().find_map(rest).unwrap_or(line), MOST)),
    }
}

/// What an API answered in JSON that stands inside a text, as clouds do: its code and its message.
fn answered(line: &str) -> Option<String> {
    let value = |key: &str| {
        let (_, rest) = line.rsplit_once(key)?;
        let text = rest.trim_start().strip_prefix('"')?;
        let mut escaped = false;
        let end = text.find(|c| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        })?;
        Some(text.get(..end)?.replace("\\\"", "\"")).filter(|text| !text.is_empty())
    };
    let message = value("\"message\":").filter(|message| message.contains(' '))?;
    match value("\"code\":").filter(|code| !message.contains(code.as_str())) {
        Some(code) => Some(format!("{code}: {message}")),
        None => Some(message),
    }
}

/// Can a cause begin so? What begins with a comma or an ID belongs to what stands before.
fn begins_well(rest: &str) -> bool {
    let quoted = rest.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    let id = quoted.is_some_and(|(word, _)| !word.contains(' ') && word.chars().count() >= AN_ID);
    // Nothing but a text in quotes is what was asked for, and says what went wrong only in its own words.
    let bare = rest.trim_end_matches(['.', ' ']);
    let only_quoted = bare.len() > 1 && bare.starts_with('"') && bare.ends_with('"') && bare.matches('"').count() == 2;
    let is_name = only_quoted && !tells(rest);
    !rest.is_empty()
        && !rest.starts_with([',', ')', ']', '}', ';'])
        && !rest.starts_with("\"{...}")
        && !rest.starts_with("desc = ")
        && !id
        && !is_name
}

/// Does a text say that something went wrong?
fn tells(text: &str) -> bool {
    let lower = text.to_lowercase();
    WRONG.iter().any(|word| lower.contains(word))
}

/// Without `rpc error: code = Internal desc = `, which says where an error came through.
fn without_code(mut line: String) -> String {
    while let Some(start) = line.find(CODE)
        && let Some(length) = line.get(start..).and_then(|rest| rest.find(TEXT))
    {
        line.replace_range(start..start + length + TEXT.len(), "");
    }
    line
}

/// Without a quote or brackets at an end whose other one is left out.
fn closed(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let odd = text.matches('"').count() % 2 == 1;
        let ends = |open: char, close: char| text.matches(close).count() > text.matches(open).count();
        let rest = match text.chars().next_back() {
            Some('"') if odd => text.strip_suffix('"'),
            Some(')') if ends('(', ')') => text.strip_suffix(')'),
            Some(']') if ends('[', ']') => text.strip_suffix(']'),
            _ if odd => text.strip_prefix('"'),
            _ => None,
        };
        match rest {
            Some(rest) => text = rest.trim(),
            None => return text,
        }
    }
}

/// Whole words from the beginning.
fn head(text: &str, most: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(most) else { return text };
    let cut = text.get(..end).unwrap_or(text);
    cut.rfind(' ').and_then(|space| cut.get(..space)).unwrap_or(cut)
}

/// Long structures in braces, as Go prints them, left out.
fn without_structures(text: &str) -> String {
    let (mut kept, mut inner, mut depth) = (String::with_capacity(text.len()), String::new(), 0_usize);
    for character in text.chars() {
        match (character, depth) {
            ('{', _) => depth += 1,
            ('}', 1) => {
                inner.push('}');
                match inner.chars().count() > STRUCTURE {
                    true => kept.push_str("{...}"),
                    false => kept.push_str(&inner),
                }
                inner.clear();
                depth = 0;
                continue;
            }
            ('}', 2..) => depth -= 1,
            _ => {}
        }
        if depth == 0 { kept.push(character) } else { inner.push(character) }
    }
    kept.push_str(&inner);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_cloud_answers_in_json_is_the_cause() {
        let azure = r#"* InfrastructureReady: virtualmachine failed to create or update. err: PUT https://management.example.com/subscriptions/3f/resourceGroups/shop
            ------------------------
            ERROR CODE: SkuNotAvailable
            { "error": { "code": "SkuNotAvailable", "message": "The requested VM size is currently not available in location 'westeurope'." } }"#;
        assert_eq!(
            in_short(azure),
            "SkuNotAvailable: The requested VM size is currently not available in location 'westeurope'."
        );
        let quoted = r#"failed to create the load balancer of the cluster: unexpected answer 403 of the server: {"message":"the quota \"routers\" is used up","code":"403"} and nothing else was tried"#;
        assert_eq!(in_short(quoted), r#"403: the quota "routers" is used up"#);
    }

    #[test]
    fn of_messages_of_the_field() {
        let cases = [
            ("no PriorityClass with name batch-high was found", "no PriorityClass with name batch-high was found"),
            (
                "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox \"0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9\": plugin type=\"bridge\" failed (add): failed to allocate for range 0: no IP addresses available in range set: 10.244.4.1-10.244.4.254",
                "failed to allocate for range 0: no IP addresses available in range set: 10.244.4.1-10.244.4.254",
            ),
            (
                "Helm upgrade failed for release apps/ledger with chart ledger@2.0.0: cannot patch \"ledger\" with kind Deployment: Deployment.apps \"ledger\" is invalid: spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{\"app\":\"ledger-v2\"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable",
                "Deployment.apps \"ledger\" is invalid: spec.selector: Invalid value: v1.LabelSelector{...}: field is immutable",
            ),
            (
                "Node wk-1 is reporting: \"unexpected on-disk state validating against rendered-worker-75b63269977b730732df5db05c4da3b7: content mismatch for file \\\"/etc/containers/policy.json\\\"\"",
                "content mismatch for file \\\"/etc/containers/policy.json\\\"",
            ),
            (
                "error downloading certs: error downloading the secret: Secret \"kubeadm-certs\" was not found in the \"kube-system\" Namespace. This Secret might have expired. Please, run `kubeadm init phase upload-certs`",
                "error downloading the secret: Secret \"kubeadm-certs\" was not found in the \"kube-system\" Namespace",
            ),
            (
                "failed to attach tags [urn:vmomi:InventoryServiceTag:5736bf56:GLOBAL] to VM tidal-md-0: POST https://vcenter.example.net/rest/com/vmware/cis/tagging/tag-association/id:urn?~action=attach-multiple-tags: 403 Forbidden",
                "failed to attach tags ... 403 Forbidden",
            ),
            (
                "Vault failed to sign certificate: Error making API request.\n\nURL: POST https://vault.example.net:8200/v1/pki_int/sign/k8s\nCode: 403. Errors:\n\n* 1 error occurred:\n\t* permission denied",
                "POST https://vault.example.net:8200/v1/pki_int/sign/k8s Code: 403. Errors: 1 error occurred: permission denied",
            ),
            ("rpc error: code = Internal desc = mount failed: exit status 32", "mount failed: exit status 32"),
            (
                "error computing the desired state of the Cluster topology: failed to apply patches: failed to generate patches for patch \"mirror\": failed to render template: \"{{ .registryMirror.endpoint.of.the.site }}\": template: tpl:1:19: executing \"tpl\" at <.registryMirror.endpoint>: map has no entry for key \"endpoint\"",
                "template: tpl:1:19: executing \"tpl\" at <.registryMirror.endpoint>: map has no entry for key \"endpoint\"",
            ),
            (
                "failed to detach: rpc error: code = Internal desc = failed to detach disk: \"9d1a5bd2-7a1e-4e42-b2a5-4f8d09ed37b8\" from node: \"422a4c1e-1f3b-4a6c-9a44-0f4be70ad7f1\" err ServerFaultCode: NoPermission",
                "ServerFaultCode: NoPermission",
            ),
            (
                "Failed to apply the manifest (error: failed to process an object of the placement: cannot apply manifest: drifts are found between the manifest and the object from the member cluster)",
                "cannot apply manifest: drifts are found between the manifest and the object from the member cluster",
            ),
            (
                "failed to create manifest object: admission webhook \"validate.kyverno.svc-fail\" denied the request: \n\nresource Deployment/ledger/api was blocked due to the following policies \n\nrequire-nonroot:\n  autogen-nonroot: 'validation error: Running as root is not allowed. rule autogen-nonroot failed at path /spec/'",
                "admission webhook \"validate.kyverno.svc-fail\" denied the request: ... require-nonroot: autogen-nonroot: 'validation error: Running as root is not allowed. rule autogen-nonroot ...",
            ),
            (
                "operation error S3: ListObjectsV2, exceeded maximum number of attempts, 3, https response error StatusCode: 0, RequestID: , HostID: , request send failed, Get \"https://s3.example.net/backups?delimiter=%2F&list-type=2\": tls: failed to verify certificate: x509: certificate has expired or is not yet valid",
                "tls: failed to verify certificate: x509: certificate has expired or is not yet valid",
            ),
            (
                "The \"default\" ingress controller reports Degraded=True: DegradedConditions: One or more other status conditions indicate a degraded state: CanaryChecksSucceeding=False (CanaryChecksRepetitiveFailures: Canary route checks for the default ingress controller are failing)",
                "Canary route checks for the default ingress controller are failing",
            ),
            (
                "MountVolume.SetUp failed for volume \"root\" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs 10.50.0.9:/export /var/lib/kubelet/pods/1/volumes/root\nOutput: mount.nfs: access denied by server while mounting 10.50.0.9:/export",
                "mount.nfs: access denied by server while mounting 10.50.0.9:/export",
            ),
            (
                "Error creating: pods \"api-5c8d7f9b6d-\" is forbidden: exceeded quota: compute, requested: limits.memory=2Gi, used: limits.memory=16Gi, limited: limits.memory=16Gi",
                "exceeded quota: compute, requested: limits.memory=2Gi, used: limits.memory=16Gi, limited: limits.memory=16Gi",
            ),
            (
                "Error creating: pods \"api-5c8d7f9b6d-\" is forbidden: exceeded quota: compute, requested: limits.cpu=2,limits.memory=2Gi, used: limits.cpu=15,limits.memory=16Gi, limited: limits.cpu=16,limits.memory=16Gi",
                "exceeded quota: compute, requested: limits.cpu=2,limits.memory=2Gi, used: limits.cpu=15,limits.memory=16Gi, ...",
            ),
            (
                "reconcile failed: cannot list: endpointslices.discovery.k8s.io is forbidden: User \"system:serviceaccount:ingress:router\" cannot list resource \"endpointslices\" in API group \"discovery.k8s.io\" at the cluster scope",
                "forbidden: User \"system:serviceaccount:ingress:router\" cannot list resource \"endpointslices\" in API group ...",
            ),
            ("one\n two {a}", "one two {a}"),
            ("", ""),
        ];
        for (text, short) in cases {
            assert_eq!(in_short(text), short, "{text}");
        }
        let endless = "word ".repeat(60);
        assert!(in_short(&endless).chars().count() <= MOST + 4 && in_short(&endless).ends_with("word ..."));
    }

    #[test]
    fn what_refuses_is_quoted_with_its_reason() {
        let cases = [
            (
                "Get \"https://10.9.112.4:2380/members\": x509: certificate signed by unknown authority (possibly because of \"x509: ECDSA verification failure\" while trying to verify candidate authority certificate \"etcd-ca\")",
                "Get \"https://10.9.112.4:2380/members\": x509: certificate signed by unknown authority",
            ),
            (
                "grpc: addrConn.createTransport failed to connect to {Addr: \"127.0.0.1:2379\"}. Err: connection error: desc = \"transport: Error while dialing: dial tcp 127.0.0.1:2379: connect: connection refused\"",
                "Error while dialing: dial tcp 127.0.0.1:2379: connect: connection refused",
            ),
            (
                "Ingress/shop/web dry-run failed (BadRequest): admission webhook \"validate.nginx.ingress.kubernetes.io\" denied the request: host \"www.shop.example.net\" and path \"/\" is already defined in ingress old/front",
                "admission webhook \"validate.nginx.ingress.kubernetes.io\" denied the request: host \"www.shop.example.net\" and path \"/\" is already defined in ingress old/front",
            ),
            (
                "failed to create: admission webhook \"validation.gatekeeper.sh\" denied the request: [required-labels] you must provide labels: {\"owner\", \"cost-center\", \"confidentiality\"}",
                "admission webhook \"validation.gatekeeper.sh\" denied the request: [required-labels] you must provide labels: {...}",
            ),
        ];
        for (text, short) in cases {
            assert_eq!(in_short(text), short, "{text}");
        }
    }

    #[test]
    fn what_stands_in_quotes_alone_is_no_cause() {
        let cases = [
            (
                "plugin/loop: Loop (127.0.0.1:42931 -> :53) detected for zone \".\", see https://coredns.io/plugins/loop#troubleshooting. Query: \"HINFO 4547991504243258144.3688648895315093531.\"",
                "plugin/loop: Loop (127.0.0.1:42931 -> :53) detected for zone \".\"",
            ),
            (
                "the query that was sent to the other side a moment ago, by the one who asked for it, came back with this: failed to ask for the zone of the site at the resolver that was given: \"HINFO 4547991504243258144.3688648895315093531.\"",
                "failed to ask for the zone of the site at the resolver that was given: \"HINFO ...",
            ),
        ];
        for (text, short) in cases {
            assert_eq!(in_short(text), short, "{text}");
        }
    }
}
