//! Messages of outcomes: templates of Go, as far as specs use them in messages.
//!
//! Source: <https://pkg.go.dev/text/template>; the pages of the analyzers say which fields there are.
//!
//! Why not more: conditions, loops and functions in messages are rare, and a message that cannot be filled in is shown
//! as it was written.
//!
//! Invariants: an outcome never depends on whether its message can be filled in; values are masked already.

/// Fills in the fields of a message: `{{ .A.B }}` becomes what `field` gives for `["A", "B"]`. A field that is not
/// there becomes `<no value>`, as in Go; a message with any other action stays as it is.
pub(crate) fn filled(message: &str, field: &dyn Fn(&[&str]) -> Option<String>) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((before, behind)) = rest.split_once("{{") {
        let Some((action, after)) = behind.split_once("}}") else { return message.to_owned() };
        let trims_before = action.starts_with("- ");
        let trims_after = action.ends_with(" -");
        let action = action.strip_prefix("- ").unwrap_or(action);
        let action = action.strip_suffix(" -").unwrap_or(action).trim();
        out.push_str(if trims_before { before.trim_end() } else { before });
        let Some(path) = action.strip_prefix('.') else { return message.to_owned() };
        let is_field = |part: &str| part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let path: Vec<&str> = path.split('.').filter(|part| !part.is_empty()).collect();
        if !path.iter().all(|part| is_field(part)) {
            return message.to_owned();
        }
        out.push_str(&field(&path).unwrap_or_else(|| "<no value>".to_owned()));
        rest = if trims_after { after.trim_start() } else { after };
    }
    out.push_str(rest);
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_filled_in_and_all_else_stays() {
        let field = |path: &[&str]| match path {
            ["Name"] => Some("web".to_owned()),
            ["Status", "Reason"] => Some("{{ .Name }}".to_owned()),
            _ => None,
        };
        for (message, expected) in [
            ("Pod {{ .Name }} is {{.Status.Reason}}", "Pod web is {{ .Name }}"),
            ("a {{- .Name -}} b", "awebb"),
            ("{{ .Nothing }}", "<no value>"),
            ("{{ if .Name }}x{{ end }}", "{{ if .Name }}x{{ end }}"),
            ("{{ .Name", "{{ .Name"),
            ("no field", "no field"),
        ] {
            assert_eq!(filled(message, &field), expected, "{message}");
        }
    }
}
