//! The body of a member on its way from the thread that unpacks it to the one that reads it.
//!
//! Why: unpacking is one stream and cannot be shared out, and reading what was unpacked costs about as much.
//!
//! Invariants: what waits between the two is bounded ([`BLOCKS`] blocks of [`BLOCK`] bytes); the bytes are those of the
//! body, in their order; a body is unpacked as far as the other thread wants it, and neither waits for one that is gone.

use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};

/// Bytes that are handed over at once.
const BLOCK: usize = 256 << 10;
/// Blocks of one member that may wait.
const BLOCKS: usize = 8;

/// What the unpacking thread hands bodies over with; blocks that were read come back to it.
#[derive(Debug)]
pub struct Handover {
    read: Sender<Vec<u8>>,
    spare: Receiver<Vec<u8>>,
}

impl Default for Handover {
    fn default() -> Self {
        let (read, spare) = channel();
        Self { read, spare }
    }
}

impl Handover {
    /// Gives the other end of a body to `send`, which passes it to another thread, and then fills it until the body ends or
    /// nobody wants it any more.
    pub fn pass(&self, body: &mut dyn Read, send: impl FnOnce(Handed)) {
        let first = filled(Vec::new(), body);
        let (sender, others) = if first.len() < BLOCK {
            (None, None)
        } else {
            let (sender, others) = sync_channel(BLOCKS);
            (Some(sender), Some(others))
        };
        send(Handed { block: Cursor::new(first), others, read: self.read.clone() });
        let Some(sender) = sender else { return };
        loop {
            let block = filled(self.spare.try_recv().unwrap_or_default(), body);
            if block.is_empty() || sender.send(block).is_err() {
                return;
            }
        }
    }
}

/// The body of a member as the blocks that were read of it.
#[derive(Debug)]
pub struct Handed {
    block: Cursor<Vec<u8>>,
    /// Where the others come from; `None` if this is all.
    others: Option<Receiver<Vec<u8>>>,
    /// Where blocks go that were read, to be filled again.
    read: Sender<Vec<u8>>,
}

impl Read for Handed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.block.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            match self.others.as_ref().and_then(|others| others.recv().ok()) {
                Some(block) => {
                    let read = std::mem::replace(&mut self.block, Cursor::new(block));
                    // Nobody unpacks any more: then nobody needs it.
                    let _ = self.read.send(read.into_inner());
                }
                None => return Ok(0),
            }
        }
    }
}

/// A block with the next [`BLOCK`] bytes instead of what it held, fewer at the end.
fn filled(mut block: Vec<u8>, body: &mut dyn Read) -> Vec<u8> {
    block.clear();
    // The body of a member never fails: it ends, and the intake says why.
    let _ = body.take(BLOCK as u64).read_to_end(&mut block);
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a thread reads of a body that another one passes.
    fn passed(body: &[u8], most: u64) -> Vec<u8> {
        let (send, receive) = channel();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut body = body;
                Handover::default().pass(&mut body, |handed| send.send(handed).expect("the other thread is there"));
            });
            let handed: Handed = receive.recv().expect("a body was passed");
            let mut read = Vec::new();
            handed.take(most).read_to_end(&mut read).expect("it cannot fail");
            read
        })
    }

    #[test]
    fn a_body_of_any_length_arrives_as_it_was() {
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, BLOCK * (BLOCKS + 3) + 7] {
            let body: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            assert!(passed(&body, u64::MAX) == body, "{length} bytes");
        }
    }

    #[test]
    fn who_has_read_enough_holds_up_nobody() {
        assert_eq!(passed(&vec![7; BLOCK * (BLOCKS + 9)], 3), [7, 7, 7]);
    }
}
