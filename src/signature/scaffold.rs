//! `casefile new ID`: a signature and its tests to fill in. It loads and passes its tests as it is, so that
//! a person changes something that works.

use super::compile::is_signature_id;

/// A signature file and its tests file; `None` if the id is not well formed (`XY-1001`).
pub fn scaffold(id: &str) -> Option<(String, String)> {
    is_signature_id(id).then(|| (SIGNATURE.replace("XX-0000", id), TESTS.replace("XX-0000", id)))
}

const SIGNATURE: &str = r#"# A signature says how one failure of one kind of entity is recognised, and what to do about it.
# patterns/README.md explains every key; `casefile lint` and `casefile test` check this file.
schema: 1
id: XX-0000
name: deployment-without-replicas
title: A Deployment has no available replica
summary: >-
  What it means, in two or three sentences: what is broken, why, and what follows from it.
status: experimental          # stable once it was decided by hand on real cases
severity: medium              # critical, high, medium, low; info is no fault
reviewed: 2026-11-21
tags: [workload]
references:
  - title: The document that this knowledge comes from
    section: Its section

entity:
  name: deployment            # gives $deployment in joins and {deployment} in texts
  object:
    kind: deployments.apps

evidence:
  - id: none-available
    role: hallmark            # enough to suspect it
    claim: "No replica of `{deployment}` is available"
    object:
      self: true
      where: [{ path: 'status.conditions[type=Available].status', equals: "False" }]
    collect:
      on: workload
      run: kubectl get deployments -A -o yaml

  - id: pods-waiting
    claim: "{count} Pods in the namespace of `{deployment}` wait"
    object:
      kind: pods
      join: [{ path: metadata.namespace, is: $deployment.namespace }]
      where: [{ path: status.phase, equals: Pending }]
    collect:
      on: workload
      run: kubectl get pods -A -o yaml

verdict:                      # evidence ids with and, or, not, parentheses, 2 of (a, b, c)
  confirmed: none-available and pods-waiting
  probable: none-available
  ruled_out: not none-available

remediation:
  steps:
    - do: Say what to do first.
      risk: safe
  does_not_help:
    - action: Say what people try in vain
      because: Say why.
  do_not:
    - action: Say what makes it worse
      because: Say why.
  verify:
    - Say how to see that it is well again
"#;

const TESTS: &str = r#"signature: XX-0000
tests:
  - name: everything collected
    kind: confirmed
    files:
      deployments.yaml: |
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: web, namespace: shop }
        status: { conditions: [{ type: Available, status: "False" }] }
      pods.yaml: |
        apiVersion: v1
        kind: Pod
        metadata: { name: web-1, namespace: shop }
        status: { phase: Pending }
    expect:
      - { entity: web, verdict: confirmed }

  - name: it is available
    kind: ruled_out
    files:
      deployments.yaml: |
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: web, namespace: shop }
        status: { conditions: [{ type: Available, status: "True" }] }
    expect:
      - { entity: web, verdict: ruled_out }

  - name: the Pods were not collected
    kind: missing
    like: everything collected
    without: [pods]
    expect:
      - { entity: web, verdict: probable, evidence: { pods-waiting: unknown }, asks: [pods-waiting] }

  - name: a Pod waits, and the Deployment is well
    kind: near_miss
    like: everything collected
    files:
      deployments.yaml: |
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: web, namespace: shop }
        status: { conditions: [{ type: Available, status: "True" }] }
    expect:
      - { entity: web, verdict: ruled_out }
"#;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::pack::Pack;
    use crate::signature::{lint, problem};

    #[test]
    fn what_new_writes_is_clean() {
        let (signature, tests) = scaffold("SITE-7").expect("an id");
        let files = vec![("x.tests.yaml".to_owned(), tests), ("x.yaml".to_owned(), signature)];
        let pack = Pack { name: "x".to_owned(), root: String::new(), files };
        let problems = lint::lint_packs(&[pack], &[]);
        assert!(problems.is_empty(), "{}", problem::render(&problems, false));
        assert!(scaffold("site-7").is_none());
    }
}
