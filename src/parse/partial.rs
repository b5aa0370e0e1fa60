//! Lines that a container runtime cut into pieces: CRI marks all pieces but the last with `P`, docker's
//! json-file driver leaves the line end out of them.
//!
//! Why they are joined: both cut at 16 KiB, in the middle of a word, so a text may stand in no piece. A
//! joined line stands where its first piece stands. Sources:
//! `kubernetes/cri-api:pkg/apis/runtime/v1` (log format), `moby/moby:daemon/logger/copier.go`.
//!
//! Invariants: the two streams of a container are joined apart from each other; a joined line is bounded,
//! and pieces whose end never comes are searched as far as they go.

/// A piece of a line.
struct Piece<'a> {
    /// Standard error, not standard output.
    stderr: bool,
    /// More will follow.
    partial: bool,
    /// What the program wrote.
    content: &'a [u8],
    /// What the runtime wrote behind it.
    after: &'a [u8],
}

/// A line whose end has not come yet: its number, its text so far, and what the runtime writes behind it.
type Open = (u32, Vec<u8>, Vec<u8>);

/// Lines whose end has not come yet, one for each stream.
#[derive(Debug, Default)]
pub struct Partial {
    open: [Option<Open>; 2],
}

/// What a line is to the reader.
pub enum Joined {
    /// A line of its own.
    Whole,
    /// A piece; nothing to search yet.
    Piece,
    /// The last piece of a line that began at this number; the text is the whole of it.
    Line(u32, Vec<u8>),
}

impl Partial {
    /// Takes a line; joined lines are cut at `longest` bytes.
    pub fn take(&mut self, number: u32, line: &[u8], longest: usize) -> Joined {
        let Some(piece) = piece(line) else { return Joined::Whole };
        let slot = &mut self.open[usize::from(piece.stderr)];
        match (&mut *slot, piece.partial) {
            (None, false) => Joined::Whole,
            (None, true) => {
                let head = &line[..line.len() - piece.after.len()];
                *slot = Some((number, head.to_vec(), piece.after.to_vec()));
                Joined::Piece
            }
            (Some((_, text, _)), partial) => {
                let room = longest.saturating_sub(text.len()).min(piece.content.len());
                text.extend_from_slice(&piece.content[..room]);
                if partial {
                    return Joined::Piece;
                }
                slot.take().map_or(Joined::Whole, whole)
            }
        }
    }

    /// The lines whose end never came.
    pub fn rest(&mut self) -> Vec<(u32, Vec<u8>)> {
        let open = self.open.iter_mut().filter_map(Option::take);
        let mut all: Vec<(u32, Vec<u8>)> = open
            .map(|(number, mut text, after)| {
                text.extend_from_slice(&after);
                (number, text)
            })
            .collect();
        all.sort();
        all
    }
}

fn whole((number, mut text, after): Open) -> Joined {
    text.extend_from_slice(&after);
    Joined::Line(number, text)
}

fn piece(line: &[u8]) -> Option<Piece<'_>> {
    match line.first()? {
        b'0'..=b'9' => cri(line),
        b'{' => docker(line),
        _ => None,
    }
}

/// `2026-06-01T10:00:00.123456789Z stderr P content`
fn cri(line: &[u8]) -> Option<Piece<'_>> {
    if line.get(4) != Some(&b'-') || line.get(10) != Some(&b'T') {
        return None;
    }
    let at = memchr::memchr(b' ', line.get(..40.min(line.len()))?)?;
    let rest = &line[at + 1..];
    let (stderr, rest) = match rest.strip_prefix(b"stderr ") {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix(b"stdout ")?),
    };
    let (partial, rest) = match rest.strip_prefix(b"P") {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix(b"F")?),
    };
    let content = if rest.is_empty() { rest } else { rest.strip_prefix(b" ")? };
    Some(Piece { stderr, partial, content, after: &[] })
}

fn docker(line: &[u8]) -> Option<Piece<'_>> {
    const OPEN: &[u8] = b"{\"log\":";
    let value = line.strip_prefix(OPEN)?;
    let end = if value.first() == Some(&b'"') { crate::pairs::quoted_len(value) } else { return None };
    let content = value.get(1..end.checked_sub(1)?)?;
    let after = &value[end - 1..];
    if after.first() != Some(&b'"') {
        return None;
    }
    let stderr = memchr::memmem::find(after, b"\"stream\":\"stderr\"").is_some();
    Some(Piece { stderr, partial: !content.ends_with(b"\\n"), content, after })
}
