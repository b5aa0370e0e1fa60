//! Traps of what was asked and not answered, and of time.
