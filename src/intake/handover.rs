//! The body of a member on its way from the thread that unpacks it to the one that reads it.
//!
//! Why: unpacking is one stream and cannot be shared out, and reading what was unpacked costs about as much.
//!
//! Why some megabytes wait, and not one member at a time: whoever unpacks runs ahead of a member that is being read, so that
//! others can read the next ones meanwhile.
//!
//! Invariants: what waits between the threads is bounded ([`BLOCKS`] blocks of [`BLOCK`] bytes, of however many members);
//! the bytes are those of the body, in their order; a body is unpacked as far as the other thread wants it, and neither waits
//! for one that is gone. Nobody waits for ever: members are passed one after the other, so the one that is read first
//! waits for nothing but its own bytes.

use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Bytes that are handed over at once.
const BLOCK: usize = 256 << 10;
/// Blocks that may wait, of all members together.
const BLOCKS: usize = 128;

/// How many blocks may still be filled.
#[derive(Debug)]
struct Room {
    left: Mutex<usize>,
    freed: Condvar,
}

impl Room {
    /// Waits until a block may be filled.
    fn take(self: &Arc<Self>) -> Place {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        while *left == 0 {
            left = self.freed.wait(left).unwrap_or_else(PoisonError::into_inner);
        }
        *left -= 1;
        Place(Arc::clone(self))
    }
}

/// The place of a block that waits; it is free again when the block was read, or is given up with its member.
#[derive(Debug)]
struct Place(Arc<Room>);

impl Drop for Place {
    fn drop(&mut self) {
        *self.0.left.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

/// What the unpacking thread hands bodies over with; blocks that were read come back to it.
#[derive(Debug)]
pub struct Handover {
    room: Arc<Room>,
    read: Sender<Vec<u8>>,
    spare: Receiver<Vec<u8>>,
}

impl Default for Handover {
    fn default() -> Self {
        let (read, spare) = channel();
        Self { room: Arc::new(Room { left: Mutex::new(BLOCKS), freed: Condvar::new() }), read, spare }
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
            let (sender, others) = channel();
            (Some(sender), Some(others))
        };
        send(Handed { block: Cursor::new(first), place: None, others, read: self.read.clone() });
        let Some(sender) = sender else { return };
        loop {
            let place = self.room.take();
            let block = filled(self.spare.try_recv().unwrap_or_default(), body);
            if block.is_empty() || sender.send((block, place)).is_err() {
                return;
            }
        }
    }
}

/// The body of a member as the blocks that were read of it.
#[derive(Debug)]
pub struct Handed {
    block: Cursor<Vec<u8>>,
    /// The place that it takes; the first block of a member takes none.
    place: Option<Place>,
    /// Where the others come from; `None` if this is all.
    others: Option<Receiver<(Vec<u8>, Place)>>,
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
                Some((block, place)) => {
                    self.place = Some(place);
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

    #[test]
    fn the_next_member_is_there_while_one_is_read() {
        let (send, receive) = channel();
        let members = [vec![1; BLOCK * 3], vec![2; 5], vec![3; BLOCK * 4]];
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let handover = Handover::default();
                for member in &members {
                    handover
                        .pass(&mut member.as_slice(), |handed| send.send(handed).expect("the other thread is there"));
                }
            });
            // None of them was read when the last one comes.
            let handed: Vec<Handed> = (0..members.len()).map(|_| receive.recv().expect("a member")).collect();
            for (mut handed, member) in handed.into_iter().zip(&members) {
                let mut read = Vec::new();
                handed.read_to_end(&mut read).expect("it cannot fail");
                assert!(read == *member);
            }
        });
    }

    #[test]
    fn what_was_given_up_leaves_its_place() {
        let handover = Handover::default();
        let body = vec![7; BLOCK * (BLOCKS / 2)];
        let mut kept = None;
        // Each takes half of all places: without those of the ones before it, the third would wait for ever.
        for _ in 0..5 {
            handover.pass(&mut body.as_slice(), |handed| kept = Some(handed));
            drop(kept.take());
        }
        assert_eq!(*handover.room.left.lock().expect("nobody panics"), BLOCKS);
    }
}
