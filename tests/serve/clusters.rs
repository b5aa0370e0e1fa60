//! Several clusters at once, and the kubeconfig.

use crate::bundle;
use crate::running::{Running, command};
use std::os::unix::fs::PermissionsExt as _;

const POD: &str = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"NAME","namespace":"n","uid":"55555555-5555-4555-8555-555555555555","resourceVersion":"3"},"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Running"}}"#;

#[test]
fn each_cluster_has_a_context_and_its_own_objects() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        std::fs::create_dir(dir.path().join(name)).unwrap();
        std::fs::write(dir.path().join(name).join("pod.json"), POD.replace("NAME", name)).unwrap();
    }
    let running = Running::start(dir, &["a", "b", "--as", "primary,stand by"]);
    assert!(running.kubeconfig.contains("current-context: \"primary\""), "{}", running.kubeconfig);
    assert!(running.kubeconfig.contains("- name: \"stand by\"\n  context:"), "{}", running.kubeconfig);
    let names = |cluster: &str| running.send("GET", &format!("/{cluster}/api/v1/pods"), "", "").names();
    assert_eq!(names("primary"), ["n/a"]);
    assert_eq!(names("stand-by"), ["n/b"]);
    assert_eq!(running.send("GET", "/other/api/v1/pods", "", "").code, 404);
}

#[test]
fn the_kubeconfig_is_for_its_owner_and_what_others_wrote_stays() {
    let dir = tempfile::tempdir().unwrap();
    bundle::write(&dir.path().join("b"));
    let path = dir.path().join("kc");
    std::fs::write(&path, "apiVersion: v1\nkind: Config\n").unwrap();
    let run = command(dir.path()).args(["serve", "--kubeconfig", "kc", "b"]).output().unwrap();
    assert_eq!(run.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&run.stderr).contains("a file stands there that Casefile did not write"));
    std::fs::remove_file(&path).unwrap();
    let running = Running::start(dir, &["b"]);
    let path = running.dir.path().join("kc");
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert!(running.said.starts_with("export KUBECONFIG=/") && running.said.contains("/kc\n"), "{}", running.said);
    let before = running.kubeconfig.clone();
    // Its own file is replaced, and the token is another one each time.
    let dir = tempfile::tempdir().unwrap();
    bundle::write(&dir.path().join("b"));
    std::fs::copy(path, dir.path().join("kc")).unwrap();
    let again = Running::start(dir, &["b"]);
    assert_ne!(again.kubeconfig, before);
}

#[test]
fn without_a_name_the_kubeconfig_is_a_new_file_in_a_folder_of_its_own() {
    use std::io::{BufRead as _, BufReader};
    let dir = tempfile::tempdir().unwrap();
    bundle::write(&dir.path().join("b"));
    let mut child = command(dir.path()).args(["serve", "b"]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let path = std::path::PathBuf::from(line.trim().strip_prefix("export KUBECONFIG=").unwrap());
    let folder = path.parent().unwrap();
    let modes = [&path, folder].map(|path| path.metadata().unwrap().permissions().mode() & 0o777);
    assert_eq!(modes, [0o600, 0o700]);
    std::fs::remove_dir_all(folder).unwrap();
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "nothing else is written");
}

#[test]
fn a_port_that_is_taken_and_a_bundle_that_is_none_are_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let dir = tempfile::tempdir().unwrap();
    bundle::write(&dir.path().join("b"));
    let run = command(dir.path()).args(["serve", "--kubeconfig", "kc", "--port", &port, "b"]).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).contains("name another port with --port"));
    let run = command(dir.path()).args(["serve", "--kubeconfig", "kc", "nothing"]).output().unwrap();
    assert_eq!(run.status.code(), Some(3));
    assert!(!dir.path().join("kc").exists());
}
