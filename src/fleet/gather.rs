//! Rows of many files become what is known of each bundle.
//!
//! Invariants: a row that comes again changes nothing; memory follows the number of bundles and of their findings, not the
//! rows of coverage or of objects, and [`Gathered::weight`] says how much it is.

use crate::model::SkippedFile;
use crate::names::{Name, Names};
use crate::wanted::Wanted;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tables::Cell;

/// The number of a bundle.
pub(crate) type Id = u32;

/// What is known of one bundle.
#[derive(Debug)]
pub(crate) struct OfBundle {
    /// Its row was there.
    pub(crate) is_whole: bool,
    /// Its SHA-256.
    pub(crate) sha256: Rc<str>,
    pub(crate) name: Name,
    pub(crate) as_of: Option<Timestamp>,
    pub(crate) objects: i64,
    /// The first of its faults: number, signature, evidence.
    pub(crate) first: Option<(i64, Name, Name)>,
}

/// What one bundle shows of one signature.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) confirmed: bool,
    pub(crate) probable: bool,
    pub(crate) resolved: bool,
    pub(crate) since: Option<Timestamp>,
    /// The clusters that show it.
    pub(crate) contexts: BTreeSet<Name>,
}

impl Seen {
    /// Is it so now?
    pub(crate) fn is_now(&self) -> bool {
        self.confirmed || self.probable
    }
}

/// What became of a file.
#[derive(Debug)]
pub(crate) struct OfFile {
    pub(crate) bundle: Option<Id>,
    pub(crate) exit_code: Option<i64>,
    pub(crate) message: Name,
}

/// All that was read.
#[derive(Debug, Default)]
pub struct Gathered {
    pub(crate) names: Names,
    ids: BTreeMap<Rc<str>, Id>,
    pub(crate) bundles: Vec<OfBundle>,
    pub(crate) files: BTreeMap<String, OfFile>,
    /// Title and severity of each signature.
    pub(crate) signatures: BTreeMap<Name, (Name, Name)>,
    pub(crate) seen: BTreeMap<(Name, Id), Seen>,
    /// Product and version of each cluster of each bundle.
    pub(crate) versions: BTreeSet<(Id, Name, Name, Option<Name>)>,
    pub(crate) lacking: BTreeSet<(Name, Name, Id)>,
    pub(crate) skipped: Vec<SkippedFile>,
}

/// Characters of the name of a file.
const LONGEST: usize = 1_000;
/// Bytes of an entry of a map with its share of the tree, roughly.
const ENTRY: u64 = 96;
/// The same of a set of numbers.
const KEY: u64 = 32;

impl Gathered {
    /// Bytes that it takes, as estimated.
    pub fn weight(&self) -> u64 {
        let large = self.ids.len() * 3 + self.files.len() * 4 + self.seen.len() * 2;
        self.names.bytes + ENTRY * large as u64 + KEY * (self.versions.len() + self.lacking.len()) as u64
    }

    /// Takes the rows of one file.
    ///
    /// # Errors
    /// With the reason, if they are not ours; nothing of them is kept then.
    pub(crate) fn take(&mut self, table: Wanted, rows: Vec<Vec<Cell>>) -> Result<(), String> {
        let at = table.columns().iter().position(|(name, ..)| *name == "bundle_id").unwrap_or_default();
        for row in &rows {
            match row.get(at) {
                Some(Cell::Text(id)) if is_id(id) => {}
                Some(Cell::Null) if table == Wanted::Inputs => {}
                _ => return Err("a row has no `bundle_id` that is a SHA-256 in hex".to_owned()),
            }
            if table == Wanted::Inputs && !matches!(row.first(), Some(Cell::Text(_))) {
                return Err("a row has no `file`".to_owned());
            }
        }
        for row in rows {
            self.row(table, &row);
        }
        Ok(())
    }

    fn id(&mut self, text: &str) -> Id {
        if let Some(known) = self.ids.get(text) {
            return *known;
        }
        let id = Id::try_from(self.bundles.len()).unwrap_or(Id::MAX);
        let sha256: Rc<str> = text.into();
        self.ids.insert(Rc::clone(&sha256), id);
        self.bundles.push(OfBundle { is_whole: false, sha256, name: 0, as_of: None, objects: 0, first: None });
        id
    }

    fn row(&mut self, table: Wanted, row: &[Cell]) {
        match table {
            Wanted::Inputs => self.input_row(row),
            Wanted::Bundles => self.bundle_row(row),
            Wanted::Versions => {
                if let [Cell::Text(id), Cell::Text(context), Cell::Text(product), version] = row {
                    let (id, context, product) = (self.id(id), self.names.of(context), self.names.of(product));
                    let version = text(version).map(|version| self.names.of(version));
                    self.versions.insert((id, context, product, version));
                }
            }
            Wanted::Findings => self.finding_row(row),
            Wanted::Coverage => {
                if let [Cell::Text(id), Cell::Text(kind), Cell::Text(state)] = row
                    && ["forbidden", "error", "partial", "truncated", "redacted"].contains(&state.as_str())
                {
                    let key = (self.names.of(kind), self.names.of(state), self.id(id));
                    self.lacking.insert(key);
                }
            }
        }
    }

    fn input_row(&mut self, row: &[Cell]) {
        let [Cell::Text(file), id, exit_code, message] = row else { return };
        let bundle = text(id).map(|id| self.id(id));
        let message = self.names.of(text(message).unwrap_or_default());
        let exit_code = number(exit_code);
        let new = OfFile { bundle, exit_code, message };
        // A file that was run again has the row of the run that gave a result.
        let key = |of: &OfFile| {
            let id = of.bundle.and_then(|id| self.bundles.get(usize::try_from(id).ok()?)).map(|b| Rc::clone(&b.sha256));
            (of.bundle.is_none(), id, of.exit_code, self.names.text(of.message).to_owned())
        };
        let file = diagnosis::words::short(file, LONGEST);
        if self.files.get(&file).is_none_or(|known| key(&new) < key(known)) {
            self.files.insert(file, new);
        }
    }

    fn bundle_row(&mut self, row: &[Cell]) {
        let [Cell::Text(id), name, as_of, objects] = row else { return };
        let id = self.id(id);
        let name = self.names.of(text(name).unwrap_or_default());
        let Some(bundle) = usize::try_from(id).ok().and_then(|at| self.bundles.get_mut(at)) else { return };
        // One bundle under two names has the first of them, whichever file comes first.
        if !bundle.is_whole || self.names.text(name) < self.names.text(bundle.name) {
            bundle.name = name;
        }
        bundle.as_of = bundle.as_of.max(time(as_of));
        bundle.objects = bundle.objects.max(number(objects).unwrap_or_default());
        bundle.is_whole = true;
    }

    fn finding_row(&mut self, row: &[Cell]) {
        let [Cell::Text(id), Cell::Number(index), Cell::Text(signature), title, severity, verdict, context, since, by] =
            row
        else {
            return;
        };
        let severity = text(severity).unwrap_or_default();
        let verdict = text(verdict).unwrap_or_default();
        // A note is no fault; what is undecided or ruled out is not known to be there.
        if severity == "info" || !["confirmed", "probable", "resolved"].contains(&verdict) {
            return;
        }
        let id = self.id(id);
        let signature = self.names.of(signature);
        let about = (self.names.of(text(title).unwrap_or_default()), self.names.of(severity));
        let standing = *self.signatures.entry(signature).or_insert(about);
        let texts = |(title, severity): (Name, Name)| (self.names.text(title), self.names.text(severity));
        if texts(about) < texts(standing) {
            self.signatures.insert(signature, about);
        }
        let by = self.names.of(text(by).unwrap_or_default());
        let context = self.names.of(text(context).unwrap_or_default());
        let seen = self.seen.entry((signature, id)).or_default();
        seen.confirmed |= verdict == "confirmed";
        seen.probable |= verdict == "probable";
        seen.resolved |= verdict == "resolved";
        seen.since = [seen.since, time(since)].into_iter().flatten().min();
        if verdict == "resolved" {
            return;
        }
        seen.contexts.insert(context);
        let Some(bundle) = usize::try_from(id).ok().and_then(|at| self.bundles.get_mut(at)) else { return };
        let key = |(index, signature, by): (i64, Name, Name)| (index, self.names.text(signature), self.names.text(by));
        let found = (*index, signature, by);
        if bundle.first.is_none_or(|standing| key(found) < key(standing)) {
            bundle.first = Some(found);
        }
    }
}

/// A SHA-256 in hex.
fn is_id(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

fn text(cell: &Cell) -> Option<&str> {
    match cell {
        Cell::Text(text) => Some(text),
        _ => None,
    }
}

fn number(cell: &Cell) -> Option<i64> {
    match cell {
        Cell::Number(number) => Some(*number),
        _ => None,
    }
}

fn time(cell: &Cell) -> Option<Timestamp> {
    match cell {
        Cell::Time(time) => Some(*time),
        _ => None,
    }
}
