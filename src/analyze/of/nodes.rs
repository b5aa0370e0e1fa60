//! Analyzers of Nodes: `nodeResources`, `containerRuntime`, `distribution`.
//!
//! Source: `replicatedhq/troubleshoot:pkg/analyze/{node_resources,container_runtime,distribution}.go`.

use crate::ask::{Answer, Ask, first};
use crate::known::{Known, Open, Why, shown};
use crate::message::filled;
use crate::model::Outcome as Word;
use crate::quantity::quantity;
use crate::when::{Operator, bad, named, words};
use crate::world::{Listed, World};
use catalogue::analyzers::{self, Distribution, Mark};
use facts::coverage::State;
use facts::kind::KindName;
use facts::node::Node;
use facts::object::ObjectId;
use facts::origin::Citation;
use std::collections::BTreeSet;

const EXPECTED: &str = "a function and a comparison, such as `count() >= 3` or `min(memoryCapacity) < 8Gi`";
/// Citations of one result.
const PLACES: usize = 5;

/// What a filter or a function calls a resource, and where a Node states it.
const RESOURCES: [(&str, &str, &str); 8] = [
    ("cpuCapacity", "capacity", "cpu"),
    ("cpuAllocatable", "allocatable", "cpu"),
    ("memoryCapacity", "capacity", "memory"),
    ("memoryAllocatable", "allocatable", "memory"),
    ("podCapacity", "capacity", "pods"),
    ("podAllocatable", "allocatable", "pods"),
    ("ephemeralStorageCapacity", "capacity", "ephemeral-storage"),
    ("ephemeralStorageAllocatable", "allocatable", "ephemeral-storage"),
];

fn all_nodes(world: &World<'_>) -> Listed {
    world.list(&KindName::parse("nodes"), None)
}

/// A quantity of a Node; none where it surely has none.
fn amount(world: &World<'_>, id: ObjectId, part: &str, resource: &str) -> Known<(Option<i128>, Citation)> {
    let (text, at) = world.entry(id, &["status", part], resource)?;
    match text {
        None => Ok((None, at)),
        Some(text) => match quantity(&text) {
            Some(amount) => Ok((Some(amount), at)),
            None => Err(Why::NoQuantity(format!("{} of {resource}", world.name(id))).into()),
        },
    }
}

pub(crate) fn resources(ask: &Ask<'_>) -> Vec<Answer> {
    let listed = all_nodes(ask.world);
    let filters = ask.analyzer.setting("filters");
    let mut fitting = Vec::new();
    let mut open = listed.open;
    for id in listed.ids {
        match filters.map_or(Ok(true), |filters| fits(ask.world, id, filters)) {
            Ok(true) => fitting.push(id),
            Ok(false) => {}
            Err(why @ Open { why: Why::BadSetting { .. }, .. }) => return ask.open(why),
            Err(why) => open = open.or(Some(why)),
        }
    }
    let nodes =
        Nodes { world: ask.world, ids: fitting, open, at: Default::default(), named: setting(filters, "resourceName") };
    let chosen = first(&ask.analyzer.outcomes, |when| nodes.holds(when));
    let mut at = nodes.at.take();
    if at.is_empty() {
        at = nodes.ids.iter().flat_map(|id| ask.world.cite(*id)).take(PLACES).collect();
    }
    if at.is_empty() {
        at = listed.at;
    }
    let answer = Answer::found(ask.title, chosen.clone(), at);
    let Ok(Some(outcome)) = chosen else { return vec![answer] };
    let field = |path: &[&str]| match path {
        ["NodeCount"] => Some(nodes.ids.len().to_string()),
        [name] => filters.and_then(|filters| filters.field(name)?.value.scalar()),
        _ => None,
    };
    vec![answer.with_message(filled(&outcome.message, &field))]
}

fn setting(filters: Option<&Node>, key: &str) -> String {
    filters.and_then(|filters| filters.get(key)?.value.scalar()).unwrap_or_default()
}

/// Does a Node fit the filters?
fn fits(world: &World<'_>, id: ObjectId, filters: &Node) -> Known<bool> {
    let at_least = |setting_name: &'static str, part: &str, resource: &str| -> Known<bool> {
        let wanted = setting(Some(filters), setting_name);
        if wanted.is_empty() {
            return Ok(true);
        }
        let wanted = quantity(&wanted).ok_or_else(|| Why::BadSetting {
            name: setting_name,
            expected: format!("`{}` is no quantity; write it like `8Gi`", shown(&wanted)),
        })?;
        Ok(amount(world, id, part, resource)?.0.unwrap_or_default() >= wanted)
    };
    let named = setting(Some(filters), "resourceName");
    if !named.is_empty() {
        let has = |part: &str| Ok::<_, Open>(amount(world, id, part, &named)?.0.is_some());
        let is_there = has("capacity")? || has("allocatable")?;
        if !is_there
            || !at_least("resourceCapacity", "capacity", &named)?
            || !at_least("resourceAllocatable", "allocatable", &named)?
        {
            return Ok(false);
        }
    }
    if let Some(selector) = filters.get("selector")
        && !super::selector::of_node(world, id, selector)?
    {
        return Ok(false);
    }
    if let Some(taint) = filters.get("taint") {
        let text = |node: &Node, key: &str| node.get(key).and_then(Node::as_str).unwrap_or_default().to_owned();
        let same = |own: &Node| ["key", "effect"].iter().all(|key| text(own, key) == text(taint, key));
        return Ok(world.items(id, &["spec", "taints"])?.iter().any(same));
    }
    let wanted = setting(Some(filters), "cpuArchitecture");
    if !wanted.is_empty() {
        let (own, _) = world.text(id, &["status", "nodeInfo", "architecture"])?;
        if !own.eq_ignore_ascii_case(&wanted) {
            return Ok(false);
        }
    }
    for (name, part, resource) in RESOURCES {
        if !at_least(name, part, resource)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The Nodes that fit, and what can be worked out of them.
struct Nodes<'a> {
    world: &'a World<'a>,
    ids: Vec<ObjectId>,
    /// Why there may be others that fit.
    open: Option<Open>,
    at: std::cell::RefCell<Vec<Citation>>,
    /// `filters.resourceName`.
    named: String,
}

/// What a function of a condition gives.
enum Value {
    Count(usize),
    Amount(i128),
}

impl Nodes<'_> {
    fn holds(&self, when: &str) -> Known<bool> {
        let parts = words(when);
        let (function, operator, wanted) = match parts.as_slice() {
            [operator, wanted] => ("count()", *operator, *wanted),
            [function, operator, wanted] => (*function, *operator, *wanted),
            _ => return Err(bad(when, EXPECTED)),
        };
        let call = function.split_once('(').and_then(|(name, rest)| Some((name, rest.strip_suffix(')')?)));
        let (name, property) = call.unwrap_or(("count", ""));
        let operator = Operator::parse(operator).filter(|one| *one != Operator::NotEqual);
        let operator = operator.ok_or_else(|| bad(when, EXPECTED))?;
        if name == "nodeCondition" {
            return self.condition(property, wanted);
        }
        let value = self.value(when, name, property)?;
        let wanted = quantity(wanted).ok_or_else(|| bad(when, EXPECTED))?;
        let own = match value {
            Value::Count(number) => i128::try_from(number).unwrap_or(i128::MAX).saturating_mul(1_000_000_000),
            Value::Amount(amount) => amount,
        };
        // What is known of some Nodes is a lower bound of a count, a sum and a maximum.
        match &self.open {
            None => Ok(operator.holds(own.cmp(&wanted))),
            Some(_) if name != "min" && operator.holds_at_least(own.cmp(&wanted)).is_some() => {
                Ok(operator.holds_at_least(own.cmp(&wanted)).unwrap_or_default())
            }
            // Another Node can only make a minimum smaller.
            Some(_) if name == "min" && own < wanted && matches!(operator, Operator::Less | Operator::LessOrEqual) => {
                Ok(true)
            }
            Some(open) => Err(open.clone()),
        }
    }

    fn value(&self, when: &str, name: &str, property: &str) -> Known<Value> {
        let amounts = || -> Known<Vec<i128>> {
            let known =
                RESOURCES.iter().find(|(own, ..)| *own == property).map(|(_, part, resource)| (*part, *resource));
            let (part, resource) = match (property, known) {
                (_, Some(known)) => known,
                ("resourceCapacity", _) => ("capacity", self.named.as_str()),
                ("resourceAllocatable", _) => ("allocatable", self.named.as_str()),
                _ => return Err(bad(when, EXPECTED)),
            };
            let mut amounts = Vec::new();
            for id in &self.ids {
                let (amount, at) = amount(self.world, *id, part, resource)?;
                let mut places = self.at.borrow_mut();
                if places.len() < PLACES && !places.contains(&at) {
                    places.push(at);
                }
                amounts.extend(amount);
            }
            Ok(amounts)
        };
        let of = |amount: Option<i128>| match (amount, &self.open) {
            (Some(amount), _) => Ok(Value::Amount(amount)),
            (None, Some(open)) => Err(open.clone()),
            (None, None) => Err(Why::NoQuantity(shown(property)).into()),
        };
        match name {
            "count" => Ok(Value::Count(self.ids.len())),
            "countDistinct" => {
                let mut values = BTreeSet::new();
                for id in &self.ids {
                    values.extend(self.world.entry(*id, &["metadata", "labels"], property)?.0);
                }
                Ok(Value::Count(values.len()))
            }
            "sum" => Ok(Value::Amount(amounts()?.into_iter().fold(0, i128::saturating_add))),
            "min" => of(amounts()?.into_iter().min()),
            "max" => of(amounts()?.into_iter().max()),
            _ => Err(bad(when, EXPECTED)),
        }
    }

    /// Does one of them have a condition in this state?
    fn condition(&self, of: &str, wanted: &str) -> Known<bool> {
        for id in &self.ids {
            for condition in self.world.items(*id, &["status", "conditions"])? {
                let text = |key: &str| condition.field(key).and_then(Node::as_str);
                if text("type") == Some(of) && text("status") == Some(wanted) {
                    self.at.borrow_mut().extend(self.world.cite(*id));
                    return Ok(true);
                }
            }
        }
        self.open.clone().map_or(Ok(false), Err)
    }
}

pub(crate) fn runtime(ask: &Ask<'_>) -> Vec<Answer> {
    let listed = all_nodes(ask.world);
    let mut at: Vec<Citation> = Vec::new();
    let chosen = first(&ask.analyzer.outcomes, |when| {
        let (wanted, is_equal) = named(when, "`== containerd`")?;
        let mut open = listed.open.clone();
        for id in &listed.ids {
            match ask.world.text(*id, &["status", "nodeInfo", "containerRuntimeVersion"]) {
                // Troubleshoot knows no other comparison here, and takes one for false.
                Ok((version, place)) if is_equal && version.split_once("://").map(|(name, _)| name) == Some(wanted) => {
                    at.push(place);
                    return Ok(true);
                }
                Ok((_, place)) if at.len() < PLACES => at.push(place),
                Ok(_) => {}
                Err(why) => open = open.or(Some(why)),
            }
        }
        open.filter(|_| is_equal).map_or(Ok(false), Err)
    });
    at.dedup();
    if at.is_empty() {
        at = listed.at;
    }
    vec![Answer::found(ask.title, chosen, at)]
}

pub(crate) fn distribution(ask: &Ask<'_>) -> Vec<Answer> {
    let listed = all_nodes(ask.world);
    let mut at = Vec::new();
    let chosen = first(&ask.analyzer.outcomes, |when| {
        let parts = words(when);
        let (operator, name) = match parts.split_first() {
            Some((name, [])) => (Operator::Equal, (*name).to_owned()),
            Some((operator, name)) => (Operator::parse(operator).ok_or_else(|| bad(when, "`== k3s`"))?, name.join(" ")),
            None => return Err(bad(when, "`== k3s`")),
        };
        let one = analyzers::distributions()
            .find(|one| one.is_called(&name))
            .ok_or_else(|| bad(when, "a distribution that Troubleshoot knows"))?;
        let is_it = is_distribution(ask.world, &listed, one, &mut at)?;
        match operator {
            Operator::Equal => Ok(is_it),
            Operator::NotEqual => Ok(!is_it),
            _ => Err(bad(when, "`== k3s`")),
        }
    });
    if at.is_empty() {
        at = listed.ids.iter().flat_map(|id| ask.world.cite(*id)).take(1).collect();
    }
    if matches!(chosen, Ok(None)) {
        // Troubleshoot warns here, whatever the spec says.
        return vec![Answer::own(ask.title, Word::Warn, "None of the conditionals were met", at)];
    }
    vec![Answer::found(ask.title, chosen, at)]
}

fn is_distribution(world: &World<'_>, nodes: &Listed, one: &Distribution, at: &mut Vec<Citation>) -> Known<bool> {
    if let Some(group) = &one.group
        && let Some(known) = world.facts.coverage.iter().find(|known| {
            known.context == world.context
                && known.answer.kind.group == *group
                && matches!(known.answer.state, State::Complete | State::Empty)
        })
    {
        at.push(known.answer.citation.clone());
        return Ok(true);
    }
    let mut open = nodes.open.clone();
    let mut found = false;
    for id in &nodes.ids {
        for mark in &one.marks {
            match shows(world, *id, mark) {
                Ok(Some(place)) => {
                    at.push(place);
                    found = true;
                }
                Ok(None) => {}
                Err(why) => open = open.or(Some(why)),
            }
        }
        for label in &one.unless {
            if world.entry(*id, &["metadata", "labels"], label)?.0.is_some() {
                return Ok(false);
            }
        }
        if found {
            break;
        }
    }
    match open {
        _ if found && one.unless.is_empty() => Ok(true),
        None => Ok(found),
        Some(open) => Err(open),
    }
}

/// Where a Node shows a mark.
fn shows(world: &World<'_>, id: ObjectId, mark: &Mark) -> Known<Option<Citation>> {
    let entry = |field: &str, key: &str| -> Known<Option<Citation>> {
        let (value, at) = world.entry(id, &["metadata", field], key)?;
        let fits = value.is_some_and(|value| mark.is.as_ref().is_none_or(|wanted| value == *wanted));
        Ok(fits.then_some(at))
    };
    if let Some(label) = &mark.label {
        return entry("labels", label);
    }
    if let Some(annotation) = &mark.annotation {
        return entry("annotations", annotation);
    }
    if let Some(provider) = &mark.provider {
        let (own, at) = world.text(id, &["spec", "providerID"])?;
        return Ok(own.starts_with(provider.as_str()).then_some(at));
    }
    if let Some(image) = &mark.image {
        let (own, at) = world.text(id, &["status", "nodeInfo", "osImage"])?;
        return Ok((own == *image).then_some(at));
    }
    Ok(None)
}
