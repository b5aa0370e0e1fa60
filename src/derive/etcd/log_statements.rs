//! What single log lines of etcd say about a member, its peers and its leader.
//!
//! Sources: message catalogue of etcd v3.4.31, v3.5.7 to v3.5.21 and v3.6.5: `raft/node.go` (`raft.node: %x
//! elected leader %x at term %d`, `lost`, `changed`), `server/etcdserver/api/etcdhttp/{metrics,health}.go`
//! (`serving /health false; no leader`), `server/etcdserver/api/rafthttp/{probing_status,peer_status}.go`.
//!
//! Invariant: a line that says nothing known gives no statement; nothing is inferred from silence.

use facts::log::LineFields;
use nom::bytes::complete::{tag, take_till1, take_until, take_while1};
use nom::combinator::map_res;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

/// The literals that bring a line here.
pub(super) const LITERALS: &[&str] = &[
    "lost leader ",
    "elected leader ",
    "changed leader from ",
    "no leader",
    "RAFT NO LEADER",
    "switched to configuration voters=",
    "starting local member",
    "restarting local member",
    "starting member ",
    "restarting member ",
    "starting etcd server",
    "starting an etcd server",
    "published local member",
    "publish local member",
    "embed: name = ",
    "added member",
    "prober detected unhealthy status",
    " could not connect: ",
    "peer became active",
    " became active",
];

/// One thing that a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LogStatement {
    /// The member that writes this log has no leader.
    WithoutLeader,
    /// It has one, with its id if the line names it.
    WithLeader(Option<u64>),
    /// The id of the member that writes this log.
    LocalId(u64),
    LocalName(String),
    /// The voting members as this member knows them.
    Voters(Vec<u64>),
    /// A peer with its peer URLs.
    Peer(u64, Vec<String>),
    /// The last try to reach a peer failed.
    DialFailed(u64, String),
    /// A peer answers again.
    Active(u64),
}

fn hex_id(input: &str) -> IResult<&str, u64> {
    map_res(take_while1(|c: char| c.is_ascii_hexdigit()), |digits| u64::from_str_radix(digits, 16)).parse(input)
}

/// `43567463e66b7072 switched to configuration voters=(2966628629432633004 4852193620954673266)`; the ids
/// in the brackets are decimal, and joint configurations add `&&(...)`.
fn voters(input: &str) -> IResult<&str, (u64, Vec<u64>)> {
    let (input, local) = terminated(hex_id, tag(" switched to configuration voters=(")).parse(input)?;
    let (input, ids) = nom::bytes::complete::take_till(|c| c == ')').parse(input)?;
    let ids = ids.split_whitespace().filter_map(|id| id.parse().ok()).collect();
    Ok((input, (local, ids)))
}

/// `raft.node: A lost leader B at term 2`: the local id, the verb, and the last id before the term.
fn raft_node(input: &str) -> IResult<&str, (u64, &str, u64)> {
    let (input, _) = (take_until("raft.node: "), tag("raft.node: ")).parse(input)?;
    let (input, local) = terminated(hex_id, tag(" ")).parse(input)?;
    let (input, verb) = terminated(take_till1(|c| c == ' '), tag(" leader ")).parse(input)?;
    if verb == "changed" {
        let (input, _from) = preceded(tag("from "), hex_id).parse(input)?;
        let (input, to) = preceded(tag(" to "), hex_id).parse(input)?;
        return Ok((input, (local, verb, to)));
    }
    let (input, leader) = hex_id(input)?;
    Ok((input, (local, verb, leader)))
}

/// `A no leader at term 2; dropping index reading msg`
fn dropping(input: &str) -> IResult<&str, u64> {
    terminated(hex_id, tag(" no leader at term ")).parse(input)
}

/// `health check for peer X could not connect: E` of 3.4.
fn health_check(input: &str) -> IResult<&str, (u64, &str)> {
    let (input, _) = (take_until("health check for peer "), tag("health check for peer ")).parse(input)?;
    let (input, peer) = terminated(hex_id, tag(" could not connect: ")).parse(input)?;
    Ok(("", (peer, input)))
}

/// `added member X [http://10.0.0.1:2380] to cluster Y` of 3.4.
fn added_member(input: &str) -> IResult<&str, (u64, Vec<String>)> {
    let (input, _) = (take_until("added member "), tag("added member ")).parse(input)?;
    let (input, id) = terminated(hex_id, tag(" [")).parse(input)?;
    let (input, urls) = take_till1(|c| c == ']').parse(input)?;
    Ok((input, (id, urls.split_whitespace().map(str::to_owned).collect())))
}

/// Everything that one line says. `fields` are the line's; the statements come in the order of the line.
pub(super) fn read(fields: &LineFields) -> Vec<LogStatement> {
    let local = id(fields, "local-member-id").or_else(|| id(fields, "local-server-id")).map(LogStatement::LocalId);
    let mut statements: Vec<LogStatement> = local.into_iter().collect();
    match of_raft(fields).or_else(|| of_peer(fields)).or_else(|| of_start(fields)) {
        Some(found) => statements.extend(found),
        None => statements.extend(of_health(fields)),
    }
    statements
}

fn id(fields: &LineFields, key: &str) -> Option<u64> {
    fields.field(key).and_then(|text| u64::from_str_radix(text, 16).ok())
}

/// What raft logs of its leader and its configuration; `None` if this is no such line.
fn of_raft(fields: &LineFields) -> Option<Vec<LogStatement>> {
    let message = fields.message.as_str();
    if let Ok((_, (local, verb, leader))) = raft_node(message) {
        let leader = match verb {
            "lost" => Some(LogStatement::WithoutLeader),
            "elected" | "changed" => Some(LogStatement::WithLeader(Some(leader))),
            _ => None,
        };
        return Some([LogStatement::LocalId(local)].into_iter().chain(leader).collect());
    }
    let raft = message.strip_prefix("raft: ").unwrap_or(message);
    if let Ok((_, (local, ids))) = voters(raft) {
        let voters = (!ids.is_empty()).then_some(LogStatement::Voters(ids));
        return Some([LogStatement::LocalId(local)].into_iter().chain(voters).collect());
    }
    let (_, local) = dropping(raft).ok()?;
    Some(vec![LogStatement::LocalId(local), LogStatement::WithoutLeader])
}

/// What a member logs of a peer; `None` if this is no such line.
fn of_peer(fields: &LineFields) -> Option<Vec<LogStatement>> {
    let message = fields.message.as_str();
    if let Ok((_, (peer, error))) = health_check(message) {
        return Some(vec![LogStatement::DialFailed(peer, error.to_owned())]);
    }
    if message.starts_with("prober detected unhealthy status") {
        let failed = id(fields, "remote-peer-id").zip(fields.field("error"));
        return Some(
            failed.map(|(peer, error)| LogStatement::DialFailed(peer, error.to_owned())).into_iter().collect(),
        );
    }
    if message.starts_with("peer became active") {
        return Some(id(fields, "peer-id").map(LogStatement::Active).into_iter().collect());
    }
    if let Some(rest) = message.split("peer ").nth(1)
        && let Ok((_, peer)) = terminated(hex_id, tag(" became active")).parse(rest)
    {
        return Some(vec![LogStatement::Active(peer)]);
    }
    if message.starts_with("added member") {
        let added = id(fields, "added-peer-id").zip(fields.field("added-peer-peer-urls"));
        return Some(added.map(|(peer, urls)| LogStatement::Peer(peer, quoted(urls))).into_iter().collect());
    }
    let (_, (peer, urls)) = added_member(message).ok()?;
    Some(vec![LogStatement::Peer(peer, urls)])
}

/// What a member logs of itself when it starts; `None` if this is no such line.
fn of_start(fields: &LineFields) -> Option<Vec<LogStatement>> {
    let message = fields.message.as_str();
    // `starting member X in cluster Y` of 3.4; `restarting member X in cluster Y at commit index N`.
    if let Some(rest) = message.split("starting member ").nth(1)
        && let Ok((_, local)) = hex_id(rest)
    {
        return Some(vec![LogStatement::LocalId(local)]);
    }
    if message.starts_with("starting an etcd server") {
        return Some(fields.field("name").map(|name| LogStatement::LocalName(name.to_owned())).into_iter().collect());
    }
    let name = message.split("embed: name = ").nth(1).or_else(|| message.strip_prefix("name = "))?;
    Some(vec![LogStatement::LocalName(name.trim().to_owned())])
}

/// What any other line says: the name that it gives the member, and whether it has no leader.
fn of_health(fields: &LineFields) -> Vec<LogStatement> {
    let message = fields.message.as_str();
    let mut statements = Vec::new();
    if let Some(attributes) = fields.field("local-member-attributes")
        && let Some(name) = attributes.strip_prefix("{Name:").and_then(|rest| rest.split(' ').next())
        && !name.is_empty()
    {
        statements.push(LogStatement::LocalName(name.to_owned()));
    }
    let output = fields.field("output").unwrap_or("");
    let error = fields.field("error").unwrap_or("");
    if message.contains("serving /health false; no leader")
        || message.contains("/health error; no leader")
        || message.contains("etcdserver: no leader")
        || message.contains("RAFT NO LEADER")
        || output.contains("RAFT NO LEADER")
        || error.contains("etcdserver: no leader")
    {
        statements.push(LogStatement::WithoutLeader);
    }
    statements
}

/// The items of a list that a JSON field was flattened to: `["a","b"]` or `[a b]`.
fn quoted(text: &str) -> Vec<String> {
    let separators = |c: char| matches!(c, '[' | ']' | '"' | ',' | ' ');
    text.split(separators).filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

/// Does the text of a failed dial show that the peer is not there? TLS errors and time-outs of a deadline
/// do not: something answered, or nothing is known.
pub(crate) fn surely_unreachable(error: &str) -> bool {
    ["connection refused", "no route to host", "i/o timeout", "Connection refused"]
        .iter()
        .any(|text| error.contains(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(message: &str) -> LineFields {
        LineFields { message: message.to_owned(), ..LineFields::default() }
    }

    fn zap(message: &str, fields: &[(&str, &str)]) -> LineFields {
        let fields = fields.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        LineFields { fields, ..plain(message) }
    }

    #[test]
    fn leader_statements_of_all_versions() {
        use LogStatement::{LocalId, WithLeader, WithoutLeader};
        assert_eq!(read(&plain("raft.node: a1 lost leader b2 at term 2")), [LocalId(0xa1), WithoutLeader]);
        assert_eq!(
            read(&plain("raft: raft.node: a1 elected leader b2 at term 2")),
            [LocalId(0xa1), WithLeader(Some(0xb2))]
        );
        assert_eq!(
            read(&plain("raft.node: a1 changed leader from b2 to c3 at term 4")),
            [LocalId(0xa1), WithLeader(Some(0xc3))]
        );
        assert_eq!(read(&plain("a1 no leader at term 2; dropping index reading msg")), [LocalId(0xa1), WithoutLeader]);
        assert_eq!(read(&plain("serving /health false; no leader")), [WithoutLeader]);
        assert_eq!(
            read(&plain("etcdserver/api/etcdhttp: /health error; no leader (status code 503)")),
            [WithoutLeader]
        );
        assert_eq!(
            read(&zap("/health error", &[("output", r#"{"health":"false","reason":"RAFT NO LEADER"}"#)])),
            [WithoutLeader]
        );
    }

    #[test]
    fn who_writes_and_who_votes() {
        use LogStatement::{LocalId, LocalName, Peer, Voters};
        assert_eq!(read(&plain("a1 switched to configuration voters=(10 20)")), [LocalId(0xa1), Voters(vec![10, 20])]);
        assert_eq!(read(&plain("a1 switched to configuration voters=()")), [LocalId(0xa1)]);
        assert_eq!(read(&plain("etcdserver: starting member cacb in cluster e97e")), [LocalId(0xcacb)]);
        assert_eq!(read(&plain("embed: name = cp-1")), [LocalName("cp-1".into())]);
        assert_eq!(read(&zap("starting an etcd server", &[("name", "cp-2")])), [LocalName("cp-2".into())]);
        assert_eq!(
            read(&zap(
                "failed to publish local member to cluster through raft",
                &[
                    ("local-member-id", "a4f2"),
                    ("local-member-attributes", "{Name:cp-9 ClientURLs:[https://10.0.0.9:2379]}"),
                    ("error", "etcdserver: request timed out"),
                ]
            )),
            [LocalId(0xa4f2), LocalName("cp-9".into())]
        );
        assert_eq!(
            read(&plain("etcdserver/membership: added member 14 [http://10.0.0.1:2380] to cluster e9")),
            [Peer(0x14, vec!["http://10.0.0.1:2380".into()])]
        );
    }

    #[test]
    fn dials_and_their_end() {
        use LogStatement::{Active, DialFailed};
        let refused = "dial tcp 10.0.0.1:2380: connect: connection refused";
        assert_eq!(
            read(&plain(&format!("rafthttp: health check for peer 14 could not connect: {refused}"))),
            [DialFailed(0x14, refused.into())]
        );
        assert_eq!(
            read(&zap("prober detected unhealthy status", &[("remote-peer-id", "14"), ("error", refused)])),
            [DialFailed(0x14, refused.into())]
        );
        assert_eq!(read(&zap("peer became active", &[("peer-id", "14")])), [Active(0x14)]);
        assert_eq!(read(&plain("rafthttp: peer 14 became active")), [Active(0x14)]);
        assert!(surely_unreachable(refused) && surely_unreachable("dial tcp 10.0.0.1:2380: i/o timeout"));
        assert!(
            !surely_unreachable("remote error: tls: bad certificate")
                && !surely_unreachable("context deadline exceeded")
        );
    }

    #[test]
    fn a_leader_that_is_talked_about_is_no_statement() {
        assert_eq!(read(&plain("no leader election configured")), []);
        assert_eq!(read(&plain("attempting to acquire leader lease")), []);
    }
}
