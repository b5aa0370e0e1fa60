//! Texts of many lines, rows, keys and documents.

use super::grows_with_its_size;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A member of so many parts.
fn parts(folder: &Path, name: &str, before: &str, count: usize, part: impl Fn(usize) -> String, after: &str) {
    let mut text = before.to_owned();
    for n in 0..count {
        text.push_str(&part(n));
    }
    text.push_str(after);
    fs::write(folder.join(name), text).expect("written");
}

/// A time that moves on by a second with each line.
fn clock(n: usize) -> String {
    format!("{:02}:{:02}:{:02}", n / 3600 % 24, n / 60 % 60, n % 60)
}

#[test]
fn rows_of_a_table() {
    grows_with_its_size(1_000, 20_000, |folder, count| {
        let row = |n: usize| format!("shop        p-{n:<8} 0/1     CrashLoopBackOff   {}          3d\n", n % 90);
        parts(folder, "pods.txt", "NAMESPACE   NAME       READY   STATUS             RESTARTS   AGE\n", count, row, "");
    });
}

#[test]
fn rows_of_one_object_that_is_watched() {
    grows_with_its_size(1_000, 20_000, |folder, count| {
        let row = |n: usize| {
            format!(
                "p-0    0/1     {:<18} {n}          {n}s\n",
                if n.is_multiple_of(2) { "Error" } else { "CrashLoopBackOff" }
            )
        };
        parts(
            folder,
            "session.txt",
            "$ kubectl get pods -n shop -w\nNAME   READY   STATUS             RESTARTS   AGE\n",
            count,
            row,
            "",
        );
    });
}

#[test]
fn columns_of_a_table() {
    grows_with_its_size(200, 5_000, |folder, count| {
        let columns: String = (0..count).map(|n| format!("C{n:<8}")).collect();
        let cells: String = (0..count).map(|n| format!("v{n:<8}")).collect();
        fs::write(folder.join("pods.txt"), format!("NAME     {columns}\np-0      {cells}\np-1      {cells}\n"))
            .expect("written");
    });
}

#[test]
fn tables_of_one_file() {
    grows_with_its_size(300, 5_000, |folder, count| {
        let table =
            |n: usize| format!("NAME   READY   STATUS    RESTARTS   AGE\np-{n}    0/1     Pending   0          3d\n\n");
        parts(folder, "pods.txt", "", count, table, "");
    });
}

#[test]
fn descriptions_of_one_file() {
    grows_with_its_size(200, 4_000, |folder, count| {
        let block = |n: usize| {
            format!(
                "Name:             p-{n}\nNamespace:        shop\nNode:             n-1/10.0.0.1\nStatus:           Pending\nContainers:\n  c:\n    State:          Waiting\n      Reason:       CrashLoopBackOff\n    Ready:          False\n    Restart Count:  4\nEvents:\n  Type     Reason   Age   From     Message\n  ----     ------   ---   ----     -------\n  Warning  BackOff  1m    kubelet  Back-off restarting failed container c\n\n\n"
            )
        };
        parts(folder, "describe.txt", "", count, block, "");
    });
}

#[test]
fn events_of_a_description() {
    grows_with_its_size(500, 10_000, |folder, count| {
        let head = "Name:             p\nNamespace:        shop\nStatus:           Pending\nEvents:\n  Type     Reason   Age   From     Message\n  ----     ------   ---   ----     -------\n";
        parts(
            folder,
            "describe.txt",
            head,
            count,
            |n| format!("  Warning  Failed   {n}m    kubelet  the {n}th time it failed\n"),
            "",
        );
    });
}

#[test]
fn answers_of_a_session_that_differ() {
    // Beyond fifty thousand lines a session is read as any other text.
    grows_with_its_size(150, 2_000, |folder, count| {
        let answer = |n: usize| {
            format!(
                "$ kubectl get nodes\nNAME   STATUS     ROLES    AGE   VERSION\nn-{n}    NotReady   <none>   3d    v1.30.1\n$ kubectl get pods -n shop p-{n}\nError from server (NotFound): pods \"p-{n}\" not found\n"
            )
        };
        parts(folder, "session.txt", "", count, answer, "");
    });
}

#[test]
fn errors_of_a_log_that_all_differ() {
    grows_with_its_size(2_000, 40_000, |folder, count| {
        let line = |n: usize| {
            let word: String = (0..4).map(|at| char::from(b'a' + (n / 26_usize.pow(at) % 26) as u8)).collect();
            format!(
                "E0101 {}.000000       1 controller.go:{}] {word}ing of {word} failed: no {word} in shop/p-{n}\n",
                clock(n),
                n % 900
            )
        };
        parts(folder, "kube-controller-manager.log", "", count, line, "");
    });
}

#[test]
fn lines_of_a_log_that_a_signature_wants() {
    grows_with_its_size(2_000, 40_000, |folder, count| {
        let line = |n: usize| {
            format!(
                "{{\"level\":\"warn\",\"ts\":\"2026-01-01T{}.000Z\",\"caller\":\"etcdserver/util.go:123\",\"msg\":\"apply request took too long\",\"took\":\"{}ms\"}}\n",
                clock(n),
                n % 900
            )
        };
        parts(folder, "etcd.log", "", count, line, "");
    });
}

#[test]
fn machines_of_a_journal() {
    grows_with_its_size(200, 4_000, |folder, count| {
        let line = |n: usize| {
            format!(
                "Jan 01 {} host-{n} kubelet[812]: E0101 {}.000000     812 kubelet.go:2419] \"Error getting node\" err=\"node \\\"host-{n}\\\" not found\"\n",
                clock(n),
                clock(n)
            )
        };
        parts(folder, "journal.log", "", count, line, "");
    });
}

#[test]
fn traces_of_a_log() {
    grows_with_its_size(300, 8_000, |folder, count| {
        let trace = |n: usize| {
            format!(
                "panic: runtime error: index out of range [{n}]\n\ngoroutine {n} [running]:\nmain.main()\n\t/app/main.go:{n} +0x1d\nexit status 2\n"
            )
        };
        parts(folder, "shop_p-1_c.log", "", count, trace, "");
    });
}

#[test]
fn one_long_line() {
    grows_with_its_size(100_000, 10_000_000, |folder, count| {
        parts(
            folder,
            "kubelet.log",
            "E0101 00:00:00.000000 1 kubelet.go:1] ",
            count,
            |n| if n.is_multiple_of(7) { " ".to_owned() } else { "x".to_owned() },
            "\n",
        );
    });
}

#[test]
fn words_of_secrets() {
    grows_with_its_size(2_000, 40_000, |folder, count| {
        let line = |n: usize| {
            format!(
                "E0101 {}.000000 1 auth.go:{n}] login failed password=p{n}ss token: t{n}ken --api-key k{n}y no leader\n",
                clock(n)
            )
        };
        parts(folder, "etcd.log", "", count, line, "");
    });
}

#[test]
fn words_of_secrets_on_one_line() {
    grows_with_its_size(2_000, 40_000, |folder, count| {
        parts(
            folder,
            "etcd.log",
            "2026-01-01 00:00:00.000000 E | etcdserver: no leader ",
            count,
            |n| format!("password=p{n}ss "),
            "\n",
        );
    });
}

#[test]
fn keys_in_pem() {
    grows_with_its_size(300, 8_000, |folder, count| {
        let key = |n: usize| {
            format!(
                "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC{n}\n-----END PRIVATE KEY-----\n-----BEGIN CERTIFICATE-----\n"
            )
        };
        parts(folder, "ca.log", "", count, key, "");
    });
}

#[test]
fn keys_of_a_map_in_json() {
    grows_with_its_size(2_000, 100_000, |folder, count| {
        let head = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c\",\"namespace\":\"shop\"},\"data\":{\"k\":\"v\"";
        parts(folder, "one.json", head, count, |n| format!(",\"k{n}\":\"v\""), "}}");
        parts(folder, "doubled.json", head, count, |n| format!(",\"k{}\":\"v{n}\"", n / 2), "}}");
    });
}

#[test]
fn keys_of_a_map_in_yaml() {
    grows_with_its_size(2_000, 50_000, |folder, count| {
        let head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  namespace: shop\ndata:\n";
        parts(folder, "one.yaml", head, count, |n| format!("  k{n}: v\n"), "");
        parts(folder, "doubled.yaml", head, count, |n| format!("  k{}: v{n}\n", n / 2), "");
    });
}

#[test]
fn documents_in_yaml() {
    grows_with_its_size(500, 10_000, |folder, count| {
        let document = |n: usize| {
            format!(
                "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p-{n}\n  namespace: shop\nstatus:\n  phase: Pending\n"
            )
        };
        parts(folder, "pods.yaml", "", count, document, "");
    });
}

#[test]
fn documents_that_are_broken_or_joined() {
    grows_with_its_size(500, 10_000, |folder, count| {
        parts(
            folder,
            "broken.yaml",
            "",
            count,
            |n| format!("---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p-{n}\n  namespace: [shop\n"),
            "",
        );
        parts(
            folder,
            "joined.json",
            "",
            count,
            |n| format!("{{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{{\"name\":\"p-{n}\"}}}}{{\"broken\":"),
            "",
        );
    });
}

#[test]
fn depth_of_a_document() {
    grows_with_its_size(500, 20_000, |folder, count| {
        let mut text = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec: ".to_owned();
        text.push_str(&"[".repeat(count));
        text.push_str(&"]".repeat(count));
        fs::write(folder.join("deep.yaml"), text).expect("written");
        let mut json = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"q\"},\"spec\":".to_owned();
        json.push_str(&"{\"a\":".repeat(count));
        let _ = write!(json, "1{}}}", "}".repeat(count));
        fs::write(folder.join("deep.json"), json).expect("written");
    });
}

#[test]
fn lines_of_etcd_about_members() {
    grows_with_its_size(1_000, 20_000, |folder, count| {
        let line = |n: usize| {
            format!(
                "{{\"level\":\"warn\",\"ts\":\"2026-01-01T{}.000Z\",\"caller\":\"rafthttp/probing_status.go:68\",\"msg\":\"prober detected unhealthy status\",\"round-tripper-name\":\"ROUND_TRIPPER_RAFT_MESSAGE\",\"remote-peer-id\":\"{n:016x}\",\"rtt\":\"0s\",\"error\":\"dial tcp 10.0.{}.{}:2380: connect: connection refused\"}}\n",
                clock(n),
                n / 250 % 250,
                n % 250
            )
        };
        parts(folder, "etcd.log", "", count, line, "");
    });
}

#[test]
fn endpoints_of_etcd() {
    grows_with_its_size(200, 5_000, |folder, count| {
        let row = |n: usize| {
            format!(
                "{}{{\"Endpoint\":\"https://10.0.{}.{}:2379\",\"Status\":{{\"header\":{{\"cluster_id\":1,\"member_id\":{n},\"revision\":5,\"raft_term\":2}},\"version\":\"3.5.9\",\"dbSize\":4096,\"leader\":{},\"raftIndex\":9,\"raftTerm\":2}}}}",
                if n == 0 { "" } else { "," },
                n / 250,
                n % 250,
                n / 2
            )
        };
        parts(folder, "endpoint-status.json", "[", count, row, "]");
    });
}

#[test]
fn containers_of_crictl() {
    grows_with_its_size(500, 8_000, |folder, count| {
        let row = |n: usize| {
            format!(
                "{n:013x}       {n:013x}       2 hours ago         Exited              c-{n}              {}                   {n:013x}       p-{n}\n",
                n % 9
            )
        };
        parts(
            folder,
            "crictl-ps-a.txt",
            "CONTAINER           IMAGE               CREATED             STATE               NAME                ATTEMPT             POD ID              POD\n",
            count,
            row,
            "",
        );
    });
}
