//! What is to be thought of one member: does it have a leader, is it there, and does its last word still count?

use crate::etcd::member::Member;
use crate::etcd::observation::{
    DIAL_FAILED, Observation, REACHED, WITHOUT_LEADER, is_news, last_of, surely_unreachable,
};
use crate::etcd::voting::{Bounds, CLOCK_GRACE};

/// In a transcript, rows as near as this are of one answer: no etcd cluster has more members.
pub(super) const ROWS_OF_ONE_ANSWER: u32 = 16;

/// What the last word of a member about its leader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leader {
    With,
    Without,
    /// Words without an order among them disagree.
    Either,
    /// It never spoke of one.
    Silent,
}

pub(super) struct MemberState<'a> {
    pub(super) member: &'a Member,
    pub(super) label: String,
    pub(super) leader: Leader,
    /// The word that decided, if one did.
    pub(super) word: Option<&'a Observation>,
    /// Its last word that it has no leader.
    pub(super) without: Option<&'a Observation>,
    /// The failed dial that no later word overrules, and whether it surely means unreachable.
    pub(super) dial: Option<(&'a Observation, bool)>,
    /// The first dial that failed since it was last heard of, and its first word of this time that it has no leader.
    pub(super) silent_since: Option<&'a Observation>,
    pub(super) without_since: Option<&'a Observation>,
    pub(super) counts_with: bool,
    pub(super) maybe_with: bool,
    /// It carries the ID of another cluster than most, and knows no leader: it votes for nothing here, and that is said of that
    /// cluster.
    pub(super) is_foreign: bool,
}

/// The last of some words, and whether it is known to be the last.
fn last<'a>(words: &[&'a Observation]) -> Option<(&'a Observation, bool)> {
    // Only places in one transcript have an order.
    let together = |said: &&Observation| {
        said.order.is_some()
            && words.first().is_some_and(|first| first.cited.citation.member == said.cited.citation.member)
    };
    if !words.is_empty() && words.iter().all(together) {
        return words.iter().max_by_key(|said| said.order).map(|said| (*said, true));
    }
    let timed = words.iter().filter(|said| said.time.is_some()).max_by_key(|said| said.time);
    match timed {
        Some(said) => Some((said, words.iter().all(|other| other.time.is_some()))),
        None => words.last().map(|said| (*said, words.len() == 1)),
    }
}

pub(super) fn assess(member: &Member, label: String) -> MemberState<'_> {
    let words: Vec<&Observation> = member.observations.iter().filter(|said| said.is_of_leader()).collect();
    let polarity = |said: &Observation| said.is(WITHOUT_LEADER);
    let found = last(&words);
    let leader = match found {
        None => Leader::Silent,
        Some((said, certain)) => {
            let contradicted =
                !certain && words.iter().any(|other| other.time.is_none() && polarity(other) != polarity(said));
            match (contradicted, polarity(said)) {
                (true, _) => Leader::Either,
                (false, true) => Leader::Without,
                (false, false) => Leader::With,
            }
        }
    };
    let without: Vec<&Observation> = words.iter().copied().filter(|said| polarity(said)).collect();
    let reached = member.said(REACHED).filter_map(|said| said.time).max();
    // An answer of the member itself overrules a failed dial, unless the dial is known to be later.
    let silent = member.answered().is_none();
    let failing = member.said(DIAL_FAILED).filter(|said| match said.time {
        Some(time) => is_news(time, reached),
        None => silent,
    });
    let spoke = words.iter().filter(|said| !said.answer).filter_map(|said| said.until).max();
    let sure = failing.clone().filter(|said| surely_unreachable(&said.text));
    let silent_since = sure.clone().filter(|said| said.time > spoke).min_by_key(|said| said.time);
    let sure = sure.max_by_key(|said| said.time);
    let led = words.iter().filter(|said| !polarity(said)).filter_map(|said| said.time).max();
    let without_since = without.iter().copied().filter(|said| said.time > led).min_by_key(|said| said.time);
    let unsure = || failing.max_by_key(|said| said.time).map(|said| (said, false));
    let dial = sure.map(|said| (said, silent)).or_else(unsure);
    MemberState {
        member,
        label,
        leader,
        word: found.map(|(said, _)| said),
        without: last(&without).map(|(said, _)| said),
        dial,
        silent_since,
        without_since,
        counts_with: false,
        maybe_with: false,
        is_foreign: false,
    }
}

/// Takes away that members have no leader which carry the ID of another cluster than most, by what they say themselves.
pub(super) fn leave_out_foreign(states: &mut [MemberState<'_>]) {
    let own = |state: &MemberState<'_>| last_of(state.member.said("cluster-id")).map(|given| given.text.clone());
    let ids: Vec<Option<String>> = states.iter().map(own).collect();
    let known = ids.iter().flatten().count();
    let is_of_most = |id: &&String| {
        let alike = ids.iter().flatten().filter(|other| other == id).count();
        alike > 1 && alike * 2 > known
    };
    let Some(most) = ids.iter().flatten().find(is_of_most) else { return };
    for (state, id) in states.iter_mut().zip(&ids) {
        if id.as_ref().is_some_and(|id| id != most) && state.leader != Leader::With {
            state.leader = Leader::Silent;
            (state.word, state.without, state.without_since) = (None, None, None);
            state.is_foreign = true;
        }
    }
}

/// Members whose failed dial a later leader overrules: where it could not be without some of them, which of
/// them came back is not known.
pub(super) fn reached_since(states: &[MemberState<'_>], voters: &Bounds) -> Vec<usize> {
    let lost = states.iter().filter(|m| m.leader == Leader::Without || m.surely_down()).count() as i64;
    if voters.high.is_none_or(|high| high - lost > high / 2) {
        return Vec::new();
    }
    let leaders = || states.iter().filter(|m| m.counts_with).filter_map(|m| m.word);
    let later = |word: &Observation, dial: &Observation| {
        let by_time = || word.time.zip(dial.time).map(|(word, dial)| word > dial);
        word.is_later_than(dial).or_else(by_time) == Some(true)
    };
    let overruled = |dial: &Observation| leaders().any(|word| later(word, dial));
    let down = states.iter().enumerate().filter(|(_, m)| m.surely_down());
    down.filter(|(_, m)| m.dial.is_some_and(|(said, _)| overruled(said))).map(|(index, _)| index).collect()
}

/// Does a word that there is a leader still count, when other members say that there is none?
pub(super) fn weigh(states: &mut [MemberState<'_>]) {
    let still: Vec<(usize, Option<&Observation>)> = states
        .iter()
        .enumerate()
        .filter(|(_, m)| m.leader == Leader::Without)
        .map(|(index, m)| (index, m.without))
        .collect();
    for (index, member) in states.iter_mut().enumerate() {
        let (mut sure, mut maybe) = match member.leader {
            _ if member.is_foreign => (false, false),
            Leader::With => (true, true),
            Leader::Either | Leader::Silent => (false, true),
            Leader::Without => (false, false),
        };
        if let (Leader::With, Some(word)) = (member.leader, member.word) {
            for (_, lost) in still.iter().filter(|(other, _)| *other != index) {
                let Some(lost) = lost else { continue };
                // Rows of one answer are of one moment: who has a leader there has one beside who has none.
                let (ours, theirs) = (&word.cited.citation, &lost.cited.citation);
                let near = word.order.is_none() || ours.line.abs_diff(theirs.line) < ROWS_OF_ONE_ANSWER;
                if word.answer && lost.answer && ours.member == theirs.member && near {
                    continue;
                }
                match (word.is_later_than(lost), word.until, lost.time) {
                    (Some(later), ..) => {
                        sure &= later;
                        maybe &= later;
                    }
                    (_, Some(until), Some(lost)) => {
                        sure &= until.duration_since(lost) >= CLOCK_GRACE;
                        maybe &= until.duration_since(lost) > -CLOCK_GRACE;
                    }
                    _ => sure = false,
                }
            }
        }
        let down = member.surely_down();
        // A word that is older than the dial that failed says nothing about now.
        let stale = down
            && match (member.word.and_then(|w| w.until), member.dial.and_then(|(said, _)| said.time)) {
                (Some(word), Some(dial)) => word < dial,
                _ => true,
            };
        sure &= !stale;
        maybe &= !stale;
        member.counts_with = sure;
        member.maybe_with = maybe && !sure;
    }
}

impl MemberState<'_> {
    pub(super) fn surely_down(&self) -> bool {
        self.dial.is_some_and(|(_, sure)| sure) && self.leader != Leader::Without && !self.spoke_after_dial()
    }

    /// A dial to it failed, and nothing shows whether it is there.
    pub(super) fn maybe_down(&self) -> bool {
        let silent = self.member.answered().is_none();
        !self.surely_down() && !self.counts_with && silent && !self.spoke_after_dial()
    }

    /// Its own log went on after the last failed dial, so the member was there.
    fn spoke_after_dial(&self) -> bool {
        match (
            self.word.filter(|word| !word.answer).and_then(|word| word.until),
            self.dial.and_then(|(said, _)| said.time),
        ) {
            (Some(word), Some(dial)) => word >= dial,
            _ => false,
        }
    }
}
