//! The timeline as a picture: bars for each lane, gaps drawn as gaps. Pure geometry; the template writes it.

use diagnosis::model::{Lane, Timeline};
use diagnosis::words;
use serde::Serialize;
use std::fmt::Write;

/// Width of the bars' area in user units.
const WIDTH: usize = 960;
/// Height of a lane.
const LANE: usize = 26;
/// Height of the tallest bar.
const BAR: f64 = 20.0;

/// A picture of the timeline.
#[derive(Debug, Serialize)]
pub struct Chart {
    /// Width of the picture.
    pub width: usize,
    /// Height of the picture.
    pub height: usize,
    /// Width of a bar.
    pub bar: usize,
    /// One picture row for each lane.
    pub lanes: Vec<ChartLane>,
    /// Marks of the time axis.
    pub ticks: Vec<Tick>,
    /// First moment, epoch seconds.
    pub start: i64,
    /// Last moment, epoch seconds.
    pub end: i64,
    /// Path of the mark of the first failure; empty if it is not in the picture.
    pub failure: String,
}

/// One lane as paths.
#[derive(Debug, Serialize)]
pub struct ChartLane {
    pub name: String,
    /// Context name.
    pub context: String,
    /// What it holds in words, for those who cannot see the picture.
    pub words: String,
    /// Top of the lane.
    pub y: usize,
    /// Base line of the lane.
    pub base: usize,
    /// Path of the bars of ordinary lines: an upright stroke for each.
    pub normal: String,
    /// Path of the bars of warnings.
    pub warning: String,
    /// Path of the bars of errors.
    pub error: String,
    /// Path of the gaps.
    pub gaps: String,
}

/// A mark of the time axis.
#[derive(Debug, Serialize)]
pub struct Tick {
    /// Its place.
    pub x: usize,
    /// Its time.
    pub label: String,
    /// `start`, `middle` or `end`.
    pub anchor: &'static str,
}

/// The picture, if the bundle holds times.
pub fn chart(timeline: &Timeline) -> Option<Chart> {
    let start = timeline.from.as_deref()?.parse::<jiff::Timestamp>().ok()?;
    let end = timeline.to.as_deref()?.parse::<jiff::Timestamp>().ok()?;
    let buckets = timeline.lanes.iter().map(|lane| lane.buckets.len()).max().filter(|count| *count > 0)?;
    let x = |index: usize| index * WIDTH / buckets;
    let lanes = timeline.lanes.iter().enumerate().map(|(row, lane)| draw(lane, row * LANE, &x)).collect();
    let span = end.as_second() - start.as_second();
    let ticks = [0, 1, 2, 3, 4]
        .iter()
        .filter_map(|part| {
            let time = jiff::Timestamp::from_second(start.as_second() + span * part / 4).ok()?;
            let anchor = match part {
                0 => "start",
                4 => "end",
                _ => "middle",
            };
            let format = match span {
                ..900 => "%H:%M:%S",
                900..172_800 => "%m-%d %H:%M",
                172_800..25_920_000 => "%m-%d %Hh",
                _ => "%Y-%m-%d",
            };
            let x = WIDTH * usize::try_from(*part).ok()? / 4;
            Some(Tick { x, label: time.strftime(format).to_string(), anchor })
        })
        .collect();
    Some(Chart {
        width: WIDTH,
        height: timeline.lanes.len() * LANE,
        bar: x(1).saturating_sub(x(0) + 1).max(1),
        lanes,
        ticks,
        start: start.as_second(),
        end: end.as_second(),
        failure: failure(timeline, start, end),
    })
}

/// An upright line where the first failure stands.
fn failure(timeline: &Timeline, start: jiff::Timestamp, end: jiff::Timestamp) -> String {
    let time = timeline.first_failure.as_deref().and_then(|time| time.parse::<jiff::Timestamp>().ok());
    let Some(time) = time.filter(|time| (start..=end).contains(time) && start < end) else { return String::new() };
    let (at, span) = (time.as_second() - start.as_second(), end.as_second() - start.as_second());
    let x = usize::try_from(at * WIDTH as i64 / span).unwrap_or_default();
    format!("M{x} 0V{}", timeline.lanes.len() * LANE)
}

/// Draws one lane.
fn draw(lane: &Lane, y: usize, x: &dyn Fn(usize) -> usize) -> ChartLane {
    let base = y + LANE - 3;
    let top = lane.buckets.iter().flatten().map(|[all, _, _]| *all).max().unwrap_or_default().max(1);
    // The square root keeps a single error visible beside a flood of lines.
    let scale = |count: u64| ((count as f64 / top as f64).sqrt() * BAR).ceil().min(BAR) as usize;
    let (mut normal, mut warning, mut error, mut gaps) = (String::new(), String::new(), String::new(), String::new());
    let mut gap: Option<usize> = None;
    let close = |gap: &mut Option<usize>, until: usize, gaps: &mut String| {
        if let Some(since) = gap.take() {
            let _ = write!(gaps, "M{} {}H{}", x(since), base - 4, x(until));
        }
    };
    for (index, bucket) in lane.buckets.iter().enumerate() {
        let Some([all, warnings, errors]) = bucket else {
            gap.get_or_insert(index);
            continue;
        };
        close(&mut gap, index, &mut gaps);
        if *all == 0 {
            continue;
        }
        let middle_of = x(index) + (x(index + 1) - x(index)) / 2;
        // From the base line upwards: errors, then warnings, then the rest.
        let (low, middle) = (scale(*errors), scale((errors + warnings).min(*all)));
        let high = scale(*all).max(middle);
        let bar = |out: &mut String, from: usize, to: usize| {
            if to > from {
                let _ = write!(out, "M{middle_of} {}v-{}", base - from, to - from);
            }
        };
        bar(&mut error, 0, low);
        bar(&mut warning, low, middle);
        bar(&mut normal, middle, high);
    }
    close(&mut gap, lane.buckets.len(), &mut gaps);
    let sum = |which: usize| lane.buckets.iter().flatten().map(|bucket| bucket[which]).sum::<u64>();
    let words = format!(
        "{}, {}, {}",
        words::count(sum(0), "line", "lines"),
        words::count(sum(1), "warning", "warnings"),
        words::count(sum(2), "error", "errors")
    );
    ChartLane { name: lane.name.clone(), context: lane.context.clone(), words, y, base, normal, warning, error, gaps }
}

#[cfg(test)]
mod tests {
    use super::{Lane, Timeline, chart};

    #[test]
    fn gaps_are_drawn_as_gaps_and_one_error_is_seen() {
        let lane = Lane {
            name: "etcd".to_owned(),
            context: "mgmt".to_owned(),
            buckets: vec![Some([10_000, 0, 1]), None, None, Some([0, 0, 0])],
        };
        let timeline = Timeline {
            from: Some("2026-01-02T03:00:00Z".to_owned()),
            to: Some("2026-01-02T03:04:00Z".to_owned()),
            bucket_seconds: 60,
            lanes: vec![lane],
            first_failure: Some("2026-01-02T03:02:00Z".to_owned()),
            ..Timeline::default()
        };
        let chart = chart(&timeline).expect("there are times");
        let lane = &chart.lanes[0];
        assert_eq!(lane.gaps, "M240 19H720");
        assert_eq!(lane.error, "M120 23v-1");
        assert_eq!(lane.normal, "M120 22v-19");
        assert_eq!(chart.bar, 239);
        assert_eq!(lane.words, "10,000 lines, 0 warnings, 1 error");
        assert_eq!(chart.ticks[1].label, "03:01:00");
        assert_eq!(chart.failure, "M480 0V26");
    }
}
