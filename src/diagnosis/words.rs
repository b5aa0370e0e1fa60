//! The words that every output uses for verdicts, states, severities and places, so that they never differ.

use crate::model::{
    BundleInfo, CitationInfo, Diagnosis, EntityInfo, EvidenceRow, Finding, NO_ROLE, OverrideInfo, Unread,
};
use crate::more::MoreUnread;
use catalogue::kinds::Catalogue;
use catalogue::nouns as derive;
use facts::kind::KindName;
use facts::unread::Cause;
use signature::evidence_state::EvidenceState;
use signature::model::{Risk, Status, VerdictWord};

/// The verdict for people.
pub fn verdict(verdict: VerdictWord) -> &'static str {
    match verdict {
        VerdictWord::Confirmed => "confirmed",
        VerdictWord::Probable => "probable",
        VerdictWord::Undecided => "undecided",
        VerdictWord::Resolved => "resolved",
        VerdictWord::RuledOut => "ruled out",
    }
}

/// All verdicts in the order of a report.
pub const VERDICTS: [VerdictWord; 5] = [
    VerdictWord::Confirmed,
    VerdictWord::Probable,
    VerdictWord::Undecided,
    VerdictWord::Resolved,
    VerdictWord::RuledOut,
];

/// The verdict as a word of identifiers: `ruled_out`.
pub fn verdict_key(verdict: VerdictWord) -> &'static str {
    match verdict {
        VerdictWord::RuledOut => "ruled_out",
        other => self::verdict(other),
    }
}

/// The word on the badge of a finding: its verdict, or that it is a note and no fault.
pub fn badge(finding: &Finding) -> &'static str {
    if finding.is_note() { NOTE } else { verdict(finding.verdict) }
}

/// The same as a word of identifiers: `ruled_out`.
pub fn badge_key(finding: &Finding) -> &'static str {
    if finding.is_note() { NOTE } else { verdict_key(finding.verdict) }
}

/// What a finding is called that is no fault.
pub const NOTE: &str = "note";

/// The number of each verdict in the order of a report, notes between: `6 confirmed, 0 probable`.
pub fn counters(diagnosis: &Diagnosis) -> String {
    let one = |verdict: &VerdictWord| {
        let number = diagnosis.count(*verdict);
        let about = about(number, diagnosis.count_entities(*verdict));
        format!("{} {}{about}", thousands(number), self::verdict(*verdict))
    };
    let mut all: Vec<String> = VERDICTS.iter().map(one).collect();
    match diagnosis.count_notes() {
        0 => {}
        notes => all.push(count(notes, NOTE, "notes")),
    }
    all.join(", ")
}

/// Since when the evidence shows a finding, where its evidence has a time: `seen since 2026-03-04 09:40:04 UTC`.
pub fn since(finding: &Finding) -> Option<String> {
    finding.since.as_ref().map(|time| format!("seen since {} UTC", clock(time)))
}

/// The risk of a step for people.
pub fn risk(risk: Risk) -> &'static str {
    match risk {
        Risk::Safe => "safe",
        Risk::Disruptive => "disruptive",
        Risk::Destructive => "destructive",
    }
}

/// The state of the claim of a piece of evidence, for people.
pub fn evidence(state: EvidenceState) -> &'static str {
    match state {
        EvidenceState::Supports => "found",
        EvidenceState::Contradicts => "not the case",
        EvidenceState::Unknown => "not known",
    }
}

/// Why a claim stands as it does, where its places are listed beside it: those need not be said again.
pub fn reason(row: &EvidenceRow) -> &str {
    if row.says_place && !row.citations.is_empty() { "" } else { &row.reason }
}

/// The name of what was seen without one.
const NAMELESS: &str = "?";

/// The entity without its kind: `namespace/name`.
pub fn entity(entity: &EntityInfo) -> String {
    let name = if entity.name == NAMELESS { "unnamed" } else { entity.name.as_str() };
    match &entity.namespace {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name.to_owned(),
    }
}

/// The entities of a finding without their kind: `namespace/name`, `namespace/name and 2 more`.
pub fn entities(finding: &Finding) -> String {
    format!("{}{}", entity(&finding.entity), and_more(finding))
}

/// How many entities a finding stands for beside its own, to follow its name: ` and 2 more`; empty if none.
pub fn and_more(finding: &Finding) -> String {
    match finding.entities() - 1 {
        0 => String::new(),
        more => format!(" and {} more", thousands(more)),
    }
}

/// How many entities a finding stands for, and whose they are: "3 Machines of MachineDeployment `md-0`".
pub fn of_whom(finding: &Finding) -> String {
    let same = finding.alike.iter().all(|other| other.entity.kind == finding.entity.kind);
    let number = finding.entities();
    let noun = if same { noun(&finding.entity.kind, number) } else { "objects".to_owned() };
    let owner = finding.owner.as_ref().map(|owner| format!(" of {} `{}`", owner.kind, owner.name)).unwrap_or_default();
    format!("{} {noun}{owner}", thousands(number))
}

/// What stands above the list of the entities that a finding stands for beside its own, and how to read the rest.
pub fn stands_for(finding: &Finding) -> String {
    let name = &finding.entity.name;
    match finding.verdict {
        VerdictWord::RuledOut | VerdictWord::Resolved => {
            format!("The evidence below is that of `{name}`. The verdict is the same for:")
        }
        _ => format!(
            "The evidence and the steps below are those of `{name}`. The verdict is the same for these; in the steps, \
             put their names in its place:"
        ),
    }
}

/// How many objects findings stand for, to follow their number; empty if each stands for one.
pub fn about(findings: u64, entities: u64) -> String {
    if entities > findings { format!(" ({} objects)", thousands(entities)) } else { String::new() }
}

/// What objects of a kind are called in a sentence: `Machine`, `NetworkPolicies`, `etcd members`.
pub fn noun(kind: &str, number: u64) -> String {
    let name = KindName::parse(kind);
    if let Some(label) = kind.strip_prefix("metadata.labels[\"").and_then(|rest| rest.strip_suffix("\"]")) {
        return format!("{} of label `{label}`", if number == 1 { "value" } else { "values" });
    }
    if let Some((one, many)) = derive::nouns(&name) {
        return if number == 1 { one } else { many }.to_owned();
    }
    let Some(known) = Catalogue::shared().kind(&name) else {
        // A log is named in words; a kind that the catalogue does not know is already a plural.
        return if number != 1 && kind.contains(' ') { format!("{kind}s") } else { kind.to_owned() };
    };
    if number == 1 {
        return known.kind.clone();
    }
    // The plural has the small letters of the kind, up to where it ends otherwise.
    let same = known.kind.chars().zip(name.plural.chars()).take_while(|(a, b)| a.to_ascii_lowercase() == *b).count();
    known.kind.chars().take(same).chain(name.plural.chars().skip(same)).collect()
}

/// What one object of a kind is called: a noun for what Casefile derives (`etcd member`), the name of a kind that is known,
/// with its group where another has the same, and `plural.group` for all others. Of entities that are known by a label,
/// its key.
pub fn kind_of_one(kind: &str) -> String {
    if let Some(label) = kind.strip_prefix("metadata.labels[\"").and_then(|rest| rest.strip_suffix("\"]")) {
        return format!("label {label}");
    }
    let name = KindName::parse(kind);
    if let Some((one, _)) = derive::nouns(&name) {
        return one.to_owned();
    }
    let catalogue = Catalogue::shared();
    let Some(known) = catalogue.kind(&name) else { return kind.to_owned() };
    // Two groups may have kinds of one name: then the group tells which.
    match catalogue.kinds().filter(|other| other.kind == known.kind).nth(1) {
        Some(_) if !name.group.is_empty() => format!("{} ({})", known.kind, name.group),
        _ => known.kind.clone(),
    }
}

/// The same for a heading over several objects: `etcd members`.
pub fn kind_of_many(kind: &str) -> String {
    derive::nouns(&KindName::parse(kind)).map_or_else(|| kind.to_owned(), |(_, many)| many.to_owned())
}

/// The place of a citation: `member:line`, with the path where there is one.
pub fn place(citation: &CitationInfo) -> String {
    let mut text = citation.member.clone();
    if let Some(line) = citation.line {
        text.push_str(&format!(":{line}"));
    }
    if let Some(path) = citation.path.as_deref().filter(|path| !path.is_empty()) {
        text.push_str(&format!(" ({path})"));
    }
    text
}

/// The place of a citation as `member:line`; the path stands in for a line that is not known.
pub fn place_short(citation: &CitationInfo) -> String {
    match (citation.line, citation.path.as_deref().filter(|path| !path.is_empty())) {
        (None, Some(path)) => format!("{} ({path})", citation.member),
        (Some(line), _) => format!("{}:{line}", citation.member),
        (None, None) => citation.member.clone(),
    }
}

/// Why a finding has its verdict, for people. Where all that is needed holds, the evidence says it claim by
/// claim; else the reason says what is missing.
pub fn why(finding: &Finding) -> String {
    let crate::model::Indicators { held, total } = finding.indicators;
    match finding.verdict {
        VerdictWord::Confirmed if held == total && total > 1 => format!("all {total} required signs were found."),
        VerdictWord::Confirmed if held == total => "the one required sign was found.".to_owned(),
        VerdictWord::Probable if !finding.conflicting => {
            format!("{held} of {total} required signs were found. {}", finding.reason)
        }
        _ => finding.reason.clone(),
    }
}

/// The names of the bundles, joined.
pub fn bundles(bundles: &[BundleInfo]) -> String {
    bundles.iter().map(|bundle| bundle.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// How much a bundle holds: `214 members and 3 links to them, 46.0 MiB`.
pub fn size(bundle: &BundleInfo) -> String {
    let links = match bundle.links {
        0 => String::new(),
        links => format!(" and {} to them", count(links, "link", "links")),
    };
    format!("{}{links}, {}", count(bundle.members, "member", "members"), bytes(bundle.bytes))
}

/// What the site did to a signature: `switched off`, `re-rated from critical to low`.
pub fn overridden(item: &OverrideInfo) -> String {
    match item.severity {
        Some((before, after)) if !item.disabled => {
            format!("re-rated from {} to {}", before.word(), after.word())
        }
        _ => "switched off".to_owned(),
    }
}

/// How far a signature can be trusted, where that is less than usual; else empty.
pub fn unproven(status: Status) -> String {
    let (word, meaning) = match status {
        Status::Stable => return String::new(),
        Status::Test => ("test", UNPROVEN),
        Status::Experimental => ("experimental", UNPROVEN),
        Status::Deprecated => ("deprecated", "this rule will be taken out of Casefile."),
    };
    format!("Status {word}: {meaning}")
}

/// What a signature without a recorded failure says of itself.
const UNPROVEN: &str = "no recorded failure has confirmed this rule yet, only its own tests. Read it with more care.";

/// `1 finding`, `2 findings`.
pub fn count(number: u64, singular: &str, plural: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { singular } else { plural })
}

/// A number with a comma between thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Bytes for people, in powers of 1,024.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = number as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{number} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

/// A point in time for people: `2026-03-04 09:40:04`, UTC, without parts of a second.
pub fn clock(time: &str) -> String {
    match time.parse::<jiff::Timestamp>() {
        Ok(time) => time.strftime("%Y-%m-%d %H:%M:%S").to_string(),
        Err(_) => time.to_owned(),
    }
}

/// The text, cut to so many characters.
pub fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}

/// A place with each long folder name cut to its ends: `quay-io-opensh…11d85c897/namespaces/a.yaml`.
pub fn short_place(place: &str) -> String {
    const LONG: usize = 48;
    let short = |part: &str| {
        let letters: Vec<char> = part.chars().collect();
        let (head, tail) = (letters.get(..14), letters.get(letters.len().saturating_sub(9)..));
        match (head, tail) {
            (Some(head), Some(tail)) if letters.len() > LONG => {
                format!("{}…{}", head.iter().collect::<String>(), tail.iter().collect::<String>())
            }
            _ => part.to_owned(),
        }
    };
    // The last part holds the file and the line, which a reader needs whole.
    match place.rsplit_once('/') {
        Some((folders, file)) => {
            let folders: Vec<String> = folders.split('/').map(short).collect();
            format!("{}/{file}", folders.join("/"))
        }
        None => place.to_owned(),
    }
}

/// Is something lost with a part that `unread` lists for this cause? What was not understood may be a loss.
pub fn is_loss(cause: Option<Cause>) -> bool {
    cause.is_none_or(Cause::is_loss)
}

/// What was lost of a bundle, in words, each kind of loss for itself; empty if nothing was.
pub fn losses(listed: &[Unread], counted: &[MoreUnread]) -> Vec<String> {
    let (mut failed, mut damaged, mut other) = (0, 0, 0);
    let counted = counted.iter().map(|row| (row.cause, row.count));
    let all = listed.iter().map(|row| (row.cause, 1)).chain(counted);
    for (cause, count) in all.filter(|(cause, _)| is_loss(*cause)) {
        match cause {
            Some(Cause::Failed) => failed += count,
            Some(Cause::Damaged) => damaged += count,
            _ => other += count,
        }
    }
    let said = [
        (failed, count(failed, "command gave an error", "commands gave an error")),
        (damaged, count(damaged, "part is cut or damaged", "parts are cut or damaged")),
        (other, count(other, "part was not understood", "parts were not understood")),
    ];
    said.into_iter().filter(|(number, _)| *number > 0).map(|(_, words)| words).collect()
}

/// A length of time in its largest whole unit: `30 seconds`, `5 minutes`, `2 hours`, `1 day`.
pub fn span(seconds: i64) -> String {
    for (unit, singular, plural) in [(86_400, "day", "days"), (3_600, "hour", "hours"), (60, "minute", "minutes")] {
        if seconds >= unit && seconds % unit == 0 {
            return count((seconds / unit).unsigned_abs(), singular, plural);
        }
    }
    count(seconds.unsigned_abs(), "second", "seconds")
}

/// A length of time in two digits of its unit: `40 seconds`, `12 minutes`, `3.5 hours`, `2.0 days`.
pub fn rough_span(seconds: i64) -> String {
    match seconds {
        ..120 => count(seconds.max(0).unsigned_abs(), "second", "seconds"),
        120..7_200 => count((seconds / 60).unsigned_abs(), "minute", "minutes"),
        7_200..172_800 => format!("{:.1} hours", seconds as f64 / 3_600.0),
        _ => format!("{:.1} days", seconds as f64 / 86_400.0),
    }
}

/// A cluster as a sentence names it: by its name, or by its role where the bundle gives it none.
pub fn cluster(diagnosis: &Diagnosis, context: &str) -> String {
    let own = diagnosis.contexts.iter().find(|own| own.name == context);
    match own.map(|own| own.role.as_str()).filter(|role| *role != NO_ROLE) {
        Some(role) if context == NO_NAME => format!("the {} cluster", role.replace('+', " and ")),
        _ => format!("cluster {context}"),
    }
}

/// The name of a context of which the bundle names none.
const NO_NAME: &str = "cluster";

/// Seconds as kubectl prints an age: `45s`, `12m`, `5h`, `3d`, `2y10d`.
/// Source: `k8s.io/apimachinery/pkg/util/duration/duration.go@v0.31.0`, `HumanDuration`.
pub fn age(seconds: i64) -> String {
    let both = |first: i64, unit: &str, second: i64, small: &str| match second {
        0 => format!("{first}{unit}"),
        _ => format!("{first}{unit}{second}{small}"),
    };
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400);
    match hours {
        _ if seconds < 0 => "0s".to_owned(),
        _ if seconds < 120 => format!("{seconds}s"),
        _ if minutes < 10 => both(minutes, "m", seconds % 60, "s"),
        0..3 => format!("{minutes}m"),
        3..8 => both(hours, "h", minutes % 60, "m"),
        8..48 => format!("{hours}h"),
        48..192 => both(days, "d", hours % 24, "h"),
        192..17_520 => format!("{days}d"),
        17_520..70_080 => both(days / 365, "y", days % 365, "d"),
        _ => format!("{}y", days / 365),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        MoreUnread, Unread, age, bytes, clock, cluster, count, kind_of_many, kind_of_one, losses, short_place,
        thousands,
    };
    use crate::model::{ContextInfo, Diagnosis};
    use facts::unread::{Reporter, WhyUnread};

    #[test]
    fn times_and_places_are_short() {
        assert_eq!(clock("2026-11-20T19:48:44.092244Z"), "2026-11-20 19:48:44");
        assert_eq!(clock("soon"), "soon");
        let folder = "quay-io-openshift-release-dev-ocp-v4-0-art-dev-sha256-eede85cbd33388";
        assert_eq!(short_place(&format!("{folder}/a/etcd.log:7")), "quay-io-opensh…5cbd33388/a/etcd.log:7");
        assert_eq!(short_place("a/b.log:7"), "a/b.log:7");
        assert_eq!(short_place(folder), folder);
    }

    #[test]
    fn a_cluster_without_a_name_is_known_by_its_roles() {
        let of = |name: &str, role: &str| {
            let context = ContextInfo { name: name.to_owned(), role: role.to_owned(), ..ContextInfo::default() };
            cluster(&Diagnosis { contexts: vec![context], ..Diagnosis::default() }, name)
        };
        assert_eq!(of("cluster", "global+management"), "the global and management cluster");
        assert_eq!(of("cluster", "unknown"), "cluster cluster");
        assert_eq!(of("blue", "management"), "cluster blue");
    }

    #[test]
    fn people_read_nouns_for_what_nobody_collects() {
        assert_eq!(kind_of_one("etcdclustermembers.casefile.dev"), "etcd member");
        assert_eq!(kind_of_many("etcdclustermembers.casefile.dev"), "etcd members");
        assert_eq!(kind_of_one("kubeadmcontrolplanes.controlplane.cluster.x-k8s.io"), "KubeadmControlPlane");
        assert_eq!(kind_of_one("clusters.cluster.x-k8s.io"), "Cluster (cluster.x-k8s.io)");
        assert_eq!(kind_of_one("gizmos.example.com"), "gizmos.example.com");
        assert_eq!(kind_of_one("metadata.labels[\"cluster.x-k8s.io/Name\"]"), "label cluster.x-k8s.io/Name");
    }

    #[test]
    fn numbers_read_like_numbers() {
        assert_eq!(
            [thousands(0), thousands(999), thousands(1_000), thousands(12_345_678)],
            ["0", "999", "1,000", "12,345,678"]
        );
        assert_eq!([bytes(0), bytes(1023), bytes(1536), bytes(5 << 30)], ["0 B", "1023 B", "1.5 KiB", "5.0 GiB"]);
        assert_eq!([count(1, "finding", "findings"), count(2, "finding", "findings")], ["1 finding", "2 findings"]);
        assert_eq!(
            [age(-5), age(119), age(120), age(205), age(7_200), age(11_100), age(200_000), age(63_072_000)],
            ["0s", "119s", "2m", "3m25s", "120m", "3h5m", "2d7h", "2y"]
        );
    }

    #[test]
    fn what_was_read_and_holds_nothing_is_no_loss() {
        let row = |why: &WhyUnread| Unread {
            member: "a.txt".to_owned(),
            line: None,
            reason: why.to_string(),
            cause: why.cause(),
        };
        let quiet = [WhyUnread::Blank, WhyUnread::EmptyList].iter().map(row).collect::<Vec<_>>();
        assert_eq!(losses(&quiet, &[]), Vec::<String>::new());
        let lost = [
            WhyUnread::Failed(Reporter::Command, "x".into()),
            WhyUnread::JsonBreaksOff("line 3".to_owned().into()),
            WhyUnread::NoFormat,
        ];
        let rows: Vec<Unread> = quiet.into_iter().chain(lost.iter().map(row)).collect();
        let counted = MoreUnread { reason: String::new(), cause: WhyUnread::NoFormat.cause(), count: 7 };
        assert_eq!(losses(&[], &[counted]), ["7 parts were not understood"]);
        assert_eq!(
            losses(&rows, &[]),
            ["1 command gave an error", "1 part is cut or damaged", "1 part was not understood"]
        );
    }
}
