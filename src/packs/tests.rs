//! Packs that somebody changed, cut or made up: none of them is read.

use super::*;

fn pack() -> Pack {
    let files = [
        ("pack.yaml", "schema: 1\nname: Our own\nversion: \"2026.11\"\n"),
        ("etcd/a.yaml", "id: XY-1\n"),
        ("etcd/a.tests.yaml", "tests: []\n"),
    ];
    Pack::of("folder", files.map(|(path, text)| (path.to_owned(), text.to_owned())).to_vec())
}

fn key(seed: u8) -> SecretKey {
    SecretKey::of(&[seed; 32])
}

fn trusted(seed: u8) -> Trusted {
    let mut trusted = Trusted::default();
    trusted.add(&key(seed).public().line("Operations")).unwrap();
    trusted
}

/// A pack with another payload, signed as it stands.
fn with_payload(payload: &str) -> Vec<u8> {
    let key = key(1);
    let signature = BASE64.encode(key.sign(&signed_bytes(payload.as_bytes())));
    format!("{FIRST_LINE}key ed25519 {}\nsignature {signature}\n{payload}", key.public()).into_bytes()
}

/// The payload of a pack with one file more.
fn with_file(path: &str, text: &str) -> Vec<u8> {
    let mut files: Vec<(String, String)> =
        pack().files().map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
    files.push((path.to_owned(), text.to_owned()));
    let sha256 = Pack::of("x", files.clone()).sha256();
    let files = files.into_iter().map(|(path, text)| File { path, text }).collect();
    let payload = Payload { schema: 1, name: "Our own".into(), version: "2026.11".into(), sha256, files };
    with_payload(&serde_json::to_string(&payload).unwrap())
}

#[test]
fn what_is_built_is_read_again_and_only_a_trusted_key_admits_it() {
    let bytes = build(&pack(), Some(&key(1))).unwrap();
    let signed = read(&bytes).unwrap();
    assert_eq!((signed.name.as_str(), signed.version.as_str()), ("Our own", "2026.11"));
    assert_eq!(signed.sha256, pack().sha256());
    assert_eq!(signed.file_name(), "our-own-2026.11.casefile-pack");
    let files: Vec<_> = signed.pack().files().collect();
    assert_eq!(files, pack().files().collect::<Vec<_>>());
    assert!(signed.clone().admit(&trusted(1), false).is_ok());
    let refused = signed.clone().admit(&trusted(2), false).unwrap_err();
    assert_eq!(refused, PackFileError::NotTrusted(key(1).public()));
    assert!(signed.admit(&trusted(2), true).is_ok(), "somebody allowed it");
}

#[test]
fn an_unsigned_pack_needs_to_be_allowed() {
    let signed = read(&build(&pack(), None).unwrap()).unwrap();
    assert_eq!(signed.clone().admit(&trusted(1), false).unwrap_err(), PackFileError::Unsigned);
    assert!(signed.admit(&Trusted::default(), true).is_ok());
}

#[test]
fn no_byte_of_a_signed_pack_can_be_changed_or_left_out() {
    let bytes = build(&pack(), Some(&key(1))).unwrap();
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let admitted = read(&changed).and_then(|signed| signed.admit(&trusted(1), false));
        assert!(admitted.is_err(), "byte {at}");
        assert!(read(&bytes[..at]).is_err(), "cut at {at}");
    }
    assert!(read(&[bytes.as_slice(), b" "].concat()).is_err(), "something behind it");
}

#[test]
fn a_signature_over_other_bytes_is_none() {
    let of_other = key(1).sign(pack().sha256().as_bytes());
    let text = String::from_utf8(build(&pack(), Some(&key(1))).unwrap()).unwrap();
    let own = text.lines().nth(2).unwrap();
    let forged = text.replace(own, &format!("signature {}", BASE64.encode(of_other)));
    assert_eq!(read(forged.as_bytes()).unwrap_err(), PackFileError::WrongSignature);
    // A right signature with another key in front of it.
    let swapped = text.replace(&key(1).public().to_string(), &key(2).public().to_string());
    assert_eq!(read(swapped.as_bytes()).unwrap_err(), PackFileError::WrongSignature);
    // The signature taken away, and the key left: allowed or not, it is refused.
    let bare = text.replace(own, "signature none");
    assert_eq!(read(bare.as_bytes()).unwrap_err(), PackFileError::WrongSignature);
}

#[test]
fn a_weak_key_signs_nothing() {
    // The neutral element: with it a signature of zeros fits every text, unless somebody looks.
    let mut neutral = [0; 32];
    neutral[0] = 1;
    let weak = PublicKey::parse(&format!("ed25519 {}", BASE64.encode(neutral))).unwrap();
    let mut signature = [0; 64];
    signature[0] = 1;
    assert!(!weak.has_signed(b"anything", &signature));
}

#[test]
fn no_path_leads_out_of_a_pack() {
    for path in [
        "../a.yaml",
        "/etc/a.yaml",
        "a/../../b.yaml",
        "a//b.yaml",
        "./a.yaml",
        "a\\..\\b.yaml",
        "C:/a.yaml",
        "a\0.yaml",
        "a.sh",
        ".hidden.yaml",
        "a/.git/b.yaml",
        "etcd/A.yaml",
        "etcd/a.yaml",
        "",
    ] {
        let refused = read(&with_file(path, "x: 1\n")).unwrap_err();
        assert!(matches!(refused, PackFileError::Path(_)), "{path:?}: {refused}");
    }
    assert!(read(&with_file("etcd/b.yaml", "x: 1\n")).is_ok());
}

#[test]
fn what_is_too_large_or_of_another_form_is_refused() {
    assert_eq!(read(&vec![b'x'; (LARGEST + 1) as usize]).unwrap_err(), PackFileError::TooLarge);
    assert!(matches!(read(&with_file("b.yaml", &"x".repeat(MOST_BYTES + 1))), Err(PackFileError::Payload(_))));
    let payload =
        |more: &str| format!("{{\"schema\":1,\"name\":\"a\",\"version\":\"1\",\"sha256\":\"\",\"files\":[]{more}}}");
    assert_eq!(read(&with_payload(&payload(""))).unwrap_err(), PackFileError::Hash);
    assert!(matches!(read(&with_payload(&payload(",\"run\":\"sh\""))), Err(PackFileError::Payload(_))));
    assert!(matches!(read(&with_payload(&"[".repeat(100_000))), Err(PackFileError::Payload(_))));
    for text in ["", "casefile-pack 2\n", "PK\u{3}\u{4}", "casefile-pack 1\n", "casefile-pack 1\nkey none\n"] {
        assert!(read(text.as_bytes()).is_err(), "{text:?}");
    }
}

#[test]
fn a_name_that_is_not_that_of_the_manifest_is_refused() {
    let text = String::from_utf8(build(&pack(), None).unwrap()).unwrap();
    let renamed = text.replacen("\"name\":\"Our own\"", "\"name\":\"Built-in\"", 1);
    assert!(matches!(read(renamed.as_bytes()), Err(PackFileError::Payload(_))));
    let nameless = Pack::of("x", vec![("a.yaml".to_owned(), "x: 1\n".to_owned())]);
    assert_eq!(build(&nameless, None).unwrap_err(), PackFileError::NoManifest);
}

#[test]
fn a_list_of_keys_is_read_line_by_line() {
    let line = key(1).public().line("Operations, site 4");
    let mut list = Trusted::default();
    list.add(&format!("# ours\n\n{line}")).unwrap();
    assert_eq!(list.name(&key(1).public()), Some("Operations, site 4"));
    assert_eq!(list.add("# ours\ned25519 nonsense\n").unwrap_err(), KeyError::Line(2));
    let again = SecretKey::parse(&key(3).text()).unwrap();
    assert_eq!(again.public(), key(3).public());
    assert!(!format!("{again:?}").contains(&key(3).text()[28..40]));
    assert!(SecretKey::parse("casefile-secret-key ed25519 AAAA").is_err());
}
