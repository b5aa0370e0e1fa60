//! `du` and `ls -lh`: what fills a disk.
//!
//! Of a text one object `diskusages`: the file or folder that holds most, as deep as the text goes: of `/var` with 90G,
//! `/var/log` with 73G of these and `/var/lib` with 14G it is `/var/log`. `spec.path`, `status.size` (as printed), `status.told` (both).
//!
//! Invariants: what holds less than half of the largest entry, or less than [`LEAST`], is not told; a path that the text does not
//! give whole is none.
//!
//! Source: coreutils `src/du.c` and `src/ls.c` (a size with a letter is in powers of 1024, one without of `du` in KiB).

use crate::answer::Asked;
use crate::text_form::form::{Mark, NONE, TextForm};
use crate::text_form::records::{self, Records};
use facts::node::Node;
use facts::record::{Command, Parsed};

pub(super) const FORM: TextForm =
    TextForm { name: "disk usage", mark: Mark::Program(is_first), text: Some(try_parse), ..NONE };

/// The kind of the object.
pub(crate) const PLURAL: &str = "diskusages";
/// Bytes below which nobody asks what fills a disk.
const LEAST: f64 = (1_u64 << 30) as f64;
/// Rows of `du` that tell it from other lines that begin with a number, where no command does.
const ROWS: usize = 2;

/// A file or folder, and how much it holds.
struct Entry {
    line: u32,
    path: String,
    size: String,
    bytes: f64,
}

/// Reads the rows of `du` or `ls -lh`; `None` if these are none.
fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let lines: Vec<(u32, &str)> = records::lines(text).collect();
    let (_, first) = lines.first()?;
    let is_du = asked.command.is_some_and(|command| command.verb == "du");
    let mut entries: Vec<Entry> = lines.iter().filter_map(|(line, text)| of_du(*line, text, is_du)).collect();
    if !is_du && entries.len() < ROWS {
        let folder = asked.command.and_then(folder)?;
        entries = lines.iter().filter_map(|(line, text)| of_ls(*line, text, folder)).collect();
    }
    if entries.is_empty() || !is_du && !is_first(first) {
        return None;
    }
    let largest = entries.iter().map(|entry| entry.bytes).fold(0.0, f64::max);
    let depth = |entry: &Entry| entry.path.trim_end_matches('/').matches('/').count();
    let most = entries.iter().filter(|entry| entry.bytes >= LEAST && entry.bytes * 2.0 >= largest);
    let most = most.max_by(|a, b| depth(a).cmp(&depth(b)).then(a.bytes.total_cmp(&b.bytes)));
    let mut records = Records::new(asked, "disk usage");
    if let Some(entry) = most {
        let mut node = Node::map(entry.line);
        node.set_at(&["spec", "path"], Node::text(entry.line, entry.path.as_str()));
        node.set_at(&["status", "size"], Node::text(entry.line, entry.size.as_str()));
        let told = format!("{} ({})", entry.path, entry.size);
        node.set_at(&["status", "told"], Node::text(entry.line, told.as_str()));
        records.partial(PLURAL, &entry.path, node);
    }
    Some(records.finish())
}

/// `73G /var/log`, or the line above the rows of `ls -lh`.
fn is_first(line: &str) -> bool {
    let total =
        || line.strip_prefix("total ").is_some_and(|size| size.ends_with(['G', 'T']) && bytes(size, false).is_some());
    of_du(0, line, false).is_some() || total()
}

/// A row of `du`: a size and a path, and nothing else.
fn of_du(line: u32, text: &str, is_du: bool) -> Option<Entry> {
    let (size, path) = text.trim().split_once(char::is_whitespace)?;
    let path = path.trim_start();
    let bytes = bytes(size, is_du)?;
    (path.starts_with('/') && !path.contains(char::is_whitespace)).then(|| Entry {
        line,
        path: path.to_owned(),
        size: size.to_owned(),
        bytes,
    })
}

/// A row of `ls -lh`: mode, links, owner, group, size, three words for the time, name.
fn of_ls(line: u32, text: &str, folder: &str) -> Option<Entry> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [mode, _, _, _, size, _, _, _, name] = words.as_slice() else { return None };
    let is_file = mode.len() >= 10 && mode.starts_with('-') && mode.contains('r');
    let bytes = bytes(size, false).filter(|_| is_file)?;
    let path =
        if name.starts_with('/') { (*name).to_owned() } else { format!("{}/{name}", folder.trim_end_matches('/')) };
    Some(Entry { line, path, size: (*size).to_owned(), bytes })
}

/// The only folder that a command lists.
fn folder(command: &Command) -> Option<&str> {
    let words = command.text.split_whitespace().take_while(|word| !matches!(*word, "|" | ";" | "&&"));
    let mut paths = words.filter(|word| word.starts_with('/') && !word.contains('*') && !word.ends_with("/ls"));
    let first = paths.next().filter(|_| command.verb == "ls")?;
    paths.next().is_none().then_some(first)
}

/// `68G`, `1.5T`, `512M`; a bare number counts only where it is of `du`.
fn bytes(size: &str, bare: bool) -> Option<f64> {
    let (number, unit) = match size.strip_suffix(['K', 'M', 'G', 'T', 'P']) {
        Some(number) => (number, size.chars().next_back()?),
        None if bare => (size, 'K'),
        None => return None,
    };
    let power = 1 + "KMGTP".find(unit)?;
    let value: f64 = number.parse().ok().filter(|_| number.bytes().all(|b| b.is_ascii_digit() || b == b'.'))?;
    Some(value * 1024_f64.powi(i32::try_from(power).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text_form::testing::{read, show};
    use facts::origin::MemberId;

    fn read_of(command: &str, text: &str) -> String {
        let verb = command.split(' ').next().unwrap_or_default().to_owned();
        let command = Command { text: command.to_owned(), verb, ..Command::default() };
        show(try_parse(&Asked { member: MemberId(0), name: "", command: Some(&command) }, text))
    }

    #[test]
    fn the_deepest_that_holds_most() {
        let text = "1.9G\t/var/cache\n9.8G\t/var/lib/containerd\n14G\t/var/lib\n73G\t/var/log\n90G\t/var\n";
        let wanted = "4: diskusages /var/log | spec: {path: /var/log} status: {size: 73G, told: /var/log (73G)}";
        assert_eq!(read("du.txt", text).trim(), wanted);
        assert_eq!(read_of("du -xh --max-depth=2 /var", text).trim(), wanted);
        assert_eq!(
            read_of("du -s /data", "88080384 /data\n").trim(),
            "1: diskusages /data | spec: {path: /data} status: {size: 88080384, told: /data (88080384)}"
        );
        // Nothing that would fill a disk.
        assert_eq!(read("du.txt", "12M\t/var/log\n900M\t/var\n").trim(), "");
    }

    #[test]
    fn files_of_a_folder() {
        let text = "total 73G\n-rw-r----- 1 syslog adm  68G Nov 27 11:19 debug.log\n-rw-r----- 1 syslog adm 2.2G Nov 27 11:19 syslog\n";
        let wanted = "2: diskusages /var/log/debug.log | spec: {path: /var/log/debug.log} status: {size: 68G, told: /var/log/debug.log (68G)}";
        assert_eq!(read_of("ls -lhS /var/log | head -4", text).trim(), wanted);
        // Without the command nobody knows where they lie.
        assert_eq!(read("ls.txt", text), "something else");
    }

    #[test]
    fn other_lines_that_begin_with_a_number() {
        assert_eq!(read("a.txt", "3 /var/log\n"), "something else");
        assert_eq!(read("a.txt", "12G free on /var/log and /home\n"), "something else");
        assert_eq!(read("a.txt", "total 0\n"), "something else");
    }
}
