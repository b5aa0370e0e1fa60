//! What is linked into the program: nothing that speaks a protocol of a network.

use std::collections::BTreeSet;
use std::process::Command;

/// Libraries for sockets that Polars brings along through tokio. No feature of it leaves them out; the sandbox refuses
/// every socket.
const OF_POLARS: [&str; 3] = ["mio", "socket2", "tokio"];

/// Beginnings of names of libraries that speak over a network.
const NETWORK: [&str; 24] = [
    "actix",
    "async-std",
    "aws-",
    "axum",
    "curl",
    "h2",
    "h3",
    "hickory",
    "http",
    "hyper",
    "isahc",
    "mio",
    "native-tls",
    "object_store",
    "openssl",
    "quinn",
    "reqwest",
    "rustls",
    "schannel",
    "security-framework",
    "smol",
    "socket2",
    "tokio",
    "ureq",
];

#[test]
fn no_library_that_speaks_over_a_network_is_linked_but_those_of_polars() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tree = Command::new(cargo)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["tree", "--locked", "--offline", "--package", "casefile", "--edges", "normal", "--prefix", "none"])
        .output()
        .expect("cargo runs this test");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8_lossy(&tree.stdout).into_owned();
    let linked: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(linked.contains("polars") && linked.len() > 100, "{linked:?}");
    // A type for short texts has a name like that of a runtime.
    let speaks = |name: &&str| *name != "smol_str" && NETWORK.iter().any(|begin| name.starts_with(begin));
    let found: Vec<&str> = linked.into_iter().filter(speaks).collect();
    assert_eq!(found, OF_POLARS);
}
