//! The page: one file, without any request, complete without JavaScript.
//!
//! Invariants: every value that a template prints is escaped by [`escape`], for text and for quoted
//! attributes alike; the only texts that are not are the style, the script, the policy, the embedded JSON,
//! which Casefile wrote, and the tags that [`Prose`], [`Place`] and [`Folders`] put around escaped text. No address of a
//! bundle ever becomes a link.

use crate::embedded;
use crate::error::Error;
use crate::{csp, view};
use diagnosis::model::Diagnosis;
use diagnosis::visible;
use diagnosis::words;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use tera::{Filter, Kwargs, State};

/// The page's style, inline and allowed by its hash.
pub const STYLE: &str = include_str!("style.css");
/// The page's script, inline and allowed by its hash.
pub const SCRIPT: &str = include_str!("page.js");

/// What a page is served with, for `casefile serve`.
#[derive(Debug, Clone)]
pub struct Served {
    /// Where its box sends a query, seen from the page.
    pub action: &'static str,
    /// Why there is no such box, if there is none.
    pub why_not: Option<&'static str>,
}

/// The style of the box.
const SERVED: &str = include_str!("served.css");

/// The diagnosis as one HTML file.
///
/// # Errors
/// Only through a fault of Casefile.
pub fn render(diagnosis: &Diagnosis) -> Result<String, Error> {
    page(diagnosis, None)
}

/// The same with a box for queries, as a server gives it out that answers them.
///
/// # Errors
/// Only through a fault of Casefile.
pub fn served(diagnosis: &Diagnosis, with: &Served) -> Result<String, Error> {
    page(diagnosis, Some(with))
}

fn page(diagnosis: &Diagnosis, with: Option<&Served>) -> Result<String, Error> {
    let failed = |source| Error::Template { output: "HTML", source: Box::new(source) };
    let mut engine = tera::Tera::new();
    engine.set_escape_fn(escape);
    engine.register_filter("prose", Prose);
    let folders = Folders::default();
    engine.register_filter("place", Place(folders.clone()));
    engine.register_filter("reason", Reason(folders.clone()));
    engine.register_filter("clock", |time: &str, _: Kwargs, _: &State| words::clock(time));
    engine.register_filter("kind_of_many", |kind: &str, _: Kwargs, _: &State| words::kind_of_many(kind));
    engine.register_filter("number", |number: u64, _: Kwargs, _: &State| words::thousands(number));
    engine
        .add_raw_templates(vec![
            ("page.html", include_str!("templates/page.html")),
            ("answer.html", include_str!("templates/answer.html")),
            ("excluded.html", include_str!("templates/excluded.html")),
            ("quorum.html", include_str!("templates/quorum.html")),
            ("chain.html", include_str!("templates/chain.html")),
            ("graph.html", include_str!("templates/graph.html")),
            ("objects.html", include_str!("templates/objects.html")),
            ("quote.html", include_str!("templates/quote.html")),
            ("evidence.html", include_str!("templates/evidence.html")),
            ("loudest.html", include_str!("templates/loudest.html")),
            ("header.html", include_str!("templates/header.html")),
            ("group.html", include_str!("templates/group.html")),
            ("finding.html", include_str!("templates/finding.html")),
            ("alike.html", include_str!("templates/alike.html")),
            ("timeline.html", include_str!("templates/timeline.html")),
            ("inventory.html", include_str!("templates/inventory.html")),
            ("decided.html", include_str!("templates/decided.html")),
        ])
        .map_err(failed)?;
    let mut context = tera::Context::new();
    context.insert("d", diagnosis);
    context.insert("v", &view::view(diagnosis));
    let script = bare(SCRIPT);
    let style = if with.is_some() { format!("{STYLE}{SERVED}") } else { STYLE.to_owned() };
    let forms = if with.is_some_and(|with| with.why_not.is_none()) { "self" } else { "none" };
    context.insert("csp", &csp::with_forms(&style, &script, forms));
    context.insert_value("style", tera::Value::safe_string(&style));
    context.insert("action", &with.map(|with| with.action));
    context.insert("why_no_box", &with.and_then(|with| with.why_not));
    context.insert_value("script", tera::Value::safe_string(&script));
    let data = embedded::embed(diagnosis)?;
    context.insert("left_out", &data.left_out);
    context.insert_value("json", tera::Value::safe_string(&data.json));
    let page = engine.render("page.html", &context).map_err(failed)?;
    Ok(page.replacen(FOLDERS, &folders.table(), 1))
}

/// The script as it stands in a page: without comments and indentation. None of its texts goes over several lines, which
/// a test holds.
fn bare(script: &str) -> String {
    let lines = script.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Escapes for text and quoted attributes; characters that deceive the eye show their number.
///
/// # Errors
/// Only what `out` fails with.
pub fn escape(text: &str, out: &mut dyn Write) -> std::io::Result<()> {
    for c in visible::visible(text).chars() {
        match c {
            '&' => out.write_all(b"&amp;")?,
            '<' => out.write_all(b"&lt;")?,
            '>' => out.write_all(b"&gt;")?,
            // Lines in JSON are full of them: the number is a byte shorter than the name.
            '"' => out.write_all(b"&#34;")?,
            '\'' => out.write_all(b"&#39;")?,
            '`' => out.write_all(b"&#96;")?,
            c => write!(out, "{c}")?,
        }
    }
    Ok(())
}

/// The escaped text.
pub fn escaped(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len() + 16);
    // Writing to memory cannot fail; an empty text would be the safe answer if it did.
    escape(text, &mut out).map(|()| String::from_utf8_lossy(&out).into_owned()).unwrap_or_default()
}

/// Sentences of signatures with names between backticks: those become `<code>`. Everything is escaped
/// first, so a backtick inside a name of a bundle can misplace a font and nothing else.
#[derive(Debug)]
pub struct Prose;

impl Filter<&str, String> for Prose {
    fn call(&self, text: &str, _: Kwargs, _: &State) -> String {
        prose(text)
    }

    fn is_safe(&self) -> bool {
        true
    }
}

/// What [`Prose`] makes of a text.
pub fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((inside, left)) = after.split_once('`').filter(|(inside, _)| !inside.is_empty()) else { break };
        out.push_str(&format!("{}<code>{}</code>", escaped(before), escaped(inside)));
        rest = left;
    }
    out.push_str(&escaped(rest));
    out
}

/// The long names of folders that a page shows only the ends of, each once: the same few stand in hundreds of places.
#[derive(Debug, Clone, Default)]
struct Folders(Arc<Mutex<BTreeMap<String, String>>>);

impl Folders {
    /// A place with its long folder names cut. Where two names have the same ends, the whole stands in the title.
    fn cut(&self, place: &str) -> String {
        let short = words::short_place(place);
        if short == place {
            return escaped(place);
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let parts = short.split('/').zip(place.split('/')).filter(|(short, whole)| short != whole);
        let alone = parts.clone().all(|(short, whole)| known.get(short).is_none_or(|known| known == whole));
        if !alone {
            return format!("<span title=\"{}\">{}</span>", escaped(place), escaped(&short));
        }
        known.extend(parts.map(|(short, whole)| (short.to_owned(), whole.to_owned())));
        format!("<span class=\"cut\">{}</span>", escaped(&short))
    }

    /// The table of all of them; empty if there is none.
    fn table(&self) -> String {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_empty() {
            return String::new();
        }
        let row = |(short, whole): (&String, &String)| {
            format!("<tr><td><code>{}</code></td><td><code>{}</code></td></tr>\n", escaped(short), escaped(whole))
        };
        let rows: String = known.iter().map(row).collect();
        format!(
            "<details class=\"table\"><summary><strong>Long names of folders</strong> <span class=\"quiet\">{}, of \
             which places show the ends</span></summary>\n<div class=\"scroll\"><table class=\"rows\" id=\"folders\">\
             <thead><tr><th scope=\"col\">Shown</th><th scope=\"col\">Whole</th></tr></thead><tbody>\n{rows}\
             </tbody></table></div></details>",
            known.len()
        )
    }
}

/// Where the template wants the table of [`Folders`]. No text of a bundle can hold it, since all are escaped.
const FOLDERS: &str = "<!--folders-->";

/// A place in the bundle: long folder names are shortened to their ends.
struct Place(Folders);

impl Filter<&str, String> for Place {
    fn call(&self, text: &str, _: Kwargs, _: &State) -> String {
        self.0.cut(text)
    }

    fn is_safe(&self) -> bool {
        true
    }
}

/// A sentence that can name places: as [`Prose`], with long folder names of its places shortened. Only a word
/// that is a place is cut, never the sentence around it or a name between backticks.
struct Reason(Folders);

impl Filter<&str, String> for Reason {
    fn call(&self, text: &str, _: Kwargs, _: &State) -> String {
        reason(&self.0, text)
    }

    fn is_safe(&self) -> bool {
        true
    }
}

fn reason(folders: &Folders, text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut sentence = String::new();
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end();
        let named = (sentence.matches('`').count() + bare.matches('`').count()) % 2 == 1 || bare.contains('`');
        let short = words::short_place(bare);
        if named || short == bare {
            sentence.push_str(word);
        } else {
            out.push_str(&prose(&std::mem::take(&mut sentence)));
            out.push_str(&folders.cut(bare));
            sentence.push_str(&word[bare.len()..]);
        }
    }
    out.push_str(&prose(&sentence));
    out
}

#[cfg(test)]
mod tests {
    use super::{Folders, SCRIPT, bare, prose, reason};

    #[test]
    fn only_places_are_cut_in_a_reason() {
        let folders = Folders::default();
        let long = "quay-io-openshift-release-dev-ocp-v4-0-art-dev-sha256-eede85cbd33388/a.log:7";
        assert_eq!(
            reason(&folders, &format!("{long} shows <otherwise>")),
            format!("<span class=\"cut\">quay-io-opensh…5cbd33388/a.log:7</span> shows &lt;otherwise&gt;")
        );
        let path = "metadata.labels[\"cluster.x-k8s.io/cluster-name-of-a-cluster-with-a-very-long-name/x\"]";
        assert_eq!(
            reason(&folders, &format!("nothing that was collected of it shows `{path}` or `a b/c`")),
            format!(
                "nothing that was collected of it shows <code>{}</code> or <code>a b/c</code>",
                path.replace('"', "&#34;")
            )
        );
    }

    #[test]
    fn a_long_folder_is_stored_once_and_two_with_the_same_ends_are_told_apart() {
        let folders = Folders::default();
        let (a, b) =
            (format!("{}a{}", "x".repeat(30), "y".repeat(30)), format!("{}b{}", "x".repeat(30), "y".repeat(30)));
        let first = folders.cut(&format!("{a}/1.log:3"));
        assert_eq!(first, "<span class=\"cut\">xxxxxxxxxxxxxx…yyyyyyyyy/1.log:3</span>");
        assert!(folders.cut(&format!("{a}/2.log")).contains("class=\"cut\""));
        assert!(folders.cut(&format!("{b}/2.log")).contains(&format!("title=\"{b}/2.log\"")));
        assert_eq!(folders.table().matches(&a).count(), 1);
        assert!(!folders.table().contains(&b));
    }

    #[test]
    fn the_script_loses_its_comments_and_nothing_else() {
        let code = |line: &&str| !line.trim_start().starts_with("//");
        for line in SCRIPT.lines().filter(code) {
            assert_eq!(line.matches('`').count() % 2, 0, "a text over several lines: {line}");
        }
        assert_eq!(bare("  // why\n  a();\n\n  b(\"// c\"); // d\n"), "a();\nb(\"// c\"); // d\n");
    }

    #[test]
    fn names_become_code_and_nothing_else_acts() {
        assert_eq!(prose("Cluster `a<b>` is `x`"), "Cluster <code>a&lt;b&gt;</code> is <code>x</code>");
        assert_eq!(prose("one ` alone"), "one &#96; alone");
        assert_eq!(prose("empty `` and <i>"), "empty &#96;&#96; and &lt;i&gt;");
    }
}
