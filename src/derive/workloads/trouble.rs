//! What is wrong with one Pod or one controller, as a class with its details.

use crate::reader::Read;
use facts::provenance::Cited;
use std::collections::BTreeMap;

/// The classes of trouble. The order is how near to the cause they are: where several hold, the first counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// Its node is lost, or waits for its network plugin.
    NodeNotReady,
    /// No Pod can be created.
    FailedCreate,
    /// No node fits.
    Unschedulable,
    /// A volume cannot be attached.
    VolumeAttach,
    /// A ConfigMap, a Secret or a key of one is missing.
    MissingConfig,
    /// A volume cannot be mounted.
    VolumeMount,
    /// The Pod sandbox cannot be made.
    Sandbox,
    /// An image cannot be had.
    ImagePull,
    /// The kubelet refuses to make the container.
    ConfigError,
    /// An init container fails.
    InitFailing,
    /// The kernel kills it for its memory.
    OomKilled,
    /// The kubelet restarts it since its liveness or startup probe fails.
    LivenessFailing,
    /// It ends again and again.
    CrashLoop,
    /// It runs and is not ready since its readiness probe fails.
    ReadinessFailing,
    /// The kubelet evicted Pods.
    Evicted,
    /// A Pod does not go away.
    StuckTerminating,
    /// A Job gave up.
    JobFailed,
    /// A CronJob cannot run.
    CronJobFailing,
    /// Fewer replicas than wanted, and nothing above says why.
    Unavailable,
}

impl Class {
    /// All classes.
    pub(crate) const ALL: [Class; 19] = [
        Class::NodeNotReady,
        Class::FailedCreate,
        Class::Unschedulable,
        Class::VolumeAttach,
        Class::MissingConfig,
        Class::VolumeMount,
        Class::Sandbox,
        Class::ImagePull,
        Class::ConfigError,
        Class::InitFailing,
        Class::OomKilled,
        Class::LivenessFailing,
        Class::CrashLoop,
        Class::ReadinessFailing,
        Class::Evicted,
        Class::StuckTerminating,
        Class::JobFailed,
        Class::CronJobFailing,
        Class::Unavailable,
    ];

    /// The field below `status`.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Class::NodeNotReady => "nodeNotReady",
            Class::FailedCreate => "failedCreate",
            Class::Unschedulable => "unschedulable",
            Class::VolumeAttach => "volumeAttach",
            Class::MissingConfig => "missingConfig",
            Class::VolumeMount => "volumeMount",
            Class::Sandbox => "sandbox",
            Class::ImagePull => "imagePull",
            Class::ConfigError => "configError",
            Class::InitFailing => "initFailing",
            Class::OomKilled => "oomKilled",
            Class::LivenessFailing => "livenessFailing",
            Class::CrashLoop => "crashLoop",
            Class::ReadinessFailing => "readinessFailing",
            Class::Evicted => "evicted",
            Class::StuckTerminating => "stuckTerminating",
            Class::JobFailed => "jobFailed",
            Class::CronJobFailing => "cronJobFailing",
            Class::Unavailable => "unavailable",
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Trouble {
    pub class: Class,
    /// It surely holds now: it was not merely there for a moment.
    pub lasting: bool,
    /// Details by field name, with their places. Several values make a list.
    pub details: BTreeMap<&'static str, Vec<Read>>,
    /// What it rests on.
    pub places: Vec<Cited>,
}

impl Trouble {
    /// A trouble that rests on one answer.
    pub(crate) fn new(class: Class, lasting: bool, because: &Read) -> Self {
        Self { class, lasting, details: BTreeMap::new(), places: vec![because.cited.clone()] }
    }

    /// Adds a detail, if there is one.
    #[must_use]
    pub(crate) fn with(mut self, field: &'static str, read: Option<Read>) -> Self {
        if let Some(read) = read.filter(|read| !read.text.is_empty()) {
            self.details.entry(field).or_default().push(read);
        }
        self
    }

    /// Adds a detail in our own words, which rests on what the trouble rests on.
    #[must_use]
    pub(crate) fn saying(self, field: &'static str, text: &str) -> Self {
        let place = self.places.first().cloned();
        self.with(field, place.map(|cited| Read { text: text.to_owned(), cited }))
    }
}
