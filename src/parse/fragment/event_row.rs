//! One row of a table of events, told by its cells: the type, a reason in one word, an age, and who says it or what
//! it is about.
//!
//! Invariant: a row is recognised by all of these together, so that no sentence is taken for one.
//!
//! Sources: `kubernetes/kubectl:pkg/describe/describe.go@v0.34.0` (`DescribeEvents`) and of 1.5;
//! `kubernetes/kubernetes:pkg/printers/internalversion/printers.go@v1.34` and of 1.10.

use catalogue::parts;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, digit1, one_of, space1};
use nom::combinator::{map, opt, recognize, rest, verify};
use nom::multi::many1;
use nom::sequence::{delimited, pair, preceded, terminated};
use nom::{IResult, Parser};

/// The cells of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row<'a> {
    pub namespace: Option<&'a str>,
    /// `Normal` or `Warning`.
    pub kind: &'a str,
    pub reason: &'a str,
    /// When it was last seen, as printed.
    pub age: &'a str,
    /// Who says it, in a row of `kubectl describe`.
    pub from: &'a str,
    /// What it is about, in a row of `kubectl get events`: `pod/web-1`.
    pub object: Option<&'a str>,
    pub message: &'a str,
}

/// The cells of a line; `None` if it is no row.
pub(super) fn read(line: &str) -> Option<Row<'_>> {
    let line = line.trim_start_matches([' ', '\t', '-', '*', '`', '|']);
    let line = line.trim_end_matches([' ', '`', '\r']);
    alt((described, listed, first_and_last)).parse(line).ok().map(|(_, row)| row)
}

fn word(input: &str) -> IResult<&str, &str> {
    take_while1(|c: char| !c.is_whitespace()).parse(input)
}

fn gap(input: &str) -> IResult<&str, &str> {
    take_while1(|c: char| c == ' ' || c == '\t').parse(input)
}

fn kind(input: &str) -> IResult<&str, &str> {
    alt((tag("Normal"), tag("Warning"))).parse(input)
}

/// `FailedScheduling`; MetalLB writes `nodeAssigned`.
fn reason(input: &str) -> IResult<&str, &str> {
    let plain = take_while1(|c: char| c.is_ascii_alphanumeric());
    verify(plain, |text: &str| text.len() > 2 && text.contains(|c: char| c.is_ascii_uppercase())).parse(input)
}

/// `5m12s (x23 over 4h)`.
fn age(input: &str) -> IResult<&str, &str> {
    let repeated = delimited((space1, tag("(x"), digit1, tag(" over ")), one_age, char(')'));
    recognize(pair(one_age, opt(repeated))).parse(input)
}

fn one_age(input: &str) -> IResult<&str, &str> {
    let duration = recognize(many1(pair(digit1, one_of("smhdy"))));
    alt((duration, tag("<unknown>"), tag("<invalid>"), tag("just now"))).parse(input)
}

/// `kubelet, node-1`, `default-scheduler`.
fn from(input: &str) -> IResult<&str, &str> {
    let name = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let component = verify(take_while1(name), |text: &str| text.starts_with(|c: char| c.is_ascii_lowercase()));
    recognize(pair(component, opt(preceded(tag(", "), word)))).parse(input)
}

/// `Type Reason Age From Message`.
fn described(input: &str) -> IResult<&str, Row<'_>> {
    let mut head = (terminated(kind, gap), terminated(reason, gap), age, gap);
    let (input, (kind, reason, age, wide)) = head.parse(input)?;
    let row = |from, message| Row { namespace: None, kind, reason, age, from, object: None, message };
    let (rest_of, found) = opt(pair(from, gap)).parse(input)?;
    match found {
        // With single blanks between the cells the first word of a message may look like a component.
        Some((from, after)) if after.len() > 1 || is_writer(from) => Ok(("", row(from, rest_of))),
        _ if wide.len() > 1 && !input.is_empty() => Ok(("", row("", input))),
        _ => Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Verify))),
    }
}

/// Is this surely the name of a program that writes events?
fn is_writer(from: &str) -> bool {
    let component = from.split(',').next().unwrap_or(from);
    let ends =
        ["-controller", "-manager", "-scheduler", "-provisioner", "-attacher", "-resizer", "-operator", "-autoscaler"];
    parts::writes_events(component) || ends.iter().any(|end| component.ends_with(end))
}

/// `[NAMESPACE] LAST-SEEN TYPE REASON OBJECT MESSAGE`.
fn listed(input: &str) -> IResult<&str, Row<'_>> {
    let name =
        verify(word, |text: &str| text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'));
    let namespace = opt(terminated(name, (gap, nom::combinator::peek((one_age, gap, kind)))));
    let mut cells = (namespace, terminated(one_age, gap), terminated(kind, gap), terminated(reason, gap));
    let (input, (namespace, age, kind, reason)) = cells.parse(input)?;
    let (input, object) = terminated(object, gap).parse(input)?;
    let (input, message) = rest.parse(input)?;
    Ok((input, Row { namespace, kind, reason, age, from: "", object: Some(object), message }))
}

/// `persistentvolumeclaim/www-web-0`, `machine.cluster.x-k8s.io/cp-1`.
fn object(input: &str) -> IResult<&str, &str> {
    let kind = take_while1(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '.' || c == '-');
    let name = take_while1(|c: char| !c.is_whitespace() && c != '/');
    recognize((kind, char('/'), name)).parse(input)
}

/// What kubectl up to 1.6 printed: `FirstSeen LastSeen Count From SubObjectPath Type Reason Message`; the path of a
/// part of the object may be empty.
fn first_and_last(input: &str) -> IResult<&str, Row<'_>> {
    let part = opt(terminated(recognize(pair(tag("spec."), word)), gap));
    let braced = recognize(delimited(char('{'), take_while(|c| c != '}'), char('}')));
    let who = alt((braced, from));
    let mut cells =
        (terminated(one_age, gap), terminated(one_age, gap), terminated(digit1, gap), terminated(who, gap), part);
    let (input, (_, age, _, from, _)) = cells.parse(input)?;
    let (input, (kind, reason)) = (terminated(kind, gap), terminated(reason, gap)).parse(input)?;
    let row = |message| Row { namespace: None, kind, reason, age, from, object: None, message };
    map(rest, row).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(line: &str) -> String {
        let Some(row) = read(line) else { return "-".to_owned() };
        let about = row.object.map_or_else(|| format!("from `{}`", row.from), |object| format!("about `{object}`"));
        format!("{:?} {} {} {} {about}: {}", row.namespace, row.kind, row.reason, row.age, row.message)
    }

    #[test]
    fn rows_by_their_cells() {
        let cases = [
            (
                "  Warning  FailedMount  2m (x4 over 9m)  kubelet, w-1  MountVolume.SetUp failed",
                "None Warning FailedMount 2m (x4 over 9m) from `kubelet, w-1`: MountVolume.SetUp failed",
            ),
            (
                "Warning FailedScheduling 4s default-scheduler 0/3 nodes are available",
                "None Warning FailedScheduling 4s from `default-scheduler`: 0/3 nodes are available",
            ),
            (
                "- `Normal Pulled 3m kubelet Container image present`",
                "None Normal Pulled 3m from `kubelet`: Container image present",
            ),
            (
                "  Warning  Failed     25s                Error: ImagePullBackOff",
                "None Warning Failed 25s from ``: Error: ImagePullBackOff",
            ),
            (
                "shop   3m1s   Warning   BackOff   pod/web-1   Back-off restarting",
                "Some(\"shop\") Warning BackOff 3m1s about `pod/web-1`: Back-off restarting",
            ),
            (
                "12m  Warning  ProvisioningFailed  persistentvolumeclaim/data-0  class \"x\" not found",
                "None Warning ProvisioningFailed 12m about `persistentvolumeclaim/data-0`: class \"x\" not found",
            ),
            (
                "lb   51m   Normal   nodeAssigned   service/web   announcing from node \"w-1\"",
                "Some(\"lb\") Normal nodeAssigned 51m about `service/web`: announcing from node \"w-1\"",
            ),
            (
                "1h 5s 22 {kubelet w-1} spec.containers{web} Warning Unhealthy Liveness probe failed",
                "None Warning Unhealthy 5s from `{kubelet w-1}`: Liveness probe failed",
            ),
        ];
        for (line, wanted) in cases {
            assert_eq!(show(line), wanted, "{line}");
        }
    }

    #[test]
    fn sentences_are_no_rows() {
        for line in [
            "",
            "Warning: this is old",
            "Normal operation resumed 5m later",
            "Warning Failed to pull",
            "Warning FailedMount after 5m kubelet",
            "Warning FailedMount 5m of waiting for it",
            "5m ago it was Warning",
            "Type Reason Age From Message",
            "2m Warning about pod/web-1",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
