//! Unpacks a `.tar.gz` with the decoder that Casefile reads with, to nowhere: what `scripts/bench` measures a bundle
//! against. Nothing of Casefile is in it.

use std::fs::File;
use std::io::{self, BufReader};

fn main() -> io::Result<()> {
    let path = std::env::args_os().nth(1).ok_or_else(|| io::Error::other("name a .tar.gz file"))?;
    let mut unpacked = flate2::read::MultiGzDecoder::new(BufReader::new(File::open(path)?));
    io::copy(&mut unpacked, &mut io::sink())?;
    Ok(())
}
