//! What single log lines of etcd say is wrong with a member: its storage, its place in the cluster, its
//! certificate, its clock, its disk; and what says that it is well again.
//!
//! Sources: message catalogue of etcd v3.4.31, v3.5.7 to v3.5.21 and v3.6.5: `server/storage/wal`
//! (`walpb: crc mismatch`), `server/etcdserver/{server,bootstrap}.go` (`the member has been permanently
//! removed from the cluster`, `failed to find database snapshot file`), `server/etcdserver/api/rafthttp`
//! (`request cluster ID mismatch`, `prober found high clock drift`), `server/etcdserver/{apply,raft}.go`.
//!
//! Invariant: a line that says nothing known gives nothing; nothing is inferred from silence.

use facts::log::{Level, LineFields};

/// What etcd says when it cannot start from its data directory.
pub(crate) const STORAGE: &[&str] = &[
    "crc mismatch",
    "failed to open WAL",
    "failed to read WAL",
    "failed to repair WAL",
    "cannot be repaired",
    "Was the raft log corrupted, truncated, or lost?",
    "failed to recover v3 backend from snapshot",
    "failed to find database snapshot file",
    "failed to open database",
];

/// The other literals that bring a line of etcd here.
pub(crate) const LITERALS: &[&str] = &[
    "ready to serve",
    "received signal; shutting down",
    "signal, shutting down",
    "permanently removed from the cluster",
    "because it was removed",
    "from removed member",
    "cluster ID mismatch",
    "certificate has expired",
    "certificate is not yet valid",
    "tls: expired certificate",
    "certificate signed by unknown authority",
    "x509: certificate is valid for ",
    "doesn't contain any IP SANs",
    "clock drift",
    "clock difference against peer",
    "alarm raised",
    "alarm disarmed",
    "alarm:NOSPACE",
    "alarm:CORRUPT",
    "alarm NOSPACE raised by peer",
    "alarm CORRUPT raised by peer",
    "found different hash values from remote peer",
    "found data inconsistency with peers",
    "found hash mismatch",
    "failed compaction hash check",
    "slow fdatasync",
    "wal: sync duration of",
    "failed to send out heartbeat on time",
    "A tick missed to fire. Node blocks too long!",
];

/// The literals that bring a line of any other component here: what etcd answered to a client.
pub(crate) const CLIENT_LITERALS: &[&str] =
    &["etcdserver: mvcc: database space exceeded", "etcdserver: corrupt cluster"];

/// About whom a line speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The member that writes the log.
    Own,
    /// The member with this id.
    Id(u64),
    /// The member at this address, without a port.
    Host(String),
}

/// One thing that a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It serves requests.
    Ready,
    /// It was told to stop, by this signal.
    Stopped(String),
    /// It cannot start from its data directory.
    Storage(String),
    /// It is no longer a member.
    Removed(String),
    /// It belongs to the cluster with this id.
    ClusterId(String),
    /// Its cluster and that of a peer differ.
    Mismatch(String),
    /// Its certificate has expired: the error.
    Expired(String),
    /// A peer's certificate is not valid yet: the error.
    NotYetValid(String),
    /// Its certificate is of an authority that a peer does not know: the error.
    Untrusted(String),
    /// Its certificate does not name the address that a peer dials: the error.
    WrongName(String),
    /// Its clock and that of a peer are apart.
    Drift(String),
    /// It raised (true) or disarmed an alarm.
    Alarm(String, bool),
    /// Its data differ from those of its peers.
    Inconsistent(String),
    /// Its disk or machine was too slow for etcd.
    Slow(String),
    /// It knows a leader of this term.
    Term(u64),
}

/// Everything that one line of etcd says is wrong or well.
pub(crate) fn read(fields: &LineFields) -> Vec<(Whose, Trouble)> {
    let message = fields.message.as_str();
    let field = |key: &str| fields.field(key).unwrap_or("");
    let id = |key: &str| fields.field(key).and_then(|text| u64::from_str_radix(text, 16).ok());
    let error = field("error");
    let said = if error.is_empty() { message.to_owned() } else { format!("{message}: {error}") };
    let mut found = Vec::new();
    let mut own = |trouble: Trouble| found.push((Whose::Own, trouble));

    if message.contains("ready to serve") || message.starts_with("published local member") {
        own(Trouble::Ready);
    }
    if message.contains("signal; shutting down") || message.contains("signal, shutting down") {
        own(Trouble::Stopped(if field("signal").is_empty() { message.to_owned() } else { field("signal").to_owned() }));
    }
    if storage(fields.level, &said) {
        own(Trouble::Storage(said.clone()));
    }
    if said.contains("permanently removed from the cluster") {
        own(Trouble::Removed(said.clone()));
    }
    if let Some(cluster) = fields.field("local-member-cluster-id").or_else(|| fields.field("cluster-id")) {
        own(Trouble::ClusterId(cluster.to_owned()));
    }
    if message.contains("cluster ID mismatch") {
        own(Trouble::Mismatch(said.clone()));
    }
    if message.contains("found different hash values from remote peer")
        || said.contains("found data inconsistency with peers")
        || message.contains("found hash mismatch")
        || message.contains("failed compaction hash check")
    {
        own(Trouble::Inconsistent(said.clone()));
    }
    if message.contains("slow fdatasync")
        || message.contains("wal: sync duration of")
        || message.contains("failed to send out heartbeat on time")
        || message.contains("A tick missed to fire")
    {
        own(Trouble::Slow(message.to_owned()));
    }
    if message.contains(" elected leader ") || message.contains(" changed leader from ") {
        let term = message.rsplit(" at term ").next().and_then(|term| term.trim().parse().ok());
        found.extend(term.map(|term| (Whose::Own, Trouble::Term(term))));
    }
    alarm(message, field("alarm"), id("from"), &mut found);

    let peer = id("remote-peer-id").or_else(|| id("remote-member-id")).or_else(|| health_check_peer(message));
    if message.contains("cluster ID mismatch") {
        let remote = id("remote-peer-id").or_else(|| id("remote-peer-server-name"));
        if let (Some(remote), Some(cluster)) = (remote, fields.field("remote-peer-cluster-id")) {
            found.push((Whose::Id(remote), Trouble::ClusterId(cluster.to_owned())));
        }
    }
    if message.contains("because it was removed") || message.contains("from removed member") {
        let removed = id("remote-peer-id-from").or_else(|| id("removed-member-id"));
        found.extend(removed.map(|removed| (Whose::Id(removed), Trouble::Removed(said.clone()))));
    }
    let drift = ["clock drift", "clock difference against peer"].iter().any(|text| message.contains(text));
    if drift && let Some(peer) = peer.or_else(|| drift_peer(message)) {
        let apart = if field("clock-drift").is_empty() { message } else { field("clock-drift") };
        found.push((Whose::Id(peer), Trouble::Drift(apart.to_owned())));
    }
    certificate(fields, &said, peer, &mut found);
    not_accepted(fields, &said, peer, &mut found);
    found
}

/// Does this say that the member cannot start from its data directory? Only errors and worse: etcd warns
/// when it repairs the end of a log after a crash.
fn storage(level: Level, said: &str) -> bool {
    let bad = matches!(level, Level::Error | Level::Fatal | Level::Unknown);
    bad && STORAGE.iter().any(|text| said.contains(text))
}

/// `alarm raised` with fields, `alarm NOSPACE raised by peer X` of 3.4, and `/health` answers that list
/// `memberID:N alarm:NOSPACE`.
fn alarm(message: &str, alarm: &str, from: Option<u64>, found: &mut Vec<(Whose, Trouble)>) {
    let raised = message.starts_with("alarm raised");
    if (raised || message.starts_with("alarm disarmed"))
        && let Some(from) = from
    {
        found.push((Whose::Id(from), Trouble::Alarm(alarm.to_owned(), raised)));
        return;
    }
    if let Some((before, peer)) = message.split_once(" raised by peer ")
        && let Some(name) = before.rsplit("alarm ").next()
        && let Ok(peer) = u64::from_str_radix(peer.trim(), 16)
    {
        found.push((Whose::Id(peer), Trouble::Alarm(name.to_owned(), true)));
        return;
    }
    let disarmed = message.contains("alarm disarmed");
    for (id, name) in listed_alarms(message).into_iter().chain(listed_alarms(alarm)) {
        found.push((Whose::Id(id), Trouble::Alarm(name, !disarmed)));
    }
}

/// `memberID:10501334649042878790 alarm:NOSPACE`, as often as it stands in a text.
pub(crate) fn listed_alarms(text: &str) -> Vec<(u64, String)> {
    let mut found = Vec::new();
    for part in text.split("memberID:").skip(1) {
        let id = part.split(|c: char| !c.is_ascii_digit()).next().and_then(|digits| digits.parse().ok());
        let name = part.split("alarm:").nth(1).map(|rest| rest.split(|c: char| !c.is_ascii_uppercase()).next());
        if let (Some(id), Some(Some(name))) = (id, name)
            && !name.is_empty()
        {
            found.push((id, name.to_owned()));
        }
    }
    found
}

fn health_check_peer(message: &str) -> Option<u64> {
    let rest = message.split("health check for peer ").nth(1)?;
    u64::from_str_radix(rest.split(' ').next()?, 16).ok()
}

/// `the clock difference against peer X is too high [...]` of 3.4.
fn drift_peer(message: &str) -> Option<u64> {
    let rest = message.split("clock difference against peer ").nth(1)?;
    u64::from_str_radix(rest.split(' ').next()?, 16).ok()
}

/// Whose certificate a TLS error speaks of. The end that verifies names the reason; the other end hears
/// `tls: expired certificate` about its own one. A connection that was rejected names only an address.
fn certificate(fields: &LineFields, said: &str, peer: Option<u64>, found: &mut Vec<(Whose, Trouble)>) {
    let expired = said.contains("certificate has expired");
    if said.contains("remote error: tls: expired certificate") {
        found.push((Whose::Own, Trouble::Expired(said.to_owned())));
        return;
    }
    if !expired {
        return;
    }
    // Go says both in one sentence; the comparison that follows tells which: `is after` or `is before`.
    let trouble = if said.contains(" is before ") { Trouble::NotYetValid } else { Trouble::Expired };
    found.extend(refused_peer(fields, peer).map(|whose| (whose, trouble(said.to_owned()))));
}

/// The member whose certificate is refused: the peer that the line names, or the one that knocked on the peer
/// endpoint.
fn refused_peer(fields: &LineFields, peer: Option<u64>) -> Option<Whose> {
    if let Some(peer) = peer {
        return Some(Whose::Id(peer));
    }
    let address = fields.field("remote-addr")?;
    let (host, _) = address.rsplit_once(':')?;
    fields.message.contains("rejected connection on peer endpoint").then(|| Whose::Host(host.to_owned()))
}

/// Whose certificate a peer does not accept, and why. Only what members say of each other: on the client
/// endpoint anybody may knock.
fn not_accepted(fields: &LineFields, said: &str, peer: Option<u64>, found: &mut Vec<(Whose, Trouble)>) {
    let trouble = if said.contains("certificate signed by unknown authority") {
        Trouble::Untrusted
    } else if said.contains("x509: certificate is valid for ") || said.contains("doesn't contain any IP SANs") {
        Trouble::WrongName
    } else {
        return;
    };
    found.extend(refused_peer(fields, peer).map(|whose| (whose, trouble(said.to_owned()))));
}

/// The time after which a certificate is not valid, out of `current time T is after E`.
pub(crate) fn not_after(error: &str) -> Option<&str> {
    let rest = error.split(" is after ").nth(1)?;
    rest.split([' ', '"', ',', ';', ')']).next().filter(|time| time.len() >= 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(level: Level, message: &str, fields: &[(&str, &str)]) -> LineFields {
        let fields = fields.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        LineFields { level, message: message.to_owned(), fields, ..LineFields::default() }
    }

    fn troubles(level: Level, message: &str, fields: &[(&str, &str)]) -> Vec<(Whose, Trouble)> {
        read(&line(level, message, fields))
    }

    #[test]
    fn a_log_that_cannot_be_read_is_fatal_and_a_repaired_one_is_not() {
        let found = troubles(Level::Fatal, "discovery failed", &[("error", "walpb: crc mismatch")]);
        assert_eq!(found, [(Whose::Own, Trouble::Storage("discovery failed: walpb: crc mismatch".into()))]);
        assert_eq!(troubles(Level::Warn, "repairing", &[("error", "walpb: crc mismatch")]), []);
    }

    #[test]
    fn a_removed_member_says_so_and_so_do_its_peers() {
        let own = troubles(
            Level::Warn,
            "server error",
            &[("error", "the member has been permanently removed from the cluster")],
        );
        assert!(matches!(own.as_slice(), [(Whose::Own, Trouble::Removed(_))]));
        let peers = troubles(
            Level::Warn,
            "rejected stream from remote peer because it was removed",
            &[("local-member-id", "a1"), ("remote-peer-id-from", "b2")],
        );
        assert!(matches!(peers.as_slice(), [(Whose::Id(0xb2), Trouble::Removed(_))]));
    }

    #[test]
    fn a_mismatch_names_the_cluster_of_either_side() {
        let found = troubles(
            Level::Warn,
            "request sent was ignored by remote peer due to cluster ID mismatch",
            &[("remote-peer-id", "b2"), ("remote-peer-cluster-id", "ef"), ("local-member-cluster-id", "19")],
        );
        assert!(found.contains(&(Whose::Own, Trouble::ClusterId("19".into()))));
        assert!(found.contains(&(Whose::Id(0xb2), Trouble::ClusterId("ef".into()))));
    }

    #[test]
    fn the_side_that_verifies_names_the_expiry() {
        let error = "tls: failed to verify certificate: x509: certificate has expired or is not yet valid: \
                     current time 2026-03-04T08:00:00Z is after 2026-03-03T00:00:00Z";
        let found =
            troubles(Level::Warn, "prober detected unhealthy status", &[("remote-peer-id", "b2"), ("error", error)]);
        assert!(matches!(found.as_slice(), [(Whose::Id(0xb2), Trouble::Expired(_))]));
        assert_eq!(not_after(error), Some("2026-03-03T00:00:00Z"));
        let early = error.replace("is after", "is before");
        let found =
            troubles(Level::Warn, "prober detected unhealthy status", &[("remote-peer-id", "b2"), ("error", &early)]);
        assert!(matches!(found.as_slice(), [(Whose::Id(0xb2), Trouble::NotYetValid(_))]));
        let heard = [("remote-peer-id", "b2"), ("error", "remote error: tls: expired certificate")];
        let found = troubles(Level::Warn, "prober detected unhealthy status", &heard);
        assert!(matches!(found.as_slice(), [(Whose::Own, Trouble::Expired(_))]));
    }

    #[test]
    fn a_certificate_that_a_peer_does_not_accept() {
        let unknown = "tls: failed to verify certificate: x509: certificate signed by unknown authority";
        let probe = [("remote-peer-id", "b2"), ("error", unknown)];
        let found = troubles(Level::Warn, "prober detected unhealthy status", &probe);
        assert!(matches!(found.as_slice(), [(Whose::Id(0xb2), Trouble::Untrusted(_))]), "{found:?}");
        let other = "x509: certificate is valid for 10.0.0.2, 127.0.0.1, not 10.0.0.9";
        let probe = [("remote-peer-id", "b2"), ("error", other)];
        let found = troubles(Level::Warn, "prober detected unhealthy status", &probe);
        assert!(matches!(found.as_slice(), [(Whose::Id(0xb2), Trouble::WrongName(_))]), "{found:?}");
        let knock = [("remote-addr", "10.0.0.9:40000"), ("error", unknown)];
        let found = troubles(Level::Warn, "rejected connection on peer endpoint", &knock);
        assert!(matches!(found.as_slice(), [(Whose::Host(_), Trouble::Untrusted(_))]), "{found:?}");
        assert_eq!(troubles(Level::Warn, "rejected connection on client endpoint", &knock), []);
    }

    #[test]
    fn probes_that_hang_up_are_no_trouble() {
        for error in
            ["EOF", "tls: first record does not look like a TLS handshake", "remote error: tls: bad certificate"]
        {
            let fields = [("remote-addr", "10.0.0.9:40000"), ("error", error)];
            assert_eq!(troubles(Level::Warn, "rejected connection on client endpoint", &fields), [], "{error}");
        }
    }

    #[test]
    fn alarms_of_all_versions() {
        let raised = (Whose::Id(0xb2), Trouble::Alarm("NOSPACE".into(), true));
        let fields = [("alarm", "NOSPACE"), ("from", "b2")];
        assert_eq!(troubles(Level::Warn, "alarm raised", &fields), std::slice::from_ref(&raised));
        assert_eq!(
            troubles(Level::Warn, "etcdserver: alarm NOSPACE raised by peer b2", &[]),
            std::slice::from_ref(&raised)
        );
        let health = [("alarm", "memberID:178 alarm:NOSPACE ")];
        assert_eq!(troubles(Level::Warn, "serving /health false due to an alarm", &health), [raised]);
        assert_eq!(
            troubles(Level::Info, "alarm disarmed", &fields),
            [(Whose::Id(0xb2), Trouble::Alarm("NOSPACE".into(), false))]
        );
    }
}
