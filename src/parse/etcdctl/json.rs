//! The JSON form of etcdctl, answers of `/health`, and warnings of the client library between them.
//!
//! Invariant: ids are 64-bit numbers, or hex texts with `--hex`; never floats.

use crate::etcdctl::Reader;
use crate::etcdctl::grammar::Line;
use crate::etcdctl::records::{HashRow, StatusRow};

impl Reader<'_> {
    /// One line of JSON: an answer, or a warning of the client library between answers.
    pub(super) fn json(&mut self, line: u32, text: &str, http_code: Option<u16>, listed: &mut Vec<(u32, u64)>) -> bool {
        let Ok(json) = serde_json::from_str::<serde_json::Value>(text) else { return false };
        if let Some(rows) = json.as_array() {
            let mut any = rows.is_empty();
            for row in rows {
                any |= self.json_endpoint(line, row);
            }
            return any;
        }
        if let Some(members) = json.get("members").and_then(|m| m.as_array())
            && json.get("header").is_some()
        {
            for item in members {
                let Some(id) = id_of(item.get("ID")) else { continue };
                let text = |key: &str| item.get(key).and_then(|v| v.as_str()).unwrap_or("");
                let list = |keys: [&str; 2]| -> Vec<String> {
                    let found = keys.iter().find_map(|key| item.get(*key)).and_then(|v| v.as_array());
                    found.into_iter().flatten().filter_map(|v| v.as_str()).map(str::to_owned).collect()
                };
                let (peers, clients) = (list(["peerURLs", "peerURLS"]), list(["clientURLs", "clientURLS"]));
                let peers: Vec<&str> = peers.iter().map(String::as_str).collect();
                let clients: Vec<&str> = clients.iter().map(String::as_str).collect();
                let learner = item.get("isLearner").and_then(serde_json::Value::as_bool).unwrap_or(false);
                listed.push((line, id));
                // A member that never started has told the cluster neither name nor client addresses.
                self.member(line, id, !text("name").is_empty(), text("name"), &peers, &clients, learner);
            }
            self.whole_list = true;
            return true;
        }
        if let Some(alarms) = json.get("alarms").and_then(|a| a.as_array()) {
            for item in alarms {
                // The JSON form prints the number of the enumeration: `api/etcdserverpb/rpc.proto`, AlarmType.
                let alarm = match item.get("alarm") {
                    Some(serde_json::Value::String(name)) => name.clone(),
                    Some(number) if number.as_u64() == Some(1) => "NOSPACE".to_owned(),
                    Some(number) if number.as_u64() == Some(2) => "CORRUPT".to_owned(),
                    _ => continue,
                };
                if let Some(id) = id_of(item.get("memberID")) {
                    self.line(line, Line::Alarm { id, alarm: &alarm }, &mut None, listed);
                }
            }
            if alarms.is_empty() && json.get("header").is_some() {
                self.no_alarms(line);
            }
            return true;
        }
        // The JSON form leaves an empty list out: of no alarms only the header of the answer is left. Other
        // commands print a header alone too, so the name has to say that it is a list of alarms.
        let keys = json.as_object().map_or(0, serde_json::Map::len);
        if keys == 1
            && id_of(json.pointer("/header/member_id")).is_some()
            && self.name.to_ascii_lowercase().contains("alarm")
        {
            self.no_alarms(line);
            return true;
        }
        if let Some(health) = json.get("health") {
            let healthy = health.as_bool().or_else(|| health.as_str().map(|text| text == "true"));
            let reason = json.get("reason").and_then(|v| v.as_str()).unwrap_or("");
            let reason = if reason.is_empty() {
                http_code.map_or(String::new(), |code| format!("HTTP {code}"))
            } else {
                reason.to_owned()
            };
            if json.get("endpoint").is_some() {
                return self.json_endpoint(line, &json);
            }
            return match (self.health_file_member(), healthy) {
                (Some(member), Some(healthy)) => {
                    self.health_answer(line, &member, Some(healthy), &reason);
                    true
                }
                _ => false,
            };
        }
        self.client_warning(line, &json)
    }

    fn no_alarms(&mut self, line: u32) {
        self.no_alarm.get_or_insert(line);
        self.certain = true;
    }

    fn json_endpoint(&mut self, line: u32, row: &serde_json::Value) -> bool {
        if let (Some(endpoint), Some(status)) = (row.get("Endpoint").and_then(|v| v.as_str()), row.get("Status")) {
            let Some(id) = id_of(status.pointer("/header/member_id")) else { return false };
            let errors = status.get("errors").and_then(|v| v.as_array()).into_iter().flatten();
            let errors: Vec<&str> = errors.filter_map(|v| v.as_str()).map(str::trim).collect();
            // The Go client leaves a zero out: no `leader` means none.
            let leader = id_of(status.get("leader")).unwrap_or(0);
            let version = status.get("version").and_then(|v| v.as_str()).unwrap_or("");
            let learner = status.get("isLearner").and_then(serde_json::Value::as_bool).unwrap_or(false);
            let errors = errors.join(", ");
            let number = |key: &str| status.get(key)?.as_u64();
            let row = StatusRow {
                id,
                version,
                is_leader: Some(leader == id),
                leader: Some(leader),
                learner,
                raft: number("raftTerm").zip(number("raftIndex")),
                // Not printed before 3.4.
                applied: number("raftAppliedIndex"),
                revision: status.pointer("/header/revision").and_then(serde_json::Value::as_u64),
                cluster: id_of(status.pointer("/header/cluster_id")),
                size: status.get("dbSize").and_then(serde_json::Value::as_i64),
                errors: &errors,
            };
            self.status(line, endpoint, &row);
            return true;
        }
        if let (Some(endpoint), Some(hashed)) = (row.get("Endpoint").and_then(|v| v.as_str()), row.get("HashKV")) {
            let number = |at: &str| hashed.pointer(at).and_then(serde_json::Value::as_u64);
            let Some(hash) = number("/hash") else { return false };
            // 3.6 names the revision that was hashed; before, it is the newest one of the member.
            let revision = number("/hash_revision").or_else(|| number("/header/revision"));
            let compacted = hashed.get("compact_revision").and_then(serde_json::Value::as_i64).or(Some(0));
            self.hash(line, endpoint, &HashRow { hash, revision, compacted });
            return true;
        }
        if let (Some(endpoint), Some(healthy)) =
            (row.get("endpoint").and_then(|v| v.as_str()), row.get("health").and_then(serde_json::Value::as_bool))
        {
            self.health(line, endpoint, healthy, row.get("error").and_then(|v| v.as_str()).unwrap_or(""));
            return true;
        }
        false
    }

    /// `retrying of unary invoker failed`: names the endpoint, the error of the last dial, and the time of
    /// the whole answer. Source: `client/v3/retry_interceptor.go@v3.5.21`.
    fn client_warning(&mut self, line: u32, json: &serde_json::Value) -> bool {
        let text = |key: &str| json.get(key).and_then(|v| v.as_str());
        let (Some(_), Some(message)) = (text("level"), text("msg")) else { return false };
        if !message.starts_with("retrying of unary invoker failed") {
            return false;
        }
        let time = match json.get("ts") {
            Some(serde_json::Value::String(ts)) => ts.parse().ok(),
            Some(serde_json::Value::Number(ts)) => {
                ts.as_f64().and_then(|s| jiff::Timestamp::from_millisecond((s * 1000.0) as i64).ok())
            }
            _ => None,
        };
        self.time = self.time.max(time);
        if let (Some(target), Some(error)) = (text("target"), text("error")) {
            // `etcd-endpoints://0xc0001/127.0.0.1:2379`, `passthrough:///http://127.0.0.1:2379`
            let address = target.rsplit('/').next().unwrap_or(target);
            // With several endpoints the target names the first only; the error names the one dialled.
            let dialled = error.split("dial tcp ").nth(1).and_then(|rest| rest.split(": ").next());
            self.client_error(line, dialled.unwrap_or(address), error);
        }
        // The interceptor is the client's: a server's log does not hold this message.
        self.certain |= text("caller").is_some_and(|caller| caller.contains("retry_interceptor.go"));
        true
    }
}

/// An id as JSON prints it: a decimal number, or a hex string with `--hex`.
fn id_of(json: Option<&serde_json::Value>) -> Option<u64> {
    match json? {
        serde_json::Value::Number(number) => number.as_u64(),
        serde_json::Value::String(text) => u64::from_str_radix(text, 16).ok(),
        _ => None,
    }
}
