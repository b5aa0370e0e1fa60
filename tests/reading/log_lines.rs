//! Lines of every format: what a glance and a full parse read out of them.

use parse::line::{glance, parse};

/// One line for each reading: time, level, component, format, message, fields.
fn read(line: &str) -> String {
    let seen = glance(line.as_bytes());
    let full = parse(line);
    assert_eq!((seen.time, seen.level, seen.format), (full.time, full.level, full.format), "{line}");
    let time = match full.time {
        Some(facts::log::LineTime::Exact(time)) => time.to_string(),
        Some(facts::log::LineTime::Civil(time)) => format!("{time} (no zone)"),
        Some(facts::log::LineTime::NoYear(time)) => time.strftime("%m-%dT%H:%M:%S%.f (no year)").to_string(),
        Some(facts::log::LineTime::SinceStart(micros)) => format!("+{micros}"),
        None => "-".to_owned(),
    };
    let fields: Vec<String> = full.fields.iter().map(|(key, value)| format!("{key}={value}")).collect();
    format!(
        "{time} {:?} [{}] {} <{}> {}",
        full.level,
        seen.component.as_str(),
        full.format,
        full.message,
        fields.join(" | ")
    )
}

macro_rules! reads {
    ($name:ident, $($line:expr => $expected:expr),+ $(,)?) => {
        #[test]
        fn $name() {
            $(assert_eq!(read($line), $expected);)+
        }
    };
}

reads!(klog,
    r#"I0119 12:48:50.143423       1 remediation.go:424] "msg text" Cluster="ns/blue" members=["a b" "c"] n=2 err="say \"hi\"""#
        => r#"01-19T12:48:50.143423 (no year) Info [remediation.go] klog <msg text> Cluster=ns/blue | members=["a b" "c"] | n=2 | err=say "hi""#,
    r#"I0325 07:00:40.914700 1 remediation.go:189] controllers/Kcp "msg"="etcd before" "cluster"="blue" "currentMembers"=["a","b"] "n"=3"#
        => r#"03-25T07:00:40.9147 (no year) Info [remediation.go] klog <etcd before> logger=controllers/Kcp | cluster=blue | currentMembers=["a","b"] | n=3"#,
    r#"E0325 07:00:40.914700 1 c.go:1] controller "error"="it broke" "msg"="Reconciler error" "name"="x""#
        => r#"03-25T07:00:40.9147 (no year) Error [c.go] klog <Reconciler error> logger=controller | error=it broke | name=x"#,
    "W0229 00:00:00.000001   30547 a.go:1] plain words k=v"
        => "02-29T00:00:00.000001 (no year) Warn [a.go] klog <plain words k=v> ",
);

reads!(a_runtime_says_the_year,
    "2026-06-01T10:00:00.123456789Z stderr F E0601 10:00:00.000001       1 a.go:1] x"
        => "2026-06-01T10:00:00.000001Z Error [a.go] klog <x> ",
    // In another zone, which the line does not name.
    "2026-06-01T10:00:00.123456789Z stderr F E0601 12:00:00.000001       1 a.go:1] x"
        => "2026-06-01T10:00:00.123456789Z Error [a.go] klog <x> ",
    // At the turn of the year.
    "2027-01-01T00:00:00.000100000Z stderr F E1231 23:59:59.999999       1 a.go:1] x"
        => "2026-12-31T23:59:59.999999Z Error [a.go] klog <x> ",
);

reads!(requests_of_web_servers,
    r#"10.0.0.5 - - [18/Nov/2026:10:13:43 +0000] "POST /cart HTTP/2.0" 503 190 "https://shop/" "Mozilla/5.0" 812 0.000"#
        => r#"2026-11-18T10:13:43Z Unknown [] access <10.0.0.5 - - [18/Nov/2026:10:13:43 +0000] "POST /cart HTTP/2.0" 503 190 "https://shop/" "Mozilla/5.0" 812 0.000> "#,
    r#"fd00::7 - alice [01/Mar/2026:00:30:00 +0200] "GET / HTTP/1.1" 200 12"#
        => r#"2026-02-28T22:30:00Z Unknown [] access <fd00::7 - alice [01/Mar/2026:00:30:00 +0200] "GET / HTTP/1.1" 200 12> "#,
    // No such day, and no request.
    r#"10.0.0.5 - - [31/Feb/2026:10:13:43 +0000] "GET /" 200"#
        => r#"- Unknown [] plain <10.0.0.5 - - [31/Feb/2026:10:13:43 +0000] "GET /" 200> "#,
    "backup - done [2026]"
        => "- Unknown [] plain <backup - done [2026]> ",
);

reads!(postgres,
    "2026-07-17 19:01:49.247 UTC [29] FATAL:  could not write to file \"pg_wal/x\": No space left on device"
        => "2026-07-17T19:01:49.247Z Fatal [] postgres <could not write to file \"pg_wal/x\": No space left on device> ",
    "2026-07-17 19:01:49.926 CEST [29] app@shop ERROR:  deadlock detected"
        => "2026-07-17T19:01:49.926 (no zone) Error [] postgres <deadlock detected> ",
    "2026-07-17 19:01:49.926 UTC [29] app@shop DETAIL:  Process 7 waits for ShareLock"
        => "2026-07-17T19:01:49.926Z Unknown [] postgres <DETAIL:  Process 7 waits for ShareLock> ",
    "2026-07-17 19:01:49.926 UTC [29] nothing of it"
        => "2026-07-17T19:01:49.926 (no zone) Unknown [] plain <UTC [29] nothing of it> ",
);

reads!(zap_json,
    r#"{"level":"warn","ts":"2026-06-01T10:00:02.975Z","caller":"rafthttp/probing_status.go:68","msg":"prober \"x\"","rtt":"0s","n":503,"o":{"a":[1,"}"]}}"#
        => r#"2026-06-01T10:00:02.975Z Warn [rafthttp/probing_status.go] zap-json <prober "x"> caller=rafthttp/probing_status.go:68 | rtt=0s | n=503 | o={"a":[1,"}"]}"#,
    r#"{"msg":"m","ts":"2026-06-01T10:00:02.975+0800","logger":"raft","level":"panic"}"#
        => "2026-06-01T02:00:02.975Z Fatal [raft] zap-json <m> logger=raft",
    r#"{"level":"error","ts":1780308002.5,"msg":"m"}"#
        => "2026-06-01T10:00:02.5Z Error [] zap-json <m> ",
    r#"{"ts":1780308002500.5,"caller":"a/b.go:7","msg":"m","v":0}"#
        => "2026-06-01T10:00:02.5005Z Info [a/b.go] klog-json <m> caller=a/b.go:7 | v=0",
    r#"{"level":"warn","ts":"2026-06-01T10:00:02.975Z","msg":"cut off he"#
        => "2026-06-01T10:00:02.975Z Warn [] zap-json <cut off he> ",
);

reads!(json_of_other_writers,
    // ViaQ's logerr: its level is a verbosity.
    r#"{"_ts":"2026-05-14T10:00:00.1Z","_level":"0","_component":"x","_message":"failed to sync","_error":{"msg":"no access"}}"#
        => r#"2026-05-14T10:00:00.1Z Error [] klog-json <failed to sync> _level=0 | _component=x | _error={"msg":"no access"}"#,
    // MongoDB.
    r#"{"t":{"$date":"2026-05-14T10:00:00.123+00:00"},"s":"F","c":"CONTROL","ctx":"initandlisten","msg":"Wrong mongod version"}"#
        => "2026-05-14T10:00:00.123Z Fatal [] zap-json <Wrong mongod version> c=CONTROL | ctx=initandlisten",
    // pino and bunyan.
    r#"{"level":50,"time":1778752800000,"pid":1,"msg":"request failed"}"#
        => "2026-05-14T10:00:00Z Error [] zap-json <request failed> pid=1",
    // hclog.
    r#"{"@level":"warn","@message":"cannot join","@timestamp":"2026-05-14T10:00:00Z","@module":"agent"}"#
        => "2026-05-14T10:00:00Z Warn [] zap-json <cannot join> @module=agent",
    // structlog.
    r#"{"event":"request failed","level":"error","timestamp":"2026-05-14T10:00:00Z","user":"a"}"#
        => "2026-05-14T10:00:00Z Error [] zap-json <request failed> user=a",
    // .NET's console.
    r#"{"EventId":0,"LogLevel":"Critical","Category":"Host","Message":"Unable to start","Exception":"System.Exception: x"}"#
        => "- Fatal [] zap-json <Unable to start> EventId=0 | Category=Host | Exception=System.Exception: x",
    // Keys of one letter mean this only with such values.
    r#"{"s":"hello","t":"x","msg":"plain"}"#
        => r#"- Unknown [] json <{"s":"hello","t":"x","msg":"plain"}> "#,
);

reads!(kernel_ring,
    "[911231.104211] EXT4-fs error (device sdb1): ext4_find_entry:1455: inode #2: comm etcd"
        => "+911231104211 Unknown [kernel] kernel ring <EXT4-fs error (device sdb1): ext4_find_entry:1455: inode #2: comm etcd> ",
    "<27>[    0.000000] Linux version 6.1"
        => "+0 Error [kernel] kernel ring <Linux version 6.1> ",
    "kern  :warn  : [   12.345678] hm"
        => "+12345678 Warn [kernel] kernel ring <hm> ",
    "[Mon Feb  9 10:11:12 2026] nf_conntrack: table full, dropping packet"
        => "2026-02-09T10:11:12 (no zone) Unknown [kernel] kernel ring <nf_conntrack: table full, dropping packet> ",
    "[911231.1042] no stamp of a kernel"
        => "- Unknown [] plain <[911231.1042] no stamp of a kernel> ",
    "[12] reply"
        => "- Unknown [] plain <[12] reply> ",
);

reads!(zap_console,
    "2026-05-11T06:21:10Z\tERROR\tfailed: \"sentry\" not found\t{\"controller\": \"dcs\", \"C\": {\"name\":\"w\"}}"
        => "2026-05-11T06:21:10Z Error [] zap-console <failed: \"sentry\" not found> controller=dcs | C={\"name\":\"w\"}",
    "2026-05-11T06:21:10.5+0800\tINFO\tsetup\tsrc/main.go:12\tstarting\t{\"a\": 1}"
        => "2026-05-10T22:21:10.5Z Info [src/main.go] zap-console <starting> logger=setup | caller=src/main.go:12 | a=1",
    "1.7803080025e+09\t\u{1b}[33mWARN\u{1b}[0m\tslow"
        => "2026-06-01T10:00:02.5Z Warn [] zap-console <slow> ",
);

reads!(capnslog,
    "2021-03-05 12:33:44.975123 W | rafthttp: health check for peer b6e6 could not connect: i/o timeout"
        => "2021-03-05T12:33:44.975123 (no zone) Warn [rafthttp] capnslog <health check for peer b6e6 could not connect: i/o timeout> ",
    "raft2026/11/20 19:46:42 INFO: 290be5e9a0182fa2 became follower at term 0"
        => "2026-11-20T19:46:42 (no zone) Info [raft] capnslog <290be5e9a0182fa2 became follower at term 0> ",
    "[WARNING] Deprecated '--logger=capnslog' flag is set"
        => "- Warn [] plain <[WARNING] Deprecated '--logger=capnslog' flag is set> ",
);

reads!(logfmt,
    r#"time="2026-11-20T20:10:55.421294624Z" level=info msg="loading \"x\"..." type=io.x"#
        => r#"2026-11-20T20:10:55.421294624Z Info [] logfmt <loading "x"...> type=io.x"#,
    "ts=2026-11-20T20:10:55Z caller=main.go:3 level=warn msg=slow"
        => "2026-11-20T20:10:55Z Warn [main.go] logfmt <slow> caller=main.go:3",
);

reads!(prefixes,
    "2026-06-01T10:00:00.123456789Z stderr F E0601 09:59:59.000001       1 a.go:3] \"Bad\" err=\"x\""
        => "2026-06-01T09:59:59.000001Z Error [a.go] klog <Bad> err=x",
    "2026-06-01T10:00:00.123456789Z stdout P half a line"
        => "2026-06-01T10:00:00.123456789Z Unknown [] plain <half a line> ",
    "2026-06-01T10:00:00Z FATAL: variable is not set"
        => "2026-06-01T10:00:00Z Fatal [] plain <FATAL: variable is not set> ",
    "2026-06-01T10:00:00Z {\"level\":\"info\",\"ts\":\"2026-06-01T09:00:00Z\",\"msg\":\"m\"}"
        => "2026-06-01T09:00:00Z Info [] zap-json <m> ",
    "Nov 28 14:02:06 node01 kubelet[308309]: E1128 14:02:06.631719  308309 kubelet.go:1870] \"Skipping\" err=\"x\""
        => "11-28T14:02:06.631719 (no year) Error [kubelet.go] klog <Skipping> err=x",
    "Nov  3 14:02:06 node01 kernel: Memory cgroup out of memory"
        => "11-03T14:02:06 (no year) Unknown [kernel] plain <Memory cgroup out of memory> ",
    // Something squeezed the blanks.
    "Nov 3 14:02:06 node01 kernel: Memory cgroup out of memory"
        => "11-03T14:02:06 (no year) Unknown [kernel] plain <Memory cgroup out of memory> ",
    "2026-11-28T14:02:06+0000 node01 systemd[1]: Started kubelet."
        => "2026-11-28T14:02:06Z Unknown [systemd] plain <Started kubelet.> ",
    r#"{"log":"I0325 07:00:40.914700 1 r.go:189] \"m\" k=\"v\"\n","stream":"stderr","time":"2026-03-25T07:00:41Z"}"#
        => "2026-03-25T07:00:40.9147Z Info [r.go] klog <m> k=v",
    r#"{"log":"{\"level\":\"warn\",\"ts\":\"2026-06-01T10:00:02Z\",\"msg\":\"a\\\"b\"}\n","stream":"stderr","time":"2026-06-01T10:00:03Z"}"#
        => "2026-06-01T10:00:02Z Warn [] zap-json <a\"b> ",
);

reads!(plain,
    "Fri Nov 20 20:14:32 UTC 2026 shipped 100 lines" => "2026-11-20T20:14:32Z Unknown [] plain <Fri Nov 20 20:14:32 UTC 2026 shipped 100 lines> ",
    "panic: runtime error" => "- Fatal [] plain <panic: runtime error> ",
    "error is human" => "- Unknown [] plain <error is human> ",
    "2026-02-31T10:00:00Z no such day" => "- Unknown [] plain <2026-02-31T10:00:00Z no such day> ",
    "" => "- Unknown [] plain <> ",
);

reads!(journald_json,
    r#"{"__CURSOR":"s=1","__REALTIME_TIMESTAMP":"1764338526631719","_HOSTNAME":"cp-1","PRIORITY":"6","SYSLOG_IDENTIFIER":"kubelet","_SYSTEMD_UNIT":"kubelet.service","MESSAGE":"E1128 14:02:06.631719  308309 kubelet.go:1870] \"Skipping\" err=\"x\""}"#
        => "2025-11-28T14:02:06.631719Z Error [kubelet.go] klog <Skipping> err=x",
    r#"{"_SYSTEMD_UNIT":"kubelet.service","MESSAGE":"plain words","PRIORITY":"3","_COMM":"kubelet","__REALTIME_TIMESTAMP":"1764338526631719"}"#
        => "2025-11-28T14:02:06.631719Z Error [kubelet] plain <plain words> ",
    r#"{"MESSAGE":[27,91,51,49,109,69,82,82,79,82,27,91,48,109,32,120],"PRIORITY":"6","__REALTIME_TIMESTAMP":"1764338526631719","SYSLOG_IDENTIFIER":"app"}"#
        => "2025-11-28T14:02:06.631719Z Error [app] plain <ERROR\u{1b}[0m x> ",
);

reads!(shapes_of_kubectl_and_of_terminals,
    "[pod/etcd-0/etcd] 2026-06-01T10:00:00.5Z {\"level\":\"warn\",\"ts\":\"2026-06-01T09:00:00Z\",\"msg\":\"m\"}"
        => "2026-06-01T09:00:00Z Warn [] zap-json <m> ",
    "\u{1b}[36mINFO\u{1b}[0m[0000] starting" => "- Info [] plain <INFO\u{1b}[0m[0000] starting> ",
    "Nov 28 14:02:06.123456 node01 kubelet[3]: plain" => "11-28T14:02:06.123456 (no year) Unknown [kubelet] plain <plain> ",
);

reads!(languages,
    "2026-06-01 10:00:00,123 - app.main - ERROR - no route" => "2026-06-01T10:00:00.123 (no zone) Error [] plain <- app.main - ERROR - no route> ",
    "2026-06-01 10:00:00.123 ERROR [main] c.e.App: no route" => "2026-06-01T10:00:00.123 (no zone) Error [] plain <ERROR [main] c.e.App: no route> ",
);

// The shapes of Cluster API controllers, the kubelet and etcd, one by one.

reads!(klog_text_of_a_controller,
    r#"E0119 12:49:05.000000       1 controller.go:316] "Reconciler error" err="failed: context deadline exceeded" controller="machine" namespace="ns" name="m-1" reconcileID="9e6d""#
        => r#"01-19T12:49:05 (no year) Error [controller.go] klog <Reconciler error> err=failed: context deadline exceeded | controller=machine | namespace=ns | name=m-1 | reconcileID=9e6d"#,
);

reads!(old_logr_text_that_docker_wrapped,
    r#"{"log":"I0325 07:00:40.914700       1 remediation.go:189] controllers/Kcp \"msg\"=\"before\" \"cluster\"=\"blue\" \"members\"=[\"a\",\"b\"]\n","stream":"stderr","time":"2026-03-25T07:00:41Z"}"#
        => r#"2026-03-25T07:00:40.9147Z Info [remediation.go] klog <before> logger=controllers/Kcp | cluster=blue | members=["a","b"]"#,
);

reads!(klog_json,
    r#"{"ts":1780308002500.5,"caller":"machine/controller.go:7","msg":"Reconciler error","controller":"machine","err":"it broke"}"#
        => "2026-06-01T10:00:02.5005Z Error [machine/controller.go] klog-json <Reconciler error> caller=machine/controller.go:7 | controller=machine | err=it broke",
);

reads!(zap_json_of_a_controller_with_its_stack,
    r#"{"level":"error","ts":"2026-05-11T06:21:20Z","msg":"Reconciler error","controller":"dcs","error":"sa \"x\" not found","stacktrace":"a.Run\n\t/a.go:1"}"#
        => "2026-05-11T06:21:20Z Error [] zap-json <Reconciler error> controller=dcs | error=sa \"x\" not found | stacktrace=a.Run\n\t/a.go:1",
);

reads!(etcd_json_in_milliseconds_and_microseconds,
    r#"{"level":"warn","ts":"2023-11-30T15:33:44.975Z","caller":"wal/wal.go:805","msg":"slow fdatasync","took":"2.417s","expected-duration":"1s"}"#
        => "2023-11-30T15:33:44.975Z Warn [wal/wal.go] zap-json <slow fdatasync> caller=wal/wal.go:805 | took=2.417s | expected-duration=1s",
    r#"{"level":"fatal","ts":"2026-06-01T15:33:44.975123+0800","caller":"etcdserver/storage.go:105","msg":"failed to read WAL","error":"walpb: crc mismatch"}"#
        => "2026-06-01T07:33:44.975123Z Fatal [etcdserver/storage.go] zap-json <failed to read WAL> caller=etcdserver/storage.go:105 | error=walpb: crc mismatch",
);

reads!(etcd_json_of_the_raft_library_by_level,
    r#"{"level":"info","ts":"2026-06-01T10:00:01.101Z","logger":"raft","caller":"etcdserver/zap_raft.go:77","msg":"a1 became leader at term 8"}"#
        => "2026-06-01T10:00:01.101Z Info [etcdserver/zap_raft.go] zap-json <a1 became leader at term 8> logger=raft | caller=etcdserver/zap_raft.go:77",
    r#"{"level":"panic","ts":"2026-06-01T10:00:01.101123Z","logger":"raft","caller":"etcdserver/zap_raft.go:101","msg":"tocommit(9) is out of range [lastIndex(8)]"}"#
        => "2026-06-01T10:00:01.101123Z Fatal [etcdserver/zap_raft.go] zap-json <tocommit(9) is out of range [lastIndex(8)]> logger=raft | caller=etcdserver/zap_raft.go:101",
    r#"{"level":"dpanic","ts":"2026-06-01T10:00:01.1Z","msg":"m"}"# => "2026-06-01T10:00:01.1Z Fatal [] zap-json <m> ",
    r#"{"level":"debug","ts":"2026-06-01T10:00:01.1Z","msg":"m"}"# => "2026-06-01T10:00:01.1Z Debug [] zap-json <m> ",
);

reads!(journals_with_zones_and_years,
    "2026-11-28T14:02:06+08:00 node01 kubelet[3]: plain" => "2026-11-28T06:02:06Z Unknown [kubelet] plain <plain> ",
    "Sat 2026-11-28 14:02:06 UTC node01 kubelet[3]: plain" => "2026-11-28T14:02:06Z Unknown [kubelet] plain <plain> ",
    "Sat 2026-11-28 14:02:06 CST node01 kubelet[3]: plain" => "2026-11-28T14:02:06 (no zone) Unknown [kubelet] plain <plain> ",
    "1764338526.631719 node01 kubelet[3]: plain" => "2025-11-28T14:02:06.631719Z Unknown [kubelet] plain <plain> ",
);
