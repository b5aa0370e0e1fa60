//! The same work for each of many things, on all cores.
//!
//! Invariant: the results stand in the order of the things, so that nothing depends on threads.

use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// So few are done at once: to start a thread takes longer.
const FEW: usize = 512;
/// Shares of the things for each thread: those of one kind stand together, and some take far longer than others.
const SHARES: usize = 16;

/// Bytes of stack of a thread: as many as the first thread of a program has, for objects are nested.
const STACK: usize = 8 << 20;

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// What `work` makes of each of these, in their order.
pub fn map<T: Sync, U: Send>(things: &[T], work: impl Fn(&T) -> U + Sync) -> Vec<U> {
    map_from(FEW, things, work)
}

/// The same where the work on so many things takes longer than to start a thread.
pub fn map_from<T: Sync, U: Send>(few: usize, things: &[T], work: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let threads = threads();
    if threads == 1 || things.len() < few {
        return things.iter().map(work).collect();
    }
    let share = things.len().div_ceil(threads * SHARES).max(1);
    in_shares(threads, share, things.len(), |share| things[share].iter().map(&work).collect())
}

/// What `work` makes of each share of so many things, in their order; on at most so many threads.
pub fn in_shares<U: Send>(
    threads: usize,
    share: usize,
    count: usize,
    work: impl Fn(Range<usize>) -> Vec<U> + Sync,
) -> Vec<U> {
    let next = AtomicUsize::new(0);
    let take = || {
        let from = next.fetch_add(share, Ordering::Relaxed);
        (from < count).then(|| (from, work(from..count.min(from + share))))
    };
    side_by_side(threads.min(count.div_ceil(share)), &|| std::iter::from_fn(take).collect())
}

/// What `work` makes of each of these, which it takes, in their order.
pub fn map_into<T: Send, U: Send>(things: Vec<T>, work: impl Fn(T) -> U + Sync) -> Vec<U> {
    map_into_from(FEW, things, work)
}

/// The same where the work on so many things takes longer than to start a thread.
pub fn map_into_from<T: Send, U: Send>(few: usize, things: Vec<T>, work: impl Fn(T) -> U + Sync) -> Vec<U> {
    let threads = threads();
    if threads == 1 || things.len() < few {
        return things.into_iter().map(work).collect();
    }
    let size = things.len().div_ceil(threads * SHARES).max(1);
    let waiting = Mutex::new((0, things.into_iter()));
    let take = || {
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let (index, rest) = &mut *waiting;
        let share: Vec<T> = rest.by_ref().take(size).collect();
        *index += 1;
        (!share.is_empty()).then_some((*index, share))
    };
    side_by_side(threads, &|| {
        std::iter::from_fn(take).map(|(index, share)| (index, share.into_iter().map(&work).collect())).collect()
    })
}

/// What all threads make, each of the shares that it took, in the order of the shares.
fn side_by_side<U: Send>(threads: usize, work: &(dyn Fn() -> Vec<(usize, Vec<U>)> + Sync)) -> Vec<U> {
    let mut made = std::thread::scope(|scope| {
        // Where there can be no more threads, those that there are do it.
        let thread = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads).map_while(thread).collect();
        let mut made = work();
        for other in others {
            made.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        made
    });
    made.sort_unstable_by_key(|(index, _)| *index);
    made.into_iter().flat_map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_stays_however_many_there_are() {
        for count in [0, 1, FEW - 1, FEW, FEW + 1, FEW * 7 + 3] {
            let things: Vec<usize> = (0..count).collect();
            let twice: Vec<usize> = things.iter().map(|thing| thing * 2).collect();
            assert_eq!(map(&things, |thing| thing * 2), twice);
            assert_eq!(map_from(2, &things, |thing| thing * 2), twice);
            assert_eq!(map_into(things, |thing| thing * 2), twice);
        }
    }

    #[test]
    fn a_panic_of_another_thread_is_not_lost() {
        let things: Vec<usize> = (0..FEW * 4).collect();
        let fails = |thing: &usize| assert_ne!(*thing, FEW * 4 - 1);
        assert!(std::panic::catch_unwind(|| map(&things, fails)).is_err());
    }
}
