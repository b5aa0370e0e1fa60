//! One signature for people: what it means, its evidence, what to do. As plain text for a terminal and as
//! Markdown for `docs/patterns/`.
//!
//! Both are made from one [`Outline`], so that they cannot say different things.

use crate::duration;
use crate::model::{
    AgeTest, Capture, Comparison, Condition, ContextSelector, CountWanted, EACH, Each, EntitySource, Evidence, Operand,
    Ordering, Other, Predicate, Query, Risk, Selects, Signature, Status, Target, Template, Test, VerdictWord,
};
use facts::node::Value;
use std::fmt::Write as _;

/// Explains a signature on a terminal, `width` columns wide.
pub fn text(signature: &Signature, width: usize) -> String {
    outline(signature).text(width.clamp(40, 120))
}

/// Explains a signature in Markdown.
pub fn markdown(signature: &Signature) -> String {
    outline(signature).markdown()
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Stable => "stable",
        Status::Test => "test",
        Status::Experimental => "experimental",
        Status::Deprecated => "deprecated",
    }
}

fn verdict(word: VerdictWord) -> &'static str {
    match word {
        VerdictWord::Confirmed => "confirmed",
        VerdictWord::Probable => "probable",
        VerdictWord::Undecided => "undecided",
        VerdictWord::Resolved => "resolved",
        VerdictWord::RuledOut => "ruled out",
    }
}

/// A signature as sections of paragraphs, lists and commands.
struct Outline {
    title: String,
    sections: Vec<(String, Vec<Block>)>,
}

enum Block {
    Paragraph(String),
    Item(String),
    /// Belongs to the item before it.
    Detail(String),
    /// Belongs to the item before it; printed as it is.
    Command(String),
}

fn outline(signature: &Signature) -> Outline {
    let mut sections = vec![(String::new(), meaning(signature))];
    let (names, others): (Vec<_>, Vec<_>) = signature.evidence.iter().partition(|evidence| evidence.is_name());
    sections.push(("What it reads of other objects".to_owned(), names.into_iter().flat_map(evidence).collect()));
    sections.push(("Evidence".to_owned(), others.into_iter().flat_map(evidence).collect()));
    sections.push(("Verdicts".to_owned(), verdicts(signature)));
    sections.push(("Headlines".to_owned(), headlines(signature)));
    sections.push(("What to do".to_owned(), steps(signature)));
    let advice = |items: &[crate::model::Advice]| -> Vec<Block> {
        let lines =
            items.iter().map(|item| [Block::Item(item.action.to_string()), Block::Detail(item.because.to_string())]);
        lines.flatten().collect()
    };
    sections.push(("What does not help".to_owned(), advice(&signature.remediation.does_not_help)));
    sections.push(("What not to do".to_owned(), advice(&signature.remediation.do_not)));
    let verify = signature.remediation.verify.iter().map(|text| Block::Item(text.to_string())).collect();
    sections.push(("How to see that it is well again".to_owned(), verify));
    sections.push(("Related".to_owned(), related(signature)));
    sections.push(("Sources".to_owned(), sources(signature)));
    sections.retain(|(_, blocks)| !blocks.is_empty());
    Outline { title: format!("{} {}", signature.id, signature.title), sections }
}

/// What stands above a finding, and above one in which a wording was found that tells a cause of its own.
fn headlines(signature: &Signature) -> Vec<Block> {
    let said = |(word, text): (&VerdictWord, &Template)| format!("{}: {text}", verdict(*word));
    let mut blocks: Vec<Block> = signature.headline.iter().map(|each| Block::Item(said(each))).collect();
    for variant in &signature.variant_headlines {
        blocks.push(Block::Item(format!("where `{}` was found:", variant.regex)));
        blocks.extend(variant.headline.iter().map(|each| Block::Detail(said(each))));
    }
    blocks
}

fn meaning(signature: &Signature) -> Vec<Block> {
    let mut facts = format!(
        "Severity {}. Status {}, reviewed {}. Name: {}.",
        signature.severity.word(),
        status(signature.status),
        signature.reviewed,
        signature.name
    );
    if let Some(product) = &signature.applies_to {
        let _ = write!(facts, " Applies to {product}.");
    }
    if !signature.aliases.is_empty() {
        let _ = write!(facts, " Also known as {}.", signature.aliases.join(", "));
    }
    let about = match &signature.entity.source {
        EntitySource::Object { kinds, filter, .. } => {
            let kinds = kinds.iter().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(", ");
            let only =
                if filter.is_empty() { String::new() } else { format!(" that meets {} condition(s)", filter.len()) };
            format!("It is decided for each `{}`: every object of {kinds}{only}.", signature.entity.name)
        }
        EntitySource::Group { kind, by } => {
            format!(
                "It is decided for each `{}`: every value of `{by}` over the objects of `{kind}`.",
                signature.entity.name
            )
        }
        EntitySource::Stream(stream) => {
            let texts = stream.any.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ");
            format!(
                "It is decided for each `{}`: every log stream of class `{}` that says one of {texts}{}.",
                signature.entity.name,
                stream.source,
                stream.lately.map(lately).unwrap_or_default()
            )
        }
    };
    vec![Block::Paragraph(signature.summary.clone()), Block::Paragraph(facts), Block::Paragraph(about)]
}

fn evidence(evidence: &Evidence) -> Vec<Block> {
    let mark = if evidence.hallmark { " (hallmark)" } else { "" };
    let polarity = if evidence.expect_absent { ", must find nothing" } else { "" };
    let claim = match evidence.is_name() {
        true => evidence.id.trim_start_matches('$').to_owned(),
        false => format!("{}{mark}: {}", evidence.id, evidence.claim),
    };
    let mut blocks = vec![Block::Item(claim)];
    let what = match &evidence.query {
        Query::Object(query) => {
            let what = match &query.target {
                Target::Entity => "looks at the object itself".to_owned(),
                Target::Kinds(kinds) => {
                    let kinds = kinds.iter().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(", ");
                    let joins = query.joins.iter().map(|join| format!("`{}` is {}", join.path, operand(&join.is)));
                    let joins: Vec<String> = joins.chain(query.selects.iter().map(selects)).collect();
                    let tied = if joins.is_empty() { String::new() } else { format!(" whose {}", joins.join(" and ")) };
                    let place = match &query.context {
                        ContextSelector::Own => String::new(),
                        ContextSelector::Role(role) => format!(" in {role} clusters"),
                        ContextSelector::WorkloadOf(_) => " in the workload cluster".to_owned(),
                    };
                    format!("looks for {} {kinds}{place}{tied}", count(query.count))
                }
            };
            let each = query.each.as_ref().map(each).unwrap_or_default();
            let filter: Vec<&Predicate> = query.filter.iter().chain(&query.tied).collect();
            format!("{what}{}{each}", where_clause(&filter, " with "))
        }
        Query::Log(log) => {
            let source = log.source.as_deref().map_or_else(|| "all".to_owned(), |source| format!("`{source}`"));
            let (texts, how) = match &log.state {
                Some(state) => (state.down.iter().chain(&state.up).collect::<Vec<_>>(), "for the last of"),
                None => (log.any.iter().chain(&log.all).collect(), "for"),
            };
            let texts = texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ");
            let when = log.lately.map(lately).unwrap_or_default();
            let lasting = log.lasting.map(|seconds| format!(", over at least {}", duration::text(seconds)));
            let lasting = lasting.unwrap_or_default();
            if log.own {
                format!("searches that log for {texts}{when}{lasting} ({} lines)", count(log.count))
            } else {
                format!("searches {source} logs {how} {texts}{when}{lasting} ({} lines or streams)", count(log.count))
            }
        }
    };
    blocks.push(Block::Detail(format!("{what}{polarity}")));
    if let (true, Query::Object(query)) = (evidence.is_name(), &evidence.query) {
        blocks.extend(query.captures.iter().map(|own| Block::Detail(taken(own))));
    }
    if let Some(collect) = &evidence.collect {
        blocks.push(Block::Detail(format!("collect on {}:", collect.on)));
        blocks.push(Block::Command(collect.run.clone()));
        blocks.extend(collect.note.iter().map(|note| Block::Detail(note.clone())));
    }
    blocks
}

/// What a name takes out of its object.
fn taken(capture: &Capture) -> String {
    let paths: Vec<String> = capture.path.iter().chain(&capture.or_paths).map(|path| format!("`{path}`")).collect();
    let groups = capture.variants.iter().flat_map(|variant| variant.regex.names());
    let names: Vec<&str> = capture.name.iter().chain(groups).map(String::as_str).collect();
    let default = capture.default.as_ref().map(|text| format!(", `{text}` where it is not set"));
    format!("takes {} as {}{}", paths.join(" or "), names.join(", "), default.unwrap_or_default())
}

/// Only the end of a log.
fn lately(seconds: i64) -> String {
    format!(" in its last {}", duration::text(seconds))
}

/// A choice by labels.
fn selects(selects: &Selects) -> String {
    let (selector, labels) = (&selects.selector, &selects.labels);
    match selects.by_entity {
        true => format!("`{labels}` is what `{selector}` of the entity selects"),
        false => format!("`{selector}` selects the entity by its `{labels}`"),
    }
}

/// The values of the object that each name another.
fn each(each: &Each) -> String {
    let paths = each.paths.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(" or ");
    let kinds = match &each.exists.target {
        Target::Kinds(kinds) => kinds.iter().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(", "),
        Target::Entity => String::new(),
    };
    let joins = each.exists.joins.iter().map(|join| format!("`{}` is {}", join.path, operand(&join.is)));
    let tied = joins.collect::<Vec<_>>().join(" and ");
    let filter: Vec<&Predicate> = each.exists.filter.iter().chain(&each.exists.tied).collect();
    let only = where_clause(&filter, " with ");
    format!(", and for each value of {paths} looks whether {kinds} exists whose {tied}{only}")
}

/// How many matches are wanted.
fn count(wanted: CountWanted) -> String {
    match (wanted.min, wanted.max) {
        (min, None) => format!("at least {min}"),
        (0, Some(max)) => format!("at most {max}"),
        (min, Some(max)) if min == max => format!("exactly {min}"),
        (min, Some(max)) => format!("{min} to {max}"),
    }
}

/// The conditions on an object, with a lead; empty if there are none.
fn where_clause(filter: &[&Predicate], lead: &str) -> String {
    if filter.is_empty() {
        return String::new();
    }
    format!("{lead}{}", filter.iter().map(|each| predicate(each)).collect::<Vec<_>>().join(", "))
}

fn predicate(predicate: &Predicate) -> String {
    let scalar = |value: &Value| value.scalar().unwrap_or_default();
    let list = |values: &[Value]| values.iter().map(scalar).collect::<Vec<_>>().join("`, `");
    let word = |ordering: Ordering| match ordering {
        Ordering::Less => "less than",
        Ordering::LessOrEqual => "at most",
        Ordering::Greater => "more than",
        Ordering::GreaterOrEqual => "at least",
    };
    let test = match &predicate.test {
        Test::Equals(value) => format!("equal to `{}`", scalar(value)),
        Test::NotEquals(value) => format!("set and not `{}`", scalar(value)),
        Test::In(values) => format!("one of `{}`", list(values)),
        Test::NotIn(values) => format!("set and none of `{}`", list(values)),
        Test::IsSet(true) => "set".to_owned(),
        Test::IsSet(false) => "not set".to_owned(),
        Test::StartsWith(text) => format!("beginning with `{text}`"),
        Test::EndsWith(text) => format!("ending with `{text}`"),
        Test::Contains(text) => format!("containing `{text}`"),
        Test::Matches(regex) => format!("matching `{regex}`"),
        Test::Says(group, None) => format!("saying `{group}` in a known wording"),
        Test::Says(group, Some(class)) => format!("saying `{group}/{class}` in a known wording"),
        Test::Compare(ordering, number) => format!("{} {number}", word(*ordering)),
        Test::ComparePath(ordering, path) => format!("{} `{path}`", word(*ordering)),
        Test::Age(test) => age(*test),
        Test::Against(how, other) => against(*how, other),
    };
    let api = if predicate.api.is_empty() { String::new() } else { format!(" ({})", predicate.api.join(", ")) };
    let quoted = |paths: &[facts::path::Path], before: &str| {
        paths.iter().map(|path| format!("{before}`{path}`")).collect::<String>()
    };
    let (other, instead) = (quoted(&predicate.or_paths, " or "), quoted(&predicate.else_paths, ", else "));
    format!("`{}`{instead}{other} {test}{api}", predicate.path)
}

fn against(how: Comparison, other: &Other) -> String {
    let other = match other {
        Other::Path(path) => format!("`{path}`"),
        Other::Variable(variable) => operand(variable),
    };
    match how {
        Comparison::Same => format!("the same as {other}"),
        Comparison::Differs => format!("set and not the same as {other}"),
        Comparison::Earlier => format!("earlier than {other}"),
        Comparison::Later => format!("later than {other}"),
        Comparison::Older => format!("at least as long ago as {other}"),
        Comparison::Younger => format!("less long ago than {other}"),
    }
}

fn age(test: AgeTest) -> String {
    match test {
        AgeTest::OlderThan(0) => "passed when the bundle was made".to_owned(),
        AgeTest::OlderThan(seconds) => format!("at least {} ago", duration::text(seconds)),
        AgeTest::YoungerThan(seconds) => format!("less than {} ago", duration::text(seconds)),
        AgeTest::DueWithin(seconds) => format!("passed or due in less than {}", duration::text(seconds)),
        AgeTest::Known(true) => "of known age".to_owned(),
        AgeTest::Known(false) => "of unknown age".to_owned(),
    }
}

fn operand(operand: &Operand) -> String {
    match operand {
        Operand::Entity => "the entity".to_owned(),
        Operand::EntityAttribute(name) => format!("the entity's {name}"),
        Operand::EntityPath(path) => format!("the entity's `{path}`"),
        Operand::Captured(name) if name == EACH => "that value".to_owned(),
        Operand::Captured(name) => format!("the captured {name}"),
        Operand::Constant(text) => format!("`{text}`"),
    }
}

fn verdicts(signature: &Signature) -> Vec<Block> {
    let rules = &signature.verdict;
    let all = [
        ("confirmed", Some(&rules.confirmed)),
        ("probable", rules.probable.as_ref()),
        ("resolved", rules.resolved.as_ref()),
        ("ruled out", rules.ruled_out.as_ref()),
        ("suspected", rules.suspect.as_ref()),
    ];
    let mut blocks: Vec<Block> = all
        .into_iter()
        .filter_map(|(word, condition)| Some(Block::Item(format!("{word} if {}", show(condition?, signature, 0)))))
        .collect();
    if let Some(escalation) = &signature.escalation {
        blocks.push(Block::Paragraph(format!("From {} on it goes to {}.", verdict(escalation.when), escalation.to)));
    }
    blocks
}

/// A condition in the words that it is written in. `level`: 0 outside, 1 inside `or`, 2 inside `and`, 3
/// inside `not`.
fn show(condition: &Condition, signature: &Signature, level: u8) -> String {
    let join = |items: &[Condition], word: &str, inside: u8| {
        items.iter().map(|item| show(item, signature, inside)).collect::<Vec<_>>().join(word)
    };
    let wrap = |text: String, wrap: bool| if wrap { format!("({text})") } else { text };
    match condition {
        Condition::Evidence(index) => signature.evidence.get(*index).map(|e| e.id.clone()).unwrap_or_default(),
        Condition::Not(inner) => format!("not {}", show(inner, signature, 3)),
        Condition::And(items) => wrap(join(items, " and ", 2), level > 2),
        Condition::Or(items) => wrap(join(items, " or ", 1), level > 1),
        Condition::AtLeast(count, items) => format!("{count} of ({})", join(items, ", ", 0)),
    }
}

fn steps(signature: &Signature) -> Vec<Block> {
    let mut blocks = Vec::new();
    for step in &signature.remediation.steps {
        let risk = match step.risk {
            Some(Risk::Safe) => " (safe)",
            Some(Risk::Disruptive) => " (disruptive)",
            Some(Risk::Destructive) => " (destructive)",
            None => "",
        };
        blocks.push(Block::Item(format!("{}{risk}", step.action)));
        let detail = |template: &Option<Template>| template.as_ref().map(ToString::to_string);
        let show = |condition: &Condition| show(condition, signature, 0);
        blocks.extend(step.when.as_ref().map(|when| Block::Detail(format!("Only when: {}.", show(when)))));
        blocks.extend(step.unless.as_ref().map(|unless| Block::Detail(format!("Not when: {}.", show(unless)))));
        if !step.filter.is_empty() {
            let filter: Vec<&Predicate> = step.filter.iter().collect();
            blocks.push(Block::Detail(format!("{}.", where_clause(&filter, "Only where "))));
        }
        blocks.extend(
            step.said.as_ref().map(|said| Block::Detail(format!("Only where it is said: `{}`.", said.as_str()))),
        );
        blocks.extend(detail(&step.because).map(Block::Detail));
        blocks.extend(step.approval.iter().map(|who| Block::Detail(format!("Needs the approval of {who}."))));
        blocks.extend(step.before.iter().map(|check| Block::Detail(format!("Before: {check}"))));
        blocks.extend(detail(&step.command).map(Block::Command));
    }
    blocks
}

fn related(signature: &Signature) -> Vec<Block> {
    let line = |relation: &crate::model::Relation| {
        let kind = match relation.kind {
            crate::model::RelationKind::Causes => "causes",
            crate::model::RelationKind::Implies => "implies",
            crate::model::RelationKind::DistinctFrom => "is not the same as",
        };
        let by = relation.by.as_ref().map_or_else(String::new, |by| format!(": {by}"));
        Block::Item(format!("{kind} {}{by}", relation.to))
    };
    signature.relations.iter().map(line).collect()
}

fn sources(signature: &Signature) -> Vec<Block> {
    let line = |reference: &crate::model::Reference| {
        let section = reference.section.as_ref().map_or_else(String::new, |section| format!(", section \"{section}\""));
        let url = reference.url.as_ref().map_or_else(String::new, |url| format!(" <{url}>"));
        Block::Item(format!("{}{section}{url}", reference.title))
    };
    signature.references.iter().map(line).collect()
}

impl Outline {
    fn markdown(&self) -> String {
        let mut out = format!("# {}\n", self.title);
        for (heading, blocks) in &self.sections {
            if !heading.is_empty() {
                let _ = write!(out, "\n## {heading}\n");
            }
            let mut listed = false;
            for block in blocks {
                let _ = match block {
                    Block::Paragraph(text) => write!(out, "\n{text}\n"),
                    Block::Item(text) => writeln!(out, "{}- {text}", if listed { "" } else { "\n" }),
                    Block::Detail(text) => writeln!(out, "  - {text}"),
                    Block::Command(text) => write!(out, "\n    ```sh\n    {}\n    ```\n", text.replace('\n', "\n    ")),
                };
                listed = !matches!(block, Block::Paragraph(_));
            }
        }
        out
    }

    fn text(&self, width: usize) -> String {
        let mut out = String::new();
        wrap(&mut out, &self.title, "", "", width);
        for (heading, blocks) in &self.sections {
            if !heading.is_empty() {
                let _ = write!(out, "\n{heading}\n");
            }
            for block in blocks {
                match block {
                    Block::Paragraph(text) => {
                        out.push('\n');
                        wrap(&mut out, text, "", "", width);
                    }
                    Block::Item(text) => wrap(&mut out, text, "  * ", "    ", width),
                    Block::Detail(text) => wrap(&mut out, text, "    ", "    ", width),
                    // A command is never wrapped: people copy it.
                    Block::Command(text) => {
                        for line in text.lines() {
                            let _ = writeln!(out, "      {line}");
                        }
                    }
                }
            }
        }
        out
    }
}

/// Appends a text, broken at blanks.
fn wrap(out: &mut String, text: &str, first: &str, rest: &str, width: usize) {
    let mut line = first.to_owned();
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > width {
            out.push_str(&line);
            out.push('\n');
            rest.clone_into(&mut line);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    out.push_str(&line);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::Library;

    #[test]
    fn text_fits_the_width_and_names_what_matters() {
        let library = Library::built_in().expect("the built-in signatures load");
        let signature = library.get("CF-1001").expect("the signature");
        let text = text(signature, 80);
        for line in text.lines().filter(|line| !line.starts_with("      ")) {
            assert!(line.chars().count() <= 80 || !line.trim().contains(' ') || line.contains("<http"), "{line}");
        }
        for word in [
            "Severity critical",
            "orphan-credentials (hallmark)",
            "must find nothing",
            "What not to do",
            "platform-support",
        ] {
            assert!(text.contains(word), "{word} in\n{text}");
        }
        assert!(text.contains("ruled out if not import-record and not import-label"));
    }
}
