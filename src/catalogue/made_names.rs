//! Names that controllers and the API server make up, and what they were made from.
//!
//! Why: a Pod that is seen without its owner is still known by its workload, and the runs of one thing by what their names
//! have in common.
//!
//! Source: `kubernetes/apimachinery:pkg/util/rand/rand.go`, whose letters make no words.

/// The letters of random ends: no vowels, and nothing that looks like one.
const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
/// Letters of the random end that the API server makes.
const RANDOM: usize = 5;

/// Is this the random end of a name that the API server made?
pub(crate) fn is_random(end: &str) -> bool {
    end.len() == RANDOM && is_made(end)
}

fn is_made(text: &str) -> bool {
    text.bytes().all(|byte| LETTERS.contains(&byte))
}

/// The workload that made a Pod, by the name that it gave it: `web-7d9f8c6b5-x2x4z`, `agent-x2x4z`. The number of a
/// StatefulSet's Pod may be that of a machine as well, so it names none.
pub fn workload_of(pod: &str) -> Option<&str> {
    let (rest, _) = pod.rsplit_once('-').filter(|(_, last)| is_random(last))?;
    let set = rest.rsplit_once('-').filter(|(_, hash)| (6..=10).contains(&hash.len()) && is_made(hash));
    Some(set.map_or(rest, |(workload, _)| workload))
}

/// The Job that may have made a Pod, by the name that it gave it: `backup-29926440-4mz8c`.
pub fn of_job(pod: &str) -> Option<&str> {
    Some(pod.rsplit_once('-').filter(|(_, last)| is_random(last))?.0)
}

/// The random end of a Pod's name, by which people tell it from its siblings: `x2x4z`.
pub fn end_of(pod: &str) -> Option<&str> {
    Some(pod.rsplit_once('-')?.1).filter(|end| is_random(end))
}

/// Letters of the shortest name of a container that tells whose it is.
const TELLING: usize = 8;

/// Is this the name of a container that few Pods have, and not `app`, `main`, `manager` or `server`?
pub fn is_of_few(container: &str) -> bool {
    container.len() >= TELLING
}

#[cfg(test)]
mod tests {
    use super::{end_of, of_job, workload_of};

    #[test]
    fn who_made_a_pod() {
        assert_eq!(workload_of("web-7d9f8c6b5-x2x4z"), Some("web"));
        assert_eq!(workload_of("agent-x2x4z"), Some("agent"));
        assert_eq!(workload_of("db-0"), None);
        assert_eq!(workload_of("web-queue"), None);
        assert_eq!(of_job("backup-29926440-4mz8c"), Some("backup-29926440"));
        assert_eq!(of_job("backup-29926440"), None);
        assert_eq!(end_of("backup-29926440-4mz8c"), Some("4mz8c"));
        assert_eq!((end_of("web-queue"), end_of("x2x4z")), (None, None));
    }
}
