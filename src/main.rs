//! The `casefile` program: hands over to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    casefile::main()
}
