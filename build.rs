//! Rebuilds when a signature changes: the folder `patterns/` is embedded in the binary.

fn main() {
    println!("cargo::rerun-if-changed=patterns");
}
