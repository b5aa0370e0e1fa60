//! Rows of `kubectl get` without the line that names their columns.
//!
//! How: each kind has its columns in a known order, and a row fits them only if its cells look like what stands there:
//! `0/1`, an age, a number of restarts, a version.
//!
//! Invariants: a row that fits the columns of several kinds is read only if the command, or the name of the file, says
//! which of them it is; the table is partial, since nobody knows what stood above it.

use crate::answer::kind_hint;
use crate::fragment::{Fragment, Place};
use crate::secrets;
use catalogue::kinds::Catalogue;
use catalogue::parts::{self, Printed};
use facts::kind::KindName;
use facts::record::{self, Command, Parsed, Record};
use facts::shortfall::WhyPartial;

pub(super) const FRAGMENT: Fragment = Fragment { length, read };

/// A row, cut into cells as a kind prints them.
struct Fit {
    kind: KindName,
    headers: Vec<String>,
    cells: Vec<String>,
}

fn length(lines: &[&str], command: Option<&Command>) -> Option<usize> {
    let listed = command.is_none_or(|command| command.verb == "get");
    let asked = command.map(|command| command.kinds.as_slice());
    let first = fit(lines.first().filter(|_| listed)?, asked.and_then(one))?;
    let goes_on = |line: &&&str| fit(line, Some(&first.kind)).is_some();
    Some(1 + lines[1..].iter().take_while(goes_on).count())
}

/// The kind that somebody typed.
fn one(kinds: &[String]) -> Option<&'static KindName> {
    let [typed] = kinds else { return None };
    let [kind] = Catalogue::shared().meanings(typed).try_into().ok()?;
    Some(&kind.name)
}

fn read(place: &Place<'_>, lines: &[&str]) -> Option<Parsed> {
    let hint = || kind_hint(place.name).and_then(|hint| one(&[hint.kind]));
    let asked = match place.command {
        Some(command) => one(&command.kinds),
        None => hint(),
    };
    let first = fit(lines.first()?, asked).or_else(|| fit(lines.first()?, None))?;
    let mut parsed = Parsed::default();
    let mut rows = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(mut found) = fit(line, Some(&first.kind)) else { continue };
        found.cells.resize(first.headers.len(), String::new());
        let (text, masked) = secrets::mask_counted(line);
        if !masked.is_none() {
            parsed.redactions += masked;
            for cell in &mut found.cells {
                *cell = secrets::mask_text(cell).0.into_owned();
            }
        }
        rows.push(record::Row { line: place.line(at), cells: found.cells, text: text.into_owned() });
    }
    parsed.records.push(Record::from(record::Table {
        headers: first.headers,
        line: place.first,
        rows,
        cut: Some(WhyPartial::NoHeader),
        member: place.member,
        command: place.command.cloned(),
    }));
    Some(parsed)
}

/// The kind whose columns the cells of a line fit; of several the one that is asked for.
fn fit(line: &str, asked: Option<&KindName>) -> Option<Fit> {
    let line = line.trim();
    if line.is_empty() || line.len() > 1_000 {
        return None;
    }
    let wide: Vec<String> = line
        .split("  ")
        .flat_map(|part| part.split('\t'))
        .map(str::trim)
        .filter(|cell| !cell.is_empty())
        .map(str::to_owned)
        .collect();
    let cuts = if line.contains("  ") || line.contains('\t') { vec![wide] } else { vec![words(line)] };
    let kinds = parts::printed().filter(|(kind, _)| asked.is_none_or(|asked| asked == kind));
    let mut found: Vec<Fit> = Vec::new();
    for (kind, printed) in kinds {
        for cells in &cuts {
            found.extend(fit_of(&kind, printed, cells, asked.is_some()));
        }
    }
    let [fit] = found.try_into().ok()?;
    Some(fit)
}

/// Words, with what stands in brackets kept with the word before it: `7 (8h ago)`.
fn words(line: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut open = false;
    for word in line.split_whitespace() {
        match out.last_mut().filter(|_| open || word.starts_with('(')) {
            Some(last) => {
                last.push(' ');
                last.push_str(word);
                open = !word.ends_with(')');
            }
            None => out.push(word.to_owned()),
        }
    }
    out
}

fn fit_of(kind: &KindName, printed: &Printed, cells: &[String], asked: bool) -> Option<Fit> {
    // All up to the age or the version is always printed, the rest with `-o wide`.
    let needed = printed.headers.iter().position(|header| header == "AGE")? + 1;
    let try_from = |skip: usize| {
        let own = cells.get(skip..)?;
        let fits = |(header, cell): (&String, &String)| looks_like(header, cell);
        let all =
            own.len() >= needed && own.len() <= printed.headers.len() && printed.headers.iter().zip(own).all(fits);
        // Without a command the cells themselves must tell the kind.
        let told = printed.headers.iter().zip(own).filter(|(header, _)| tells(header)).count();
        (all && (asked || told >= 3)).then(|| {
            let named = printed.headers.iter().take(own.len()).cloned();
            let headers = (skip == 1).then(|| "NAMESPACE".to_owned()).into_iter().chain(named).collect();
            Fit { kind: kind.clone(), headers, cells: cells.to_vec() }
        })
    };
    try_from(0).or_else(|| try_from(1).filter(|_| cells.first().is_some_and(|cell| is_name(cell))))
}

/// Do cells of this column look like no others?
fn tells(header: &str) -> bool {
    matches!(
        header,
        "READY"
            | "STATUS"
            | "RESTARTS"
            | "AGE"
            | "VERSION"
            | "TYPE"
            | "AVAILABLE"
            | "UP-TO-DATE"
            | "DESIRED"
            | "CURRENT"
            | "SERVICE"
            | "ACCESS MODES"
            | "PHASE"
            | "COMPLETIONS"
            | "CAPACITY"
    )
}

fn is_name(cell: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._:/".contains(c);
    !cell.is_empty() && cell.chars().all(plain) && cell.starts_with(|c: char| c.is_ascii_alphanumeric())
}

fn is_age(cell: &str) -> bool {
    let duration = cell.starts_with(|c: char| c.is_ascii_digit()) && cell.ends_with(['s', 'm', 'h', 'd', 'y']);
    duration && cell.chars().all(|c| c.is_ascii_digit() || "smhdy".contains(c))
        || matches!(cell, "<unknown>" | "<invalid>")
}

fn is_number(cell: &str) -> bool {
    !cell.is_empty() && cell.len() < 8 && cell.bytes().all(|b| b.is_ascii_digit())
}

fn is_fraction(cell: &str) -> bool {
    cell.split_once('/').is_some_and(|(part, whole)| is_number(part) && is_number(whole))
}

/// Could this cell stand in a column of that name?
fn looks_like(header: &str, cell: &str) -> bool {
    let starts_big = cell.starts_with(|c: char| c.is_ascii_uppercase());
    let word = |more: &str| starts_big && cell.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c));
    match header {
        "NAME" => is_name(cell) && !is_age(cell) && !is_number(cell),
        "READY" => is_fraction(cell) || is_number(cell),
        "STATUS" => word(",:/-"),
        "RESTARTS" => is_number(cell.split_once(" (").map_or(cell, |(number, _)| number)),
        "AGE" | "DURATION" => is_age(cell),
        "UP-TO-DATE" | "DESIRED" | "CURRENT" | "REPLICAS" | "UPDATED" | "UNAVAILABLE" => is_number(cell),
        "AVAILABLE" => {
            is_number(cell) || cell.starts_with("True") || cell.starts_with("False") || cell.starts_with("Unknown")
        }
        "ATTACHED" | "ALLOWVOLUMEEXPANSION" => matches!(cell, "true" | "false"),
        "JOINED" => matches!(cell, "True" | "False" | "Unknown"),
        "ALLOWED DISRUPTIONS" => is_number(cell),
        "COMPLETIONS" => is_fraction(cell),
        "VERSION" => cell.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())),
        "TYPE" => ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"].contains(&cell),
        "SERVICE" => {
            cell == "Local" || cell.split_once('/').is_some_and(|(namespace, name)| is_name(namespace) && is_name(name))
        }
        "CAPACITY" => {
            cell.starts_with(|c: char| c.is_ascii_digit()) && cell.ends_with(|c: char| c.is_ascii_alphanumeric())
        }
        "ACCESS MODES" => cell.split(',').all(|mode| ["RWO", "RWX", "ROX", "RWOP"].contains(&mode)),
        "PHASE" => word(""),
        "INTERNAL-IP" | "CLUSTER-IP" => cell == "None" || cell.starts_with('<') || cell.contains(['.', ':']),
        "ENDPOINTS" => cell == "<none>" || cell.contains(':'),
        "RECLAIM POLICY" => ["Retain", "Delete", "Recycle"].contains(&cell),
        _ => true,
    }
}
