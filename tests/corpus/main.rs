//! Recorded real bundles with ground truth, where `CASEFILE_CORPUS` says that there are any; and what people pasted.

#[path = "../common/mod.rs"]
mod common;
mod agreement;
mod corpus_describe;
mod corpus_secrets;
mod ground_truths;
mod layouts;
mod log_samples;
mod seeds;
