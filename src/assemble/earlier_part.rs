//! Which file a log goes on in: `x.log` for `x-previous.log`, `x.log.1` and `previous/x.log`.
//!
//! Why: what a program said before it was started again is over once it goes on, and nobody sees that where the two logs are
//! taken for those of two programs.
//!
//! Invariant: only names are read here, and a name proves nothing by itself: whoever asks looks whether that file is there.

/// Words behind the name of a program, or above its file, which say that it is the log before this one.
const EARLIER: [&str; 5] = ["previous", "prev", "old", "exited", "terminated"];

/// Names that the file which a log goes on in may have.
pub(crate) fn current_of(file: &str) -> impl Iterator<Item = String> {
    let (folder, name) = file.rsplit_once('/').map_or(("", file), |(folder, name)| (folder, name));
    let in_folder = |folder: &str, name: &str| match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    };
    let marked = EARLIER.iter().chain(&["p"]).flat_map(|word| ['-', '_', '.'].map(|mark| format!("{mark}{word}")));
    let unmarked = marked.filter_map(|mark| without(name, &mark)).map(|name| in_folder(folder, &name));
    let renamed = EARLIER.iter().filter_map(|word| {
        let rest = name.strip_prefix(word)?;
        rest.starts_with('.').then(|| in_folder(folder, &format!("current{rest}")))
    });
    let (above, last) = folder.rsplit_once('/').map_or(("", folder), |(above, last)| (above, last));
    let moved =
        EARLIER.contains(&last).then(|| [in_folder(above, name), in_folder(&in_folder(above, "current"), name)]);
    let rotated = name
        .strip_suffix(".gz")
        .unwrap_or(name)
        .rsplit_once('.')
        .filter(|(_, number)| number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit()));
    let rotated = rotated.map(|(stem, _)| in_folder(folder, stem));
    let all: Vec<String> = unmarked.chain(renamed).chain(moved.into_iter().flatten()).chain(rotated).collect();
    all.into_iter()
}

/// A name without a mark that stands at its end, or before its ending.
fn without(name: &str, mark: &str) -> Option<String> {
    let at = name.rfind(mark).filter(|at| *at > 0)?;
    let rest = name.get(at + mark.len()..)?;
    (rest.is_empty() || rest.starts_with('.')).then(|| format!("{}{rest}", name.get(..at).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_log_that_goes_on() {
        for (file, current) in [
            ("cp-1/kube-apiserver-previous.log", "cp-1/kube-apiserver.log"),
            ("kube-apiserver.previous.log", "kube-apiserver.log"),
            ("web_prev", "web"),
            ("web-p.log", "web.log"),
            ("a/previous.log", "a/current.log"),
            ("a/previous/web.log", "a/web.log"),
            ("a/previous/web.log", "a/current/web.log"),
            ("var/log/messages.1", "var/log/messages"),
            ("kubelet.log.2.gz", "kubelet.log"),
        ] {
            let all: Vec<String> = current_of(file).collect();
            assert!(all.iter().any(|name| name == current), "{file}: {all:?}");
        }
        assert_eq!(current_of("current.log").count() + current_of("web.log").count() + current_of("-p.log").count(), 0);
    }
}
