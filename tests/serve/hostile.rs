//! Who has no token learns nothing, and no request makes the server fall.

use crate::running::USUAL;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

/// A request by hand.
fn send(path: &str, host: &str) -> String {
    USUAL.raw(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes())
}

fn is_alive() {
    assert_eq!(USUAL.get("/healthz").body, "ok");
}

#[test]
fn without_the_token_nothing_is_said() {
    let host = format!("127.0.0.1:{}", USUAL.port());
    let token = USUAL.token();
    let longer = format!("/{token}0/cluster/api/v1/pods");
    let other = format!("/{}/cluster/api/v1/pods", "0".repeat(token.len()));
    let shorter = format!("/{}/cluster/api/v1/pods", &token[1..]);
    for path in ["/", "/api", "/version", "/cluster/api/v1/pods", "//", &longer, &other, &shorter] {
        let answer = send(path, &host);
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(body.is_empty() && !head.contains("casefile"), "{path}: {answer}");
    }
}

#[test]
fn only_loopback_is_a_name_of_it() {
    let path = format!("/{}/cluster/version", USUAL.token());
    let port = USUAL.port();
    assert!(send(&path, &format!("localhost:{port}")).starts_with("HTTP/1.1 200"));
    for host in ["evil.example:80", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:80", "", "x"] {
        assert!(send(&path, host).starts_with("HTTP/1.1 403"), "{host}");
    }
    let rebound = format!("evil.example:{port}");
    assert!(send(&path, &rebound).starts_with("HTTP/1.1 403"));
    assert!(
        send(&format!("http://evil.example:{port}{path}"), &format!("127.0.0.1:{port}")).starts_with("HTTP/1.1 403")
    );
    let none = USUAL.raw(format!("GET {path} HTTP/1.1\r\nConnection: close\r\n\r\n").as_bytes());
    assert!(none.starts_with("HTTP/1.1 403"), "{none}");
    let two = USUAL.raw(
        format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
            .as_bytes(),
    );
    assert!(two.starts_with("HTTP/1.1 40"), "{two}");
}

#[test]
fn rubbish_is_survived() {
    let host = format!("Host: 127.0.0.1:{}\r\n", USUAL.port());
    let token = USUAL.token();
    let long = "a".repeat(200_000);
    let deep = "/x".repeat(20_000);
    let many = "X: y\r\n".repeat(5_000);
    let requests = [
        String::new(),
        "\r\n\r\n".to_owned(),
        "\0\0\0\0\0\0\0\0".to_owned(),
        "GET".to_owned(),
        "GET / HTTP/9.9\r\n\r\n".to_owned(),
        format!("GET /{long} HTTP/1.1\r\n{host}\r\n"),
        format!("GET /{token}{deep} HTTP/1.1\r\n{host}Connection: close\r\n\r\n"),
        format!("GET /{token}/cluster/version HTTP/1.1\r\n{host}{many}\r\n"),
        format!("GET /{token}/cluster/version HTTP/1.1\r\n{host}X: {long}\r\n\r\n"),
        format!("POST /{token}/cluster/api/v1/pods HTTP/1.1\r\n{host}Content-Length: 99999999999999999999\r\n\r\n"),
        format!(
            "POST /{token}/cluster/api/v1/pods HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n"
        ),
        format!(
            "GET /{token}/cluster/api/v1/pods?labelSelector=%ff%fe%00(((,,,))) HTTP/1.1\r\n{host}Connection: close\r\n\r\n"
        ),
        format!(
            "GET /{token}/cluster/api/v1/pods?fieldSelector=%5b%5b%5b=%22 HTTP/1.1\r\n{host}Connection: close\r\n\r\n"
        ),
        format!("GET /{token}/cluster/%ff%ff/%2e%2e/%2f HTTP/1.1\r\n{host}Connection: close\r\n\r\n"),
        format!("GET /{token}/../../etc/passwd HTTP/1.1\r\n{host}Connection: close\r\n\r\n"),
        format!(
            "GET /{token}/cluster/api/v1/pods?limit=18446744073709551615&continue=18446744073709551615 HTTP/1.1\r\n{host}Connection: close\r\n\r\n"
        ),
        format!(
            "GET /{token}/cluster/api/v1/namespaces/shop/pods/web-1/log?sinceSeconds=18446744073709551615&tailLines=18446744073709551615&limitBytes=18446744073709551615 HTTP/1.1\r\n{host}Connection: close\r\n\r\n"
        ),
        format!("CONNECT evil.example:80 HTTP/1.1\r\n{host}Connection: close\r\n\r\n"),
        format!("OPTIONS * HTTP/1.1\r\n{host}Connection: close\r\n\r\n"),
        format!(
            "GET /{token}/cluster/version HTTP/1.1\r\n{host}Connection: Upgrade\r\nUpgrade: websocket\r\nConnection: close\r\n\r\n"
        ),
    ];
    for request in &requests {
        // The end of the request is the end of what the client says.
        let mut stream = TcpStream::connect(("127.0.0.1", USUAL.port())).unwrap();
        let _ = stream.write_all(request.as_bytes());
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        assert!(text.is_empty() || text.starts_with("HTTP/1."), "{}: {text}", &request[..request.len().min(80)]);
        is_alive();
    }
}

/// Addresses drawn by lot, out of the words that addresses are made of.
#[test]
fn no_address_makes_it_fall() {
    let words = [
        "api",
        "apis",
        "v1",
        "apps",
        "namespaces",
        "shop",
        "pods",
        "web-1",
        "log",
        "nodes",
        "events",
        "watch",
        "exec",
        "example.com",
        "widgets",
        "w",
        "status",
        "%2f",
        "..",
        "",
        "authorization.k8s.io",
        "version",
        "secrets",
        "x",
    ];
    let queries = [
        "",
        "?watch=true",
        "?labelSelector=!a,b%20in%20(c)",
        "?fieldSelector=metadata.name%3Dweb-1",
        "?limit=1&continue=1",
        "?previous=true",
        "?tailLines=1",
        "?container=web&timestamps=true",
        "?includeObject=None",
        "?resourceVersion=0",
    ];
    let accepts = [
        "",
        "*/*",
        "application/json;as=Table;v=v1;g=meta.k8s.io",
        "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
        ";;;,,,as=Table",
    ];
    let mut lot: u64 = 7;
    let mut draw = |below: usize| {
        lot = lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(lot >> 33).unwrap() % below
    };
    for _ in 0..600 {
        let parts: Vec<&str> = (0..draw(8)).map(|_| words[draw(words.len())]).collect();
        let path = format!("/cluster/{}{}", parts.join("/"), queries[draw(queries.len())]);
        let answer = USUAL.send("GET", &path, accepts[draw(accepts.len())], "");
        assert!([200, 400, 403, 404, 405].contains(&answer.code), "{path}: {answer:?}");
    }
    is_alive();
}

#[test]
fn many_clients_at_once_are_all_answered() {
    let answers = std::thread::scope(|scope| {
        let asking = |_| scope.spawn(|| USUAL.get("/api/v1/namespaces/shop/pods").names().len());
        let all: Vec<_> = (0..64).map(asking).collect();
        all.into_iter().map(|one| one.join().unwrap()).sum::<usize>()
    });
    assert_eq!(answers, 128);
}

#[test]
fn a_terminal_obeys_no_line_and_no_cell() {
    let log = USUAL.get("/api/v1/namespaces/shop/pods/two-1/log?container=b").body;
    assert!(log.contains("nothing \u{27e8}U+001B\u{27e9}[31mdated"), "{log:?}");
    let (_, rows) = USUAL.table("/api/v1/namespaces/shop/events");
    assert!(rows.iter().flatten().all(|cell| !cell.contains('\u{1b}')), "{rows:?}");
    assert!(rows.iter().flatten().any(|cell| cell.contains("\u{27e8}U+001B\u{27e9}")), "{rows:?}");
}

/// It takes as long as a request may take: the bound is what is tested.
#[test]
fn a_request_that_is_never_finished_ends() {
    let mut stream = TcpStream::connect(("127.0.0.1", USUAL.port())).unwrap();
    stream.set_read_timeout(Some(std::time::Duration::from_secs(60))).unwrap();
    let began = std::time::Instant::now();
    stream.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(began.elapsed() < std::time::Duration::from_secs(50), "{:?}", began.elapsed());
    is_alive();
}
