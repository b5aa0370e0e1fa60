//! Verdicts of hand-made facts, and the objects that are derived.

mod ages;
mod bench;
mod comparisons;
mod component_runs;
mod contexts;
mod cut_lists;
mod each;
mod etcd_cluster;
mod logs;
mod objects;
mod owners;
mod selects;
mod settled;
mod steps;
