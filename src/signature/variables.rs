//! Variables: `$cluster`, `$cluster.name`, `$etcd.spec.x`, `$captured`; anything else is a constant.

use crate::model::Operand;
use facts::path::Path;

/// Attributes that every entity has, whatever its source; `$cluster.status.phase` is a path.
pub(crate) const ATTRIBUTES: [&str; 3] = ["name", "namespace", "context"];

/// What a text can print of an entity that is a stream: the last line that made it one.
pub const LAST_LINE: &str = "last_line";

/// Reads an operand.
///
/// `entity` is the name of the entity's variable; `group` says that the entity is a value and has no
/// fields of its own.
///
/// # Errors
/// With what is wrong: a path that does not parse, or a field of a value.
pub fn parse(text: &str, entity: &str, group: bool) -> Result<Operand, String> {
    let Some(variable) = text.strip_prefix('$') else { return Ok(Operand::Constant(text.to_owned())) };
    let (name, path) = match variable.find(['.', '[']) {
        Some(at) => variable.split_at(at),
        None => (variable, ""),
    };
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')) {
        return Err(format!("`{text}` is not a variable: expected `${entity}`, `${entity}.field` or `$capture`"));
    }
    let path = path.strip_prefix('.').unwrap_or(path);
    if name != entity {
        return if path.is_empty() {
            Ok(Operand::Captured(name.to_owned()))
        } else {
            let hint = facts::suggest::nearest(name, [entity]).map_or_else(
                || format!("fields belong to `${entity}`"),
                |near| format!("did you mean `${near}.{path}`?"),
            );
            Err(format!("`${name}` is a capture and has no field `{path}`; {hint}"))
        };
    }
    match path {
        "" => Ok(Operand::Entity),
        attribute if ATTRIBUTES.contains(&attribute) => Ok(Operand::EntityAttribute(attribute.to_owned())),
        _ if group => Err(format!("`${entity}` is a value and has no field `{path}`")),
        path => Path::parse(path).map(Operand::EntityPath).map_err(|error| format!("in `{text}`: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn operands() {
        let show = |text: &str| parse(text, "run", false).map_or_else(|error| error, |operand| format!("{operand:?}"));
        insta::assert_snapshot!(show("$run"), @"Entity");
        insta::assert_snapshot!(show("$run.context"), @r#"EntityAttribute("context")"#);
        insta::assert_snapshot!(show("$run.spec.placementName"), @r#"EntityPath(Path([Field("spec"), Field("placementName")]))"#);
        insta::assert_snapshot!(show("$member"), @r#"Captured("member")"#);
        insta::assert_snapshot!(show("sentry"), @r#"Constant("sentry")"#);
        insta::assert_snapshot!(show("$member.name"), @"`$member` is a capture and has no field `name`; fields belong to `$run`");
        insta::assert_snapshot!(show("$"), @"`$` is not a variable: expected `$run`, `$run.field` or `$capture`");
        assert!(parse("$run.spec.x", "run", true).is_err());
    }
}
