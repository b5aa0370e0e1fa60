//! One log that was collected twice: its second copy says nothing more.
//!
//! Why: a bundle often holds a log under two names (the kubelet's folder and `kubectl logs`, a file and a
//! pasted part of it). Each line of it was written once, and its writer is one, not two. But components of
//! several machines may write the same words in the same second, as members of etcd do when their leader is
//! lost: those are words of each of them. A query over lines still counts such lines once, see
//! `engine::log_query`.
//!
//! Invariants: only lines with a time of their own are folded; of equal ones the stream of the shortest name keeps them,
//! since a copy is called after what it is a copy of, those of known machines and Pods before others; streams that are
//! known to be of different machines or Pods are never copies of each other.

use facts::log::{LineTime, LogHit};
use facts::object::ContextId;
use facts::store::Stream;
use std::collections::{BTreeMap, BTreeSet};

/// What makes a line the same line: context and class of its stream, inner time and text.
type Line<'a> = (ContextId, Option<&'a str>, LineTime, &'a str);

/// Streams that a line is compared with: what more of them hold is no copy of one log.
const HOLDERS: usize = 16;

/// Leaves out the lines of a stream that an earlier one holds, where it may be a copy of it.
pub(crate) fn fold(streams: &mut [Stream]) {
    let mut holders: BTreeMap<Line<'_>, Vec<usize>> = BTreeMap::new();
    let mut lines_of = vec![0usize; streams.len()];
    // What is known to be of one machine keeps its lines; a copy of unknown origin may be of any of them.
    let mut by_name: Vec<usize> = (0..streams.len()).collect();
    by_name.sort_by_key(|index| (streams[*index].name.chars().count(), *index));
    let (placed, loose): (Vec<usize>, Vec<usize>) =
        by_name.into_iter().partition(|index| streams[*index].node.is_some() || streams[*index].pod.is_some());
    for index in placed.into_iter().chain(loose) {
        let stream = &streams[index];
        let hits = stream.parts.iter().flat_map(|(_, log)| &log.hits);
        for line in hits.filter_map(|hit| line(stream, hit)) {
            let all = holders.entry(line).or_default();
            if all.last() != Some(&index) {
                all.push(index);
                lines_of[index] += 1;
            }
        }
    }
    let mut shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for all in holders.values() {
        for (at, second) in all.iter().enumerate() {
            for first in all[..at].iter().take(HOLDERS) {
                *shared.entry((*first, *second)).or_default() += 1;
            }
        }
    }
    let copies: BTreeSet<(usize, usize)> = shared
        .into_iter()
        .filter(|((first, second), lines)| {
            !are_apart(&streams[*first], &streams[*second]) && lines * 2 >= lines_of[*first].min(lines_of[*second])
        })
        .map(|(pair, _)| pair)
        .collect();
    let mut gone: BTreeSet<(usize, LineTime, Box<str>)> = BTreeSet::new();
    for ((_, _, time, text), all) in &holders {
        let copied = |at: usize| all[..at].iter().any(|first| copies.contains(&(*first, all[at])));
        let later = (1..all.len()).filter(|at| copied(*at));
        gone.extend(later.map(|at| (all[at], *time, Box::from(*text))));
    }
    for (index, stream) in streams.iter_mut().enumerate() {
        let mut kept = BTreeSet::new();
        for (_, log) in &mut stream.parts {
            log.hits.retain(|hit| match hit.fields.time {
                // Two parts of one stream may hold the same stretch of it.
                Some(time) => {
                    let key = (index, time, Box::from(&*hit.text));
                    !gone.contains(&key) && kept.insert(key)
                }
                None => true,
            });
        }
    }
}

fn line<'a>(stream: &'a Stream, hit: &'a LogHit) -> Option<Line<'a>> {
    Some((stream.context, stream.class.as_deref(), hit.fields.time?, &hit.text))
}

/// Are two streams surely logs of different machines, Pods or containers?
fn are_apart(a: &Stream, b: &Stream) -> bool {
    let differ = |a: Option<&str>, b: Option<&str>| a.zip(b).is_some_and(|(a, b)| a != b);
    // One machine is called by its name, and by its name with a domain.
    let machine =
        |stream: &'_ Stream| stream.node.as_deref().map(|node| node.split('.').next().unwrap_or(node).to_owned());
    let pod = |stream: &'_ Stream| stream.pod.as_ref().map(|(namespace, pod, _)| format!("{namespace}/{pod}"));
    let container = |stream: &'_ Stream| {
        stream.pod.as_ref().map(|(_, _, container)| container.clone()).filter(|container| !container.is_empty())
    };
    differ(machine(a).as_deref(), machine(b).as_deref())
        || differ(pod(a).as_deref(), pod(b).as_deref())
        || differ(container(a).as_deref(), container(b).as_deref())
}
