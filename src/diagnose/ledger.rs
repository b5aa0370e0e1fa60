//! The budget of memory: what members hold is charged to it before it is kept.
//!
//! Why in the order of members: they are parsed side by side, and which of them is done first depends on the machine.
//! What is kept must not. So a member that is done before one that stands before it waits for its turn.
//!
//! Invariants: what is kept of a member depends on the members before it and on nothing else; whoever is done with the
//! next one never waits, so nobody waits for ever; what waits takes no more than a share of the budget, and one member
//! for each thread besides.

use facts::cut::Cut;
use facts::limit::Limit;
use facts::origin::MemberId;
use intake::Limits;
use parse::kept;
use parse::kept::Theme;
use parse::member::MemberContent;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The part of the budget that members may take which wait for their turn.
const WAITING: u64 = 8;

/// The part of the budget that is left for small members with something new, so that what stands behind a flood, be it of
/// large members or of many small ones, is still read.
const SPARED: u64 = 16;
/// The part up to which a member is small.
const SMALL: u64 = 512;
/// Members that may speak of a thing until it is nothing new.
const NEW: u32 = 64;
/// Things that are counted; what comes behind so many is nothing new either.
const MOST_THEMES: usize = 8 << 10;

/// The part that Events may take: the list of them comes first by its name, and is the longest of many clusters.
const EVENTS: u64 = 3;

/// The budget, while a bundle is read.
#[derive(Debug)]
pub(crate) struct Ledger {
    budget: u64,
    state: Mutex<State>,
    turned: Condvar,
}

#[derive(Debug)]
struct State {
    /// The member whose turn it is.
    next: MemberId,
    left: u64,
    /// Of it, for Events.
    for_events: u64,
    /// How many members spoke of each thing.
    spoken: BTreeMap<Theme, u32>,
    waiting: BTreeMap<MemberId, (MemberContent, u64)>,
    /// What those take that wait.
    held: u64,
    kept: BTreeMap<MemberId, MemberContent>,
    /// One of those who parse is gone: its member will never come.
    given_up: bool,
}

impl Ledger {
    /// With so many bytes left, for the members from this one on.
    pub(crate) fn new(limits: &Limits, left: u64, next: MemberId) -> Self {
        let (spoken, waiting, kept) = Default::default();
        let state = State { next, left, for_events: left / EVENTS, spoken, waiting, held: 0, kept, given_up: false };
        Self { budget: limits.memory, state: Mutex::new(state), turned: Condvar::new() }
    }

    /// Charges what a member holds.
    pub(crate) fn put(&self, id: MemberId, content: MemberContent) {
        let weight = kept::weight(&content);
        let mut state = self.state();
        state.held += weight;
        state.waiting.insert(id, (content, weight));
        state.settle(self.budget);
        self.turned.notify_all();
        while state.waiting.contains_key(&id) && state.held > self.budget / WAITING && !state.given_up {
            state = self.turned.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets nobody wait for whoever calls this while it panics.
    pub(crate) fn watch(&self) -> impl Drop + '_ {
        Watch(self)
    }

    /// Says of members why they ended before their time.
    pub(crate) fn cut(&self, cuts: impl IntoIterator<Item = (MemberId, Cut)>) {
        let mut state = self.state();
        for (id, cut) in cuts {
            if let Some(content) = state.kept.get_mut(&id) {
                content.cut = Some(cut);
            }
        }
    }

    /// What is kept, and how many bytes are left.
    pub(crate) fn close(self) -> (BTreeMap<MemberId, MemberContent>, u64) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.kept, state.left)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Takes those whose turn has come.
    fn settle(&mut self, budget: u64) {
        while let Some((mut content, mut weight)) = self.waiting.remove(&self.next) {
            self.held -= weight;
            if kept::events(&content) > self.for_events {
                weight -= kept::thin(&mut content, self.for_events, budget);
            }
            let spares = weight > budget / SMALL || !self.is_new(&content);
            let spared = if spares { budget / SPARED } else { 0 };
            let room = self.left.saturating_sub(spared);
            self.left -= match weight > room {
                true => kept::keep(&mut content, room, budget),
                false => weight,
            };
            self.for_events = self.for_events.saturating_sub(kept::events(&content));
            self.kept.insert(self.next, content);
            self.next.0 += 1;
        }
    }

    /// Does a member speak of something of which few did before it?
    fn is_new(&mut self, content: &MemberContent) -> bool {
        let mut is_new = false;
        for theme in kept::themes(content) {
            if self.spoken.len() >= MOST_THEMES && !self.spoken.contains_key(&theme) {
                continue;
            }
            let count = self.spoken.entry(theme).or_default();
            *count = count.saturating_add(1);
            is_new |= *count <= NEW;
        }
        is_new
    }
}

struct Watch<'a>(&'a Ledger);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.state().given_up = true;
            self.0.turned.notify_all();
        }
    }
}

/// The limit, if the budget cut what a member holds.
pub(crate) fn limit(content: &MemberContent) -> Option<&Limit> {
    content.limits_hit.iter().find(|limit| matches!(limit, Limit::Memory(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use parse::scan::Literals;

    fn content(id: u32, pods: usize) -> MemberContent {
        let one = |i: usize| format!("apiVersion: v1\nkind: Pod\nmetadata:\n  name: p{id}-{i}\n  namespace: shop\n");
        let text = (0..pods).map(one).collect::<Vec<_>>().join("---\n");
        parse::member::read(MemberId(id), "x.yaml", &mut text.as_bytes(), &Literals::default(), &Limits::default())
    }

    #[test]
    fn what_is_kept_does_not_depend_on_who_is_done_first() {
        let all: Vec<MemberContent> = (0..6).map(|id| content(id, 10)).collect();
        let room = all.iter().map(kept::weight).sum::<u64>() * 7 / 12;
        let limits = Limits { memory: u64::MAX, ..Limits::default() };
        let mut outcomes = Vec::new();
        for order in [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 0, 5, 1, 4, 2]] {
            let ledger = Ledger::new(&limits, room, MemberId(0));
            for id in order {
                ledger.put(MemberId(id), all[id as usize].clone());
            }
            outcomes.push(ledger.close());
        }
        let (kept, left) = &outcomes[0];
        assert_eq!(outcomes.iter().filter(|outcome| *outcome == &outcomes[0]).count(), 3);
        let counts: Vec<usize> = kept.values().map(|content| content.parsed.records.len()).collect();
        assert_eq!((counts[0], counts[1], counts[5]), (10, 10, 0), "{counts:?}");
        assert!(*left < room / 10 && limit(&kept[&MemberId(5)]).is_some() && limit(&kept[&MemberId(0)]).is_none());
    }

    #[test]
    fn a_flood_of_events_leaves_room_for_what_stands_behind_it() {
        let one = |i: usize| format!("apiVersion: v1\nkind: Event\nmetadata:\n  name: e{i}\n  namespace: shop\n");
        let text = (0..200).map(one).collect::<Vec<_>>().join("---\n");
        let (literals, limits) = (Literals::default(), Limits { memory: u64::MAX, ..Limits::default() });
        let events = parse::member::read(MemberId(0), "x.yaml", &mut text.as_bytes(), &literals, &limits);
        let pods = content(1, 20);
        let room = kept::weight(&events);
        let ledger = Ledger::new(&limits, room, MemberId(0));
        ledger.put(MemberId(0), events);
        ledger.put(MemberId(1), pods.clone());
        let (kept, _) = ledger.close();
        let of_events = kept::weight(&kept[&MemberId(0)]);
        assert!((room / 4..=room / EVENTS).contains(&of_events), "{of_events} of {room}");
        assert!(limit(&kept[&MemberId(0)]).is_some());
        assert_eq!(kept[&MemberId(1)], pods);
    }

    #[test]
    fn a_flood_of_small_members_leaves_room_for_something_new() {
        let literals = Literals::new(["no leader".to_owned(), "database space exceeded".to_owned()]);
        let limits = Limits { memory: 8 << 20, ..Limits::default() };
        let log =
            |id: u32, text: &str| parse::member::read(MemberId(id), "c.log", &mut text.as_bytes(), &literals, &limits);
        let all: Vec<MemberContent> = (0..2_000)
            .map(|id| match id {
                1_500 => log(id, "E0304 10:00:00.000000       1 a.go:1] database space exceeded\n"),
                1_600 => content(id, 2),
                _ => log(id, &format!("E0304 10:00:00.000000       1 a.go:1] no leader {id}\n")),
            })
            .collect();
        let ledger = Ledger::new(&limits, limits.memory, MemberId(0));
        (0u32..).zip(&all).for_each(|(id, content)| ledger.put(MemberId(id), content.clone()));
        let (kept, left) = ledger.close();
        let is_whole = |id: u32| limit(&kept[&MemberId(id)]).is_none();
        assert!(is_whole(0) && is_whole(NEW) && !is_whole(1_499) && !is_whole(1_999), "the flood is cut");
        assert!(is_whole(1_500) && is_whole(1_600), "what is new is kept");
        assert!(left > limits.memory / SPARED / 2, "{left}");
    }

    #[test]
    fn whoever_waits_goes_on_when_the_turn_comes_or_nobody_will_come() {
        let limits = Limits { memory: 8, ..Limits::default() };
        for comes in [true, false] {
            let ledger = Ledger::new(&limits, u64::MAX, MemberId(0));
            std::thread::scope(|scope| {
                let late = scope.spawn(|| ledger.put(MemberId(1), content(1, 3)));
                let first = scope.spawn(|| {
                    let _watch = ledger.watch();
                    assert!(comes, "this one is gone");
                    ledger.put(MemberId(0), content(0, 3));
                });
                assert_eq!(first.join().is_ok(), comes);
                assert!(late.join().is_ok());
            });
        }
    }
}
