//! What a user reads: golden files of every output, hostile strings, the page's promises, the JSON schema.
//!
//! Golden files are rewritten by `UPDATE_GOLDEN=1 cargo test --test report`; look at the difference before committing it.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use diagnosis::model::{Diagnosis, Finding};
use facts::coverage::StateName;
use report::{csp, html, json, junit, markdown, terminal};
use signature::model::VerdictWord;
use std::path::{Path, PathBuf};

const FIXTURES: [&str; 4] = ["hostile", "typical", "clean", "together"];

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/report").join(name)
}

fn fixture(name: &str) -> Diagnosis {
    let path = data(&format!("{name}.diagnosis.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn golden(path: &Path, text: &str) {
    // Only what differs is written: other tests read the fixtures at the same time.
    let same = || std::fs::read_to_string(path).is_ok_and(|old| old == text);
    if std::env::var_os("UPDATE_GOLDEN").is_some() && !same() {
        std::fs::write(path, text).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        expected == text,
        "{} differs from what is rendered now; run `UPDATE_GOLDEN=1 cargo test --test report` and look at the difference",
        path.display()
    );
}

#[test]
fn outputs_are_as_checked_in() {
    for name in FIXTURES {
        let diagnosis = fixture(name);
        golden(&data(&format!("{name}.html")), &html::render(&diagnosis).unwrap());
        golden(&data(&format!("{name}.md")), &markdown::render(&diagnosis));
        golden(&data(&format!("{name}.txt")), &terminal::summary(&diagnosis, false, None));
        golden(&data(&format!("{name}.diagnosis.json")), &json::render(&diagnosis).unwrap());
        golden(&data(&format!("{name}.xml")), &junit::render(&diagnosis).unwrap());
    }
}

#[test]
fn the_same_diagnosis_gives_the_same_bytes_and_survives_json() {
    for name in FIXTURES {
        let diagnosis = fixture(name);
        let text = json::render(&diagnosis).unwrap();
        let again: Diagnosis = serde_json::from_str(&text).unwrap();
        assert_eq!(diagnosis, again, "{name}");
        assert_eq!(text, json::render(&again).unwrap(), "{name}");
        assert_eq!(html::render(&diagnosis).unwrap(), html::render(&again).unwrap(), "{name}");
    }
}

/// The page without its style, its script and its data.
fn markup(page: &str) -> String {
    let mut rest = page;
    let mut out = String::new();
    while let Some(start) = ["<style>", "<script"].iter().filter_map(|open| rest.find(open)).min() {
        out.push_str(&rest[..start]);
        let end = ["</style>", "</script>"].iter().filter_map(|close| rest[start..].find(close)).min().unwrap();
        rest = &rest[start + end..];
    }
    out.push_str(rest);
    out
}

/// Every tag without the values of its attributes.
fn tags(markup: &str) -> Vec<String> {
    let tags = markup.split('<').filter_map(|tag| tag.split_once('>')).map(|(tag, _)| tag);
    tags.map(|tag| tag.split('"').step_by(2).collect()).collect()
}

#[test]
fn nothing_hostile_acts_in_the_page() {
    let page = html::render(&fixture("hostile")).unwrap();
    let markup = markup(&page);
    for bad in ["<script>alert", "<img", "\u{202e}", "\u{2028}", "\u{1b}", "href=\"javascript", "href=\"data", "49"] {
        let at = markup.find(bad);
        assert!(at.is_none(), "{bad:?} stands in the page: {:?}", at.map(|at| &markup[at.saturating_sub(80)..at + 20]));
    }
    // Exactly two scripts: the data and Casefile's own.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    // Template syntax of a bundle is text.
    assert!(markup.contains("{{ 7*7 }}"));
    // No event handler and no inline style: the policy would refuse both.
    assert!(!markup.contains(" style=\""));
    for tag in tags(&markup) {
        assert!(!tag.contains(" on"), "an event handler: <{tag}>");
    }
}

#[test]
fn the_embedded_data_is_the_diagnosis() {
    for name in FIXTURES {
        let diagnosis = fixture(name);
        let page = html::render(&diagnosis).unwrap();
        let (_, rest) = page.split_once("<script type=\"application/json\" id=\"diagnosis\">").unwrap();
        let (data, _) = rest.split_once("</script>").unwrap();
        assert!(!data.contains(['<', '\u{2028}', '\u{2029}', '\u{202e}']), "{name}");
        let inside: Diagnosis = serde_json::from_str(data).unwrap();
        let open = |diagnosis: &Diagnosis| -> Vec<Finding> {
            let open = diagnosis.findings.iter().filter(|finding| finding.verdict != VerdictWord::RuledOut);
            // What the library says of a signature, whatever the bundle, stands in the page alone.
            let own = |finding: &Finding| {
                let mut own = finding.clone();
                own.signature.summary.clear();
                // Reasons that only name the places beside them.
                own.evidence.iter_mut().filter(|row| row.says_place).for_each(|row| row.reason.clear());
                Finding { relations: Vec::new(), references: Vec::new(), ..own }
            };
            open.map(own).collect()
        };
        assert_eq!(open(&inside), open(&diagnosis), "{name}");
        for (inside, whole) in inside.findings.iter().zip(&diagnosis.findings) {
            assert_eq!((&inside.anchor, &inside.verdict), (&whole.anchor, &whole.verdict), "{name}");
            assert_eq!(
                (&inside.entity, &inside.headline, &inside.reason),
                (&whole.entity, &whole.headline, &whole.reason)
            );
            for row in whole.evidence.iter().filter(|row| row.needed) {
                assert!(inside.evidence.iter().any(|own| own.id == row.id && own.claim == row.claim), "{name}");
            }
        }
        let texts =
            |diagnosis: &Diagnosis| -> Vec<String> { diagnosis.anomalies.iter().map(|row| row.text.clone()).collect() };
        assert_eq!(texts(&inside), texts(&diagnosis), "{name}");
        assert!(
            diagnosis.timeline.lanes.is_empty()
                || page.contains("leave out") && page.contains("the timeline and its events")
        );
        let rest = |diagnosis: Diagnosis| Diagnosis {
            findings: Vec::new(),
            timeline: Default::default(),
            anomalies: Vec::new(),
            loudest: Vec::new(),
            pictures: Default::default(),
            not_collected: Vec::new(),
            inventory: Vec::new(),
            coverage: Vec::new(),
            logs: Vec::new(),
            unread: Vec::new(),
            ..diagnosis
        };
        assert_eq!(rest(inside), rest(diagnosis), "{name}");
    }
}

#[test]
fn long_descriptions_are_cut_in_the_page_and_it_says_so() {
    let mut diagnosis = fixture("typical");
    let row = diagnosis.coverage[0].clone();
    let whole = |number: usize| diagnosis::model::CoverageRow {
        kind: format!("kind-{number:04}.example"),
        state: StateName::Complete,
        ..row.clone()
    };
    diagnosis.coverage = (0..5_000).map(whole).collect();
    let missing = diagnosis::model::CoverageRow { state: StateName::Forbidden, ..row.clone() };
    diagnosis.coverage.push(missing.clone());
    let unread = diagnosis::model::Unread { member: String::new(), line: None, reason: String::new(), cause: None };
    diagnosis.unread = (0..5_000)
        .map(|number| diagnosis::model::Unread {
            member: format!("folder/member-{number:04}"),
            reason: format!("reason {}", number % 90),
            ..unread.clone()
        })
        .collect();
    let page = html::render(&diagnosis).unwrap();
    assert!(page.len() < 300_000, "{}", page.len());
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"diagnosis\">").unwrap();
    let inside: Diagnosis = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    assert_eq!((inside.coverage.len(), inside.unread.len()), (10, 10));
    assert_eq!(inside.coverage[0], missing, "what is missing is kept");
    let anchors = |diagnosis: &Diagnosis| -> Vec<String> {
        diagnosis.findings.iter().map(|finding| finding.anchor.clone()).collect()
    };
    assert_eq!(anchors(&inside), anchors(&diagnosis));
    assert!(page.contains("leave out 4,991 rows of coverage, 4,990 rows of unread"));
    assert!(page.contains("and 30 more reasons"));
    assert_eq!(serde_json::from_str::<Diagnosis>(&json::render(&diagnosis).unwrap()).unwrap(), diagnosis);
}

#[test]
fn the_data_in_the_page_leave_out_what_the_page_does_not_show_and_it_says_so() {
    let mut diagnosis = fixture("typical");
    let steps = diagnosis.findings[0].remediation.clone();
    let excluded = diagnosis.findings.iter_mut().filter(|finding| finding.verdict == VerdictWord::RuledOut);
    let excluded = excluded.map(|finding| finding.remediation = steps.clone()).count();
    let row = &mut diagnosis.findings[0].evidence[0];
    let (citation, more) = (row.citations[0].clone(), row.more);
    row.citations = vec![citation; 9];
    let page = html::render(&diagnosis).unwrap();
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"diagnosis\">").unwrap();
    let inside: Diagnosis = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    for (inside, whole) in inside.findings.iter().zip(&diagnosis.findings) {
        let is_excluded = whole.verdict == VerdictWord::RuledOut;
        assert_eq!(inside.remediation == whole.remediation, !is_excluded, "{}", whole.anchor);
    }
    let row = &inside.findings[0].evidence[0];
    assert_eq!((row.citations.len(), row.more), (4, more + 5));
    assert!(page.contains(&format!(
        "5 more places of evidence, all but what speaks against {excluded} findings that are ruled out;"
    )));
}

#[test]
fn the_page_asks_for_nothing() {
    for name in FIXTURES {
        let page = html::render(&fixture(name)).unwrap();
        for tag in tags(&markup(&page)) {
            for request in ["src=", "srcset=", "action=", "background=", "data=", "ping="] {
                assert!(!tag.contains(request), "{name} holds <{tag}>");
            }
            for element in ["link", "iframe", "object", "embed", "base", "img", "video", "audio", "image", "use"] {
                assert_ne!(tag.split_whitespace().next(), Some(element), "{name} holds <{tag}>");
            }
        }
        for request in ["@import", "url(", "http"] {
            assert!(!html::STYLE.contains(request), "the style holds {request}");
        }
        for call in [
            "fetch(",
            "XMLHttpRequest",
            "import(",
            "WebSocket",
            "EventSource",
            "sendBeacon",
            "innerHTML",
            "eval(",
            "document.write",
        ] {
            assert!(!html::SCRIPT.contains(call), "the script holds {call}");
        }
        for (_, rest) in page.match_indices("href=\"").map(|(at, text)| page.split_at(at + text.len())) {
            let target = rest.split('"').next().unwrap();
            assert!(
                target.starts_with('#')
                    || ["https://kubernetes.io/", "https://etcd.io/"].iter().any(|known| target.starts_with(known)),
                "{name} links to {target}"
            );
        }
    }
}

#[test]
fn the_policy_allows_only_this_style_and_this_script() {
    let page = html::render(&fixture("typical")).unwrap();
    let between = |open: &str, close: &str| {
        let (_, rest) = page.split_once(open).unwrap();
        rest.split_once(close).unwrap().0.to_owned()
    };
    let policy = csp::policy(&between("<style>", "</style>"), &between("<script>", "</script>")).replace('\'', "&#39;");
    assert!(page.contains(&format!("http-equiv=\"Content-Security-Policy\" content=\"{policy}\"")));
    assert!(policy.starts_with("default-src &#39;none&#39;; style-src &#39;sha256-"));
    // The policy must stand before what it governs.
    assert!(page.find("Content-Security-Policy").unwrap() < page.find("<style>").unwrap());
}

#[test]
fn every_finding_has_its_anchor_and_every_link_a_target() {
    for name in ["typical", "together"] {
        let page = html::render(&fixture(name)).unwrap();
        let findings = fixture(name).findings;
        let alike = findings.iter().flat_map(|finding| &finding.alike).map(|other| &other.anchor);
        for anchor in findings.iter().map(|finding| &finding.anchor).chain(alike) {
            assert_eq!(page.matches(&format!("id=\"{anchor}\"")).count(), 1, "{anchor}");
        }
        for (_, rest) in page.match_indices("href=\"#").map(|(at, text)| page.split_at(at + text.len())) {
            let target = rest.split('"').next().unwrap();
            assert!(page.contains(&format!("id=\"{target}\"")), "nothing has the id {target}");
        }
    }
}

/// The diagnosis of a sample bundle, as the command line makes it.
fn sample(name: &str) -> Diagnosis {
    use diagnose::{Input, Options, Quiet, diagnose};
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles").join(name).join("bundle");
    let input = Input { source: intake::Source::Path(path), context: None };
    let library = signature::load::Library::built_in().unwrap();
    let catalogue = catalogue::kinds::Catalogue::built_in();
    let mut diagnosis = diagnose(&[input], &library, &catalogue, &Options::default(), &mut Quiet).unwrap();
    diagnose::gather(&mut diagnosis);
    diagnosis
}

#[test]
fn a_real_diagnosis_is_as_checked_in() {
    let mut diagnosis = sample("failed-import");
    // Another signature anywhere must not change what is checked in here.
    diagnosis.packs.clear();
    diagnosis.not_applicable.clear();
    golden(&data("failed-import.md"), &markdown::render(&diagnosis));
    golden(&data("failed-import.txt"), &terminal::summary(&diagnosis, false, None));
    golden(&data("failed-import.json"), &json::render(&diagnosis).unwrap());
}

/// No two proofs of the first screen quote the same place, and what a structured line says begins with its message.
fn claims_of_the_first_screen(name: &str, page: &str) {
    let (_, rest) = page.split_once("<dl class=\"lead\">").unwrap_or_default();
    let lead = rest.split("</dl>").next().unwrap_or_default();
    let places: Vec<&str> = lead.split("<span class=\"quiet\"><code>").skip(1).collect();
    let places: Vec<&str> = places.iter().filter_map(|rest| rest.split("</code>").next()).collect();
    let apart: std::collections::BTreeSet<&str> = places.iter().copied().collect();
    assert_eq!(apart.len(), places.len(), "{name}: {places:?}");
    assert!(!lead.contains("<code class=\"line\">{&#34;level&#34;"), "{name}: a quote begins with its level");
}

/// What proves a finding by not being the case is never said as if it were.
#[test]
fn what_is_not_the_case_is_not_said_as_a_proof() {
    let mut diagnosis = fixture("typical");
    let first = diagnosis.findings.iter_mut().find(|finding| finding.signature.id == "CF-2001").unwrap();
    let needed = |state, claim: &str| diagnosis::model::EvidenceRow {
        state,
        claim: claim.to_owned(),
        needed: true,
        ..first.evidence[0].clone()
    };
    use signature::evidence_state::EvidenceState::{Contradicts, Supports};
    let rows = vec![needed(Contradicts, "A member has a leader"), needed(Supports, "No member has a leader")];
    first.evidence = rows;
    let page = html::render(&diagnosis).unwrap();
    let (_, rest) = page.split_once("<dl class=\"lead\">").unwrap();
    let lead = rest.split("</dl>").next().unwrap();
    let (is, not) = (lead.find("<p>No member has a leader"), lead.find("Not the case:</span> A member has a leader"));
    assert!(is.is_some() && is < not, "{lead}");
    assert!(!lead.contains("<p>A member has a leader"), "{lead}");
}

#[test]
fn every_sample_fits_the_schema_and_its_page_stays_small() {
    let validator = jsonschema::validator_for(&diagnosis::schema()).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-bundles");
    let (mut samples, mut large) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.join("bundle").exists() {
            continue;
        }
        samples += 1;
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let diagnosis = sample(&name);
        let value: serde_json::Value = serde_json::from_str(&json::render(&diagnosis).unwrap()).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
        let page = html::render(&diagnosis).unwrap();
        claims_of_the_first_screen(&name, &page);
        if page.len() >= 300_000 {
            large.push((name, page.len()));
        }
    }
    assert!(large.len() * 20 <= samples && large.iter().all(|(_, bytes)| *bytes < 360_000), "of {samples}: {large:?}");
    assert!(samples > 5, "only {samples} sample bundles were found");
}

/// The colours of one theme: the variables of the first rule that holds `selector`.
fn colours(selector: &str) -> std::collections::BTreeMap<&'static str, (f64, f64, f64)> {
    let (_, rest) = html::STYLE.split_once(selector).unwrap();
    let (rule, _) = rest.split_once('}').unwrap();
    let part = |hex: &str, at: usize| match hex.len() {
        3 => f64::from(u8::from_str_radix(&hex[at..=at].repeat(2), 16).unwrap()),
        _ => f64::from(u8::from_str_radix(&hex[at * 2..at * 2 + 2], 16).unwrap()),
    };
    rule.split(['{', ';', '\n'])
        .filter_map(|line| line.trim().strip_prefix("--")?.split_once(":#"))
        .map(|(name, hex)| (name, (part(hex, 0), part(hex, 1), part(hex, 2))))
        .collect()
}

/// Contrast as WCAG 2.2 defines it (relative luminance, success criterion 1.4.3).
fn contrast(a: (f64, f64, f64), b: (f64, f64, f64)) -> f64 {
    let channel = |value: f64| {
        let value = value / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let light = |(r, g, b): (f64, f64, f64)| 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    let (low, high) = if light(a) < light(b) { (light(a), light(b)) } else { (light(b), light(a)) };
    (high + 0.05) / (low + 0.05)
}

#[test]
fn every_text_can_be_read_in_both_themes() {
    for theme in [":root[data-theme=light]", ":root[data-theme=dark]"] {
        let colours = colours(theme);
        let pairs = ["ink", "soft", "link"]
            .iter()
            .flat_map(|ink| ["bg", "card", "code", "grey-bg"].map(|ground| (*ink, ground.to_owned())))
            .chain(
                ["red", "amber", "blue", "green", "grey"]
                    .iter()
                    .flat_map(|ink| [(*ink, format!("{ink}-bg")), (*ink, "card".to_owned()), (*ink, "bg".to_owned())]),
            )
            .chain([("ink", "red-bg".to_owned()), ("ink", "amber-bg".to_owned()), ("link", "amber-bg".to_owned())]);
        for (ink, ground) in pairs {
            let ratio = contrast(colours[ink], colours[ground.as_str()]);
            assert!(ratio >= 4.5, "{theme}: {ink} on {ground} has a contrast of {ratio:.2}, AA needs 4.5");
        }
    }
    // What the system prefers and what the switch sets are the same colours.
    assert_eq!(colours(":root{"), colours(":root[data-theme=light]"));
    assert_eq!(colours("(prefers-color-scheme:dark){:root"), colours(":root[data-theme=dark]"));
    assert!((contrast((0.0, 0.0, 0.0), (255.0, 255.0, 255.0)) - 21.0).abs() < 0.01);
}

#[test]
fn headings_are_in_order_and_every_input_has_a_label() {
    for name in FIXTURES {
        let page = html::render(&fixture(name)).unwrap();
        let markup = markup(&page);
        let mut depth = 0;
        let mut firsts = 0;
        for tag in tags(&markup) {
            let level = tag.strip_prefix('h').and_then(|rest| rest.chars().next()?.to_digit(10));
            if let Some(level) = level.filter(|_| tag.len() == 2 || tag.as_bytes()[2] == b' ') {
                assert!(level <= depth + 1, "{name}: h{level} follows h{depth}");
                firsts += u32::from(level == 1);
                depth = level;
            }
        }
        assert_eq!(firsts, 1, "{name}: a page has one first heading");
        for (_, rest) in markup.match_indices("<input ").map(|(at, text)| markup.split_at(at + text.len())) {
            let id = rest.split_once("id=\"").unwrap().1.split('"').next().unwrap();
            assert!(markup.contains(&format!("<label for=\"{id}\"")), "{name}: input {id} has no label");
        }
        // What colour says, a word says too.
        for row in fixture(name).findings.iter().flat_map(|finding| &finding.evidence) {
            let word = diagnosis::words::evidence(row.state);
            assert!(markup.contains(&format!("<span class=\"state\">{word}</span>")), "{name}: {word}");
        }
    }
}

#[test]
fn a_page_stays_small() {
    for name in FIXTURES {
        let size = html::render(&fixture(name)).unwrap().len();
        assert!(size < 300_000, "{name} has {size} bytes");
    }
}

#[test]
fn hostile_text_is_no_markdown() {
    let text = markdown::render(&fixture("hostile"));
    let mut fence: Option<String> = None;
    for line in text.lines() {
        let bare = line.trim_start();
        let ticks = bare.len() - bare.trim_start_matches('`').len();
        match &fence {
            Some(open) if bare == open => fence = None,
            Some(_) => {}
            None if ticks >= 3 && bare[ticks..] == *"text" => fence = Some(bare[..ticks].to_owned()),
            None => {
                // Outside of blocks: drop code spans, then nothing may act.
                let mut prose = String::new();
                let line = line.replace("\\`", "");
                let mut rest = line.as_str();
                while let Some(start) = rest.find('`') {
                    let run = rest[start..].len() - rest[start..].trim_start_matches('`').len();
                    let close = "`".repeat(run);
                    let body = &rest[start + run..];
                    let end = body.find(&close).expect("a code span ends on its line");
                    prose.push_str(&rest[..start]);
                    rest = &body[end + run..];
                }
                prose.push_str(rest);
                for bad in ["<", "https://", "![", "\u{202e}", "\u{1b}"] {
                    assert!(!prose.contains(bad), "{bad:?} in {line}");
                }
            }
        }
    }
    assert!(fence.is_none(), "a code block is never closed");
}

/// What a finding tells people to do, and why: in the order of the page.
fn advice(diagnosis: &Diagnosis) -> Vec<&str> {
    let standing = diagnosis.findings.iter().filter(|f| f.verdict < VerdictWord::Resolved);
    let mut texts: Vec<&str> = Vec::new();
    for finding in standing {
        let remedy = &finding.remediation;
        for item in remedy.do_not.iter().chain(&remedy.does_not_help) {
            texts.extend([item.action.as_str(), &item.because]);
        }
        for step in &remedy.steps {
            texts.extend([&step.action].into_iter().chain(&step.because).chain(&step.approval).map(String::as_str));
            texts.extend(step.before.iter().map(String::as_str));
        }
        texts.extend(remedy.verify.iter().map(String::as_str));
        texts.extend(finding.references.iter().map(|reference| reference.title.as_str()));
        texts.extend(finding.escalation.iter().flat_map(|packet| &packet.items).map(|(title, _)| title.as_str()));
    }
    texts
}

#[test]
fn the_ticket_carries_what_the_page_advises_and_what_it_was_made_with() {
    for diagnosis in [fixture("typical"), fixture("hostile"), sample("failed-import")] {
        let ticket = markdown::render(&diagnosis);
        let texts = advice(&diagnosis);
        assert!(texts.len() > 10);
        for text in texts {
            // Steps join what is to be checked before them, so a text can stand inside a line.
            let said = markdown::escape::prose(&format!("x {text}"));
            assert!(ticket.contains(&said[2..]), "the ticket does not say: {text}");
        }
        for pack in &diagnosis.packs {
            assert!(ticket.contains(&pack.sha256), "{}", pack.name);
        }
        for item in &diagnosis.overrides {
            assert!(
                ticket.contains(&markdown::escape::prose(&format!("x {}", item.reason))[2..]),
                "{}",
                item.signature
            );
        }
        for finding in diagnosis.findings.iter().filter(|finding| finding.verdict < VerdictWord::Resolved) {
            for (_, text) in finding.escalation.iter().flat_map(|packet| &packet.items) {
                for line in diagnosis::visible::visible(text).lines().map(str::trim_end) {
                    assert!(ticket.contains(line), "{}: {line}", finding.anchor);
                }
            }
        }
    }
}

#[test]
fn a_terminal_gets_no_foreign_escape_sequence() {
    let text = terminal::summary(&fixture("hostile"), false, None);
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    let coloured = terminal::summary(&fixture("typical"), true, None);
    let plain = terminal::summary(&fixture("typical"), false, None);
    let stripped: String = coloured
        .split("\u{1b}[")
        .enumerate()
        .map(|(i, part)| if i == 0 { part } else { part.split_once('m').unwrap().1 })
        .collect();
    assert_eq!(stripped, plain, "colour carries nothing of its own");
}

#[test]
fn the_schema_is_as_checked_in_and_holds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/diagnosis.schema.json");
    let schema = diagnosis::schema();
    golden(&path, &format!("{}\n", serde_json::to_string_pretty(&schema).unwrap()));
    let validator = jsonschema::validator_for(&schema).unwrap();
    for name in FIXTURES {
        let value: serde_json::Value = serde_json::from_str(&json::render(&fixture(name)).unwrap()).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }
    let mut broken: serde_json::Value = serde_json::from_str(&json::render(&fixture("typical")).unwrap()).unwrap();
    broken["findings"][0]["verdict"] = "maybe".into();
    assert!(!validator.is_valid(&broken));
}

/// `jq` and `cat` print what stands in a file: nothing in it may act on a terminal or turn a line around.
#[test]
fn json_holds_no_character_that_deceives() {
    let mut diagnosis = fixture("typical");
    let deceit = "a\u{202e}b\u{2066}c\u{200b}d\u{e0041}e\u{9b}f\u{7f}g\u{1b}h\u{feff}";
    diagnosis.answer = deceit.to_owned();
    diagnosis.findings[0].entity.name = deceit.to_owned();
    diagnosis.options.insert(deceit.to_owned(), deceit.to_owned());
    let text = json::render(&diagnosis).unwrap();
    assert!(!text.chars().any(|c| c != '\n' && diagnosis::visible::deceives(c)));
    assert_eq!(serde_json::from_str::<Diagnosis>(&text).unwrap(), diagnosis);
}
