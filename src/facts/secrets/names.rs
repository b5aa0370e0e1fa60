//! Names of fields, variables, flags and headers that say that a secret follows: one table, by family.
//!
//! A family stands for all names that end with it, however they are written: `DB_PASSWORD`, `dbPassword`,
//! `db-password`, `db.password`. The end decides, because names of references end otherwise (`passwordSecretRef`,
//! `tokenPath`). To add a family, add a row; nothing else knows them.

use super::Kind;
use foldhash::HashMap;
use std::cell::RefCell;

/// What a value must look like behind such a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// Anything that is a value.
    Any,
    /// What may be a secret: no word, no name of an object, no path. Such names are also used for references.
    Mixed,
    /// The same, and long: names that mostly mean something else.
    Long,
    /// The value of a header of HTTP, which may have several words.
    Header,
}

/// What a name of this family holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Family {
    pub(super) kind: Kind,
    pub(super) need: Need,
}

/// Ends of names (small letters, without separators) and what they hold. The longest end wins.
#[rustfmt::skip]
const FAMILIES: &[(&[&str], Kind, Need)] = &[
    (&["password", "passwd", "passphrase", "passcode", "passwordhash", "userpassword", "pswd", "psword", "pasword", "paswd", "passwrd", "passw",
       "bindpw", "rootpw", "requirepass", "masterauth", "keypass", "storepass", "sshpass", "dbpass", "userpass", "rootpass",
       "adminpass", "mypass", "smtppass", "mailpass", "ldappass", "bindpass", "authpass", "pwd", "passwort", "kennwort", 
       "losungswort", "motdepasse", "passe", "mdp", "contrasena", "contraseña", "senha", "wachtwoord", "haslo", "hasło", "heslo", "lösenord", "losenord", "şifre", "sifre", "parola",
       "jelszó", "jelszo", "salasana", "adgangskode", "passord", "katasandi", "mậtkhẩu", "matkhau", "κωδικός", "סיסמה", "رمز عبور", "كلمة المرور", "كلمة السر", "पासवर्ड", "รหัสผ่าน", "암호", "暗証番号", "验证码", "授权码", "clave", "pin", "privpass",
       "密码", "口令", "密碼", "通行码", "パスワード", "비밀번호", "пароль"], Kind::Password, Need::Any),
    (&["secretkey", "secretaccesskey", "clientsecret", "appsecret", "apisecret", "consumersecret", "sharedsecret", "sessionsecret",
       "cookiesecret", "tokensecret", "authsecret", "oauthsecret", "jwtsecret", "hmacsecret", "masterkey", "rootkey", "hmackey",
       "encryptionkey", "encryptkey", "decryptionkey", "signingkey", "signkey", "privatekey", "privatekeydata", "apikey",
       "appkey", "accesskey", "clientkeydata", "certificatekey", "cakey", "clientkey", "etcdcakey", "etcdapiclientkey", "authkey", "accountkey", "sharedaccesskey",
       "sharedkey", "storagekey", "secretkeybase", "presharedkey", "psk", "aeskey", "symmetrickey", "kek", "dek",
       "密钥", "私钥", "秘钥", "金鑰", "秘密鍵", "密鍵", "ключ", "schlüssel", "schluessel", "geheimschlüssel"], Kind::Key, Need::Any),
    (&["token", "accesstoken", "refreshtoken", "idtoken", "authtoken", "sessiontoken", "bearertoken", "bearer", "jwt", "assertion",
       "samlresponse", "verificationcode", "backupcode", "mfacode", "activationcode", "codeverifier", "rememberme", "令牌", "токен", "jeton"],
       Kind::Token, Need::Mixed),
    (&["secret", "geheimnis", "secreto", "секрет", "credential", "cred", "credentials", "creds", "zugangsdaten", "凭证", "凭据", "auth", "authentication",
       "seed", "mnemonic", "salt", "otp", "totp", "ak", "sk", "pat", "signature", "hmac", "sessionid", "jsessionid",
       "phpsessid", "session", "authtok", "community", "communitystring", "sid", "sessid", "sessionkey", "connectsid", "ticket", "nonce", "csrf", "xsrf", "licensekey", "apisessionid", "secretid", "secretstring", "unsealkey", "recoverykey", "keymaterial", "integrationkey",
       "kubeconfig"],
       Kind::Secret, Need::Mixed),
    (&["pass", "pw", "psw", "pwrd"], Kind::Password, Need::Any),
    (&["authorization", "proxyauthorization", "wwwauthenticate", "authinfo", "cookie", "setcookie", "xvaultToken", "xapikey", "xauthtoken",
       "xaccesstoken", "privatetoken", "jobtoken", "deploytoken", "vmwareapisessionid", "xsubjecttoken", "xcsrftoken"], Kind::Header, Need::Header),
    (&["dockerconfigjson", "dockercfg"], Kind::Document, Need::Any),
    (&["key"], Kind::Key, Need::Long),
];

/// Words that may stand behind the end of a name without making it another thing.
const BEHIND: [&str; 24] = [
    "value",
    "val",
    "plaintext",
    "plain",
    "cleartext",
    "clear",
    "hash",
    "hashed",
    "encrypted",
    "base64",
    "b64",
    "text",
    "string",
    "str",
    "new",
    "old",
    "current",
    "confirmation",
    "confirm",
    "again",
    "header",
    "env",
    "s",
    "data",
];

/// Names that end like one of them and hold no secret. The paging mark of a list says that the list is not whole;
/// etcd's token of a new cluster tells clusters apart.
#[rustfmt::skip]
const OTHERS: [&str; 21] = [
    "continuetoken", "initialclustertoken", "publickey", "primarykey", "foreignkey", "hostkey", "sortkey",
    "partitionkey", "cachekey", "bypass", "compass", "trespass", "surpass", "encompass", "overpass", "unpass", "basicauth", "rbacauth",
    "nextpagetoken", "pagetoken", "objectkey",
];

/// Ends that must be a whole word, because so many words end with them.
const WHOLE_WORDS: [&str; 20] = [
    "ak",
    "sk",
    "pat",
    "sid",
    "seed",
    "salt",
    "otp",
    "auth",
    "cred",
    "kek",
    "dek",
    "mdp",
    "nonce",
    "ticket",
    "pass",
    "pin",
    "clave",
    "passe",
    "bearer",
    "assertion",
];

/// A name, with its words apart: `dbPassword` and `DB_PASSWORD` are `db password`.
fn last_word(name: &str) -> String {
    let mut word = String::new();
    let mut was_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            word.clear();
        } else {
            if c.is_uppercase() && was_small {
                word.clear();
            }
            word.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase() || c.is_ascii_digit();
    }
    word
}

/// Names that are remembered, at most.
const REMEMBERED: usize = 4096;

/// Longest name that is remembered.
const SHORT_NAME: usize = 48;

thread_local! {
    /// What was found of names: objects have the same fields over and over.
    static KNOWN: RefCell<HashMap<Box<str>, Option<Family>>> = RefCell::default();
}

/// Words that a name of a secret may hold anywhere: `PASSWORD_FILE_CONTENT`. Behind such a name only what was drawn by
/// lot is one.
pub(super) fn speaks_of_one(name: &str) -> bool {
    let folded = letters(name);
    ["password", "passwd", "secret", "token", "apikey", "credential", "privatekey", "accesskey"]
        .iter()
        .any(|word| folded.contains(word))
}

/// The family of a name, if it has one.
pub(super) fn family(name: &str) -> Option<Family> {
    if name.len() > SHORT_NAME {
        return family_of(name);
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(family) = known.get(name) {
            return *family;
        }
        let family = family_of(name);
        if known.len() < REMEMBERED {
            known.insert(name.into(), family);
        }
        family
    })
}

fn family_of(name: &str) -> Option<Family> {
    // Label and annotation keys have a domain in front, keys of properties a path.
    let name = name.rsplit('/').next().unwrap_or(name).trim_matches(['.', '-', '_', '$', '%']);
    if name.len() < 2 || name.len() > 160 {
        return None;
    }
    let folded = letters(name);
    let folded = folded.trim_end_matches(|c: char| c.is_ascii_digit());
    if let Some(found) = of_folded(name, folded) {
        return Some(found);
    }
    let behind = BEHIND.iter().filter_map(|word| folded.strip_suffix(word));
    behind
        .filter(|rest| rest.chars().count() >= 2)
        .find_map(|rest| of_folded(rest, rest).filter(|found| found.need == Need::Any || rest.ends_with("token")))
}

fn of_folded(name: &str, folded: &str) -> Option<Family> {
    if OTHERS.iter().any(|end| folded.ends_with(end)) {
        return None;
    }
    let is_ascii = folded.is_ascii();
    let mut best: Option<(usize, Family)> = None;
    for (ends, kind, need) in FAMILIES {
        for end in *ends {
            let longer = best.is_none_or(|(length, _)| end.len() > length);
            let ends = match end.is_ascii() {
                true => folded.ends_with(end),
                false => !is_ascii && folded.ends_with(&letters(end)),
            };
            if longer && ends && is_end(name, folded, end) {
                best = Some((end.len(), Family { kind: *kind, need: *need }));
            }
        }
    }
    best.map(|(_, family)| family)
}

/// A name without what is no letter and no digit, as names are compared.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn is_end(name: &str, folded: &str, end: &str) -> bool {
    if !WHOLE_WORDS.contains(&end) || folded == end {
        return true;
    }
    last_word(name).trim_end_matches(|c: char| c.is_ascii_digit()) == end
}

/// Parts of names by which they are found in a text: each name of a family holds one.
#[rustfmt::skip]
pub(super) const ANCHORS: [&str; 102] = [
    "community",
    "pass", "pwd", "psw", "pw", "pswd", "secret", "token", "key", "auth", "cred", "cookie", "sess", "sid", "salt", "seed", "otp", "sign",
    "hmac", "ticket", "nonce", "csrf", "xsrf", "mnemonic", "psk", "kek", "dek", "mdp", "ak", "sk", "pat", "dockercfg", "dockerconfig",
    "kennwort", "losungswort", "schlüssel", "schluessel", "geheimnis", "zugangsdaten", "contrase", "senha", "wachtwoord",
    "密码", "口令", "密碼", "密钥", "私钥", "秘钥", "令牌", "凭", "パスワード", "비밀번호", "пароль",
    "bearer", "jwt", "assertion", "samlresponse", "verifier", "matkhau", "暗証番号", "通行码", "金鑰", "токен", "jeton", "секрет", "ключ", "pasw", "verification", "backup code", "mfa", "activation", "remember", "clave", "验证码", "授权码", "密鍵", "unseal", "recovery", "material", "kubeconfig", "hasło", "haslo", "heslo", "lösenord", "losenord", "şifre",
    "sifre", "parola", "jelsz", "salasana", "adgangskode", "kata sandi", "mật khẩu", "κωδικός", "סיסמה", "كلمة المرور", "كلمة السر", "رمز عبور", "pin", "पासवर्ड", "รหัสผ่าน", "암호",
];

/// Words of configuration files and protocols behind which the value stands with nothing but a blank between.
pub(super) fn takes_a_blank(name: &str) -> bool {
    let folded: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    ["requirepass", "masterauth", "bindpw", "rootpw", "storepass", "keypass", "authpass", "privpass"]
        .iter()
        .any(|word| folded.ends_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_found_by_a_part_of_it() {
        let ends = FAMILIES.iter().flat_map(|(ends, ..)| *ends);
        let lost: Vec<_> = ends
            .map(|end| letters(end))
            .filter(|end| !ANCHORS.iter().any(|anchor| end.contains(&letters(anchor))))
            .collect();
        assert!(lost.is_empty(), "{lost:?}");
    }

    #[test]
    fn names_of_secrets() {
        for name in [
            "password",
            "DB_PASSWORD",
            "dbPass",
            "MYSQL_PWD",
            "Pwd",
            "bindpw",
            "olcRootPW",
            "requirepass",
            "SECRET_KEY_BASE",
            "encryption_key",
            "signing-key",
            "AccessKey",
            "auth_key",
            "SharedAccessKey",
            "ak",
            "HCS_SK",
            "certificateKey",
            "Cookie",
            "vmware-api-session-id",
            "密码",
            "Passwort",
            "--token",
            "passwords",
            "password2",
            "userPasswordHash",
            "spring.datasource.password",
            "active_cluster_token",
        ] {
            assert!(family(name).is_some(), "{name}");
        }
        for name in [
            "passwordSecretRef",
            "tokenPath",
            "secretName",
            "bypass",
            "continueToken",
            "initial-cluster-token",
            "disk",
            "task",
            "compass",
            "passed",
            "authority",
            "signal",
            "keyspace",
            "tokenTTL",
            "publicKey",
            "assigned",
            "patched",
            "kubelet",
        ] {
            assert_eq!(family(name), None, "{name}");
        }
    }
}
