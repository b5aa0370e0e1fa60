//! Parts of outputs whose beginning was not pasted: rows without their header, the status of an object without its
//! name, the events of a description without its head.
//!
//! Why: people paste what they think matters. The cells of a row, the types of conditions and the labels of a
//! description tell what it is as surely as the head would have.
//!
//! # How to add one
//!
//! Write a file here with a `pub(super) const FRAGMENT: Fragment` and add it to [`FRAGMENTS`]. What tells kinds is data:
//! `parts` in `patterns/kinds.yaml`.
//!
//! Invariants: a part is partial: what it does not show is unknown, and it proves no absence; an object whose name was
//! not pasted is named after the file and line where it stands, so that two of them are never taken for one; what may
//! be of several kinds is of none.

mod described;
mod event_row;
mod events;
mod inside;
mod marks;
mod object;
mod picked;
pub(crate) mod projected;
mod rows;

use crate::answer;
use catalogue::kinds::Catalogue;
use facts::kind::KindName;
use facts::origin::MemberId;
use facts::record::{Command, Parsed};
use facts::unnamed;
use intake::Limits;

/// Where a part stands, and what was asked before it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The member it stands in.
    pub member: MemberId,
    /// The member's name: an object without a name is named after it, and it may tell a kind.
    pub name: &'a str,
    /// The number of its first line.
    pub first: u32,
    /// The command that printed it, if it is known.
    pub command: Option<&'a Command>,
    /// What may be read.
    pub limits: &'a Limits,
}

impl Place<'_> {
    /// The number of a line by its index.
    fn line(&self, at: usize) -> u32 {
        self.first.saturating_add(u32::try_from(at).unwrap_or(u32::MAX))
    }

    /// A name for an object whose own was not pasted.
    fn unnamed(&self, at: usize) -> String {
        unnamed::name(self.name, self.line(at))
    }

    /// The kind that was asked for.
    fn kind(&self) -> Option<KindName> {
        match self.command.map(|command| command.kinds.as_slice()) {
            Some([typed]) => Catalogue::shared().typed(typed).or_else(|| answer::unambiguous(typed).ok()),
            _ => None,
        }
    }

    /// The kind that is meant by a word that can mean several, where nothing else tells. `oc` asks for other Machines.
    fn usual(&self) -> Option<KindName> {
        let command = self.command.filter(|command| !command.text.trim_start().starts_with("oc "))?;
        let of_openshift = command.namespace.as_deref().is_some_and(|namespace| namespace.starts_with("openshift-"));
        match command.kinds.as_slice() {
            [typed] if !of_openshift => Catalogue::shared().usual(typed),
            _ => None,
        }
    }

    /// The kinds that the word may mean that was asked for; none where no kind is known by it.
    fn meanings(&self) -> Vec<KindName> {
        match self.command.map(|command| command.kinds.as_slice()) {
            Some([typed]) => Catalogue::shared().meanings(typed).into_iter().map(|kind| kind.name.clone()).collect(),
            _ => Vec::new(),
        }
    }

    /// The name and the namespace that were asked for; a variable of a shell is none.
    fn asked(&self) -> (Option<&str>, Option<&str>) {
        let plain = |text: &&str| !text.is_empty() && !text.contains(['$', '<', '>', '{', '`', '(', '*', '=', '|']);
        let name = match self.command.map(|command| command.names.as_slice()) {
            Some([name]) => Some(name.as_str()),
            _ => None,
        };
        (name.filter(plain), self.command.and_then(|command| command.namespace.as_deref()).filter(plain))
    }
}

/// One form of parts.
#[derive(Debug)]
struct Fragment {
    /// How many of the lines, from the first one on, are one; `None` if the first one begins none.
    length: fn(&[&str], Option<&Command>) -> Option<usize>,
    /// Reads so many lines; `None` if nothing can be said of them.
    read: fn(&Place<'_>, &[&str]) -> Option<Parsed>,
}

/// In this order: the first that claims a line counts.
const FRAGMENTS: [&Fragment; 6] = [
    &projected::FRAGMENT,
    &events::FRAGMENT,
    &rows::FRAGMENT,
    &described::FRAGMENT,
    &picked::FRAGMENT,
    &object::FRAGMENT,
];

/// The longest part that is read.
const MAX_LINES: usize = 5_000;

/// How many of the lines, from the first one on, are a part of an output.
pub(crate) fn length(lines: &[&str], command: Option<&Command>) -> Option<usize> {
    let lines = &lines[..lines.len().min(MAX_LINES)];
    FRAGMENTS.iter().find_map(|fragment| (fragment.length)(lines, command)).filter(|length| *length > 0)
}

/// How many of the lines are what a filter picked out of the object that a command asked for.
pub(crate) fn projected(lines: &[&str], command: Option<&Command>) -> Option<usize> {
    (projected::FRAGMENT.length)(&lines[..lines.len().min(MAX_LINES)], command)
}

/// May a line be a value that a filter picked out of the object of a command, among others? It stands below or above them.
pub(crate) fn is_picked(line: &str, command: &Command) -> bool {
    let output = command.output.as_deref().unwrap_or_default();
    let picks = [projected::FILTER, projected::FILTER_OF_YAML].iter().any(|filter| output.starts_with(filter));
    picks && !line.trim().is_empty() && (object::is_field(line) || line.starts_with('"') || !line.contains(' '))
}

/// The cells of a row of the events of a description: type, reason, age, who says it, message.
pub(crate) fn event_cells(line: &str) -> Option<[&str; 5]> {
    let row = event_row::read(line).filter(|row| row.object.is_none() && !row.from.is_empty())?;
    Some([row.kind, row.reason, row.age, row.from, row.message])
}

/// Where the table of events ends that begins with the first of the lines, if one does.
pub(crate) fn events_end(lines: &[&str]) -> Option<usize> {
    events::end(lines)
}

/// Lines that are looked at for the beginning of a part.
const LOOK: usize = 400;
/// Lines behind its first one that make a part sure: a container is one only by what stands below its states.
const SURE: usize = 20;

/// Does a part of an output begin somewhere in the first lines of a text?
pub(crate) fn is_in(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().take(LOOK).collect();
    (0..lines.len()).any(|at| length(&lines[at..lines.len().min(at + SURE)], None).is_some())
}

/// Reads lines that [`length`] counted.
pub(crate) fn read(place: &Place<'_>, lines: &[&str]) -> Option<Parsed> {
    let claims = |fragment: &&&Fragment| (fragment.length)(lines, place.command).is_some();
    let fragment = FRAGMENTS.iter().find(claims)?;
    (fragment.read)(place, lines).map(|parsed| Parsed { format: FORMAT, ..parsed })
}

/// The format as `inspect` names it.
pub(crate) const FORMAT: &str = "part of an output";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command;
    use facts::record::Record;

    /// What a text is read as: its records, behind the number of lines that were claimed.
    fn show_of(command: &str, text: &str) -> String {
        let command = (!command.is_empty()).then(|| command::parse(command).unwrap_or_default());
        let lines: Vec<&str> = text.lines().collect();
        let Some(count) = length(&lines, command.as_ref()) else { return "-".to_owned() };
        let limits = Limits::default();
        let place =
            Place { member: MemberId(0), name: "x/paste.txt", first: 5, command: command.as_ref(), limits: &limits };
        let mut out = format!("{count} of {} lines\n", lines.len());
        let Some(parsed) = read(&place, &lines[..count]) else { return out + "nothing\n" };
        for record in &parsed.records {
            match record {
                Record::Object(o) => {
                    let kind = o.kind.as_ref().map_or("?".to_owned(), ToString::to_string);
                    let of = o.namespace.as_deref().map_or(String::new(), |namespace| format!("{namespace}/"));
                    let entries =
                        o.node.entries().iter().filter(|(key, _)| !matches!(&**key, "metadata" | "involvedObject"));
                    let fields: Vec<String> = entries.map(|(key, node)| format!("{key}: {{{node}}}")).collect();
                    out += &format!("{}: {kind} {of}{} | {}\n", o.line, o.name, fields.join(" "));
                }
                Record::Table(table) => {
                    let rows: Vec<String> = table.rows.iter().map(|row| row.cells.join("|")).collect();
                    out += &format!("{}: {} / {}\n", table.line, table.headers.join("|"), rows.join(" / "));
                }
                other => out += &format!("{other:?}\n"),
            }
        }
        out
    }

    /// `cluster` is a kind of many groups, and what stands in its conditions tells which.
    #[test]
    fn a_kind_of_several_groups_is_told_by_its_conditions() {
        let rows = "Available=True Available \nTopologyReconciled=False ReconcileFailed no patch fits\nWorkersAvailable=True Available \nControlPlaneMachinesReady=True Ready \nWorkerMachinesReady=True Ready \nRollingOut=False NotRollingOut \n";
        let ask = |kind: &str| {
            format!(
                "kubectl -n apps get {kind} press -o jsonpath='{{range .status.conditions[*]}}{{.type}}={{.status}} {{.reason}} {{.message}}{{\"\\n\"}}{{end}}'"
            )
        };
        assert!(
            show_of(&ask("cluster"), rows).contains("clusters.cluster.x-k8s.io apps/press"),
            "{}",
            show_of(&ask("cluster"), rows)
        );
        let plane = "Available=True Available \nEtcdClusterHealthy=True Healthy \nMachinesReady=True Ready \nRollingOut=False NotRollingOut \n";
        assert!(
            show_of("", &format!("status:\n  conditions:\n{}", conditions(plane))).contains("kubeadmcontrolplanes")
        );
        let pool = "Available=True Available \nMachinesReady=True Ready \nRollingOut=False NotRollingOut \n";
        assert!(show_of("", &format!("status:\n  conditions:\n{}", conditions(pool))).contains("machinedeployments"));
    }

    /// Rows of conditions as YAML.
    fn conditions(rows: &str) -> String {
        let rows = rows.lines().filter_map(|row| row.split_once('='));
        rows.map(|(kind, rest)| {
            let (status, reason) = rest.split_once(' ').unwrap_or((rest, ""));
            format!("  - type: {kind}\n    status: \"{status}\"\n    reason: {}\n", reason.trim())
        })
        .collect()
    }

    fn show(text: &str) -> String {
        show_of("", text)
    }

    #[test]
    fn events_without_the_head_of_their_object() {
        let rows = "  Warning  FailedMount  2m (x4 over 9m)  kubelet  MountVolume.SetUp failed for volume \"data\" : exit status 32\n\
                    Mounting arguments: -t nfs 10.0.0.9:/data /mnt\n\
                    Output: mount.nfs: Connection timed out\n\
                    \u{20} Normal   Scheduled    9m               default-scheduler  Successfully assigned shop/web-0 to w-1\n";
        insta::assert_snapshot!(show(rows), @r#"
        4 of 4 lines
        5: pods shop/web-0 | 
        5: events shop/web-0#b3de7e63 | type: {Warning} reason: {FailedMount} message: {MountVolume.SetUp failed for volume "data" : exit status 32
        Mounting arguments: -t nfs 10.0.0.9:/data /mnt
        Output: mount.nfs: Connection timed out} status: {kubectlLastSeen: 2m (x4 over 9m)} count: {4}
        8: events shop/web-0#5272ea1e | type: {Normal} reason: {Scheduled} message: {Successfully assigned shop/web-0 to w-1} status: {kubectlLastSeen: 9m}
        "#);
        insta::assert_snapshot!(show_of("kubectl describe pod web-0 -n shop", "Events:\n  Type     Reason   Age  From     Message\n  ----     ------   ---- ----     -------\n  Warning  BackOff  5s   kubelet  Back-off restarting failed container web\n\nNext, I looked further.\n"), @r"
        4 of 6 lines
        8: pods shop/web-0 | 
        8: events shop/web-0#badbbee5 | type: {Warning} reason: {BackOff} message: {Back-off restarting failed container web} status: {kubectlLastSeen: 5s}
        ");
        insta::assert_snapshot!(show("Warning InspectionError 7m12s metal3-baremetal-controller timeout reached\n"), @r"
        1 of 1 lines
        5: baremetalhosts (unnamed, paste.txt:5) | 
        5: events (unnamed, paste.txt:5)#16a7fe09 | type: {Warning} reason: {InspectionError} message: {timeout reached} status: {kubectlLastSeen: 7m12s}
        ");
    }

    #[test]
    fn rows_without_their_header() {
        insta::assert_snapshot!(show("web-0   0/1   ImagePullBackOff   3 (2m ago)   14m   10.0.0.7   w-1   <none>   <none>\nweb-1   1/1   Running   0   14m   10.0.0.8   w-1   <none>   <none>\nand so on\n"), @r"
        2 of 3 lines
        5: NAME|READY|STATUS|RESTARTS|AGE|IP|NODE|NOMINATED NODE|READINESS GATES / web-0|0/1|ImagePullBackOff|3 (2m ago)|14m|10.0.0.7|w-1|<none>|<none> / web-1|1/1|Running|0|14m|10.0.0.8|w-1|<none>|<none>
        ");
        insta::assert_snapshot!(show("kube-system   coredns-5d78c9869d-x2v4k   0/1   Pending   0   42s\n"), @r"
        1 of 1 lines
        5: NAMESPACE|NAME|READY|STATUS|RESTARTS|AGE / kube-system|coredns-5d78c9869d-x2v4k|0/1|Pending|0|42s
        ");
        insta::assert_snapshot!(show("v1beta1.metrics.k8s.io   monitoring/adapter   False (ServiceNotFound)   75d\n"), @r"
        1 of 1 lines
        5: NAME|SERVICE|AVAILABLE|AGE / v1beta1.metrics.k8s.io|monitoring/adapter|False (ServiceNotFound)|75d
        ");
        insta::assert_snapshot!(show("shop   2m7s   Warning   ProvisioningFailed   persistentvolumeclaim/data-0   storageclass \"fast\" not found\n"), @r#"
        1 of 1 lines
        5: NAMESPACE|LAST SEEN|TYPE|REASON|OBJECT|MESSAGE / shop|2m7s|Warning|ProvisioningFailed|persistentvolumeclaim/data-0|storageclass "fast" not found
        "#);
        insta::assert_snapshot!(show_of("kubectl get ns", "shop   Terminating   3d\n"), @r"
        1 of 1 lines
        5: NAME|STATUS|AGE / shop|Terminating|3d
        ");
        for prose in
            ["shop   Terminating   3d\n", "it took 5m to start\n", "1/1 is Running since 3d\n", "NAME   READY\n"]
        {
            assert_eq!(show(prose), "-", "{prose}");
        }
    }

    #[test]
    fn documents_that_begin_inside_an_object() {
        insta::assert_snapshot!(show("status:\n  conditions:\n  - type: PodScheduled\n    status: \"False\"\n    reason: Unschedulable\n  phase: Pending\n"), @r"
        6 of 6 lines
        5: pods (unnamed, paste.txt:5) | status: {conditions: type: PodScheduled, status: False, reason: Unschedulable, phase: Pending}
        ");
        insta::assert_snapshot!(show("- lastTransitionTime: \"2026-05-14T10:00:00Z\"\n  message: used up\n  reason: FailedCreate\n  status: \"True\"\n  type: ReplicaFailure\n- reason: x\n  status: \"True\"\n  type: Progressing\n"), @r"
        8 of 8 lines
        5: deployments.apps (unnamed, paste.txt:5) | status: {conditions: lastTransitionTime: 2026-05-14T10:00:00Z, message: used up, reason: FailedCreate, status: True, type: ReplicaFailure, reason: x, status: True, type: Progressing}
        ");
        insta::assert_snapshot!(show("\"status\": {\n  \"conditions\": [{\"type\": \"DiskPressure\", \"status\": \"True\", \"reason\": \"KubeletHasDiskPressure\"}]\n}\n}\n"), @r"
        4 of 4 lines
        5: nodes (unnamed, paste.txt:5) | status: {conditions: type: DiskPressure, status: True, reason: KubeletHasDiskPressure}
        ");
        insta::assert_snapshot!(show_of("kubectl get pvc data -o yaml", "status:\n  phase: Pending\n"), @r"
        2 of 2 lines
        5: persistentvolumeclaims data | status: {phase: Pending}
        ");
        insta::assert_snapshot!(show("spec:\n  color: red\n"), @r"
        2 of 2 lines
        nothing
        ");
        assert_eq!(show("status: it is down\n"), "-");
    }

    #[test]
    fn descriptions_without_their_head() {
        insta::assert_snapshot!(show("Containers:\n  web:\n    Image:          shop/web:1\n    State:          Running\n    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n    Restart Count:  65\n"), @r"
        8 of 8 lines
        5: pods (unnamed, paste.txt:5) | spec: {containers: name: web, image: shop/web:1, livenessProbe: null, readinessProbe: null, resources: limits: null, requests: null} status: {containerStatuses: name: web, state: waiting: null, terminated: null, lastState: waiting: null, running: null, terminated: reason: OOMKilled, exitCode: 137, restartCount: 65}
        ");
        insta::assert_snapshot!(show("Conditions:\n  Type            Status  LastHeartbeatTime                 LastTransitionTime                Reason                   Message\n  ----            ------  -----------------                 ------------------                ------                   -------\n  DiskPressure    True    Thu, 13 Apr 2023 14:50:21 +0900   Thu, 13 Apr 2023 06:08:51 +0900   KubeletHasDiskPressure   kubelet has disk pressure\n"), @r"
        4 of 4 lines
        5: nodes (unnamed, paste.txt:5) | status: {conditions: type: DiskPressure, status: True, lastHeartbeatTime: 2023-04-13T05:50:21Z, lastTransitionTime: 2023-04-12T21:08:51Z, reason: KubeletHasDiskPressure, message: kubelet has disk pressure}
        ");
        insta::assert_snapshot!(show("Status:\n  Conditions:\n    Last Transition Time:  2023-05-15T23:12:09Z\n    Reason:                Unhealthy\n    Status:                False\n    Type:                  NodeHealthy\n  Phase:                   Running\n"), @r"
        7 of 7 lines
        5: machines.cluster.x-k8s.io (unnamed, paste.txt:5) | status: {Conditions: Last Transition Time: 2023-05-15T23:12:09Z, Reason: Unhealthy, Status: False, Type: NodeHealthy, Phase: Running}
        ");
        insta::assert_snapshot!(show("  DiskPressure   True   Thu, 13 Apr 2023 14:50:21 +0900   Thu, 13 Apr 2023 06:08:51 +0900   KubeletHasDiskPressure   kubelet has disk pressure\n"), @r"
        1 of 1 lines
        5: nodes (unnamed, paste.txt:5) | status: {conditions: type: DiskPressure, status: True, reason: KubeletHasDiskPressure, message: kubelet has disk pressure, lastHeartbeatTime: 2023-04-13T05:50:21Z, lastTransitionTime: 2023-04-12T21:08:51Z} kind: {Node} apiVersion: {v1}
        ");
    }

    #[test]
    fn parts_of_a_status() {
        let condition = "    Last Transition Time:  2026-05-15T23:12:09Z\n    Message:               Drain not completed yet:\n* Pod shop/db-0: cannot evict pod\n    Reason:                Draining\n    Status:                False\n    Type:                  DrainingSucceeded\n";
        let machine = show_of(
            "kubectl describe machine -n edge w-3",
            &format!("  Conditions:\n{condition}Events:                    <none>\n"),
        );
        assert!(
            machine.contains("7 of 8 lines") && machine.contains("machines.cluster.x-k8s.io edge/w-3"),
            "{machine}"
        );
        assert!(machine.contains("* Pod shop/db-0: cannot evict pod, Reason: Draining"), "{machine}");
        let host = "  Error Count:    6\n  Error Message:  Image provisioning failed: not found\n  Error Type:     provisioning error\n";
        let host = show_of("kubectl describe bmh -n metal3 node-12", host);
        assert!(host.contains("baremetalhosts.metal3.io metal3/node-12"), "{host}");
        assert!(host.contains("Error Message: Image provisioning failed: not found"), "{host}");
        let of_cluster = "    Cluster Name:  fra-prod\n    Conditions:\n      Last Transition Time:  2026-05-21T06:40:40Z\n      Message:               failed to apply\n      Reason:                NotAllWorkHaveBeenApplied\n      Status:                False\n      Type:                  Applied\n    Failed Placements:\n      Condition:\n        Reason:    FoundDrifts\n        Status:    False\n        Type:      Applied\n      Kind:        Deployment\n";
        let placement = show_of("kubectl describe crp catalog", of_cluster);
        assert!(
            placement.contains("13 of 13 lines")
                && placement.contains("clusterresourceplacements.placement.kubernetes-fleet.io catalog"),
            "{placement}"
        );
        assert!(placement.contains("Placement Statuses: Cluster Name: fra-prod, Conditions: "), "{placement}");
        // What is below it has no field of a status.
        assert_eq!(show_of("kubectl describe machine -n edge w-3", "  Provider ID:  vsphere://1\n"), "-");
    }

    /// `yq` prints what it selected one below the other, without a mark between.
    #[test]
    fn conditions_by_themselves() {
        let two = "lastTransitionTime: \"2026-05-14T10:00:00Z\"\nmessage: |-\n  it waits:\n  * for a Pod\nreason: NotReady\nstatus: \"False\"\ntype: Ready\nlastTransitionTime: \"2026-05-14T10:00:00Z\"\nreason: Draining\nstatus: \"True\"\ntype: Deleting\n";
        let lines: Vec<&str> = two.lines().collect();
        assert_eq!(length(&lines, None), Some(7));
        let first = show_of("kubectl get machine.cluster.x-k8s.io -n edge w-3 -o yaml", &lines[..7].join("\n"));
        assert!(first.contains("machines.cluster.x-k8s.io edge/w-3"), "{first}");
        assert!(first.contains("type: Ready") && first.contains("* for a Pod"), "{first}");
        assert_eq!(show("lastTransitionTime: yesterday\nit is down\n"), "-");
        assert_eq!(show("message: it is down\nreason: NotReady\n"), "-", "no condition without a type");
    }

    proptest::proptest! {
        #[test]
        fn foreign_text_never_panics(
            first in proptest::sample::select(vec![
                "status:", "conditions:", "Containers:", "Events:", "Conditions:", "- type: x", "\"status\": {",
                "Warning BackOff 5s kubelet x", "web-0   0/1   Pending   0   5s", "DiskPressure  True  Thu, 13 Apr 2023 14:50:21 +0900  x  y",
            ]),
            text in "[-a-zA-Z0-9 :{}\\[\\]\"(),/<>\u{e9}\n\t.]{0,300}",
        ) {
            show(&format!("{first}\n{text}"));
            show_of("kubectl describe pod a", &format!("{first}\n{text}"));
            show_of("kubectl get pods", &text);
        }
    }
}
