//! Times as log lines print them, read from bytes without allocating.
//!
//! Invariants: a parser here consumes exactly the time; a date that does not exist (31 February) is no
//! time; a zone is never invented: without one the time is [`LineTime::Civil`].

use facts::log::LineTime;
use jiff::civil::DateTime;
use nom::branch::alt;
use nom::bytes::complete::{tag, take, take_while, take_while_m_n};
use nom::character::complete::{one_of, space0};
use nom::combinator::{map_opt, opt, recognize, value};
use nom::sequence::preceded;
use nom::{IResult, Parser};

/// Exactly `N` digits as a number.
pub fn digits<const N: usize>(input: &[u8]) -> IResult<&[u8], i64> {
    map_opt(take(N), |text: &[u8]| {
        text.iter().try_fold(0i64, |sum, b| b.is_ascii_digit().then(|| sum * 10 + i64::from(b - b'0')))
    })
    .parse(input)
}

/// The part of a second after `.` or `,`, in nanoseconds; digits beyond the ninth are dropped.
fn fraction(input: &[u8]) -> IResult<&[u8], i32> {
    let (rest, text) = preceded(one_of(".,"), take_while(|b: u8| b.is_ascii_digit())).parse(input)?;
    let nanos = (0..9).fold(0, |sum, at| sum * 10 + text.get(at).map_or(0, |b| i32::from(b - b'0')));
    Ok((rest, nanos))
}

/// `HH:MM:SS` with an optional fraction: seconds of the day and nanoseconds. A leap second is read as the
/// 59th.
fn clock(input: &[u8]) -> IResult<&[u8], (i64, i32)> {
    let parts = (digits::<2>, tag(":".as_bytes()), digits::<2>, tag(":".as_bytes()), digits::<2>, opt(fraction));
    map_opt(parts, |(hour, _, minute, _, second, nanos)| {
        (hour < 24 && minute < 60 && second < 61)
            .then(|| (hour * 3600 + minute * 60 + second.min(59), nanos.unwrap_or(0)))
    })
    .parse(input)
}

/// Offset from UTC in seconds: `Z`, `+08:00`, `+0800`, `-05`.
fn offset(input: &[u8]) -> IResult<&[u8], i64> {
    let signed = (one_of("+-"), digits::<2>, opt(preceded(opt(tag(":".as_bytes())), digits::<2>)));
    alt((
        value(0, one_of("Zz")),
        map_opt(signed, |(sign, hours, minutes)| {
            let seconds = hours * 3600 + minutes.unwrap_or(0) * 60;
            (hours < 24).then_some(if sign == '-' { -seconds } else { seconds })
        }),
    ))
    .parse(input)
}

/// Days since 1970-01-01 of a date in the Gregorian calendar. `None` if there is no such date.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    // Counting years from March puts the leap day at the end, so that month lengths follow one formula.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// Assembles a time from its parts; no offset means that no zone is stated.
fn assemble(date: (i64, i64, i64), clock: (i64, i32), offset: Option<i64>) -> Option<LineTime> {
    let (year, month, day) = date;
    let (seconds, nanos) = clock;
    match offset {
        Some(offset) => {
            let seconds = days(year, month, day)? * 86_400 + seconds - offset;
            jiff::Timestamp::new(seconds, nanos).ok().map(LineTime::Exact)
        }
        None => civil(date, clock).map(LineTime::Civil),
    }
}

fn civil((year, month, day): (i64, i64, i64), (seconds, nanos): (i64, i32)) -> Option<DateTime> {
    DateTime::new(
        i16::try_from(year).ok()?,
        i8::try_from(month).ok()?,
        i8::try_from(day).ok()?,
        i8::try_from(seconds / 3600).ok()?,
        i8::try_from(seconds / 60 % 60).ok()?,
        i8::try_from(seconds % 60).ok()?,
        nanos,
    )
    .ok()
}

/// RFC 3339 and its relatives: `2026-06-01T10:00:00.123456789Z`, `+0800`, a blank instead of `T`, no zone.
pub(crate) fn rfc3339(input: &[u8]) -> IResult<&[u8], LineTime> {
    let dash = || tag("-".as_bytes());
    let parts = (digits::<4>, dash(), digits::<2>, dash(), digits::<2>, one_of("Tt "), clock, opt(offset));
    map_opt(parts, |(year, _, month, _, day, _, clock, offset)| assemble((year, month, day), clock, offset))
        .parse(input)
}

/// The date and time of Go's `log` package: `2026/11/20 19:46:42`, always without a zone.
pub(crate) fn slashed(input: &[u8]) -> IResult<&[u8], LineTime> {
    let slash = || tag("/".as_bytes());
    let parts = (digits::<4>, slash(), digits::<2>, slash(), digits::<2>, tag(" ".as_bytes()), clock);
    map_opt(parts, |(year, _, month, _, day, _, clock)| assemble((year, month, day), clock, None)).parse(input)
}

/// The time of a klog header after its severity: `0119 12:48:50.143423`.
pub fn klog(input: &[u8]) -> IResult<&[u8], LineTime> {
    map_opt((digits::<2>, digits::<2>, tag(" ".as_bytes()), clock), |(month, day, _, clock)| {
        civil((0, month, day), clock).map(LineTime::NoYear)
    })
    .parse(input)
}

/// The name of a month as C and Go abbreviate it, or as the C library does where a machine speaks another language.
/// Source: `glibc:localedata/locales/*`, `abmon`.
fn month(input: &[u8]) -> IResult<&[u8], i64> {
    const NAMES: [&[u8; 3]; 12] =
        [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];
    let english =
        map_opt(take(3usize), |text: &[u8]| NAMES.iter().position(|name| *name == text).map(|at| at as i64 + 1));
    let other = map_opt(take_while_m_n(3, 12, |b: u8| !b.is_ascii_whitespace()), other_month);
    alt((english, other)).parse(input)
}

/// Does a line begin with a word, a day and a time? A cheap look before the word is held against the months of languages.
pub(crate) fn begins_like_syslog(line: &[u8]) -> bool {
    let Some(end) = line.iter().take(13).position(|b| *b == b' ') else { return false };
    match line.get(end + 1..end + 7) {
        Some([tens, ones, b' ', h, i, b':']) => {
            (*tens == b' ' || tens.is_ascii_digit()) && [ones, h, i].iter().all(|b| b.is_ascii_digit())
        }
        Some([day, b' ', h, i, b':', _]) => [day, h, i].iter().all(|b| b.is_ascii_digit()),
        _ => false,
    }
}

/// German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian and Chinese.
fn other_month(word: &[u8]) -> Option<i64> {
    const NAMES: [&[&str]; 12] = [
        &["janv", "ene", "gen", "jan", "sty", "янв", "1月"],
        &["févr", "feb", "fev", "lut", "фев", "2月"],
        &["mär", "mars", "mar", "mrt", "мар", "3月"],
        &["avril", "abr", "apr", "kwi", "апр", "4月"],
        &["mai", "may", "mag", "mei", "maj", "мая", "май", "5月"],
        &["juin", "jun", "giu", "cze", "июн", "6月"],
        &["juil", "jul", "lug", "lip", "июл", "7月"],
        &["août", "ago", "aug", "sie", "авг", "8月"],
        &["sept", "sep", "set", "wrz", "сен", "9月"],
        &["oct", "okt", "ott", "out", "paź", "окт", "10月"],
        &["nov", "lis", "ноя", "11月"],
        &["déc", "dez", "dic", "dec", "gru", "дек", "12月"],
    ];
    let word = std::str::from_utf8(word).ok()?.trim_end_matches('.').to_lowercase();
    NAMES.iter().position(|names| names.contains(&word.as_str())).map(|at| at as i64 + 1)
}

/// A day of the month, padded with a blank or a zero; or not at all, where blanks were squeezed.
fn day(input: &[u8]) -> IResult<&[u8], i64> {
    alt((preceded(tag(" ".as_bytes()), digits::<1>), digits::<2>, digits::<1>)).parse(input)
}

/// The time of syslog and `journalctl -o short`: `Nov 28 14:02:06`, `Nov  3 ...`, optionally with a fraction
/// (`short-precise`). It is the local time of the machine; like klog it states neither year nor zone.
pub(crate) fn syslog(input: &[u8]) -> IResult<&[u8], LineTime> {
    let blank = || tag(" ".as_bytes());
    map_opt((month, blank(), day, blank(), clock), |(month, _, day, _, clock)| {
        civil((0, month, day), clock).map(LineTime::NoYear)
    })
    .parse(input)
}

/// The time of a request in the common log format: `18/Nov/2026:10:13:43 +0000`.
pub(crate) fn access(input: &[u8]) -> IResult<&[u8], LineTime> {
    let slash = || tag("/".as_bytes());
    let parts =
        (digits::<2>, slash(), month, slash(), digits::<4>, tag(":".as_bytes()), clock, tag(" ".as_bytes()), offset);
    map_opt(parts, |(day, _, month, _, year, _, clock, _, offset)| assemble((year, month, day), clock, Some(offset)))
        .parse(input)
}

/// The time of `journalctl -o short-full`: `Tue 2021-08-03 06:46:27 UTC`. Of zones only UTC and GMT say how far
/// from UTC they are; any other name is no zone.
pub(crate) fn short_full(input: &[u8]) -> IResult<&[u8], LineTime> {
    let weekday = take_while_m_n(3, 3, |b: u8| b.is_ascii_alphabetic());
    let zone = take_while_m_n(1, 6, |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-'));
    let dash = || tag("-".as_bytes());
    let blank = || tag(" ".as_bytes());
    let date = (digits::<4>, dash(), digits::<2>, dash(), digits::<2>);
    map_opt((weekday, blank(), date, blank(), clock, blank(), zone), |(_, _, date, _, clock, _, zone)| {
        let (year, _, month, _, day) = date;
        let offset = matches!(zone, b"UTC" | b"GMT").then_some(0);
        assemble((year, month, day), clock, offset)
    })
    .parse(input)
}

/// The time of `journalctl -o short-unix`: seconds since 1970 with a fraction.
pub(crate) fn short_unix(input: &[u8]) -> IResult<&[u8], LineTime> {
    let number = recognize((take_while_m_n(9, 10, |b: u8| b.is_ascii_digit()), tag(".".as_bytes()), digits::<6>));
    map_opt(number, epoch).parse(input)
}

/// Is the second of two times that follow each other in a log the earlier one? Without a year the turn of the
/// year goes on, and does not go back: of two times more than half a year apart the later month is the older.
pub(crate) fn goes_back(before: LineTime, after: LineTime) -> bool {
    const HALF_A_YEAR: i64 = 183 * 24 * 60;
    let apart = minute(before).zip(minute(after)).map_or(0, |(before, after)| (before - after).abs());
    let turned = matches!((before, after), (LineTime::NoYear(_), LineTime::NoYear(_))) && apart > HALF_A_YEAR;
    (after < before) != turned
}

/// How many seconds the clock that wrote the outer time, which states no zone, is ahead of UTC: the program states one, and
/// its line was kept at once. Zones are quarters of an hour apart.
pub(crate) fn zone(own: Option<LineTime>, outer: Option<LineTime>) -> Option<i32> {
    const QUARTER: i64 = 15 * 60;
    const AT_ONCE: i64 = 5;
    const FARTHEST: i64 = 14 * 60 * 60;
    let (Some(LineTime::Exact(own)), Some(LineTime::NoYear(outer))) = (own, outer) else { return None };
    let own = jiff::tz::Offset::UTC.to_datetime(own);
    // The turn of the year may stand between the two.
    let apart = [0, -1, 1].into_iter().filter_map(|year| {
        let outer = outer.with().year(own.year().checked_add(year)?).build().ok()?;
        Some(outer.duration_since(own).as_secs())
    });
    let apart = apart.min_by_key(|apart| apart.abs())?;
    let ahead = (apart + QUARTER / 2).div_euclid(QUARTER) * QUARTER;
    (ahead.abs() <= FARTHEST && (apart - ahead).abs() <= AT_ONCE).then(|| i32::try_from(ahead).ok()).flatten()
}

/// The time of C's `ctime`, with which `dmesg -T` begins its lines: `Mon Feb  9 10:11:12 2026`, always without a zone.
pub(crate) fn ctime(input: &[u8]) -> IResult<&[u8], LineTime> {
    let blank = || tag(" ".as_bytes());
    let weekday = take_while_m_n(3, 3, |b: u8| b.is_ascii_alphabetic());
    let parts = (weekday, blank(), month, blank(), day, blank(), clock, blank(), digits::<4>);
    map_opt(parts, |(_, _, month, _, day, _, clock, _, year)| assemble((year, month, day), clock, None)).parse(input)
}

/// The time of a kernel's ring: `  911.104211`, seconds since the machine was started.
pub(crate) fn since_start(input: &[u8]) -> IResult<&[u8], LineTime> {
    let seconds = take_while_m_n(1, 10, |b: u8| b.is_ascii_digit());
    map_opt((space0, seconds, tag(".".as_bytes()), digits::<6>), |(_, seconds, _, micros): (_, &[u8], _, _)| {
        let seconds: u64 = std::str::from_utf8(seconds).ok()?.parse().ok()?;
        Some(LineTime::SinceStart(seconds.checked_mul(1_000_000)?.checked_add(u64::try_from(micros).ok()?)?))
    })
    .parse(input)
}

/// The output of `date` in the C locale: `Fri Nov 20 20:14:32 UTC 2026`. A zone other than UTC or GMT is a
/// name without an offset, so such a time is not read.
pub fn date(input: &[u8]) -> IResult<&[u8], LineTime> {
    let blank = || tag(" ".as_bytes());
    let weekday = take_while(|b: u8| b.is_ascii_alphabetic());
    let zone = alt((tag("UTC".as_bytes()), tag("GMT".as_bytes())));
    let parts = (weekday, blank(), month, blank(), day, blank(), clock, blank(), zone, blank(), digits::<4>);
    map_opt(parts, |(_, _, month, _, day, _, clock, _, _, _, year)| assemble((year, month, day), clock, Some(0)))
        .parse(input)
}

/// Abbreviations of zones that mean one offset, in hours; not those that several zones bear (IST, CST, BST).
const ZONES: [(&str, i8); 24] = [
    ("UTC", 0),
    ("GMT", 0),
    ("Z", 0),
    ("WET", 0),
    ("WEST", 1),
    ("CET", 1),
    ("CEST", 2),
    ("MEZ", 1),
    ("MESZ", 2),
    ("EET", 2),
    ("EEST", 3),
    ("MSK", 3),
    ("EST", -5),
    ("EDT", -4),
    ("PST", -8),
    ("PDT", -7),
    ("JST", 9),
    ("KST", 9),
    ("SGT", 8),
    ("HKT", 8),
    ("AEST", 10),
    ("AEDT", 11),
    ("NZST", 12),
    ("NZDT", 13),
];

/// Months by the first letters of their names in English, German, Dutch and French.
const MONTHS: [&[&str]; 12] = [
    &["jan"],
    &["feb", "fév"],
    &["mar", "mär", "mrt"],
    &["apr", "avr"],
    &["may", "mai", "mei"],
    &["jun", "juin"],
    &["jul", "juil"],
    &["aug", "aoû"],
    &["sep"],
    &["oct", "okt"],
    &["nov"],
    &["dec", "dez", "déc"],
];

/// What `date` prints in several languages and orders, with its zone: `Fri Nov 27 10:14:02 CET 2026`, `Fri 27 Nov 2026 10:14:02 AM
/// UTC`, `Fr 27. Nov 10:14:02 CEST 2026`. Nothing else may stand there but the day of the week.
pub fn of_date_command(text: &str) -> Option<jiff::Timestamp> {
    let (mut year, mut month, mut day, mut clock, mut zone, mut half, mut other) =
        (None, None, None, None, None, None, 0);
    for word in text.split_whitespace() {
        let word = word.trim_end_matches(['.', ',']);
        let lower = word.to_lowercase();
        let named = MONTHS.iter().position(|names| names.iter().any(|name| lower.starts_with(name)));
        let digits = word.bytes().all(|b| b.is_ascii_digit());
        if digits && word.len() == 4 {
            year = word.parse::<i16>().ok();
        } else if digits && word.len() <= 2 {
            day = word.parse::<i8>().ok();
        } else if word.matches(':').count() == 2 {
            clock = Some(word);
        } else if matches!(lower.as_str(), "am" | "pm") {
            half = Some(lower == "pm");
        } else if let Some((_, hours)) = ZONES.iter().find(|(name, _)| *name == word) {
            zone = Some(*hours);
        } else if let (Some(at), true) = (named, month.is_none()) {
            month = i8::try_from(at + 1).ok();
        } else {
            other += 1;
        }
    }
    if other > 1 {
        return None;
    }
    let mut parts = clock?.split(':').map(|part| part.parse::<i8>().ok());
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    let hour = match half {
        Some(afternoon) => hour % 12 + if afternoon { 12 } else { 0 },
        None => hour,
    };
    let civil = DateTime::new(year?, month?, day?, hour, minute, second, 0).ok()?;
    Some(civil.to_zoned(jiff::tz::TimeZone::fixed(jiff::tz::offset(zone?))).ok()?.timestamp())
}

/// The first moment that a date in a line may mean, with the clock behind it if there is one: nobody knows in which zone, and the
/// farthest ahead is fourteen hours before UTC.
pub(crate) fn not_before(text: &str) -> Option<jiff::Timestamp> {
    const FARTHEST: i8 = 14;
    let bare = |word| str::trim_matches(word, ['(', ')', ',', '[', ']', '*', '.', ':']);
    let words: Vec<&str> = text.split_whitespace().map(bare).collect();
    (0..words.len()).rev().find_map(|at| {
        let date: jiff::civil::Date = words.get(at).filter(|word| word.len() == "2026-01-01".len())?.parse().ok()?;
        let clock = words.get(at + 1).filter(|word| word.contains(':'));
        let time = clock
            .and_then(|clock| [(*clock).to_owned(), format!("{clock}:00")].iter().find_map(|clock| clock.parse().ok()));
        let civil = date.to_datetime(time.unwrap_or_default());
        Some(civil.to_zoned(jiff::tz::TimeZone::fixed(jiff::tz::offset(FARTHEST))).ok()?.timestamp())
    })
}

/// The time that a person or a script noted in a line: a date, a clock and a zone beside each other, as `2026-11-30 01:02 UTC` or in
/// the form of RFC 3339. Without a zone it is none: nobody knows whose clock that was.
pub(crate) fn of_remark(text: &str) -> Option<jiff::Timestamp> {
    if let Some(time) = stated_in(text.as_bytes()).last() {
        return Some(time);
    }
    let bare = |word| str::trim_matches(word, ['(', ')', ',', '[', ']']);
    let is_date = |text: &str| text.parse::<jiff::civil::Date>().is_ok();
    // Without seconds it is no time of RFC 3339, and people write it so.
    let halves = |word| match str::split_once(word, 'T').filter(|(date, _)| is_date(date)) {
        Some((date, clock)) => [Some(date), Some(clock)],
        None => [Some(word), None],
    };
    let words: Vec<&str> = text.split_whitespace().map(bare).flat_map(halves).flatten().collect();
    (0..words.len()).rev().find_map(|at| {
        let (date, clock) = (words.get(at)?, words.get(at + 1)?);
        let date: jiff::civil::Date = date.parse().ok()?;
        let (clock, zone) = match clock.strip_suffix('Z') {
            Some(clock) => (clock, "UTC"),
            None => (*clock, *words.get(at + 2)?),
        };
        let time = [clock.to_owned(), format!("{clock}:00")].iter().find_map(|clock| clock.parse().ok())?;
        let zone = ZONES.iter().find(|(name, _)| *name == zone).map(|(_, hours)| *hours)?;
        let civil = date.to_datetime(time);
        Some(civil.to_zoned(jiff::tz::TimeZone::fixed(jiff::tz::offset(zone))).ok()?.timestamp())
    })
}

/// A number of seconds, or of milliseconds if it is too large for seconds, since 1970: zap's default
/// (`uber-go/zap:zapcore/encoder.go EpochTimeEncoder`) and the JSON format of Kubernetes components
/// (`kubernetes/component-base:logs/json/json.go`, milliseconds). Accepts an exponent.
pub fn epoch(text: &[u8]) -> Option<LineTime> {
    // Beyond 1e11 seconds lies the year 5138; as milliseconds that is 1973.
    const MILLISECONDS_FROM: f64 = 1e11;
    if !text.first()?.is_ascii_digit() || text.len() > 32 {
        return None;
    }
    let number: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    if !(1e8..1e14).contains(&number) {
        return None;
    }
    let micros = if number >= MILLISECONDS_FROM { number * 1e3 } else { number * 1e6 };
    jiff::Timestamp::from_microsecond(micros.round() as i64).ok().map(LineTime::Exact)
}

/// The full times with a zone that stand in a text, in their order.
pub(crate) fn stated_in(text: &[u8]) -> impl Iterator<Item = jiff::Timestamp> {
    const DATE: usize = "2026-11-26".len();
    memchr::memchr_iter(b'T', text).filter_map(move |at| {
        let start = at.checked_sub(DATE)?;
        match rfc3339(text.get(start..)?).ok()?.1 {
            LineTime::Exact(time) => Some(time),
            _ => None,
        }
    })
}

/// Minutes since 1970 of a time; a time without year counts in the year 0, and one without a date in none.
pub fn minute(time: LineTime) -> Option<i64> {
    match time {
        LineTime::Exact(time) => Some(time.as_second().div_euclid(60)),
        LineTime::Civil(civil) | LineTime::NoYear(civil) => {
            let days = days(i64::from(civil.year()), i64::from(civil.month()), i64::from(civil.day()));
            Some(days.unwrap_or(0) * 1440 + i64::from(civil.hour()) * 60 + i64::from(civil.minute()))
        }
        LineTime::SinceStart(_) => None,
    }
}

/// The text of a minute: `2026-06-01T10:00`, year `0000` where the format has none.
pub(crate) fn minute_text(minute: i64) -> String {
    let epoch = jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0);
    match epoch.checked_add(jiff::SignedDuration::from_secs(minute.saturating_mul(60))) {
        Ok(at) => {
            format!("{:04}-{:02}-{:02}T{:02}:{:02}", at.year(), at.month(), at.day(), at.hour(), at.minute())
        }
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{begins_like_syslog, month, of_remark, zone};
    use facts::log::LineTime;

    #[test]
    fn a_noted_time_has_a_zone() {
        let of = |text| of_remark(text).map_or("-".to_owned(), |time| time.to_string());
        assert_eq!(of(" 2026-11-30 01:02 UTC"), "2026-11-30T01:02:00Z");
        assert_eq!(of(" before defrag (2026-11-30 02:02:07 CET)"), "2026-11-30T01:02:07Z");
        assert_eq!(of(" collected 2026-11-30T01:02:03Z on cp-1"), "2026-11-30T01:02:03Z");
        assert_eq!(of("THIS MORNING (2026-11-30 08:10Z)"), "2026-11-30T08:10:00Z");
        assert_eq!(of("collected 2026-11-30T08:10Z"), "2026-11-30T08:10:00Z");
        assert_eq!(of(" 2026-11-30 01:02"), "-");
        assert_eq!(of(" cp-1 etcdctl endpoint status"), "-");
    }

    #[test]
    fn the_zone_of_a_journal_is_told_by_a_line_that_states_its_own() {
        let ahead = |own: &str, outer: &str| {
            let outer = outer.parse::<jiff::civil::DateTime>().unwrap().with().year(0).build().unwrap();
            zone(Some(LineTime::Exact(own.parse().unwrap())), Some(LineTime::NoYear(outer)))
        };
        assert_eq!(ahead("2026-05-14T10:00:00.7Z", "2026-05-14T12:00:01"), Some(7_200));
        assert_eq!(ahead("2026-05-14T12:00:00+02:00", "2026-05-14T12:00:00"), Some(7_200));
        assert_eq!(ahead("2026-05-14T10:00:00Z", "2026-05-14T10:00:00"), Some(0));
        assert_eq!(ahead("2026-12-31T22:30:00Z", "2027-01-01T04:00:02"), Some(19_800));
        assert_eq!(ahead("2027-01-01T02:00:00Z", "2026-12-31T18:00:00"), Some(-28_800));
        // The line tells of another time than its own.
        assert_eq!(ahead("2026-05-14T10:00:00Z", "2026-05-14T12:07:31"), None);
        assert_eq!(ahead("2026-05-12T10:00:00Z", "2026-05-14T10:00:00"), None);
    }

    #[test]
    fn months_of_machines_that_speak_other_languages() {
        for (line, expected) in [
            ("Apr 14 16:02:31 srv", Some(4)),
            ("avril 14 16:02:31 srv", Some(4)),
            ("févr. 14 16:02:31 srv", Some(2)),
            ("Okt 14 16:02:31 srv", Some(10)),
            ("dic  4 16:02:31 srv", Some(12)),
            ("11月 14 16:02:31 srv", Some(11)),
            ("level=info 14", None),
        ] {
            assert_eq!(month(line.as_bytes()).ok().map(|(_, month)| month), expected, "{line}");
        }
        assert!(begins_like_syslog("août  4 16:02:31 srv k3s: x".as_bytes()));
        assert!(!begins_like_syslog(b"time=\"2026-04-14T16:02:31+02:00\" level=info"));
    }
}
