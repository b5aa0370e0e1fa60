//! A comparison as one page that loads nothing and runs nothing.
//!
//! Invariants: text of a bundle is only ever inserted as escaped text; the policy lets in this one style, by its hash, and
//! nothing else.

use crate::model::Comparison;
use crate::text::{object, verdicts};
use diagnosis::visible::visible;
use report::csp;
use std::fmt::Write as _;

const STYLE: &str = include_str!("style.css");

/// The page.
pub fn page(comparison: &Comparison) -> String {
    let mut body = String::new();
    // Writing to a String cannot fail.
    let _ =
        write!(body, "<h1>{} compared with {}</h1>\n<table>", escape(&comparison.b.name), escape(&comparison.a.name));
    for (letter, side) in [("a", &comparison.a), ("b", &comparison.b)] {
        let as_of = side.as_of.as_deref().unwrap_or("time not known");
        let _ = write!(
            body,
            "<tr><th scope=\"row\">{letter}</th><td>{}</td><td>{}</td><td class=\"quiet\">{}</td></tr>",
            escape(&side.name),
            escape(as_of),
            escape(&side.sha256)
        );
    }
    body.push_str("</table>\n");
    if comparison.is_empty() {
        body.push_str("<p>Nothing that both bundles show differs.</p>\n");
    }
    sections(comparison, &mut body);
    // No script is there, so no script is let in.
    let policy = format!(
        "default-src 'none'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        csp::source(STYLE)
    );
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"{policy}\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta \
         name=\"generator\" content=\"casefile diff\">\n<title>{} compared with {}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(&comparison.b.name),
        escape(&comparison.a.name)
    )
}

fn sections(comparison: &Comparison, out: &mut String) {
    let cut = |name: &str| comparison.more.get(name).copied().unwrap_or_default();
    let both = |a: &str, b: &str| format!("<del>{}</del><br><ins>{}</ins>", escape(a), escape(b));
    let findings = comparison.findings.iter().map(|f| {
        vec![
            escape(&verdicts(f.a.as_deref(), f.b.as_deref())),
            escape(&f.signature),
            escape(&f.headline),
            escape(&f.object),
        ]
    });
    section(out, "Findings", &["Verdict", "Signature", "What", "Object"], findings.collect(), cut("findings"));
    let versions = comparison.versions.iter().map(|v| vec![escape(&v.cluster), escape(&v.what), both(&v.a, &v.b)]);
    section(out, "Versions", &["Cluster", "Of", "Version"], versions.collect(), cut("versions"));
    let images = comparison.images.iter().map(|i| vec![escape(&i.image), both(&i.a.join(", "), &i.b.join(", "))]);
    section(out, "Images", &["Image", "Tags"], images.collect(), cut("images"));
    let added = comparison
        .added
        .iter()
        .map(|name| vec![escape(&name.cluster), format!("<ins>{}</ins>", escape(&object(name)))]);
    section(out, "New objects", &["Cluster", "Object"], added.collect(), cut("added"));
    let gone =
        comparison.gone.iter().map(|name| vec![escape(&name.cluster), format!("<del>{}</del>", escape(&object(name)))]);
    section(out, "Objects that are gone", &["Cluster", "Object"], gone.collect(), cut("gone"));
    let changed = comparison.changed.iter().map(|change| {
        let mut fields = String::new();
        for field in &change.fields {
            let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
            let values = both(&value(&field.a), &value(&field.b));
            let _ = write!(fields, "<div><code>{}</code><br>{values}</div>", escape(&field.path));
        }
        if change.more_fields > 0 {
            let _ = write!(fields, "<div class=\"quiet\">and {} more fields</div>", change.more_fields);
        }
        vec![escape(&object(&change.object)), fields]
    });
    section(out, "Changed objects", &["Object", "Fields"], changed.collect(), cut("changed"));
    for (title, list, name) in [
        ("New in logs", &comparison.new_in_logs, "new_in_logs"),
        ("No longer in logs", &comparison.vanished_from_logs, "vanished_from_logs"),
    ] {
        let rows = list.iter().map(|t| {
            let place = format!("<code>{}:{}</code>", escape(&t.member), t.line);
            vec![t.count.to_string(), escape(&t.source), escape(&t.example), place]
        });
        section(out, title, &["Lines", "Source", "What it says", "First at"], rows.collect(), cut(name));
    }
    let lacking = comparison.not_comparable.iter().map(|n| vec![escape(&n.what), escape(&n.lacks)]);
    section(out, "Not compared", &["What", "Not known in"], lacking.collect(), cut("not_comparable"));
}

/// A table under a heading, if it has a row. Cells are HTML.
fn section(out: &mut String, title: &str, headers: &[&str], rows: Vec<Vec<String>>, cut: usize) {
    if rows.is_empty() {
        return;
    }
    let _ = write!(out, "<section>\n<h2>{title} <span class=\"count\">{}</span></h2>\n", rows.len() + cut);
    out.push_str("<div class=\"scroll\"><table><thead><tr>");
    for header in headers {
        let _ = write!(out, "<th scope=\"col\">{header}</th>");
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<td>{cell}</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    if cut > 0 {
        let _ = writeln!(out, "<p class=\"quiet\">and {cut} more</p>");
    }
    out.push_str("</section>\n");
}

/// Text in HTML.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in visible(text).chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ImageChange, Side};

    #[test]
    fn texts_of_a_bundle_stay_texts() {
        let side = |name: &str| Side { name: name.to_owned(), sha256: String::new(), as_of: None };
        let mut comparison = Comparison::between(side("<script>alert(1)</script>"), side("b\" onload='x'"));
        let image = "<img src=x>".to_owned();
        comparison.images.push(ImageChange { image, a: vec!["1".to_owned()], b: vec!["&2".to_owned()] });
        let page = page(&comparison);
        assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("onload='"), "{page}");
        assert!(page.contains("&amp;2") && page.contains("default-src 'none'"));
    }
}
