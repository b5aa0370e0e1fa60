//! What is wrong with one Pod or one controller, as a class with its details.

use crate::reader::Read;
use facts::provenance::Cited;
use std::collections::BTreeMap;

/// Declares the classes with their fields below `status`.
macro_rules! classes {
    ($($(#[$doc:meta])* $class:ident => $field:literal,)*) => {
        /// The classes of trouble. The order is how near to the cause they are: where several hold, the first counts.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Class { $($(#[$doc])* $class,)* }

        impl Class {
            pub(crate) const ALL: &[Class] = &[$(Class::$class,)*];

            /// The field below `status`.
            pub(crate) fn field(self) -> &'static str {
                match self { $(Class::$class => $field,)* }
            }
        }
    };
}

classes! {
    /// Its node is lost, or waits for its network plugin.
    NodeNotReady => "nodeNotReady",
    /// No Pod can be created.
    FailedCreate => "failedCreate",
    /// No node fits.
    Unschedulable => "unschedulable",
    /// A volume cannot be attached.
    VolumeAttach => "volumeAttach",
    /// A ConfigMap, a Secret or a key of one is missing.
    MissingConfig => "missingConfig",
    /// A volume cannot be mounted.
    VolumeMount => "volumeMount",
    /// The Pod sandbox cannot be made.
    Sandbox => "sandbox",
    /// An image cannot be had.
    ImagePull => "imagePull",
    /// The kubelet refuses to make the container.
    ConfigError => "configError",
    /// An init container fails.
    InitFailing => "initFailing",
    /// The kernel kills it for its memory.
    OomKilled => "oomKilled",
    /// The kubelet restarts it since its liveness or startup probe fails.
    LivenessFailing => "livenessFailing",
    /// It ends again and again.
    CrashLoop => "crashLoop",
    /// It runs and is not ready since its readiness probe fails.
    ReadinessFailing => "readinessFailing",
    /// The kubelet evicted Pods.
    Evicted => "evicted",
    /// A Pod does not go away.
    StuckTerminating => "stuckTerminating",
    /// A Job gave up.
    JobFailed => "jobFailed",
    /// A CronJob cannot run.
    CronJobFailing => "cronJobFailing",
    /// Fewer replicas than wanted, and nothing above says why.
    Unavailable => "unavailable",
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

    /// Adds what there is of a detail.
    #[must_use]
    pub(crate) fn with(mut self, field: &'static str, reads: impl IntoIterator<Item = Read>) -> Self {
        for read in reads.into_iter().filter(|read| !read.text.is_empty()) {
            self.details.entry(field).or_default().push(read);
        }
        self
    }

    /// Adds what there is of a detail in our own words, which rests on what the trouble rests on.
    #[must_use]
    pub(crate) fn saying(self, field: &'static str, texts: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let Some(cited) = self.places.first().cloned() else { return self };
        let reads = texts.into_iter().map(|text| Read { text: text.as_ref().to_owned(), cited: cited.clone() });
        self.with(field, reads.collect::<Vec<_>>())
    }
}
