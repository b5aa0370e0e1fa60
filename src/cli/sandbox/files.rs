//! Landlock: which files the process may still open (<https://docs.kernel.org/userspace-api/landlock.html>).

use super::{Needs, State};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, PathFd, RestrictionStatus, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use std::path::Path;

/// The newest rights that are asked for; an older kernel enforces those that it knows.
const NEWEST: ABI = ABI::V6;

pub(super) fn confine(needs: &Needs<'_>) -> State {
    match restrict(needs) {
        Ok(RestrictionStatus { ruleset: RulesetStatus::FullyEnforced, .. }) => State::On,
        Ok(RestrictionStatus { ruleset: RulesetStatus::PartiallyEnforced, .. }) => State::InPart,
        Ok(RestrictionStatus { landlock: LandlockStatus::NotEnabled, .. }) => {
            State::Off("it is not enabled in this kernel".to_owned())
        }
        Ok(_) => State::Off("this kernel has none".to_owned()),
        Err(error) => State::Off(error.to_string()),
    }
}

fn restrict(needs: &Needs<'_>) -> Result<RestrictionStatus, RulesetError> {
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    for path in &needs.read {
        rules = readable(rules, path)?;
    }
    // To put a file in the place of another is to make one and to remove one. What stands there is looked at first.
    let write = AccessFs::WriteFile | AccessFs::MakeReg | AccessFs::RemoveFile | AccessFs::ReadFile | AccessFs::ReadDir;
    let write = if needs.folders { write | AccessFs::MakeDir } else { write };
    for folder in &needs.write {
        rules = rules.add_rule(PathBeneath::new(folder, write))?;
    }
    rules.restrict_self()
}

/// Lets a path be read, a folder with all below it. What is not there any more needs no right; a pipe of the shell
/// (`<(...)`) is in no file system, takes no rule and needs none.
fn readable(mut rules: RulesetCreated, path: &Path) -> Result<RulesetCreated, RulesetError> {
    let (Ok(meta), Ok(open)) = (path.metadata(), PathFd::new(path)) else { return Ok(rules) };
    let rights: BitFlags<AccessFs> =
        if meta.is_dir() { AccessFs::ReadFile | AccessFs::ReadDir } else { AccessFs::ReadFile.into() };
    let rule = PathBeneath::new(open, rights);
    if meta.is_dir() || meta.is_file() {
        return rules.add_rule(rule);
    }
    if let Ok(mut with) = rules.try_clone() {
        with = match with.add_rule(rule) {
            Ok(with) => with,
            Err(_) => return Ok(rules),
        };
        rules = with;
    }
    Ok(rules)
}
