//! What the kubelets' own logs say last of their Nodes: `kubeletwords.casefile.dev`, one for each kubelet whose
//! log was collected and says something of this.
//!
//! Why derived: when the API server is down the Node objects are old or missing, and the journal of the machine
//! is all there is. The kubelet repeats what it waits for every few seconds, so a word that stopped long before
//! the end of the log is over; only the clock of that log tells.
//!
//! | field | meaning |
//! |---|---|
//! | `spec.node` | the Node, or the name of the stream |
//! | `status.network` | lines about a network plugin that is not ready, in the last ten minutes of the log |
//! | `status.networkSpan` | seconds from the first to the last of them |
//! | `status.networkOver` | seconds from the last of them to the end of the log |
//! | `status.pleg`, `status.plegSpan`, `status.plegOver` | the same for a PLEG that is not healthy |
//! | `status.message` | the last line |
//!
//! Sources: `kubernetes/kubernetes:pkg/kubelet/kubelet.go` (`Container runtime network not ready`, `Skipping pod
//! synchronization`), `pkg/kubelet/pleg/generic.go` (`pleg was last seen active`), `containerd/go-cni:errors.go`.
//!
//! Invariants: `pleg has yet to be successful` is the first minute after a start and no trouble; a log without
//! times gives nothing.

use crate::deriver::{Deriver, Inputs};
use facts::derived::Derived;
use facts::provenance::{Cited, Provenance};
use facts::store::Stream;
use jiff::Timestamp;

/// The literals that bring a line here.
const LITERALS: &[&str] =
    &["cni plugin not initialized", "cni config uninitialized", "PLEG is not healthy: pleg was last seen active"];

/// Only the end of a log speaks of now, in seconds.
const LATELY: i64 = 600;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Network,
    Pleg,
}

fn word(text: &str) -> Option<Word> {
    if text.contains("pleg was last seen active") {
        return Some(Word::Pleg);
    }
    let network = text.contains("cni plugin not initialized") || text.contains("cni config uninitialized");
    network.then_some(Word::Network)
}

pub(crate) const DERIVER: Deriver =
    Deriver { makes: &["kubeletwords"], reads: &[], logs: &["kubelet"], literals: &[LITERALS], derive };

fn derive(inputs: &Inputs<'_>) -> Vec<Derived> {
    let (facts, context) = (inputs.reader.facts, inputs.reader.context);
    let kubelets =
        facts.streams.iter().filter(|stream| stream.context == context && stream.class.as_deref() == Some("kubelet"));
    kubelets.filter_map(|stream| one(stream, inputs.reader.log_clock())).collect()
}

fn one(stream: &Stream, clock: Option<Timestamp>) -> Option<Derived> {
    let end = stream.end(clock)?;
    let mut said: Vec<(Word, Timestamp, Cited)> = Vec::new();
    for hit in stream.hits() {
        let Some(word) = word(&hit.text) else { continue };
        let Some(time) = hit.fields.time.and_then(|time| time.resolve(clock)) else { continue };
        let age = end.duration_since(time).as_secs();
        if (0..=LATELY).contains(&age) {
            said.push((word, time, stream.cite(hit, clock)));
        }
    }
    said.sort_by_key(|(_, time, cited)| (*time, cited.citation.line));
    let (_, _, last) = said.last()?;
    let name = stream.node.as_deref().unwrap_or(&stream.name);
    let mut made = Derived::new("kubeletwords", None, name);
    made.text("spec.node", name, last);
    made.text("status.message", &last.citation.excerpt, last);
    for (wanted, field) in [(Word::Network, "network"), (Word::Pleg, "pleg")] {
        let lines: Vec<_> = said.iter().filter(|(word, ..)| *word == wanted).collect();
        let (Some((_, first, _)), Some((_, latest, _))) = (lines.first(), lines.last()) else { continue };
        let (count, span, over) =
            (format!("status.{field}"), format!("status.{field}Span"), format!("status.{field}Over"));
        let from = Provenance::all_or(lines.iter().map(|(.., cited)| cited.clone()), last);
        made.at_least(&count, lines.len() as i64, &from);
        made.number(&span, latest.duration_since(*first).as_secs(), &from);
        made.number(&over, end.duration_since(*latest).as_secs(), &from);
    }
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_kubelet() {
        let network = r#""Container runtime network not ready" networkReady="NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized""#;
        assert_eq!(word(network), Some(Word::Network));
        let pleg = r#""Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 3m7s ago; threshold is 3m0s""#;
        assert_eq!(word(pleg), Some(Word::Pleg));
        assert_eq!(
            word(r#""Skipping pod synchronization" err="PLEG is not healthy: pleg has yet to be successful""#),
            None
        );
    }
}
