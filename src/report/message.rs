//! A message to the customer: what was seen, in a sentence, and what to send next.
//!
//! Invariants: plain text that can be pasted into a mail; polite; it names no rule and blames nobody; it asks for nothing
//! that changes the cluster.

use crate::collect_script;
use diagnosis::model::Diagnosis;
use diagnosis::visible::one_line;
use diagnosis::{summary, words};

/// Commands that are spelt out; the script has all of them.
const SPELT_OUT: usize = 4;

/// The message.
pub fn render(diagnosis: &Diagnosis) -> String {
    let bundles = one_line(&words::bundles(&diagnosis.bundles));
    let mut lines = vec!["Hello,".to_owned(), String::new(), format!("thank you for the data ({bundles}).")];
    match summary::primary(diagnosis) {
        Some(first) if first.stands() => {
            let headline = one_line(first.headline()).replace('`', "\"");
            let sure = if first.verdict == signature::model::VerdictWord::Confirmed { "We found" } else { "Probably" };
            lines.push(format!("{sure}: {}.", headline.trim_end_matches('.')));
            if let Some(never) = first.remediation.do_not.first() {
                let never = one_line(&never.action).replace('`', "\"");
                lines.push(format!(
                    "Until we come back to you, please do not do this: {}.",
                    never.trim_end_matches('.')
                ));
            }
        }
        Some(_) => lines.push("What it shows is not enough for a certain answer yet.".to_owned()),
        None => lines.push("We found no known problem in it.".to_owned()),
    }
    lines.extend(wanted(diagnosis));
    lines.extend([String::new(), "Kind regards".to_owned()]);
    lines.join("\n") + "\n"
}

/// What to send next.
fn wanted(diagnosis: &Diagnosis) -> Vec<String> {
    let certain = summary::primary(diagnosis).is_some_and(|first| first.stands());
    let commands = collect_script::commands(diagnosis);
    // Nobody is sent to collect more for an answer that is there.
    if commands.is_empty() || certain && diagnosis.asks.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![
        String::new(),
        format!(
            "To go on we need the output of {}. All of them only read. The attached script collect.sh runs them, takes \
             the values of Secrets out, and packs one archive that you can send us:",
            words::count(commands.len() as u64, "command", "commands")
        ),
        String::new(),
    ];
    for place in collect_script::places(&commands) {
        lines.push(format!("  sh collect.sh {place}    # {}", collect_script::where_to_run(place)));
    }
    lines.extend([String::new(), "If you prefer to run them yourself:".to_owned(), String::new()]);
    lines.extend(commands.iter().take(SPELT_OUT).map(|command| format!("  {}", one_line(&command.run))));
    if commands.len() > SPELT_OUT {
        lines.push(format!("  and {} more, which stand in the script", commands.len() - SPELT_OUT));
    }
    lines
}
