//! By which driver the kubelet and the container runtime of a machine keep cgroups: in their configuration, or in the lines of
//! it that somebody looked for.
//!
//! Each is an object `cgroupdrivers` named after its program (`kubelet`, `containerd`, `cri-o`, `docker`): `spec.program` and
//! `status.driver`, `systemd` or `cgroupfs`. Where the two differ, Pods that run are ended and made anew, and no program says why.
//!
//! Sources: `kubernetes/kubelet:config/v1beta1/types.go` (`cgroupDriver`);
//! `containerd/containerd:docs/cri/config.md` (`SystemdCgroup` of the options of runc); `cri-o/cri-o:docs/crio.conf.5.md`
//! (`cgroup_manager`); `moby/moby` (`native.cgroupdriver` in `daemon.json`, `Cgroup Driver` of `docker info`).
//!
//! Invariants: a driver is one only by its own key; what a file does not set is not known; of a runtime whose handlers differ
//! nothing is told.

use crate::answer::Asked;
use crate::text_form::form::{Mark, NONE, TextForm};
use crate::text_form::records;
use crate::text_form::records::Records;
use facts::node::Node;
use facts::record::{Command, Parsed};

pub(super) const FORM: TextForm =
    TextForm { name: "cgroup-driver", mark: Mark::Program(is_first_line), text: Some(of_lines), ..NONE };

const PLURAL: &str = "cgroupdrivers";
/// Bytes of the largest configuration that is looked at.
const MOST: usize = 1 << 18;
/// Files of configuration, by the folder or the beginning of the name and the end.
const FILES: [(&str, &str); 5] = [
    ("containerd", ".toml"),
    ("kubelet", "config.yaml"),
    ("kubelet-config", ".yaml"),
    ("docker", "daemon.json"),
    ("crio", ".conf"),
];

/// May a text be the configuration of one of these programs? The name of its file, or the command that printed it, tells.
pub(crate) fn is_named(asked: &Asked<'_>) -> bool {
    is_one(asked.name) || asked.command.is_some_and(is_asked)
}

/// The configuration of one of these programs; `None` if it sets no driver, or is an object of Kubernetes that holds one.
pub(crate) fn of_file(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let is_object = |line: &str| line.strip_prefix("kind:").is_some_and(|kind| kind.trim() != "KubeletConfiguration");
    (text.len() <= MOST && !text.lines().any(is_object)).then(|| parse(asked, text))?
}

fn is_one(path: &str) -> bool {
    FILES.iter().any(|(part, end)| path.contains(part) && path.ends_with(end))
}

/// Does a command print such a file, or lines of it?
pub(crate) fn is_asked(command: &Command) -> bool {
    command.text.split_whitespace().any(is_one)
}

/// Lines that somebody looked for.
fn of_lines(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    is_first_line(text.lines().find(|line| !line.trim().is_empty())?).then(|| parse(asked, text))?
}

fn parse(asked: &Asked<'_>, text: &str) -> Option<Parsed> {
    let set: Vec<(u32, &str, &str)> = records::lines(text)
        .filter_map(|(number, line)| setting(line).map(|(program, driver)| (number, program, driver)))
        .collect();
    let mut found = Records::new(asked, FORM.name);
    for program in ["kubelet", "containerd", "cri-o", "docker"] {
        let mut own = set.iter().filter(|(_, of, _)| *of == program);
        let Some((line, _, driver)) = own.next() else { continue };
        if own.all(|(_, _, other)| other == driver) {
            let mut node = Node::map(*line);
            node.set_at(&["spec", "program"], Node::str(*line, program));
            node.set_at(&["status", "driver"], Node::str(*line, *driver));
            found.partial(PLURAL, program, node);
        }
    }
    found.finish_if_any()
}

fn is_first_line(line: &str) -> bool {
    setting(line).is_some()
}

/// The program whose driver a line sets, and the driver.
fn setting(line: &str) -> Option<(&'static str, &'static str)> {
    let line = without_place(line.trim());
    let value = |key: &str, between: char| {
        let rest = line.strip_prefix(key)?.trim_start().strip_prefix(between)?;
        let bare = rest.split('#').next().unwrap_or(rest).trim().trim_end_matches(',').trim_matches(['"', '\'']);
        Some(bare)
    };
    let driver = |text: &str| ["systemd", "cgroupfs"].into_iter().find(|driver| *driver == text);
    if let Some(set) = value("SystemdCgroup", '=') {
        return match set {
            "true" => Some(("containerd", "systemd")),
            "false" => Some(("containerd", "cgroupfs")),
            _ => None,
        };
    }
    let of_kubelet = || value("cgroupDriver", ':').or_else(|| value("\"cgroupDriver\"", ':')).and_then(driver);
    let of_crio = || value("cgroup_manager", '=').and_then(driver);
    let of_docker = || {
        let option =
            line.split_once("native.cgroupdriver=").map(|(_, rest)| rest.trim_end_matches([']', ',', ' ', '"']));
        option.or_else(|| value("Cgroup Driver", ':')).and_then(driver)
    };
    let named = |program: &'static str, driver: Option<&'static str>| Some((program, driver?));
    named("kubelet", of_kubelet()).or_else(|| named("cri-o", of_crio())).or_else(|| named("docker", of_docker()))
}

/// A line without the file and the number that grep writes in front: `/etc/containerd/config.toml:125:  SystemdCgroup = false`.
fn without_place(line: &str) -> &str {
    let mut rest = line;
    if let Some((file, behind)) = rest.split_once(':')
        && file.starts_with('/')
        && !file.contains(' ')
    {
        rest = behind;
    }
    match rest.split_once([':', '-']) {
        Some((number, behind)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => {
            behind.trim_start()
        }
        _ => rest.trim_start(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text_form::testing::read;

    #[test]
    fn a_driver_by_its_own_key() {
        for (line, expected) in [
            ("            SystemdCgroup = false", Some(("containerd", "cgroupfs"))),
            ("125:            SystemdCgroup = true", Some(("containerd", "systemd"))),
            ("/etc/containerd/config.toml:125:  SystemdCgroup = false", Some(("containerd", "cgroupfs"))),
            ("cgroupDriver: systemd", Some(("kubelet", "systemd"))),
            ("  \"cgroupDriver\": \"cgroupfs\",", Some(("kubelet", "cgroupfs"))),
            ("cgroup_manager = \"systemd\" # the default", Some(("cri-o", "systemd"))),
            ("\"exec-opts\": [\"native.cgroupdriver=systemd\"],", Some(("docker", "systemd"))),
            (" Cgroup Driver: cgroupfs", Some(("docker", "cgroupfs"))),
            ("# SystemdCgroup = true", None),
            ("systemd_cgroup = true", None),
            ("cgroupDriver: \"\"", None),
            ("kubelet cgroup driver is systemd", None),
        ] {
            assert_eq!(setting(line), expected, "{line}");
        }
    }

    #[test]
    fn files_of_programs() {
        let toml = "version = 2\n\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc.options]\n  SystemdCgroup = false\n";
        let asked = |name| Asked { member: facts::origin::MemberId(0), name, command: None };
        let shown = |name, text| {
            let asked = asked(name);
            is_named(&asked).then(|| of_file(&asked, text).map(|parsed| parsed.records.len()))?
        };
        assert_eq!(shown("w-1/etc/containerd/config.toml", toml), Some(1));
        assert_eq!(shown("w-1/notes.toml", toml), None);
        let kubelet = "apiVersion: kubelet.config.k8s.io/v1beta1\ncgroupDriver: systemd\nkind: KubeletConfiguration\n";
        assert_eq!(shown("w-1/var/lib/kubelet/config.yaml", kubelet), Some(1));
        assert_eq!(shown("w-1/var/lib/kubelet/config.yaml", "kind: KubeletConfiguration\n"), None);
        // The ConfigMap that kubeadm keeps of it is an object of the cluster.
        let kept = "apiVersion: v1\ndata:\n  kubelet: |\n    cgroupDriver: systemd\nkind: ConfigMap\nmetadata:\n  name: kubelet-config\n";
        assert_eq!(shown("kubelet-config.yaml", kept), None);
        let handlers = format!("{toml}  SystemdCgroup = true\n");
        assert_eq!(shown("etc/containerd/config.toml", &handlers), None);
        insta::assert_snapshot!(read("grep.txt", "125:   SystemdCgroup = false\n"), @"1: cgroupdrivers containerd | spec: {program: containerd} status: {driver: cgroupfs}");
    }
}
