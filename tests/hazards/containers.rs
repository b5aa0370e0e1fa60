//! Traps of archives and files: what holds the members.
