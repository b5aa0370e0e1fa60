//! Values that klog writes over several lines: `err=<`, the lines of the value behind a tab, and ` >` with what follows it; and the
//! record of gRPC that a message holds: `failed to connect to {`, its fields, and `}. Err: ` with why.
//!
//! Why they are joined: each error that a controller of Cluster API wraps is printed so. What failed stands in the head, why
//! in between, and about which object behind the end; a reader of lines has all three only where they are one.
//!
//! Sources: `kubernetes/klog:internal/serialize/keyvalues.go@v2` (`writeStringValue`); `grpc/grpc-go:clientconn.go@v1.51`
//! (`addrConn.createTransport failed to connect to %s. Err: %v`, with the address as JSON in lines).
//!
//! Invariants: a joined line stands where its head stands; it is bounded, and what is no such value, or never ends, is
//! searched line by line as it stands.

use crate::line;

/// The end of a line whose value goes on.
const VALUE: &[u8] = b"=<";
/// The end of a line whose record goes on.
const RECORD: &[u8] = b" to {";
/// Characters of the shortest line that is drawn.
const SHORTEST_RULE: usize = 8;
/// Lines of one value.
const LINES: usize = 400;

/// A value whose end has not come yet.
#[derive(Debug, Default)]
pub(crate) struct Block {
    lines: Vec<(u32, Vec<u8>)>,
    bytes: usize,
}

/// What a line is to the reader.
#[derive(Debug)]
pub(crate) enum Taken {
    /// No part of a value.
    Outside,
    /// A part of one; nothing to search yet.
    Inside,
    /// The last line of a value whose head has this number; the text is all of it.
    Line(u32, Vec<u8>),
}

impl Block {
    /// Takes a line; `is_head`: it is one of klog with a value that goes on.
    pub(crate) fn take(&mut self, number: u32, text: &[u8], is_head: bool, longest: usize) -> Taken {
        if self.lines.is_empty() && !is_head {
            return Taken::Outside;
        }
        let fits = self.lines.len() < LINES && self.bytes + text.len() <= longest;
        let inner = line::inner(text);
        let is_record = opens_record(self.lines.first().map_or(text, |(_, head)| head.as_slice()));
        let (is_end, is_inside) = match is_record {
            true => (inner.starts_with(b"}"), inner.starts_with(b"  ")),
            false => (inner.starts_with(b" >"), inner.starts_with(b"\t")),
        };
        if !fits || !is_end && !is_head && !is_inside || is_head && !self.lines.is_empty() && !is_end {
            return Taken::Outside;
        }
        self.bytes += text.len();
        self.lines.push((number, text.to_vec()));
        if !is_end || inner.ends_with(VALUE) {
            return Taken::Inside;
        }
        let lines = std::mem::take(self).lines;
        let Some((head, first)) = lines.first() else { return Taken::Outside };
        let mut whole = first.clone();
        let inner = lines.iter().skip(1).map(|(_, text)| line::inner(text).trim_ascii());
        for text in inner.filter(|text| !is_rule(text)) {
            whole.push(b' ');
            whole.extend_from_slice(text);
        }
        Taken::Line(*head, whole)
    }

    /// The lines of a value that did not end.
    pub(crate) fn rest(&mut self) -> Vec<(u32, Vec<u8>)> {
        std::mem::take(self).lines
    }
}

/// Does a line of klog end with a value that goes on?
pub(crate) fn is_head(text: &[u8]) -> bool {
    text.ends_with(VALUE) || opens_record(text)
}

/// Is it drawn, and says nothing? Clients of clouds rule off what was answered
/// (`Azure/azure-sdk-for-go:sdk/azcore/internal/exported/response_error.go`).
fn is_rule(text: &[u8]) -> bool {
    text.len() >= SHORTEST_RULE && text.iter().all(|byte| matches!(byte, b'-' | b'='))
}

/// Does a line end with a record that goes on?
pub(crate) fn opens_record(text: &[u8]) -> bool {
    text.ends_with(RECORD)
}

#[cfg(test)]
mod tests {
    use crate::line;
    use crate::said;
    use crate::scan::{Literals, scan};
    use facts::origin::MemberId;
    use intake::Limits;

    fn hits(log: &str, literals: &[&str]) -> Vec<(u32, String)> {
        let literals = Literals::new(literals.iter().map(|text| (*text).to_owned()));
        let log = scan(MemberId(0), log.as_bytes(), &literals, &Limits::default());
        log.hits.iter().map(|hit| (hit.line, hit.text.to_string())).collect()
    }

    const LOG: &str = "I1126 06:04:40.000000       1 a.go:1] up\nE1126 06:04:41.721001       1 controller.go:329] \"Reconciler error\" err=<\n\tfailed to reconcile Thing: no access\n\tRESPONSE 401\n > controller=\"thing\" Thing=\"shop/a\"\nI1126 06:04:42.000000       1 a.go:1] on\n";

    #[test]
    fn a_value_over_several_lines_is_one_line_with_the_words_of_both_ends() {
        let found = hits(LOG, &["Reconciler error", "RESPONSE 401", "controller=\"thing\""]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, 2);
        let fields = line::parse(&found[0].1);
        assert_eq!(fields.field("Thing"), Some("shop/a"));
        assert_eq!(said::of(&fields), "failed to reconcile Thing: no access RESPONSE 401");
        let log = scan(MemberId(0), LOG.as_bytes(), &Literals::default(), &Limits::default());
        assert_eq!(
            log.tally.last_error.map(|error| error.said.to_string()).unwrap_or_default(),
            "failed to reconcile Thing: no access RESPONSE 401"
        );
        let told: Vec<String> = log.tally.templates.values().map(|line| line.text.to_string()).collect();
        assert!(told.iter().all(|text| text.contains("RESPONSE 401")) && told.len() == 1, "{told:?}");
        let prefixed: String = LOG.lines().map(|line| format!("2026-11-26T06:04:41.1Z stderr F {line}\n")).collect();
        assert_eq!(hits(&prefixed, &["RESPONSE 401"]).len(), 1);
    }

    #[test]
    fn rules_between_the_lines_of_a_value_are_left_out() {
        let rule = "-".repeat(80);
        let log = format!(
            "E1128 06:50:00.903576       1 azure_msi.go:78] \"Failed to GetToken\" err=<\n\tGET http://169.254.169.254/metadata\n\t{rule}\n\tRESPONSE 400 Bad Request\n\t{rule}\n\t{{\n\t  \"error_description\": \"Identity not found\"\n\t}}\n\t{rule}\n > scope=\"6dae\"\n"
        );
        let found = hits(&log, &["RESPONSE 400"]);
        assert_eq!(found.len(), 1);
        assert!(found[0].1.ends_with("GET http://169.254.169.254/metadata RESPONSE 400 Bad Request { \"error_description\": \"Identity not found\" } > scope=\"6dae\""), "{found:?}");
    }

    #[test]
    fn a_record_of_grpc_is_one_line_with_what_stands_behind_it() {
        let log = "W1130 08:51:20.618845       1 logging.go:59] [core] [Channel #1] grpc: addrConn.createTransport failed to connect to {\n  \"Addr\": \"127.0.0.1:2379\",\n  \"Type\": 0\n}. Err: connection error: desc = \"x509: certificate has expired\"\nI1130 08:51:21.618845       1 a.go:1] on\n";
        let found = hits(log, &["certificate has expired"]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, 1);
        assert!(found[0].1.ends_with("connect to { \"Addr\": \"127.0.0.1:2379\", \"Type\": 0 }. Err: connection error: desc = \"x509: certificate has expired\""), "{found:?}");
        let cut = log.replace("}. Err", "I1130 08:51:21.000000       1 a.go:1] Err");
        assert_eq!(hits(&cut, &["failed to connect", "Addr"]).iter().map(|hit| hit.0).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn what_is_no_such_value_is_searched_line_by_line() {
        let cut = LOG.split(" >").next().unwrap_or_default();
        assert_eq!(
            hits(cut, &["Reconciler error", "RESPONSE 401"]).iter().map(|hit| hit.0).collect::<Vec<_>>(),
            [2, 4]
        );
        let broken = LOG.replace(" > controller", "F1126 06:04:41.721001       1 c.go:3] gone: controller");
        assert_eq!(hits(&broken, &["Reconciler error", "gone: "]).iter().map(|hit| hit.0).collect::<Vec<_>>(), [2, 5]);
        assert_eq!(hits("usage: a=<\n\tb\n > c\n", &["a=<", "b", "> c"]).len(), 3, "no line of klog");
    }
}
