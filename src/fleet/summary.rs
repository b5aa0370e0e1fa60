//! What was gathered becomes what is said.
//!
//! Invariants: a finding counts only for bundles whose own row is there, so that every number is of the same bundles; the
//! last week ends with the newest bundle.

use crate::gather::{Gathered, Id, OfBundle, Seen};
use crate::model::{
    AlikeRow, Failure, FindingRow, Fleet, LackingRow, Moment, SCHEMA_VERSION, VersionCount, VersionRow,
};
use crate::names::Name;
use diagnosis::words;
use jiff::{SignedDuration, Timestamp};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Entries of each list.
const MOST: usize = 500;
/// Names of bundles beside a finding.
const EXAMPLES: usize = 3;
/// Digits of the SHA-256 of a bundle that tell it from others of its name.
const SHORT_ID: usize = 8;
/// Versions beside a finding.
const VERSIONS: usize = 5;
/// How long "new" lasts.
const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A product and its version, if that is stated.
type Version<'a> = (&'a str, Option<&'a str>);

impl Gathered {
    /// What is said about it.
    pub fn fleet(&self) -> Fleet {
        let (week, twice) = (self.last_week(), self.names_of_several());
        let whole: Vec<(Id, &OfBundle)> = self.whole().collect();
        let with: BTreeSet<Id> = self.seen.iter().filter(|(_, seen)| seen.is_now()).map(|((_, id), _)| *id).collect();
        let mut fleet = Fleet {
            schema_version: SCHEMA_VERSION,
            files: self.files.len() as u64,
            failed: self.files.values().filter(|file| file.bundle.is_none()).count() as u64,
            again: self.again(),
            bundles: whole.len() as u64,
            with_findings: whole.iter().filter(|(id, _)| with.contains(id)).count() as u64,
            without_time: whole.iter().filter(|(_, bundle)| bundle.as_of.is_none()).count() as u64,
            objects: whole.iter().filter_map(|(_, bundle)| u64::try_from(bundle.objects).ok()).sum(),
            oldest: self.extreme(|time| time),
            newest: self.extreme(Reverse),
            last_week_from: week.map(|time| time.to_string()),
            findings: self.findings(week, &twice),
            alike: self.alike(&twice),
            versions: self.version_rows(),
            lacking: self.lacking_rows(),
            failures: self.failures(),
            skipped: self.skipped.clone(),
            ..Fleet::default()
        };
        fleet.answer = answer(&fleet);
        bounded(&mut fleet);
        fleet
    }

    /// Bundles whose own row is there.
    fn whole(&self) -> impl Iterator<Item = (Id, &OfBundle)> {
        let all = self.bundles.iter().enumerate().filter(|(_, bundle)| bundle.is_whole);
        all.filter_map(|(at, bundle)| Some((Id::try_from(at).ok()?, bundle)))
    }

    fn bundle(&self, id: Id) -> Option<&OfBundle> {
        usize::try_from(id).ok().and_then(|at| self.bundles.get(at)).filter(|bundle| bundle.is_whole)
    }

    /// The first bundle in an order of times; of several of one time the first by name.
    fn extreme<T: Ord>(&self, order: impl Fn(Timestamp) -> T) -> Option<Moment> {
        let timed = self.whole().filter_map(|(_, bundle)| Some((bundle.as_of?, self.names.text(bundle.name))));
        let (time, name) = timed.min_by_key(|(time, name)| (order(*time), *name))?;
        Some(Moment { time: time.to_string(), bundle: name.to_owned() })
    }

    /// When the last week begins; `None` if nothing is older.
    fn last_week(&self) -> Option<Timestamp> {
        let times = || self.whole().filter_map(|(_, bundle)| bundle.as_of);
        let from = times().max()?.checked_sub(WEEK).ok()?;
        times().any(|time| time < from).then_some(from)
    }

    fn again(&self) -> u64 {
        let with: Vec<Id> = self.files.values().filter_map(|file| file.bundle).collect();
        let distinct: BTreeSet<&Id> = with.iter().collect();
        (with.len() - distinct.len()) as u64
    }

    /// Names of some of these bundles, sorted; where several have a name, with the beginning of what tells them apart.
    fn examples(&self, ids: impl Iterator<Item = Id>, twice: &BTreeSet<Name>) -> Vec<String> {
        let mut first: BTreeSet<(&str, &str, bool)> = BTreeSet::new();
        for bundle in ids.filter_map(|id| self.bundle(id)) {
            let id = bundle.sha256.get(..SHORT_ID).unwrap_or_default();
            first.insert((self.names.text(bundle.name), id, twice.contains(&bundle.name)));
            if first.len() > EXAMPLES {
                first.pop_last();
            }
        }
        let name = |(name, id, twice)| if twice { format!("{name} {id}") } else { String::from(name) };
        first.into_iter().map(name).collect()
    }

    /// The names that several bundles have.
    fn names_of_several(&self) -> BTreeSet<Name> {
        let (mut once, mut twice) = (BTreeSet::new(), BTreeSet::new());
        for (_, bundle) in self.whole() {
            if !once.insert(bundle.name) {
                twice.insert(bundle.name);
            }
        }
        twice
    }

    fn findings(&self, week: Option<Timestamp>, twice: &BTreeSet<Name>) -> Vec<FindingRow> {
        let mut by_signature: BTreeMap<Name, Vec<(Id, &Seen)>> = BTreeMap::new();
        for ((signature, id), seen) in &self.seen {
            if self.bundle(*id).is_some() {
                by_signature.entry(*signature).or_default().push((*id, seen));
            }
        }
        let mut first_of: BTreeMap<Name, u64> = BTreeMap::new();
        for (_, bundle) in self.whole() {
            if let Some((_, signature, _)) = bundle.first {
                *first_of.entry(signature).or_default() += 1;
            }
        }
        let row = |(signature, all): (&Name, &Vec<(Id, &Seen)>)| {
            let now: Vec<(Id, &Seen)> = all.iter().filter(|(_, seen)| seen.is_now()).copied().collect();
            let clocks = || now.iter().filter_map(|(id, _)| self.bundle(*id)?.as_of);
            let (seen_from, seen_to) = (clocks().min(), clocks().max());
            // Who does not tell when it was collected may be from before.
            let undated = now.iter().any(|(id, _)| self.bundle(*id).is_none_or(|bundle| bundle.as_of.is_none()));
            let (title, severity) = self.signatures.get(signature).copied().unwrap_or_default();
            let count = |is: &dyn Fn(&Seen) -> bool| all.iter().filter(|(_, seen)| is(seen)).count() as u64;
            FindingRow {
                signature: self.names.text(*signature).to_owned(),
                title: self.names.text(title).to_owned(),
                severity: self.names.text(severity).to_owned(),
                bundles: now.len() as u64,
                confirmed: count(&|seen| seen.confirmed),
                probable: count(&|seen| seen.probable && !seen.confirmed),
                resolved: count(&|seen| seen.resolved && !seen.is_now()),
                first_of: first_of.get(signature).copied().unwrap_or_default(),
                since: now.iter().filter_map(|(_, seen)| seen.since).min().map(|time| time.to_string()),
                seen_from: seen_from.map(|time| time.to_string()),
                seen_to: seen_to.map(|time| time.to_string()),
                new: !undated && week.zip(seen_from).is_some_and(|(week, from)| from >= week),
                versions: self.versions_of(&now),
                examples: self.examples(now.iter().map(|(id, _)| *id), twice),
            }
        };
        let mut rows: Vec<FindingRow> = by_signature.iter().map(row).collect();
        rows.sort_by(|a, b| key(a).cmp(&key(b)));
        rows
    }

    /// What the clusters run that show a finding.
    fn versions_of(&self, now: &[(Id, &Seen)]) -> Vec<VersionCount> {
        let mut bundles: BTreeMap<Version<'_>, BTreeSet<Id>> = BTreeMap::new();
        for (id, seen) in now {
            for context in &seen.contexts {
                let from = (*id, *context, Name::MIN, None);
                let of_context = self.versions.range(from..).take_while(|row| (row.0, row.1) == (*id, *context));
                for (_, _, product, version) in of_context {
                    let key = (self.names.text(*product), version.map(|version| self.names.text(version)));
                    bundles.entry(key).or_default().insert(*id);
                }
            }
        }
        let count = |((product, version), bundles): (Version<'_>, BTreeSet<Id>)| VersionCount {
            product: product.to_owned(),
            version: version.map(str::to_owned),
            bundles: bundles.len() as u64,
        };
        let mut counts: Vec<VersionCount> = bundles.into_iter().map(count).collect();
        counts.sort_by(|a, b| {
            b.bundles.cmp(&a.bundles).then_with(|| (&a.product, &a.version).cmp(&(&b.product, &b.version)))
        });
        counts.truncate(VERSIONS);
        counts
    }

    fn version_rows(&self) -> Vec<VersionRow> {
        let ill: BTreeSet<(Id, Name)> = self
            .seen
            .iter()
            .filter(|(_, seen)| seen.is_now())
            .flat_map(|((_, id), seen)| seen.contexts.iter().map(|context| (*id, *context)))
            .collect();
        let mut bundles: BTreeMap<Version<'_>, [BTreeSet<Id>; 2]> = BTreeMap::new();
        for (id, context, product, version) in &self.versions {
            if self.bundle(*id).is_some() {
                let key = (self.names.text(*product), version.map(|version| self.names.text(version)));
                let [all, with] = bundles.entry(key).or_default();
                all.insert(*id);
                if ill.contains(&(*id, *context)) {
                    with.insert(*id);
                }
            }
        }
        let row = |((product, version), [all, with]): (Version<'_>, [BTreeSet<Id>; 2])| VersionRow {
            product: product.to_owned(),
            version: version.map(str::to_owned),
            bundles: all.len() as u64,
            with_findings: with.len() as u64,
        };
        bundles.into_iter().map(row).collect()
    }

    fn alike(&self, twice: &BTreeSet<Name>) -> Vec<AlikeRow> {
        let mut groups: BTreeMap<(&str, &str), Vec<(Id, Name)>> = BTreeMap::new();
        for (id, bundle) in self.whole() {
            if let Some((_, signature, by)) = bundle.first {
                let key = (self.names.text(signature), self.names.text(by));
                groups.entry(key).or_default().push((id, signature));
            }
        }
        groups.retain(|_, bundles| bundles.len() > 1);
        let title = |name: Option<&(Id, Name)>| {
            let about = name.and_then(|(_, signature)| self.signatures.get(signature));
            self.names.text(about.copied().unwrap_or_default().0).to_owned()
        };
        let row = |((signature, by), bundles): (&(&str, &str), &Vec<(Id, Name)>)| AlikeRow {
            signature: (*signature).to_owned(),
            title: title(bundles.first()),
            supported_by: by.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            bundles: bundles.len() as u64,
            examples: self.examples(bundles.iter().map(|(id, _)| *id), twice),
        };
        let mut rows: Vec<AlikeRow> = groups.iter().map(row).collect();
        rows.sort_by_key(|row| Reverse(row.bundles));
        rows
    }

    fn lacking_rows(&self) -> Vec<LackingRow> {
        let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        for (kind, state, id) in &self.lacking {
            if self.bundle(*id).is_some() {
                *counts.entry((self.names.text(*kind), self.names.text(*state))).or_default() += 1;
            }
        }
        let row = |((kind, state), bundles): ((&str, &str), u64)| LackingRow {
            kind: kind.to_owned(),
            state: state.to_owned(),
            bundles,
        };
        let mut rows: Vec<LackingRow> = counts.into_iter().map(row).collect();
        rows.sort_by_key(|row| Reverse(row.bundles));
        rows
    }

    fn failures(&self) -> Vec<Failure> {
        let failed = self.files.iter().filter(|(_, of)| of.bundle.is_none());
        let row = |(file, of): (&String, &crate::gather::OfFile)| Failure {
            file: file.clone(),
            exit_code: of.exit_code,
            message: self.names.text(of.message).to_owned(),
        };
        failed.map(row).collect()
    }
}

/// Findings of most bundles first, of equally many the more severe.
fn key(row: &FindingRow) -> (Reverse<u64>, usize, &str) {
    let severities = ["critical", "high", "medium", "low"];
    let severity = severities.iter().position(|severity| *severity == row.severity).unwrap_or(severities.len());
    (Reverse(row.bundles), severity, &row.signature)
}

fn answer(fleet: &Fleet) -> String {
    let many = |number: u64| words::count(number, "bundle", "bundles");
    let mut sentences = Vec::new();
    match fleet.findings.first().filter(|row| row.bundles > 0) {
        None if fleet.bundles == 0 => sentences.push("No bundle has a result.".to_owned()),
        None => sentences.push(format!("No fault was found in {}.", many(fleet.bundles))),
        Some(most) => sentences.push(format!(
            "{} of {} have a fault; the most frequent is {} ({}), in {}.",
            words::thousands(fleet.with_findings),
            many(fleet.bundles),
            most.signature,
            most.title,
            words::thousands(most.bundles)
        )),
    }
    let new = fleet.findings.iter().filter(|row| row.new).count() as u64;
    if new > 0 {
        sentences.push(format!("New in the last week: {}.", words::count(new, "finding", "findings")));
    }
    if fleet.failed > 0 {
        sentences.push(format!("{} gave no result.", words::count(fleet.failed, "file", "files")));
    }
    sentences.join(" ")
}

/// Cuts each list, and counts what is left out.
fn bounded(fleet: &mut Fleet) {
    let more = &mut fleet.more;
    cut("findings", &mut fleet.findings, more);
    cut("alike", &mut fleet.alike, more);
    cut("versions", &mut fleet.versions, more);
    cut("lacking", &mut fleet.lacking, more);
    cut("failures", &mut fleet.failures, more);
    cut("skipped", &mut fleet.skipped, more);
}

fn cut<T>(name: &str, list: &mut Vec<T>, more: &mut BTreeMap<String, u64>) {
    if list.len() > MOST {
        more.insert(name.to_owned(), (list.len() - MOST) as u64);
        list.truncate(MOST);
    }
}
