//! Verdicts of hand-made facts, and the objects that are derived.

mod bench;
mod contexts;
mod etcd_cluster;
mod logs;
mod objects;
