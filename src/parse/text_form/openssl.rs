//! Certificates as texts show them: `openssl x509 -text` or `-subject -issuer -dates`, what `openssl s_client` says of the
//! one that a server shows, and `kubeadm certs check-expiration`.
//!
//! Each is an object `certificates`: `spec.file`, `spec.subject`, `spec.issuer`, `spec.sans`,
//! `spec.notBefore` and `spec.notAfter` (RFC 3339). It is named after the file that the text names, else
//! after the member: a subject is no name, because every renewal has the same. Whether one has expired is
//! decided against the as-of clock (`facts::derive::certificates`), never by the residual time that kubeadm
//! printed. Sources: OpenSSL `apps/x509.c`, `kubernetes:cmd/kubeadm/app/cmd/certs.go@v1.34`.

use crate::answer::Asked;
use crate::text_form::form::{Mark, NONE, TextForm};
use crate::text_form::records;
use crate::text_form::records::Records;
use facts::node::Node;
use facts::record::Parsed;
use facts::unread::WhyUnread;
use jiff::civil::DateTime;

pub(super) const FORM: TextForm =
    TextForm { name: "openssl", mark: Mark::Program(is_first_line), text: Some(try_parse), ..NONE };

/// Reads certificates; `None` if the text holds none.
fn try_parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let mut lines = records::lines(text).filter(|(_, line)| !line.starts_with("[check-expiration]"));
    let (_, first) = lines.next()?;
    if is_header(first) {
        return kubeadm(asked, text);
    }
    let second = lines.next().map_or("", |(_, line)| line);
    if !(is_first_line(first) || is_heading(first, second) && is_first_line(second)) {
        return None;
    }
    Some(x509(asked, text)).filter(|parsed| !parsed.records.is_empty())
}

/// Does such a text begin so?
fn is_first_line(line: &str) -> bool {
    is_header(line)
        || line == "Certificate:"
        || line.starts_with(CONNECTED)
        || ["subject=", "issuer=", "notBefore=", "notAfter="].iter().any(|mark| line.starts_with(mark))
}

/// The first line of `openssl s_client`.
const CONNECTED: &str = "CONNECTED(";

/// `CERTIFICATE  EXPIRES  RESIDUAL TIME  ...`, and that of the authorities.
fn is_header(line: &str) -> bool {
    line.starts_with("CERTIFICATE ") && line.contains(" EXPIRES ") && line.contains(" RESIDUAL TIME ")
}

/// A line that names the file of the certificate below it: a path, alone or between marks of a heading.
fn is_path(line: &str) -> bool {
    let name = file_of(line);
    !name.contains([' ', '='])
        && (name.contains('/') || [".crt", ".pem", ".cert"].iter().any(|end| name.ends_with(end)))
}

/// A line that names the certificate below it: a path, or the one word that a loop in a shell prints before each.
fn is_heading(line: &str, below: &str) -> bool {
    let is_word = !line.is_empty() && !line.contains(|c: char| c.is_whitespace() || c == '=') && line.len() < 100;
    is_path(line.trim()) || is_word && !line.starts_with(['-', '{', '[']) && field(below.trim()).is_some()
}

fn file_of(line: &str) -> &str {
    line.trim_matches(|c: char| matches!(c, '=' | '#' | '-' | ':' | ' ' | '>'))
}

/// What was read of one certificate.
#[derive(Default)]
struct Certificate {
    line: u32,
    file: Option<String>,
    fields: Vec<(&'static str, Node)>,
}

impl Certificate {
    fn set(&mut self, field: &'static str, node: Node) {
        if self.line == 0 {
            self.line = node.line;
        }
        self.fields.push((field, node));
    }

    fn has(&self, field: &str) -> bool {
        self.fields.iter().any(|(name, _)| *name == field)
    }
}

/// Takes a line of what `openssl s_client` says; whether it was one. `depth` is that of the certificate which it verifies,
/// from the authority down to the one of the server itself, each once or again.
fn of_server(open: &mut Certificate, depth: &mut Option<u32>, number: u32, line: &str) -> bool {
    if let Some((level, subject)) = line.strip_prefix("depth=").and_then(|rest| rest.split_once(' ')) {
        *depth = level.parse::<u32>().ok();
        if *depth == Some(0) && !open.has("subject") {
            open.set("subject", Node::str(number, subject.trim()));
        }
        return true;
    }
    if depth.is_none() {
        return false;
    }
    let end = line.strip_prefix("notAfter=").filter(|_| *depth == Some(0));
    let chain = || line.strip_prefix("v:NotBefore: ")?.split_once("NotAfter: ").map(|(_, end)| end);
    if let Some(end) = end.or_else(chain).filter(|_| !open.has("notAfter")).and_then(time) {
        open.set("notAfter", Node::str(number, end));
    }
    if line == "---" || line.starts_with("verify ") || line.starts_with("notAfter=") {
        return true;
    }
    // `issuer=` and `subject=` of the summary are those of the same certificate.
    let Some((name, text)) = field(line) else { return false };
    if !open.has(name) {
        open.set(name, Node::str(number, text.trim()));
    }
    true
}

fn x509(asked: &Asked<'_>, text: &str) -> Parsed {
    let mut all: Vec<Certificate> = Vec::new();
    let mut open = Certificate::default();
    let mut unread = Vec::new();
    let mut sans = false;
    let mut depth = None;
    let lines: Vec<(u32, &str)> = records::lines(text).collect();
    for (at, (number, raw)) in lines.iter().copied().enumerate() {
        let line = raw.trim();
        let below = lines.get(at + 1).map_or("", |(_, line)| line);
        if of_server(&mut open, &mut depth, number, line) {
            continue;
        }
        let starts = if line == "Certificate:" || line.starts_with(CONNECTED) || is_heading(raw, below) {
            depth = None;
            !open.fields.is_empty()
        } else {
            // Without a heading a field that stands there already belongs to the next one.
            field(line).is_some_and(|(name, _)| open.has(name))
        };
        if starts {
            all.push(std::mem::take(&mut open));
        }
        if sans {
            sans = false;
            let names =
                line.split(',').map(|name| name.trim().trim_start_matches("DNS:").trim_start_matches("IP Address:"));
            open.set("sans", records::texts(number, names.filter(|name| !name.is_empty())));
        } else if line.starts_with("X509v3 Subject Alternative Name:") {
            sans = true;
        } else if let Some((name, text)) = field(line) {
            match name {
                "notBefore" | "notAfter" => match time(text) {
                    Some(time) => open.set(name, Node::str(number, time)),
                    None => {
                        unread.push((number, WhyUnread::no_but("date of a certificate", crate::answer::short(text))))
                    }
                },
                _ => open.set(name, Node::str(number, text.trim())),
            }
        } else if is_heading(raw, below) && raw.len() == raw.trim_start().len() {
            open.file = Some(file_of(line).to_owned());
        } else if line.starts_with("Can't open ") || line.starts_with("unable to load certificate") {
            unread.push((number, WhyUnread::Quoted(crate::answer::short(line).as_str().into())));
        }
    }
    all.push(open);
    let mut records = Records::new(asked, "openssl");
    let known = all.into_iter().filter(|c| c.has("notAfter") || c.has("subject"));
    for (index, certificate) in known.enumerate() {
        let mut node = Node::map(certificate.line);
        for (field, value) in certificate.fields {
            node.set_at(&["spec", field], value);
        }
        let name = match &certificate.file {
            Some(file) => file.clone(),
            None if index == 0 => records::stem(asked.name).to_owned(),
            None => format!("{} {}", records::stem(asked.name), index + 1),
        };
        if let Some(file) = &certificate.file {
            node.set_at(&["spec", "file"], Node::str(certificate.line, file.as_str()));
        }
        records.partial("certificates", &name, node);
    }
    for (line, reason) in unread {
        records.unread(line, reason);
    }
    records.finish()
}

/// A field of either form: of `-text` (`Not After : ...`) or of the short options (`notAfter=...`).
fn field(line: &str) -> Option<(&'static str, &str)> {
    const MARKS: [(&str, &str); 8] = [
        ("subject=", "subject"),
        ("issuer=", "issuer"),
        ("notBefore=", "notBefore"),
        ("notAfter=", "notAfter"),
        ("Subject: ", "subject"),
        ("Issuer: ", "issuer"),
        ("Not Before:", "notBefore"),
        ("Not After :", "notAfter"),
    ];
    MARKS.iter().find_map(|(mark, name)| Some((*name, line.strip_prefix(mark)?)))
}

/// `Nov 19 00:00:00 2026 GMT` or `Nov 20, 2027 20:09 UTC` as RFC 3339. Certificates are dated in UTC.
fn time(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [words @ .., "GMT" | "UTC"] = words.as_slice() else { return None };
    let joined = words.join(" ");
    let civil = DateTime::strptime("%b %d %H:%M:%S %Y", &joined)
        .or_else(|_| DateTime::strptime("%b %d, %Y %H:%M", &joined))
        .ok()?;
    Some(civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().to_string())
}

/// The tables of `kubeadm certs check-expiration`.
fn kubeadm(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let mut records = Records::new(asked, "kubeadm-certs");
    let mut authority = false;
    for (number, line) in records::lines(text) {
        if line.starts_with("[check-expiration]") {
            continue;
        }
        if is_header(line) {
            authority = line.starts_with("CERTIFICATE AUTHORITY ");
            continue;
        }
        if line.starts_with("!MISSING!") {
            records.unread(number, WhyUnread::NoCertificate(crate::answer::short(line).into()));
            continue;
        }
        // The name, then `Nov 20, 2027 20:09 UTC`, each a fixed number of words.
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, month, day, year, clock, zone, ..] = words[..] else {
            records.unread(number, WhyUnread::no("row of `kubeadm certs check-expiration`"));
            continue;
        };
        let Some(end) = time(&format!("{month} {day} {year} {clock} {zone}")) else {
            records.unread(number, WhyUnread::no("row of `kubeadm certs check-expiration`"));
            continue;
        };
        let mut node = Node::map(number);
        node.set_at(&["spec", "notAfter"], Node::str(number, end));
        node.set_at(&["spec", "authority"], records::boolean(number, authority));
        records.partial("certificates", name, node);
    }
    records.finish_if_any()
}

#[cfg(test)]
mod tests {
    use crate::text_form::testing::read;

    #[test]
    fn the_short_options() {
        let text = "subject=O = system:masters, CN = cp-3\nissuer=CN = etcd-ca\nnotBefore=Nov 19 00:00:00 2025 GMT\nnotAfter=Nov  9 00:00:00 2026 GMT\n";
        insta::assert_snapshot!(read("a/cert-cp-3-peer.txt", text), @"1: certificates cert-cp-3-peer | spec: {subject: O = system:masters, CN = cp-3, issuer: CN = etcd-ca, notBefore: 2025-11-19T00:00:00Z, notAfter: 2026-11-09T00:00:00Z}");
        let two = "/etc/kubernetes/pki/apiserver.crt\nnotAfter=Nov 19 00:00:00 2026 GMT\n== /etc/kubernetes/pki/etcd/peer.crt ==\nnotAfter=Nov 19 00:00:00 2027 GMT\n";
        insta::assert_snapshot!(read("certs.txt", two), @r"
        2: certificates /etc/kubernetes/pki/apiserver.crt | spec: {notAfter: 2026-11-19T00:00:00Z, file: /etc/kubernetes/pki/apiserver.crt}
        4: certificates /etc/kubernetes/pki/etcd/peer.crt | spec: {notAfter: 2027-11-19T00:00:00Z, file: /etc/kubernetes/pki/etcd/peer.crt}
        ");
    }

    #[test]
    fn names_that_a_loop_prints() {
        let text = "apiserver\nnotAfter=Nov 19 00:00:00 2026 GMT\netcd-server\nnotAfter=Nov 19 00:00:00 2024 GMT\n";
        insta::assert_snapshot!(read("in.txt", text), @r"
        2: certificates apiserver | spec: {notAfter: 2026-11-19T00:00:00Z, file: apiserver}
        4: certificates etcd-server | spec: {notAfter: 2024-11-19T00:00:00Z, file: etcd-server}
        ");
    }

    #[test]
    fn what_a_server_shows() {
        let text = "CONNECTED(00000003)\ndepth=1 C = US, CN = R11\nverify return:1\ndepth=0 CN = shop.example.test\nverify error:num=10:certificate has expired\nnotAfter=Mar  3 21:14:08 2025 GMT\nverify return:1\ndepth=0 CN = shop.example.test\nnotAfter=Mar  3 21:14:08 2025 GMT\nverify return:1\n---\nCertificate chain\n 0 s:CN = shop.example.test\n   i:C = US, CN = R11\n";
        insta::assert_snapshot!(read("in.txt", text), @"4: certificates in | spec: {subject: CN = shop.example.test, notAfter: 2025-03-03T21:14:08Z}");
        let newer = "CONNECTED(00000003)\ndepth=0 CN=shop.example.test\nverify return:1\n---\nCertificate chain\n 0 s:CN=shop.example.test\n   i:CN=ca\n   a:PKEY: RSA, 2048 (bit); sigalg: sha256WithRSAEncryption\n   v:NotBefore: Jan  1 00:00:00 2025 GMT; NotAfter: Apr  1 00:00:00 2025 GMT\n 1 s:CN=ca\n   i:CN=ca\n   v:NotBefore: Jan  1 00:00:00 2020 GMT; NotAfter: Jan  1 00:00:00 2030 GMT\n---\nsubject=CN=shop.example.test\nissuer=CN=ca\n";
        insta::assert_snapshot!(read("in.txt", newer), @"2: certificates in | spec: {subject: CN=shop.example.test, notAfter: 2025-04-01T00:00:00Z, issuer: CN=ca}");
    }

    #[test]
    fn the_long_text() {
        let text = "Certificate:\n    Data:\n        Version: 3 (0x2)\n        Signature Algorithm: sha256WithRSAEncryption\n        Issuer: CN = kubernetes\n        Validity\n            Not Before: Nov 20 20:09:00 2025 GMT\n            Not After : Nov 20 20:09:00 2026 GMT\n        Subject: CN = kube-apiserver\n        X509v3 extensions:\n            X509v3 Subject Alternative Name: \n                DNS:kubernetes, DNS:acp.example.test, IP Address:10.96.0.1\n";
        insta::assert_snapshot!(read("apiserver.txt", text), @"5: certificates apiserver | spec: {issuer: CN = kubernetes, notBefore: 2025-11-20T20:09:00Z, notAfter: 2026-11-20T20:09:00Z, subject: CN = kube-apiserver, sans: kubernetes, acp.example.test, 10.96.0.1}");
    }

    #[test]
    fn the_tables_of_kubeadm() {
        let text = "[check-expiration] Reading configuration from the cluster...\n\nCERTIFICATE                EXPIRES                  RESIDUAL TIME   CERTIFICATE AUTHORITY   EXTERNALLY MANAGED\nadmin.conf                 Nov 20, 2026 20:09 UTC   <invalid>       ca                      no      \n!MISSING! etcd-server                                                                            \n\nCERTIFICATE AUTHORITY   EXPIRES                  RESIDUAL TIME   EXTERNALLY MANAGED\nca                      Nov 18, 2035 20:09 UTC   8y              no      \n";
        insta::assert_snapshot!(read("c.txt", text), @r"
        4: certificates admin.conf | spec: {notAfter: 2026-11-20T20:09:00Z, authority: false}
        8: certificates ca | spec: {notAfter: 2035-11-18T20:09:00Z, authority: true}
        5! kubeadm did not find this certificate: `!MISSING! etcd-server`
        ");
    }
}
