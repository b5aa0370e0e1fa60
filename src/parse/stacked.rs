//! The causes of an error that a Go program prints with its stack.
//!
//! Why: with much detail a tool prints the innermost message first, then the places of the code, then each message that
//! wraps it; its last line names a step alone. Who reads that line by itself learns nothing.
//!
//! Source: `pkg/errors:errors.go` (`Format` of `withMessage` and `withStack`, verb `%+v`).
//!
//! Invariants: only lines that stand right above are read, up to what another program, a step or a log line says; no more
//! than [`LINES`] of them, and no more than [`CAUSES`] causes are told.

use crate::line;
use facts::log::Level;

/// Lines above the last.
const LINES: usize = 60;
/// Causes that are told, the innermost of which says most.
const CAUSES: usize = 5;

/// What wraps and what caused the error in the line behind these, outermost first: `etcd cluster is not healthy: failed to dial
/// endpoint ...`. `None` if nothing of it stands there. The second lines follow the first.
pub(crate) fn causes(first: &[&str], second: &[&str]) -> Option<String> {
    let above = second.iter().rev().chain(first.iter().rev()).take(LINES);
    let mut causes = Vec::new();
    let mut is_traced = false;
    for line in above.take_while(|line| is_of_error(line)).map(|line| line.trim()) {
        if is_place(line) {
            is_traced = true;
        } else if !is_traced && !is_message(line) {
            break;
        } else {
            causes.push(line);
            is_traced = false;
        }
    }
    // Of many the innermost are kept.
    causes.drain(..causes.len().saturating_sub(CAUSES));
    (!causes.is_empty()).then(|| causes.join(": "))
}

/// Without a trace below it a line is a message by its form alone: errors of Go begin with a small letter and wrap others.
fn is_message(line: &str) -> bool {
    !line.ends_with([':', '.']) && (line.contains(": ") || line.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// May a line be a part of such an error? What begins with a mark, a level or a time is of something else.
fn is_of_error(line: &str) -> bool {
    let text = line.trim_start();
    let other = |c: char| matches!(c, '[' | '{' | '$' | '#' | '>' | '`' | '|');
    !text.is_empty() && !text.starts_with(other) && {
        let seen = line::glance(text.as_bytes());
        seen.time.is_none() && matches!(seen.level, Level::Unknown) || is_place(line)
    }
}

/// A place of the code: `runtime.main`, and below it `⇥runtime/proc.go:271`.
fn is_place(line: &str) -> bool {
    let text = line.trim();
    let ends =
        |end: &str| text.rsplit_once(end).is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    let file = || ends(".go:") || ends(".s:");
    let function = || {
        let name = text.rsplit('/').next().unwrap_or(text);
        name.contains('.') && !name.ends_with('.') && !text.contains(char::is_whitespace) && !text.contains("://")
    };
    file() || function()
}

#[cfg(test)]
mod tests {
    use super::causes;

    fn of(text: &str) -> String {
        let lines: Vec<&str> = text.lines().collect();
        let all = causes(&[], &lines[..lines.len() - 1]).unwrap_or_else(|| "-".to_owned());
        let (first, second) = lines[..lines.len() - 1].split_at((lines.len() - 1) / 2);
        assert_eq!(causes(first, second).unwrap_or_else(|| "-".to_owned()), all);
        all
    }

    #[test]
    fn the_messages_above_a_step_say_why_it_failed() {
        let with_stack = "\
[check-etcd] Checking that the etcd cluster is healthy
context deadline exceeded
failed to dial endpoint https://10.9.3.13:2379 with maintenance client
k8s.io/kubernetes/cmd/kubeadm/app/util/etcd.(*Client).getClusterStatus.func1.1
\tcmd/kubeadm/app/util/etcd/etcd.go:540
etcd cluster is not healthy
k8s.io/kubernetes/cmd/kubeadm/app/phases/etcd.CheckLocalEtcdClusterStatus
\tcmd/kubeadm/app/phases/etcd/local.go:87
runtime.main
\truntime/proc.go:271
error execution phase check-etcd
";
        assert_eq!(
            of(with_stack),
            "etcd cluster is not healthy: failed to dial endpoint https://10.9.3.13:2379 with maintenance client: context deadline exceeded"
        );
        let without = "I1116 09:13:08.744012 2417 etcd.go:550] Failed to get etcd status\nread members: EOF\nerror execution phase check-etcd\n";
        assert_eq!(of(without), "read members: EOF");
        let traced = "A node is there already\nmain.main\n\tmain.go:7\nerror execution phase kubelet-start\n";
        assert_eq!(of(traced), "A node is there already");
    }

    #[test]
    fn what_something_else_says_is_no_cause() {
        for above in [
            "[etcd] Creating static Pod manifest\n",
            "I1116 09:13:08.744012 2417 etcd.go:550] Failed to get etcd status\n",
            "{\"level\":\"warn\",\"ts\":\"2026-11-16T09:12:36Z\",\"msg\":\"retrying\"}\n",
            "it failed yesterday\n\n",
            "We joined it, and see this:\n",
            "Since then it fails.\n",
            "",
        ] {
            assert_eq!(of(&format!("{above}error execution phase check-etcd\n")), "-", "{above}");
        }
        let many: String = (0..500).map(|at| format!("cause {at}\n")).collect();
        assert_eq!(
            of(&format!("{many}error execution phase x")),
            "cause 444: cause 443: cause 442: cause 441: cause 440"
        );
    }
}
