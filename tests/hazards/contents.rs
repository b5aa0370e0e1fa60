//! Traps in what members hold: objects, lists, values and log lines.
