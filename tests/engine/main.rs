//! Verdicts of hand-made facts, and the objects that are derived.

#[path = "../common/mod.rs"]
mod common;
mod bench;
mod contexts;
mod etcd_cluster;
mod installation;
mod logs;
mod objects;
