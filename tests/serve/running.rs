//! A server that runs, and one client of it.

use crate::bundle;
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

/// A server of the usual bundle, for all tests that only ask.
pub(crate) static USUAL: LazyLock<Running> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    bundle::write(&dir.path().join("b"));
    Running::start(dir, &["b"])
});

/// A server, and the folder in which it was started.
pub(crate) struct Running {
    child: Child,
    pub(crate) dir: tempfile::TempDir,
    pub(crate) kubeconfig: String,
    /// What it printed.
    pub(crate) said: String,
    port: u16,
    token: String,
    /// The first cluster.
    cluster: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What was answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The message of a refusal.
    pub(crate) fn message(&self) -> String {
        self.json()["message"].as_str().unwrap_or_default().to_owned()
    }

    /// The warnings that kubectl would print.
    pub(crate) fn warnings(&self) -> Vec<&str> {
        self.head.lines().filter_map(|line| line.strip_prefix("warning: ")).collect()
    }

    /// Namespace and name of each item of a list.
    pub(crate) fn names(&self) -> Vec<String> {
        let list = self.json();
        let items = list["items"].as_array().unwrap_or_else(|| panic!("no list: {self:?}"));
        let text = |item: &Value, key: &str| item["metadata"][key].as_str().unwrap_or("-").to_owned();
        items.iter().map(|item| format!("{}/{}", text(item, "namespace"), text(item, "name"))).collect()
    }
}

impl Running {
    /// Starts a server in a folder.
    pub(crate) fn start(dir: tempfile::TempDir, args: &[&str]) -> Self {
        let mut child = command(dir.path()).args(["serve", "--kubeconfig", "kc"]).args(args).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut said = String::new();
        while !said.contains("Ctrl-C") {
            if out.read_line(&mut said).unwrap() == 0 {
                let mut error = String::new();
                child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
                panic!("it ended: {said}{error}");
            }
        }
        let kubeconfig = std::fs::read_to_string(dir.path().join("kc")).unwrap();
        let server = kubeconfig.split("server: \"http://127.0.0.1:").nth(1).unwrap().split('"').next().unwrap();
        let mut parts = server.split('/');
        let mut part = || parts.next().unwrap().to_owned();
        let (port, token, cluster) = (part().parse().unwrap(), part(), part());
        Self { child, dir, kubeconfig, said, port, token, cluster }
    }

    /// Sends a head and what follows as they are, and reads all that comes back.
    pub(crate) fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        // Who does not read to the end may lose the connection: that is an answer too.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// A request behind the token.
    pub(crate) fn send(&self, method: &str, path: &str, accept: &str, body: &str) -> Answer {
        let Self { port, token, .. } = self;
        let length = body.len();
        let head = format!(
            "{method} /{token}{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: {accept}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        answer(&self.raw(head.as_bytes()))
    }

    /// What the first cluster answers.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", &format!("/{}{path}", self.cluster), "application/json", "")
    }

    /// The same as a table: the rows with their cells.
    pub(crate) fn table(&self, path: &str) -> (Vec<String>, Vec<Vec<String>>) {
        let accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
        let answer = self.send("GET", &format!("/{}{path}", self.cluster), accept, "");
        let table = answer.json();
        assert_eq!(table["kind"], "Table", "{answer:?}");
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let columns = table["columnDefinitions"].as_array().unwrap();
        let columns = columns.iter().map(|column| format!("{}:{}", text(&column["name"]), column["priority"]));
        let row = |row: &Value| row["cells"].as_array().unwrap().iter().map(text).collect();
        (columns.collect(), table["rows"].as_array().unwrap().iter().map(row).collect())
    }
}

/// The program, confined to a folder.
pub(crate) fn command(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casefile"));
    command.current_dir(dir).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// An answer, its body put together where it came in pieces.
fn answer(text: &str) -> Answer {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
    let code = head.split(' ').nth(1).unwrap().parse().unwrap();
    let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    let body = if is_chunked { unchunked(body) } else { body.to_owned() };
    Answer { code, head: head.replace('\r', ""), body }
}

fn unchunked(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        text.push_str(&rest[..size]);
        body = &rest[(size + 2).min(rest.len())..];
    }
    text
}
