//! Which images Pods run.

use crate::model::ImageChange;
use facts::kind::KindName;
use facts::store::Facts;
use std::collections::{BTreeMap, BTreeSet};

/// Images whose tags differ. One that only one bundle shows counts where both show Pods at all.
pub(crate) fn compare(a: &Facts, b: &Facts) -> Vec<ImageChange> {
    let (old, new) = (images(a), images(b));
    if old.is_empty() || new.is_empty() {
        return Vec::new();
    }
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let tags = |images: &BTreeMap<String, BTreeSet<String>>, name: &String| -> Vec<String> {
        images.get(name).into_iter().flatten().cloned().collect()
    };
    let change = |name: &String| ImageChange { image: name.clone(), a: tags(&old, name), b: tags(&new, name) };
    // An image that is only in one of them is that of an added or gone object, which is listed.
    names
        .into_iter()
        .map(change)
        .filter(|change| change.a != change.b && !change.a.is_empty() && !change.b.is_empty())
        .collect()
}

/// The tags or digests of each image.
fn images(facts: &Facts) -> BTreeMap<String, BTreeSet<String>> {
    let pods = KindName::parse("pods");
    let mut images: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for object in facts.objects.iter().filter(|object| object.kind == pods && !object.presence.is_gone()) {
        for list in ["containers", "initContainers"] {
            let shown = object.sightings.iter().find_map(|sighting| sighting.record.node.at(&["spec", list]));
            for container in shown.map(|node| node.items()).unwrap_or_default() {
                let Some(image) = container.get("image").and_then(|node| node.as_str()) else { continue };
                let (name, tag) = parts(image);
                images.entry(name.to_owned()).or_default().insert(tag.to_owned());
            }
        }
    }
    images
}

/// Name, and tag or digest. A colon before the last slash is that of a port.
fn parts(image: &str) -> (&str, &str) {
    if let Some((name, digest)) = image.split_once('@') {
        return (parts(name).0, digest);
    }
    match image.rsplit_once(':').filter(|(_, tag)| !tag.contains('/')) {
        Some((name, tag)) => (name, tag),
        None => (image, "latest"),
    }
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn images_have_names_and_tags() {
        assert_eq!(parts("registry:5000/a/b:1.2"), ("registry:5000/a/b", "1.2"));
        assert_eq!(parts("registry:5000/a/b"), ("registry:5000/a/b", "latest"));
        assert_eq!(parts("a@sha256:00"), ("a", "sha256:00"));
        assert_eq!(parts("a:1@sha256:00"), ("a", "sha256:00"));
    }
}
