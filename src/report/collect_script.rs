//! A script for the customer that collects what a diagnosis asks for.
//!
//! Why a script and no list of commands: a list that is pasted loses its commands, and without its command nobody knows
//! whether a list was filtered. The script keeps each command as the first line of what it prints, the way a copied
//! terminal session does, so that a second diagnosis knows what was asked.
//!
//! Invariants: it changes nothing in the cluster: only commands that read are run by it, and of those that a bundle could
//! have put a name into each word is quoted by who made it; it runs in any POSIX shell; values of Secrets are taken out
//! before anything is packed; what may change something, or lacks a name to be filled in, is said and never runs.

use diagnosis::model::Diagnosis;
use diagnosis::visible::{one_line, visible};
use std::collections::BTreeSet;

/// One command of the script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The function that it is in: `cluster`, `management`, `workload`, `node`.
    pub place: &'static str,
    /// The command.
    pub run: String,
    /// What it helps to decide.
    pub why: String,
}

/// Commands of what no finding waits for that a script has.
const FURTHER: usize = 12;

/// All commands that the script runs, what findings ask for first.
pub fn commands(diagnosis: &Diagnosis) -> Vec<Command> {
    all(diagnosis).into_iter().filter(|command| is_read_only(&command.run)).collect()
}

fn all(diagnosis: &Diagnosis) -> Vec<Command> {
    let asked = diagnosis.asks.iter().map(|ask| (&ask.on, &ask.command, format!("decides {}", ask.decides.join(", "))));
    let further = diagnosis.further.iter().take(FURTHER);
    let further = further.map(|row| (&row.on, &row.command, format!("gives data to {} checks", row.signatures.len())));
    let mut seen: BTreeSet<(&str, String)> = BTreeSet::new();
    let mut all = Vec::new();
    for (on, run, why) in asked.chain(further) {
        let (place, run) = (place(on), visible(run.trim()).into_owned());
        if seen.insert((place, run.clone())) {
            all.push(Command { place, run, why: one_line(&why) });
        }
    }
    all
}

/// The function for a place in words.
fn place(on: &str) -> &'static str {
    let on = on.to_ascii_lowercase();
    let names = |word: &str| on.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| part == word);
    if names("node") || names("nodes") {
        "node"
    } else if names("workload") {
        "workload"
    } else if names("management") || names("hub") || names("global") {
        "management"
    } else {
        "cluster"
    }
}

/// The places of commands, in the order of the first one.
pub fn places(commands: &[Command]) -> Vec<&'static str> {
    let mut places: Vec<&'static str> = Vec::new();
    for command in commands {
        if !places.contains(&command.place) {
            places.push(command.place);
        }
    }
    places
}

/// Where the commands of a place are run, in words.
pub fn where_to_run(place: &str) -> &'static str {
    match place {
        "node" => "on each control-plane node, as root",
        "workload" => "where kubectl reaches the workload cluster, or with its kubeconfig as a second word",
        "management" => "where kubectl reaches the management cluster, or with its kubeconfig as a second word",
        _ => "where kubectl reaches the cluster, or with its kubeconfig as a second word",
    }
}

/// Is it sure that a command changes nothing? Patterns come from strangers too.
fn is_read_only(run: &str) -> bool {
    const CHANGES: [&str; 24] = [
        "delete", "apply", "create", "patch", "edit", "annotate", "label", "scale", "drain", "cordon", "uncordon",
        "taint", "replace", "rm", "mv", "dd", "restart", "stop", "kill", "reboot", "put", "del", "add", "defrag",
    ];
    !run.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).any(|word| CHANGES.contains(&word))
}

/// Does something in it have to be filled in by hand, `NAMESPACE` or `<pod>`?
fn has_blank(run: &str) -> bool {
    let angled = run.split('<').skip(1).any(|rest| {
        rest.split_once('>').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_. ".contains(c))
        })
    });
    let words = run.split(|c: char| c.is_whitespace() || "=/:'\"".contains(c));
    let blank = |word: &str| {
        word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_') && !word.starts_with('_')
    };
    const KNOWN: [&str; 4] = ["KUBECONFIG", "ETCDCTL_API", "PATH", "HOME"];
    angled || words.into_iter().any(|word| blank(word) && !KNOWN.contains(&word))
}

/// Does it write its output to a file of its own?
fn writes(run: &str) -> bool {
    run.contains(" > ")
}

/// The script; `None` if nothing is asked for.
pub fn render(diagnosis: &Diagnosis) -> Option<String> {
    let every = all(diagnosis);
    if every.is_empty() {
        return None;
    }
    let hash: String = diagnosis.bundles.first().map(|bundle| bundle.sha256.chars().take(8).collect())?;
    let places = places(&every);
    let usage: Vec<String> =
        places.iter().map(|place| format!("#   sh collect.sh {place}    {}", where_to_run(place))).collect();
    let mut text = format!(
        "#!/bin/sh\n# Collects what the diagnosis of bundle {hash} asks for. It only reads, takes the values of Secrets out, and packs\n\
         # casefile-extra-{hash}-PLACE.tar.gz in the current folder. Run it once for each place:\n{}\n",
        usage.join("\n")
    );
    text.push_str(&HEAD.replace("@HASH@", &hash));
    for place in &places {
        text.push_str(&format!("\n# {}\n{place}() {{\n", where_to_run(place)));
        let mut number = 0;
        let own: Vec<&Command> = every.iter().filter(|command| command.place == *place).collect();
        for command in own.iter().filter(|command| is_read_only(&command.run)) {
            text.push_str(&format!("  # {}\n", command.why));
            if has_blank(&command.run) {
                text.push_str(&skip("fill in the names and run it by hand", &command.run));
                continue;
            }
            let quoted = format!("'{}'", command.run.replace('\'', "'\\''"));
            match writes(&command.run) {
                true => text.push_str(&format!("  log {quoted}\n")),
                false => {
                    number += 1;
                    text.push_str(&format!("  run {number:02}-{} {quoted}\n", slug(&command.run)));
                }
            }
        }
        for left in own.iter().filter(|left| !is_read_only(&left.run)) {
            text.push_str(&format!("  # {}\n", left.why));
            text.push_str(&skip("not run, since it may change something", &left.run));
        }
        text.push_str("  :\n}\n");
    }
    text.push_str(&TAIL.replace("@PLACES@", &places.join("|")).replace("@LIST@", &places.join(", ")));
    Some(text)
}

/// A line of the script that says which command it leaves out, and why.
fn skip(why: &str, run: &str) -> String {
    format!("  skip '{}'\n", format!("{why}: {}", one_line(run)).replace('\'', "'\\''"))
}

/// A name of a file for what a command prints.
fn slug(run: &str) -> String {
    let mut slug = String::new();
    for c in run.chars() {
        match c.is_ascii_alphanumeric() {
            true => slug.push(c.to_ascii_lowercase()),
            false if !slug.ends_with('-') && !slug.is_empty() => slug.push('-'),
            false => {}
        }
        if slug.len() >= 40 {
            break;
        }
    }
    format!("{}.txt", slug.trim_end_matches('-'))
}

/// What every script begins with.
const HEAD: &str = r##"set -u
umask 077
name="casefile-extra-@HASH@-${1:-none}"
start=$(pwd)

# Takes the values of Secrets out of YAML, and the copy of an object that is kept in its annotation.
strip() {
  awk '
    /last-applied-configuration:/ { match($0, /^ */); skip = RLENGTH; print substr($0, 1, RLENGTH) "# removed"; next }
    skip > 0 { match($0, /^ */); if (RLENGTH > skip) next; skip = 0 }
    /^ *-? *(data|stringData):[ ]*$/ && secret { match($0, /^[ -]*/); depth = RLENGTH; print; next }
    depth > 0 { match($0, /^ */); if (RLENGTH > depth) { if ($0 ~ /^ *[^ :]+:/) { sub(/:.*/, ": [removed]"); print } next } depth = 0 }
    { print }
  ' secret="$1"
}

# Runs a command that reads, and keeps what it prints under the command itself.
run() {
  echo "  $2" >&2
  case $2 in *secret*) secret=1 ;; *) secret=0 ;; esac
  { printf '$ %s\n' "$2"; sh -c "$2" 2>&1 < /dev/null; } | strip "$secret" > "$name/$1"
}

# Says which command is left to whoever runs this.
skip() {
  printf '  %s\n' "$1" >&2
}

# Runs a command that writes a file of its own.
log() {
  echo "  $1" >&2
  (cd "$name" && sh -c "$1" < /dev/null) || true
}
"##;

/// What every script ends with.
const TAIL: &str = r##"
case ${1:-} in
  @PLACES@) place=$1 ;;
  *) echo "usage: sh collect.sh PLACE [KUBECONFIG]; PLACE is one of: @LIST@" >&2; exit 2 ;;
esac
if [ -n "${2:-}" ]; then KUBECONFIG=$2; export KUBECONFIG; fi
mkdir -p "$name" || exit 1
"$place"
tar -czf "$name.tar.gz" "$name" || exit 1
echo "please send $start/$name.tar.gz" >&2
"##;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_something_or_has_a_blank_never_runs() {
        assert!(
            is_read_only("kubectl get pods -A -o yaml") && is_read_only("etcdctl endpoint status --cluster -w json")
        );
        for change in
            ["kubectl delete pod x", "etcdctl del /x", "rm -rf /", "x; kubectl apply -f y", "etcdctl member add"]
        {
            assert!(!is_read_only(change), "{change}");
        }
        assert!(has_blank("kubectl logs -n NAMESPACE <pod>") && has_blank("kubectl get pod -n a <pod>"));
        assert!(!has_blank(
            "for c in $(crictl ps -a -q --name '^etcd$'); do crictl logs -t \"$c\"; done > etcd-$(hostname).log 2>&1"
        ));
        assert!(!has_blank("ETCDCTL_API=3 etcdctl member list -w json"));
        assert_eq!(place("node shop-cp-2"), "node");
        assert_eq!(place("workload cluster shop"), "workload");
        assert_eq!(slug("kubectl get pods,nodes -A -o yaml"), "kubectl-get-pods-nodes-a-o-yaml.txt");
    }
}
