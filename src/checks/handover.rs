//! Group H: what the bootstrap host had must be in the cluster that was installed from it. The two are the
//! contexts named `bootstrap` and `global` (`--as bootstrap,global`).

use crate::Profile;
use crate::State::{Fail, Pass};
use crate::imports;
use crate::outcome::Outcome;
use crate::side::Side;

/// H09: every object that was listed for import is in the new cluster.
pub(super) fn imported(bootstrap: &Side<'_>, global: &Side<'_>, _: &Profile) -> Vec<Outcome> {
    let Some((_, entries, citation)) = imports::entries(bootstrap) else {
        return vec![Outcome::unknown("what the bootstrap host lists for import was not collected")];
    };
    let mut outcomes = Vec::new();
    for entry in entries.iter().filter(|entry| !entry.resource.is_empty()) {
        let here = || bootstrap.all(&entry.resource).into_iter().map(|thing| thing.name().to_owned());
        let names: Vec<String> = if entry.names.is_empty() { here().collect() } else { entry.names.clone() };
        for name in names {
            outcomes.push(match (global.named(&entry.resource, &name), global.lacks(&entry.resource, &name)) {
                (Some(thing), _) => {
                    Outcome::new(Pass, format!("{thing} was imported"), [citation.clone(), thing.citation()])
                }
                (None, Some(proof)) => {
                    let told = format!("`{name}` of {} was not imported", entry.resource);
                    Outcome::new(Fail, told, [citation.clone()].into_iter().chain(proof))
                }
                (None, None) => Outcome::unknown(format!("{} of the new cluster were not listed", entry.resource)),
            });
        }
    }
    outcomes
}
