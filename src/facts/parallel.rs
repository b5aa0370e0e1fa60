//! The same work for each of many things, on all cores.
//!
//! Invariant: the results stand in the order of the things, so that nothing depends on threads.

use std::num::NonZero;

/// So few are done at once: to start a thread takes longer.
const FEW: usize = 512;

/// What `work` makes of each of these, in their order.
pub fn map<T: Sync, U: Send>(things: &[T], work: impl Fn(&T) -> U + Sync) -> Vec<U> {
    map_from(FEW, things, work)
}

/// The same where the work on so many things takes longer than to start a thread.
pub fn map_from<T: Sync, U: Send>(few: usize, things: &[T], work: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    if threads == 1 || things.len() < few {
        return things.iter().map(work).collect();
    }
    let work = &work;
    std::thread::scope(|scope| {
        let of_part = |part| scope.spawn(move || Vec::from_iter(<[T]>::iter(part).map(work)));
        let workers: Vec<_> = things.chunks(things.len().div_ceil(threads)).map(of_part).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, Vec<U>>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_stays_however_many_there_are() {
        for count in [0, 1, FEW - 1, FEW, FEW + 1, FEW * 7 + 3] {
            let things: Vec<usize> = (0..count).collect();
            assert_eq!(map(&things, |thing| thing * 2), things.iter().map(|thing| thing * 2).collect::<Vec<_>>());
        }
    }
}
