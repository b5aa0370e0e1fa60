//! One container of a Pod: is it well, and if not, why.

use crate::reader::Read;
use crate::workloads::logs::Words;
use crate::workloads::pod::{Judge, Pod, YOUNG, state_of};
use crate::workloads::trouble::Trouble;
use catalogue::wordings;

/// An end not longer ago than this is one of a series.
pub(super) const RECENT: i64 = 10 * 60;
/// So many ends are a series.
pub(super) const SERIES: i64 = 3;
/// So often a container is restarted that will be again, though it is ready at the moment.
const FOR_EVER: i64 = 10;
/// So often the kubelet killed one whose liveness probe fails, and not by a moment of load.
pub(super) const KILLS: i64 = 3;
/// So many seconds, on average, it runs until then at most.
pub(super) const OFTEN: i64 = 6 * 60 * 60;
/// So many seconds ago it ended for the last time.
const NOW: i64 = 15 * 60;

/// A container, and how it is judged.
pub(super) struct Container<'a> {
    judge: &'a Judge<'a>,
    pod: &'a Pod,
    pub(super) name: String,
    /// The paths of its status and of its specification.
    status: String,
    spec: String,
    /// It has to end before the others start. A sidecar runs beside them and blocks them no more than they do each
    /// other.
    init: bool,
}

/// What a container ended with.
pub(super) struct Ended {
    pub(super) reason: Option<Read>,
    code: Option<Read>,
    message: Option<Read>,
    finished: Option<i64>,
}

impl Ended {
    fn any(&self) -> Option<&Read> {
        self.reason.as_ref().or(self.code.as_ref())
    }

    pub(super) fn is_recent(&self) -> Option<bool> {
        self.finished.map(|age| age <= RECENT)
    }
}

impl<'a> Container<'a> {
    pub(super) fn new(judge: &'a Judge<'a>, pod: &'a Pod, status: &str, spec: &str, name: String) -> Self {
        let (status, spec) = (format!("status.{status}[name=\"{name}\"]"), format!("spec.{spec}[name=\"{name}\"]"));
        let sidecar = || judge.reader.is(pod.id, &format!("{spec}.restartPolicy"), "Always");
        let init = status.starts_with("status.init") && !sidecar();
        Self { judge, pod, name, status, spec, init }
    }

    fn part(&self, field: &str) -> Option<Read> {
        self.judge.reader.text(self.pod.id, &format!("{}.{field}", self.status))
    }

    fn spec(&self, field: &str) -> Option<Read> {
        self.judge.reader.text(self.pod.id, &format!("{}.{field}", self.spec))
    }

    pub(super) fn restarts(&self) -> i64 {
        self.part("restartCount").and_then(|read| read.text.parse().ok()).unwrap_or(0)
    }

    /// How it ended: now (`state`), or before (`lastState`).
    pub(super) fn ended(&self, state: &str) -> Ended {
        let part = |field: &str| self.part(&format!("{state}.terminated.{field}"));
        let finished = self.judge.reader.age(self.pod.id, &format!("{}.{state}.terminated.finishedAt", self.status));
        Ended { reason: part("reason"), code: part("exitCode"), message: part("message"), finished }
    }

    /// What is wrong with it.
    pub(super) fn judge(&self) -> Option<Trouble> {
        if let Some(waiting) = self.part("state.waiting.reason") {
            return self.waits(&waiting);
        }
        let restarts = self.restarts();
        let now = self.ended("state");
        if let Some(reason) = now.any() {
            let failed =
                now.code.as_ref().is_some_and(|code| code.text != "0") || state_of(&reason.text) == Some("ended");
            // One failure of a Pod that just started may be the last.
            return (failed && (restarts >= 1 || !self.pod.young)).then(|| self.crash(reason, &now));
        }
        // It runs. Between two restarts it does so too.
        if self.init || self.part("ready").is_some_and(|ready| ready.text == "true" || ready.text == "True") {
            return None;
        }
        let running = self.part("state.running.startedAt").or_else(|| self.part("ready"))?;
        let last = self.ended("lastState");
        if let (true, true, Some(reason)) = (restarts >= SERIES, last.is_recent() == Some(true), last.any()) {
            return Some(self.crash(reason, &last));
        }
        let started = self.judge.reader.age(self.pod.id, &format!("{}.state.running.startedAt", self.status));
        if self.pod.young || !self.judge.unaged && started.is_some_and(|age| age < YOUNG) {
            return None;
        }
        let probe = self.judge.told(self.pod, "not-ready").next()?;
        Some(Trouble::new("readinessFailing", started.is_some(), &running).with("message", Some(probe.said())))
    }

    /// Is it ready at the moment, and fails again and again? Whoever shuts a machine down ends its containers with 137 or 143,
    /// and of those that it lost nobody knows the end (255); so does the kubelet with one whose liveness probe fails, but of
    /// that it tells.
    pub(super) fn restarts_for_ever(&self) -> Option<Trouble> {
        let last = self.ended("lastState");
        let restarts = self.restarts();
        if last.finished.is_none_or(|age| age > NOW) {
            return None;
        }
        let killed = self.judge.killed_again(self.pod).is_some_and(|event| event.message.contains(&self.name));
        if killed && restarts >= KILLS {
            return Some(Trouble { lasting: false, ..self.crash(last.any()?, &last) });
        }
        let failed = last.code.as_ref().is_some_and(|code| !matches!(code.text.as_str(), "0" | "137" | "143" | "255"));
        if !failed || restarts < FOR_EVER {
            return None;
        }
        let often = self.judge.age(self.pod.id).is_some_and(|age| age / restarts <= OFTEN);
        let reason = last.any().filter(|_| often)?;
        Some(Trouble { lasting: false, ..self.crash(reason, &last) })
    }

    /// What it waits for. What a Pod that just started waits for may come in a moment.
    fn waits(&self, waiting: &Read) -> Option<Trouble> {
        let message = self.part("state.waiting.message");
        let new = self.pod.young && self.restarts() == 0;
        match state_of(&waiting.text)? {
            "image" => {
                let first = waiting.text == "ErrImagePull" && new && self.judge.pull_attempts(self.pod) < 2;
                let image = self.spec("image").or_else(|| self.part("image"));
                (!first).then(|| self.judge.image(self.pod, waiting, message, image))
            }
            "config" => (!new).then(|| self.judge.config(self.pod, waiting, message)),
            "start" => {
                let last = self.ended("lastState");
                (!new).then(|| self.crash(waiting, &Ended { message: message.or(last.message), ..last }))
            }
            "back-off" => Some(self.crash(waiting, &self.ended("lastState"))),
            _ => None,
        }
    }

    fn crash(&self, state: &Read, last: &Ended) -> Trouble {
        if let Some(reason) = last.reason.as_ref().filter(|read| read.text == "OOMKilled") {
            return self.oom(reason, last);
        }
        let killed = self.judge.told(self.pod, "killed-by-probe").find(|event| event.message.contains(&self.name));
        let cannot_run = |read: &&Read| wordings::first("container-cannot-be-started", &read.text).is_some();
        let problem = [&last.message, &last.reason, &last.code].into_iter().flatten().find(cannot_run).cloned();
        let class = match (&killed, &problem, self.init) {
            (_, _, true) => "initFailing",
            (Some(_), None, _) => "livenessFailing",
            _ => "crashLoop",
        };
        let probe = killed
            .filter(|_| class == "livenessFailing")
            .map(|killed| self.judge.told(self.pod, "not-alive").next().unwrap_or(killed).said());
        let mut trouble = Trouble::new(class, true, state)
            .with("state", Some(state.clone()))
            .with("exitCode", last.code.clone())
            .with("restarts", self.part("restartCount"))
            .with("lastLine", self.words().map(|words| words.read.clone()))
            .with("said", self.words().and_then(|words| words.said.clone()))
            .with("needs", self.words().and_then(|words| words.needs.clone()))
            .with("message", probe.or_else(|| last.message.clone()))
            .with("notExecutable", problem);
        trouble.places.extend(last.any().map(|read| read.cited.clone()));
        trouble
    }

    /// The kernel killed it for its memory.
    pub(super) fn oom(&self, reason: &Read, last: &Ended) -> Trouble {
        Trouble::new("oomKilled", true, reason)
            .with("reason", Some(reason.clone()))
            .with("exitCode", last.code.clone())
            .with("restarts", self.part("restartCount"))
            .with("limit", self.spec("resources.limits.memory"))
            .with("lastLine", self.words().map(|words| words.read.clone()))
    }

    fn words(&self) -> Option<&Words> {
        self.judge.logs.of(self.pod.namespace.as_deref(), &self.pod.name, &self.name)
    }
}
