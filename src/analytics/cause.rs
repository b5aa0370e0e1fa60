//! Why a line of a structured log was written: its `error` or `err` field, which answers a ticket where the message only
//! says that something failed.

/// Keys of a cause, as JSON and as `key="value"` write them.
const KEYS: [&str; 6] = ["\"error\":\"", "\"err\":\"", "\"error\": \"", "\"err\": \"", " error=\"", " err=\""];

/// The cause that a line states; `None` if it states none.
pub(crate) fn of(line: &str) -> Option<String> {
    let (_, rest) = KEYS.iter().find_map(|key| line.split_once(key))?;
    let mut cause = String::new();
    let mut escaped = false;
    for c in rest.chars() {
        match c {
            '"' if !escaped => break,
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            'n' | 't' if escaped => cause.push(' '),
            c => cause.push(c),
        }
        escaped = false;
    }
    (!cause.is_empty()).then_some(cause)
}

/// A message with its cause, said once.
pub(crate) fn with(message: &str, cause: Option<&str>) -> String {
    match cause.filter(|cause| !message.contains(cause)) {
        Some(cause) => format!("{message}: {cause}"),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{of, with};

    #[test]
    fn the_field_that_answers_the_ticket_is_shown() {
        let zap = r#"{"level":"fatal","msg":"discovery failed","error":"listen tcp 127.0.0.1:25151: bind: address already in use","stacktrace":"x"}"#;
        let cause = of(zap);
        assert_eq!(
            with("discovery failed", cause.as_deref()),
            "discovery failed: listen tcp 127.0.0.1:25151: bind: address already in use"
        );
        let klog = r#"E0301 "Failed to run kubelet" err="open \"/x\": no such file""#;
        assert_eq!(of(klog).as_deref(), Some("open \"/x\": no such file"));
        assert_eq!(of("plain error: x"), None);
        assert_eq!(with("it failed: x", Some("x")), "it failed: x");
    }
}
