//! The log of a container: the lines of one stream of the bundle, read from it again.
//!
//! Why again: facts hold no lines, for gigabytes of them would not fit into memory. Memory does not follow the size of a
//! log here either.
//!
//! Invariants: every line was masked; `sinceSeconds` counts from the clock of the bundle; lines without a time go with
//! the line before them; a time that nobody wrote is not put in front of a line.

use crate::params::Params;
use crate::reply::{Reply, Write};
use crate::served::{Cluster, Served};
use crate::status;
use catalogue::sources::StreamOrigin;
use diagnosis::visible::visible;
use facts::origin::MemberId;
use facts::store::Stream;
use jiff::{SignedDuration, Timestamp};
use lines::Line;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Bytes of a log up to which its last lines are held; of a longer one the lines are counted first, and read again.
const HELD: u64 = 32 << 20;
/// Digits of a second in the stamps of container runtimes; programs write fewer.
const DIGITS: usize = 7;

/// Which lines are asked for.
#[derive(Debug)]
struct Wanted {
    stream: usize,
    /// Indexes of its parts, in the order of time.
    parts: Vec<usize>,
    since: Option<Timestamp>,
    tail: Option<u64>,
    stamped: bool,
    most: Option<u64>,
}

/// Answers `/api/v1/namespaces/NS/pods/POD/log`.
pub(crate) fn answer(
    served: &Arc<Served>,
    cluster: &Cluster,
    namespace: &str,
    pod: &str,
    params: &Params<'_>,
) -> Result<Reply, Reply> {
    let about = ("", "pods", pod);
    let streams = of_pod(served, cluster, namespace, pod);
    let container = match params.text("container") {
        Some(container) => container.to_owned(),
        None => only_container(served, cluster, namespace, pod, &streams)?,
    };
    let is_previous = params.is_true("previous");
    // A log that names its container comes before one of which only the Pod is known.
    let mut candidates = streams.clone();
    candidates.retain(|(_, stream)| [container.as_str(), ""].contains(&container_of(stream)));
    candidates.sort_by_key(|(_, stream)| container_of(stream).is_empty());
    let mut candidates = candidates.into_iter().map(|(at, stream)| (at, stream, parts(served, stream, is_previous)));
    let Some((at, stream, parts)) = candidates.find(|(_, _, parts)| !parts.is_empty()) else {
        if let Some(member) = empty_file(served, cluster, (namespace, pod, &container), is_previous) {
            return empty(is_previous, &container, pod, &member);
        }
        let is_there = streams.iter().any(|(_, stream)| [container.as_str(), ""].contains(&container_of(stream)));
        let why = match (is_previous, is_there) {
            (true, _) => {
                format!("the previous log of container {container} of pod {namespace}/{pod} was not collected")
            }
            (false, true) => format!(
                "of container {container} of pod {namespace}/{pod} only the previous log was collected; ask for it with --previous"
            ),
            (false, false) if streams.is_empty() => format!("no log of pod {namespace}/{pod} was collected"),
            (false, false) => format!("no log of container {container} of pod {namespace}/{pod} was collected"),
        };
        return Err(status::not_in_bundle(about, &why));
    };
    let wanted = Wanted {
        stream: at,
        parts,
        since: since(served, cluster, params)?,
        tail: params.number("tailLines")?,
        stamped: params.is_true("timestamps"),
        most: params.number("limitBytes")?,
    };
    let mut warnings = warnings(served, stream, &wanted);
    if container_of(stream).is_empty() && served.containers(cluster, namespace, pod).len() > 1 {
        warnings.push(format!("nothing says which container of pod {namespace}/{pod} wrote this log"));
    }
    let served = Arc::clone(served);
    let pieces = Box::new(move |write: Write<'_>| run(&served, &wanted, write).map_err(|error| error.to_string()));
    Ok(Reply::pieces(pieces).warned(warnings))
}

/// A Pod of which only logs are known: its name, and its containers as far as they have one.
pub(crate) fn pod_of_logs(served: &Served, cluster: &Cluster, namespace: &str, pod: &str) -> Option<Value> {
    let streams = of_pod(served, cluster, namespace, pod);
    let (_, first) = streams.first()?;
    let names: BTreeSet<&str> =
        streams.iter().map(|(_, stream)| container_of(stream)).filter(|name| !name.is_empty()).collect();
    let containers: Vec<Value> = names.into_iter().map(|name| json!({ "name": name })).collect();
    let member = first.parts.first().and_then(|(member, _)| served.facts().members.get(member));
    let from = member.map(|name| name.shown().to_string()).unwrap_or_default();
    Some(json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {
            "name": pod, "namespace": namespace,
            "annotations": { "casefile.dev/from": from, "casefile.dev/form": "log" },
        },
        "spec": { "containers": containers },
    }))
}

fn container_of(stream: &Stream) -> &str {
    stream.pod.as_ref().map_or("", |(_, _, container)| container.as_str())
}

/// The streams of a Pod, with their places.
fn of_pod<'s>(served: &'s Served, cluster: &Cluster, namespace: &str, pod: &str) -> Vec<(usize, &'s Stream)> {
    let is_its = |stream: &Stream| {
        stream.context == cluster.context
            && stream.pod.as_ref().is_some_and(|(own, name, _)| own == namespace && name == pod)
    };
    served.facts().streams.iter().enumerate().filter(|(_, stream)| is_its(stream)).collect()
}

/// The file of a log that was collected and is empty; `None` if there is none.
///
/// Such a file is no stream, and nothing says whose cluster it is from: in a bundle of several it proves nothing.
fn empty_file(
    served: &Served,
    cluster: &Cluster,
    (namespace, pod, container): (&str, &str, &str),
    is_previous: bool,
) -> Option<String> {
    let facts = served.facts();
    let number = facts.context(cluster.context).bundle;
    if facts.contexts.iter().filter(|own| own.bundle == number).count() > 1 {
        return None;
    }
    let bundle = served.collected().bundles.get(number)?;
    let is_it = |name: &str| {
        let origin = served.catalogue().sources.locate(name);
        (origin.namespace.as_deref(), origin.pod.as_deref()) == (Some(namespace), Some(pod))
            && origin.container.as_deref().unwrap_or_default() == container
            && (origin.part.restart < 0) == is_previous
    };
    let empty = bundle.intake.members.iter().filter(|member| member.bytes == 0 && member.cut.is_none());
    let names = empty.filter_map(|member| facts.members.get(&member.id));
    names.into_iter().find(|name| is_it(name.inside())).map(|name| name.shown().to_string())
}

/// What an empty file says: a log without a line; collectors write an empty one also where no container ran before.
fn empty(is_previous: bool, container: &str, pod: &str, member: &str) -> Result<Reply, Reply> {
    if is_previous {
        let why =
            format!("previous terminated container \"{container}\" in pod \"{pod}\" not found: {member} is empty");
        return Err(status::bad_request(&why));
    }
    Ok(Reply::text(""))
}

/// The container that is meant where none is named.
fn only_container(
    served: &Served,
    cluster: &Cluster,
    namespace: &str,
    pod: &str,
    streams: &[(usize, &Stream)],
) -> Result<String, Reply> {
    let mut names: Vec<String> = served.containers(cluster, namespace, pod);
    if names.is_empty() {
        names = streams.iter().map(|(_, stream)| container_of(stream).to_owned()).collect();
        names.dedup();
    }
    match names.as_slice() {
        [one] => Ok(one.clone()),
        [] => Ok(String::new()),
        several => Err(status::bad_request(&format!(
            "a container name must be specified for pod {pod}, choose one of: [{}]",
            several.join(" ")
        ))),
    }
}

/// The parts of the current log, or of the one before it.
fn parts(served: &Served, stream: &Stream, is_previous: bool) -> Vec<usize> {
    let mut by_start: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (at, (member, _)) in stream.parts.iter().enumerate() {
        for start in starts(served, stream, *member) {
            by_start.entry(start).or_default().push(at);
        }
    }
    // -1 is a file that says "previous"; else the kubelet numbers its files, and the highest number is the current one.
    let current = by_start.last_key_value().map(|(start, _)| *start).filter(|start| *start >= 0);
    let wanted = match is_previous {
        false => current,
        true => by_start.keys().rev().copied().find(|start| Some(*start) != current),
    };
    wanted.and_then(|start| by_start.remove(&start)).unwrap_or_default()
}

/// The starts of the container whose log a member is: more than one if each of them wrote the same, for equal files are one
/// part of a stream.
fn starts(served: &Served, stream: &Stream, member: MemberId) -> BTreeSet<i64> {
    let located = |id: &MemberId| {
        let name = served.facts().members.get(id).map_or("", |name| name.inside());
        served.catalogue().sources.locate(name)
    };
    let mut starts = BTreeSet::from([located(&member).part.restart]);
    let members = || served.collected().bundles.iter().flat_map(|bundle| &bundle.intake.members);
    let (Some(own), Some(pod)) = (members().find(|own| own.id == member), &stream.pod) else { return starts };
    let is_its = |place: &StreamOrigin| {
        let of = |part: &Option<String>| part.clone().unwrap_or_default();
        (of(&place.namespace), of(&place.pod), of(&place.container)) == *pod
    };
    let copies = members().filter(|copy| copy.id != member && copy.sha256 == own.sha256 && copy.cut.is_none());
    let places = copies.map(|copy| located(&copy.id)).filter(is_its);
    starts.extend(places.map(|place| place.part.restart));
    starts
}

/// From when on lines are asked for.
fn since(served: &Served, cluster: &Cluster, params: &Params<'_>) -> Result<Option<Timestamp>, Reply> {
    if let Some(time) = params.text("sinceTime") {
        let wrong = |_| status::bad_request(&format!("sinceTime={time}: expected a time such as 2026-05-01T10:00:00Z"));
        return time.parse().map(Some).map_err(wrong);
    }
    let Some(seconds) = params.number("sinceSeconds")? else { return Ok(None) };
    let Some(now) = served.facts().context(cluster.context).as_of.as_ref().map(|as_of| as_of.for_logs()) else {
        let why = "sinceSeconds: nothing in the bundle says when it was made; start the server with --as-of TIME";
        return Err(status::bad_request(why));
    };
    let back = SignedDuration::from_secs(i64::try_from(seconds).unwrap_or(i64::MAX));
    Ok(Some(now.checked_sub(back).unwrap_or(Timestamp::MIN)))
}

/// What a reader has to know of the log beside its lines.
fn warnings(served: &Served, stream: &Stream, wanted: &Wanted) -> Vec<String> {
    let chosen = || wanted.parts.iter().filter_map(|at| stream.parts.get(*at));
    let mut warnings = Vec::new();
    for (member, log) in chosen() {
        let name = served.facts().members.get(member).map(|name| name.shown().as_str()).unwrap_or_default();
        let members = served.collected().bundles.iter().flat_map(|bundle| &bundle.intake.members);
        let cut = members.into_iter().find(|own| own.id == *member).and_then(|own| own.cut.as_ref());
        if let Some(why) = cut.map(ToString::to_string).or_else(|| log.stopped.clone()) {
            warnings.push(format!("the log in {name} is not whole: {why}"));
        }
    }
    if wanted.since.is_some() && chosen().all(|(_, log)| log.tally.first.is_none()) {
        warnings.push("no line of this log states a time that is understood, so all are shown".to_owned());
    }
    warnings
}

/// Writes the lines.
fn run(served: &Served, wanted: &Wanted, write: Write<'_>) -> Result<(), lines::Error> {
    let mut out = Out { left: wanted.most.unwrap_or(u64::MAX), write };
    let Some(tail) = wanted.tail else {
        return each(served, wanted, &mut |line| out.line(line));
    };
    let Some(stream) = served.facts().streams.get(wanted.stream) else { return Ok(()) };
    let bytes: u64 = wanted.parts.iter().filter_map(|at| stream.parts.get(*at)).map(|(_, log)| log.tally.bytes).sum();
    let most = usize::try_from(tail).unwrap_or(usize::MAX);
    if bytes <= HELD {
        let mut held = VecDeque::new();
        each(served, wanted, &mut |line| {
            held.push_back(line);
            if held.len() > most {
                held.pop_front();
            }
            ControlFlow::Continue(())
        })?;
        let _ = held.into_iter().try_for_each(|line| out.line(line));
        return Ok(());
    }
    let mut count: u64 = 0;
    each(served, wanted, &mut |_| {
        count += 1;
        ControlFlow::Continue(())
    })?;
    let mut skip = count.saturating_sub(tail);
    each(served, wanted, &mut |line| {
        if skip > 0 {
            skip -= 1;
            return ControlFlow::Continue(());
        }
        out.line(line)
    })
}

/// Takes lines until as many bytes are written as may be.
struct Out<'w> {
    left: u64,
    write: Write<'w>,
}

impl Out<'_> {
    fn line(&mut self, line: String) -> ControlFlow<()> {
        let mut bytes = line.into_bytes();
        bytes.push(b'\n');
        let most = usize::try_from(self.left).unwrap_or(usize::MAX);
        bytes.truncate(most);
        self.left = self.left.saturating_sub(bytes.len() as u64);
        (self.write)(bytes)?;
        if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Hands on each wanted line as kubectl prints it, in the order of time.
fn each(
    served: &Served,
    wanted: &Wanted,
    visit: &mut dyn FnMut(String) -> ControlFlow<()>,
) -> Result<(), lines::Error> {
    let Some(stream) = served.facts().streams.get(wanted.stream) else { return Ok(()) };
    let undated = wanted.parts.iter().filter_map(|at| stream.parts.get(*at)).all(|(_, log)| log.tally.first.is_none());
    let mut is_late = wanted.since.is_none() || undated;
    for part in &wanted.parts {
        let last = stream.parts.get(*part).map_or(u32::MAX, |(_, log)| log.span.1);
        let mut form = Form::default();
        let mut done = false;
        served.lines(wanted.stream, &mut |line: Line<'_>| {
            if line.part != *part {
                return ControlFlow::Continue(());
            }
            let text = line.text();
            let (stamp, message) = form.split(&text);
            let time = stamp.and_then(|stamp| stamp.parse().ok()).or(line.time);
            if let (Some(since), Some(time)) = (wanted.since, time) {
                is_late = time >= since;
            }
            if is_late {
                let shown = match (wanted.stamped, stamp, line.time) {
                    (true, Some(stamp), _) => format!("{stamp} {message}"),
                    (true, None, Some(time)) => format!("{time} {message}"),
                    _ => message.to_owned(),
                };
                done = visit(visible(shown.trim_end_matches('\r')).into_owned()).is_break();
            }
            if done || line.number >= last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if done {
            break;
        }
    }
    Ok(())
}

/// Does a container runtime, or `kubectl logs --timestamps`, stand in front of each line?
#[derive(Debug, Default)]
struct Form {
    is_stamped: Option<bool>,
}

impl Form {
    /// The stamp of the runtime, and the line without it.
    fn split<'t>(&mut self, text: &'t str) -> (Option<&'t str>, &'t str) {
        let Some((stamp, rest)) = text.split_once(' ').filter(|(stamp, _)| is_stamp(stamp)) else {
            self.is_stamped.get_or_insert(false);
            return (None, text);
        };
        let digits =
            || stamp.split_once('.').map_or(0, |(_, rest)| rest.bytes().take_while(u8::is_ascii_digit).count());
        if !*self.is_stamped.get_or_insert_with(|| digits() >= DIGITS) {
            return (None, text);
        }
        let streams = ["stdout F ", "stderr F ", "stdout P ", "stderr P "];
        (Some(stamp), streams.iter().find_map(|stream| rest.strip_prefix(stream)).unwrap_or(rest))
    }
}

fn is_stamp(text: &str) -> bool {
    (20..=40).contains(&text.len()) && text.as_bytes().get(10) == Some(&b'T') && text.parse::<Timestamp>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::Form;

    #[test]
    fn stamps_of_runtimes_are_told_from_those_of_programs() {
        let mut cri = Form::default();
        assert_eq!(
            cri.split("2026-03-04T09:00:00.123456789Z stdout F starts"),
            (Some("2026-03-04T09:00:00.123456789Z"), "starts")
        );
        assert_eq!(cri.split("2026-03-04T09:00:01.1Z stderr F x"), (Some("2026-03-04T09:00:01.1Z"), "x"));
        let mut program = Form::default();
        let line = "2026-03-04T09:00:00.123Z INFO starts";
        assert_eq!(program.split(line), (None, line));
        assert_eq!(Form::default().split("no time"), (None, "no time"));
    }
}
