//! Is the clock of a node right: `timedatectl` and `chronyc tracking`.
//!
//! Each is an object `clocks` named after its program: `status.synchronized`, and of chronyc
//! `status.offsetSeconds` (positive: the node is ahead). Sources: systemd `src/timedate/timedatectl.c`,
//! chrony `client.c` (`process_cmd_tracking`).

use crate::answer::Asked;
use crate::text_form::form::{Mark, NONE, TextForm};
use crate::text_form::records;
use crate::text_form::records::Records;
use facts::node::{Node, Value};
use facts::record::Parsed;
use nom::Parser;
use nom::bytes::complete::tag;
use nom::character::complete::{char, space0, space1};
use nom::number::complete::recognize_float;

pub(super) const FORM: TextForm =
    TextForm { name: "clock", mark: Mark::Program(is_first_line), text: Some(try_parse), ..NONE };

/// Reads either; `None` if it is something else.
fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let (_, first) = records::lines(text).next()?;
    if !is_first_line(first) {
        return None;
    }
    let mut found = Node::map(1);
    let mut program = "timedatectl";
    for (number, line) in records::lines(text) {
        let Some((key, text)) = line.split_once(": ") else { continue };
        let text = text.trim();
        match key.trim() {
            "System clock synchronized" | "NTP synchronized" => {
                found.line = number;
                found.set_at(&["status", "synchronized"], records::boolean(number, text == "yes"));
            }
            "Leap status" => {
                program = "chronyc";
                found.line = number;
                found.set_at(&["status", "synchronized"], records::boolean(number, text != "Not synchronised"));
            }
            "System time" => {
                program = "chronyc";
                if let Some(offset) = offset(text) {
                    found.set_at(&["status", "offsetSeconds"], Node::new(number, Value::Float(offset)));
                }
            }
            _ => {}
        }
    }
    found.get("status")?;
    let mut records = Records::new(asked, program);
    records.partial("clocks", program, found);
    Some(records.finish())
}

/// The first line of either.
fn is_first_line(line: &str) -> bool {
    let key = line.split_once(": ").map_or("", |(key, _)| key.trim());
    key == "Local time" || key == "Reference ID" && line.starts_with("Reference ID ")
}

/// `0.000012345 seconds slow of NTP time`.
fn offset(text: &str) -> Option<f64> {
    let (rest, (number, _, _, _)) =
        (recognize_float::<_, nom::error::Error<&str>>, space1, tag("seconds"), (char(' '), space0))
            .parse(text)
            .ok()?;
    let seconds: f64 = number.parse().ok().filter(|n: &f64| n.is_finite())?;
    Some(if rest.starts_with("slow") { -seconds } else { seconds })
}

#[cfg(test)]
mod tests {
    use crate::text_form::testing::read;

    #[test]
    fn of_both_programs() {
        let text = "               Local time: Fri 2026-11-20 20:14:32 UTC\n           Universal time: Fri 2026-11-20 20:14:32 UTC\nSystem clock synchronized: no\n              NTP service: active\n";
        insta::assert_snapshot!(read("t.txt", text), @"3: clocks timedatectl | status: {synchronized: false}");
        let text = "Reference ID    : 0A000001 (ntp.example.test)\nStratum         : 3\nSystem time     : 3.250000000 seconds slow of NTP time\nLeap status     : Normal\n";
        insta::assert_snapshot!(read("t.txt", text), @"4: clocks chronyc | status: {offsetSeconds: -3.25, synchronized: true}");
        insta::assert_snapshot!(read("t.txt", "Local time: noon\n"), @"something else");
    }
}
