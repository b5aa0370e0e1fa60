//! Secrets that say themselves what they are, by their shape: keys, tokens with a prefix, passwords in URLs and in
//! the arguments of programs, hashes of passwords, webhooks. One table; a row is all there is to an entry.

use super::names::ANCHORS;
use super::random::{is_drawn, is_reference, is_secret_like};
use super::{Found, Kind, value};
use crate::ascii;
use crate::growing::Growing;
use regex::{Captures, Regex};
use std::cell::LazyCell;
use std::sync::{LazyLock, OnceLock};

/// One shape: marks of which one is in every such text (case does not count), a regex whose groups `s` and `s2` are
/// masked, and a further test of the whole match. Two words are two groups: the mask of both in one would be taken for the
/// first of them when it is looked at again, and the next word for the second.
struct Shape {
    marks: &'static [&'static str],
    regex: &'static str,
    kind: Kind,
    sure: fn(&str, &Captures<'_>) -> bool,
    /// Letters and digits in a row that it holds at least. For those whose marks stand in most texts.
    run: usize,
    /// A mark with this behind it is no mark: `@` before the digest of an image, which most texts with an `@` have.
    unless: &'static str,
    /// One of these stands in each match too, in either case: without it the regex need not be compiled. Empty: unknown.
    also: &'static [&'static str],
}

impl Shape {
    const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    /// The regex, compiled if it may match the text.
    fn regex_for(&self, regex: &'static OnceLock<Option<Regex>>, text: &str) -> Option<&'static Regex> {
        let stands = |part: &&str| text.as_bytes().windows(part.len()).any(|w| w.eq_ignore_ascii_case(part.as_bytes()));
        // Letters beyond ASCII may stand for those of the parts.
        let lacks = text.is_ascii() && !self.also.is_empty() && !self.also.iter().any(stands);
        if regex.get().is_none() && lacks {
            return None;
        }
        regex.get_or_init(|| Regex::new(&ascii::borders(self.regex)).ok()).as_ref()
    }

    const fn of_run(self, run: usize) -> Self {
        Self { run, ..self }
    }

    const fn unless(self, unless: &'static str) -> Self {
        Self { unless, ..self }
    }

    /// Is one of the marks in a text really one?
    fn is_marked(&self, text: &str) -> bool {
        let really = |mark: &&str| {
            let mut places = text.match_indices(*mark);
            places.any(|(at, mark)| !text.get(at + mark.len()..).is_some_and(|rest| rest.starts_with(self.unless)))
        };
        self.unless.is_empty() || self.marks.iter().any(really)
    }
}

const fn shape(
    marks: &'static [&'static str],
    kind: Kind,
    regex: &'static str,
    sure: fn(&str, &Captures<'_>) -> bool,
) -> Shape {
    Shape { marks, regex, kind, sure, run: 0, unless: "", also: &[] }
}

fn always(_: &str, _: &Captures<'_>) -> bool {
    true
}

/// What a shape masks.
fn secret<'h>(found: &Captures<'h>) -> &'h str {
    found.name("s").or_else(|| found.name("s2")).map_or("", |secret| secret.as_str())
}

fn mixed(_: &str, found: &Captures<'_>) -> bool {
    is_secret_like(secret(found))
}

/// The same, and no other name with its value.
fn mixed_value(text: &str, found: &Captures<'_>) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic() || b"_-".contains(&b));
    mixed(text, found) && !secret(found).split_once(['=', ':']).is_some_and(|(name, _)| is_name(name))
}

/// Letters of both cases and digits, as a generator of passwords writes and few names are written.
fn of_all_classes(_: &str, found: &Captures<'_>) -> bool {
    let has = |is: fn(&u8) -> bool| secret(found).bytes().any(|b| is(&b));
    has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && is_secret_like(secret(found))
}

/// The same, or one word of a length that no word has.
fn of_all_classes_or_long(text: &str, found: &Captures<'_>) -> bool {
    of_all_classes(text, found) || secret(found).len() >= 20 && mixed(text, found)
}

fn no_digest(_: &str, found: &Captures<'_>) -> bool {
    let host = found.name("h").map_or("", |host| host.as_str());
    let secret = found["s"].trim_end_matches(['/', ':']);
    let is_version = host.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    !is_version && !matches!(host, "sha256" | "sha512" | "sha1") && !secret.is_empty() && !secret.contains("://")
}

/// `user:x` behind `-u`: not the numbers of `docker run -u 1000:1000`, nor `user:group`.
fn no_ids(text: &str, found: &Captures<'_>) -> bool {
    let secret = &found["s"];
    let before = found.get(0).map_or("", |all| &text[..all.start()]);
    // Users of the API server that Kubernetes keeps for itself (`system:kube-scheduler`) are names.
    let is_of_system = found.name("s").is_some_and(|secret| text[..secret.start()].ends_with("system:"));
    !is_of_system
        && !secret.bytes().all(|b| b.is_ascii_digit())
        && !before.contains("chown")
        && !value::is_nothing(secret, secret)
}

/// The literal of a ConfigMap is masked only where it looks like a secret.
fn of_a_secret(text: &str, found: &Captures<'_>) -> bool {
    let before = found.get(0).map_or("", |all| &text[..all.start()]);
    let command = before.rsplit(['\n', ';', '|', '&']).next().unwrap_or(before);
    !command.contains(" configmap ") && !command.contains(" cm ") || mixed(text, found)
}

fn is_address(host: &str) -> bool {
    host.split('.').count() == 4 && host.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

fn is_oracle(text: &str, found: &Captures<'_>) -> bool {
    let lower = text.to_ascii_lowercase();
    let named =
        ["sqlplus", "oracle", "ora-", "expdp", "impdp", "rman", "sqlldr"].iter().any(|word| lower.contains(word));
    let host = found.name("h").map_or("", |host| host.as_str());
    let placed = found.name("p").is_some();
    no_digest(text, found)
        && (named || placed || of_all_classes(text, found) || is_address(host) && mixed(text, found))
        && host != "sha256"
}

#[rustfmt::skip]
const SHAPES: [Shape; 68] = [
    // Private keys, with real or written line ends; to the end of the text if their end is missing.
    shape(&["private key", "static key"], Kind::Key,
        r"(?s)-{4,5} ?BEGIN [A-Za-z0-9 ]*(?:PRIVATE KEY|Static key)[A-Za-z0-9 ]*-{4,5}(?P<s>.*?)(?:-{4,5} ?END [A-Za-z0-9 ]*(?:PRIVATE KEY|Static key)|\z)", always),
    shape(&["private key"], Kind::Key,
        r"(?P<s>(?:[A-Za-z0-9+/=]{16,}(?:\s|\\+[nr])+)*[A-Za-z0-9+/=]{4,}(?:\s|\\+[nr])*)-{4,5} ?END [A-Z0-9 ]*PRIVATE KEY", always),
    shape(&["private-lines"], Kind::Key, r"(?s)Private-Lines:\s*\d+(?:\s|\\+[nr])*(?P<s>.*?)(?:Private-MAC|\z)", always),
    shape(&["private-mac"], Kind::Key, r"Private-MAC:\s*(?P<s>[0-9a-fA-F]{16,})", always),
    // The same in base64: RSA, EC, DSA, PKCS#8, OPENSSH, ENCRYPTED, PGP. A certificate starts otherwise.
    shape(&["LS0tLS1CRUdJTi"], Kind::Key,
        r"(?P<s>LS0tLS1CRUdJTi(?:BSU0Eg|BFQyB|BEU0Eg|BQUklWQVRF|BPUEVOU1NI|BFTkNSWVBURU|BQR1AgUFJJVk)[A-Za-z0-9+/=_-]*)", always),
    // JWT, with two parts or more.
    shape(&["eyJ"], Kind::Token, r"(?P<s>eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)*)", always),
    // The schemes of HTTP.
    shape(&["bearer", "basic", "negotiate", "ntlm"], Kind::Header,
        r"(?i)\b(?:bearer|basic|negotiate|ntlm)[\s_]+(?P<s>[A-Za-z0-9._~+/=-]{8,})",
        |_, c| is_secret_like(&c["s"]) || c["s"].ends_with('=')),
    // Names of data sources without a scheme: Go's of MySQL, `user:x@host:port`.
    shape(&["@tcp", "@unix", "@udp", "@("], Kind::Url, r"[\w.%+-]+:(?P<s>\S+)@(?:tcp[46]?|udp|unix)?\(", always),
    shape(&["@"], Kind::Url,
        r#"(?:^|[\s"'=(,])(?P<u>[A-Za-z_][A-Za-z0-9_.%+-]*):(?P<s>[^\s/"'][^\s"']*)@(?P<h>\[[0-9a-fA-F:]+\]|[A-Za-z0-9_.-]+)(?::\d{1,5}|/\S|\s|["',;)\\]|$)"#,
        |text, c| no_digest(text, c) && !value::is_nothing(&c["s"], "") && (c["s"].bytes().any(|b| !b.is_ascii_lowercase() && b != b'.') || c.get(0).is_some_and(|all| all.as_str().rsplit('@').next().is_some_and(|host| host.contains([':', '/'])))))
        .unless("sha256:"),
    // Oracle: `scott/tiger@//db:1521/x`, `scott/tiger@ORCL`.
    shape(&["@"], Kind::Url,
        r"(?:^|[^0-9A-Za-z_./-])(?:[0-9A-Za-z_.-]+/)*?[A-Za-z_][0-9A-Za-z_$#]*/(?P<s>[^\s/]\S*)@(?P<p>//|[A-Za-z0-9_.-]+:\d{2,5}[/:])?(?P<h>[A-Za-z0-9_.-]*)", is_oracle)
        .unless("sha256:"),
    // As some tools write a URL into the name of a file: `https___user_x@host`.
    shape(&["http", "ftp", "postgres", "mysql", "amqp", "redis", "mongodb"], Kind::Url,
        r"(?i)(?:https?|ftp|postgres(?:ql)?|mysql|amqps?|rediss?|mongodb)[_.:-]{2,4}[^_/@\s:]*[_:](?P<s>\S+)@", always).also(&["@"]),
    // The arguments of programs.
    shape(&["-u", "--user", "--proxy-user", "--creds", "--src-creds", "--dest-creds"], Kind::Password,
        r#"(?:^|[\s"'])(?:-u|-U|--(?:proxy-)?user|--(?:src-|dest-)?creds|--auth|-a)[ =]*\\*["']?[A-Za-z0-9_.@\\][A-Za-z0-9_.@\\+-]*[:%](?P<s>[^\s"']+)"#, no_ids),
    shape(&["mysql", "mariadb"], Kind::Password, r#"(?i)\b(?:mysql\w*|mariadb(?:-\w+)?)\b[^|;\n]*?\s-p(?P<s>[^\s"'-][^\s"']*)"#, always),
    shape(&["mysql", "mariadb", "sshpass", "mongo", "docker", "podman", "nerdctl", "registry", "login", "harbor", "skopeo", "helm", "crictl", "htpasswd", "psql", "oc ", "racadm", "ilorest"], Kind::Password,
        r#"(?i)\b(?:sshpass|mongo\w*|docker|podman|nerdctl|registry|login|harbor|skopeo|helm|oc|argocd|htpasswd|racadm|ilorest)\b[^|;\n]*?\s-p[ =]?\\*["']?(?P<s>[^\s"'-][^\s"']*)"#,
        |_, c| !c["s"].bytes().all(|b| b.is_ascii_digit() || b == b':') && !c["s"].starts_with('/') && !is_reference(&c["s"])).also(&["-p"]),
    shape(&["redis-cli", "ldap", "snmp", "ipmitool", "sqlcmd", "clickhouse", "mosquitto", "mqtt", "xfreerdp", "cadaver", "htpasswd"], Kind::Password,
        r#"(?i)(?:\bredis-cli\b[^|;\n]*?\s-a|\bldap\w+\b[^|;\n]*?\s-w|\bipmitool\b[^|;\n]*?\s-P|\bsnmp\w+\b[^|;\n]*?\s-[cAX]|\bsqlcmd\b[^|;\n]*?\s-P|\b(?:mosquitto_\w+|mqtt\w*)\b[^|;\n]*?\s-P|\bhtpasswd\b[^|;\n]*?\s-\w*b\w*\s+\S+\s+\S+)\s*\\*["']?(?P<s>[^\s"'-][^\s"']*)"#, always),
    shape(&["/p:"], Kind::Password, r"\s/p:(?P<s>\S+)", always),
    shape(&["net use"], Kind::Password, r"(?i)\bnet use \S+ (?P<s>[^\s/]\S*) /user", always),
    shape(&["--dsn", "--auth", "--secret", "--http-auth", "--basic-auth"], Kind::Password, r#"--(?:dsn|(?:http-|basic-)?auth|secret)[ =]+\\*["']?(?P<s>[^\s"']+)"#, mixed),
    shape(&["pass:", "pass%3a"], Kind::Password, r#"-pass(?:in|out)?[ =]\\*["']?pass:(?P<s>[^\s"']+)"#, always),
    shape(&["--from-literal"], Kind::Password, r#"--from-literal[ =]\\*["']?[^=\s"']+=\\*["']?(?P<s>[^\s"']+)"#, of_a_secret),
    shape(&["echo", "chpasswd", "-stdin"], Kind::Password,
        r#"(?i)\b(?:echo|printf)\s+(?:-\w+\s+)?(?:\\*["'])?(?:[a-z_][a-z0-9_-]*:)?(?P<s>[^\s"']+?)(?:\\*["'])?\s*\|\s*(?:sudo\s+)?(?:chpasswd|passwd|sudo\s+-S|[^\s|]+\s+(?:[^\s|]+\s+)*--?(?:password-)?stdin)"#, always).also(&["|"]),
    shape(&["login "], Kind::Password, r"(?i)\b(?:vault|bao|argocd|oc|rancher)\s+login\s+(?:--?[\w-]+[= ])?(?P<s>[^\s-]\S+)", mixed).also(&["vault", "bao", "argocd", "oc", "rancher"]),
    shape(&["secret", "password", "priv ", "auth "], Kind::Password, r"(?i)\b(?:secret|password)\s+\d{1,2}\s+(?P<s>\S{6,})|(?i)\b(?:auth|priv)\s+(?:sha|md5|aes|des)[\w-]*\s+(?P<s2>\S{6,})", mixed),
    shape(&["header"], Kind::Header, r#"(?i)\b(?:authorization|token|cookie)\s+header\s*[:=]?\s*(?:is\s+|was\s+|value\s+)?\\*["']?(?:(?:bearer|basic)\s+)?(?P<s>[^\s"']+)"#, mixed),
    // Programs that take a secret as a word of its own.
    shape(&["vault", "bao "], Kind::Secret, r"(?i)\b(?:vault|bao)\s+(?:kv\s+(?:put|patch)|write)\s+(?:-\S+\s+)*\S+\s+(?P<s>[^|;\n]+=[^|;\n]+)", always),
    shape(&["alias", "config host"], Kind::Key, r"(?i)\bmc(?:li)?\s+(?:alias\s+set|config\s+host\s+add)\s+\S+\s+\S+\s+(?P<s>\S+)\s+(?P<s2>\S+)", always),
    shape(&["-command", "-cmd", "<<<"], Kind::Password,
        r#"(?i)--?[\w-]*(?:pass\w*|secret|token)-(?:command|cmd)[= ]\\*["']?(?:echo|printf)\s+(?P<s>[^\s"'\\]+)|<<<\s*\\*["']?(?P<s2>[^\s"']+)"#, mixed),
    shape(&["http", "ab ", "hey ", "siege", "lftp", "wrk"], Kind::Password,
        r#"\b(?:https?|xh|ab|hey|siege|wrk)\s[^|;\n]*?-[aA]\s*\\*["']?[\w.@-]+:(?P<s>[^\s"']+)|\blftp\b[^|;\n]*?-u\s*\\*["']?[\w.@-]+,(?P<s2>[^\s"']+)"#, always).also(&["-a", "-u"]),
    shape(&["zip ", "cqlsh", "bcp ", "isql", "7z", "rar "], Kind::Password,
        r#"\b(?:(?:un)?zip\s[^|;\n]*?-P\s*|cqlsh\s[^|;\n]*?-p\s*|bcp\s[^|;\n]*?-P\s*|(?:7z[arz]?|(?:un)?rar)\s(?:[^|;\n]*?\s)?-h?p)\\*["']?(?P<s>[^\s"'-][^\s"']*)|\bisql\s+(?:-\w+\s+)*\S+\s+\S+\s+(?P<s2>[^\s"'-][^\s"']*)"#, always).also(&["-p", "-hp", "isql"]),
    shape(&["auth", "setuser"], Kind::Password,
        r#"(?:^|[>"'\s])AUTH\s+[\w.-]+\s+(?P<s>[^\s"']{4,})|(?i)\bSETUSER\s+\S+\s[^"'\n]*?[>#<](?P<s2>[^\s"']{4,})"#, mixed),
    // `root:x` behind the name of a user; `system:node:x` is one name.
    shape(&["user", "robot$"], Kind::Password,
        r#"(?i)\b\w*user(?:name)?(?:\s+(?:add|passwd))?(?:\s+--?[\w=-]+)*[\s=:]+\\*["']?[\w.@-]+:(?P<s>[^\s:"'/,]{4,})(?:[\s"',;)\\]|\z)|\brobot\$[\w.+-]+:(?P<s2>[^\s"']+)"#, mixed),
    shape(&["add_user", "change_password", "authenticate_user", "net user"], Kind::Password,
        r#"(?i)\b(?:rabbitmqctl\s+(?:\S+\s+)*?(?:add_user|change_password|authenticate_user)|net\s+user)\s+\S+\s+\\*["']?(?P<s>[^\s/"'][^\s"']*)"#, always),
    shape(&["openssl", "snmp", "kinit"], Kind::Key,
        r#"\bopenssl\b[^|;\n]*?\s-[kK]\s+\\*["']?(?P<s>[^\s"'\[-][^\s"']*)|\bsnmp\w+\b[^|;\n]*?\s-[AX]\s*\\*["']?(?P<s2>[^\s"'\[-][^\s"']*)"#, always),
    shape(&["| kinit", "|kinit"], Kind::Password, r#"(?i)\b(?:echo|printf)\s+(?:-\w+\s+)?\\*["']?(?P<s>[^\s"'|]+)\\*["']?\s*\|\s*kinit"#, always),
    // Sentences about one.
    shape(&["fail", "denied", "reject", "refuse", "invalid"], Kind::Password,
        r#"(?i)\b(?:log ?[io]n|auth\w*|bind|credentials?)\b[^\n]{0,60}?\b(?:with|using)\s+(?:(?:password|token|key|secret)\s+)?\\*["']?(?P<s>[^\s"'\[][^\s"']*)"#, of_all_classes).also(&["with", "using"]),
    shape(&["expected", "got", "want", "received", "tried", "used", "given", "sent", "entered", "provided"], Kind::Secret,
        r#"(?i)\b(?:passw\w*|token|secret|credentials?|signature|hmac)\b[^\n]{0,60}?\b(?:expected|got|want(?:ed)?|have|received|tried|used|given|sent|entered|provided)\s*:?\s*(?:\\*["'](?P<s>[^\s"'\[][^"']*)|(?P<s2>[^\s"'\[][^\s"']*))"#, mixed).also(&["passw", "token", "secret", "credential", "signature", "hmac"]),
    // Words of any script; `\p{L}` times these bounds took longer to compile than all other shapes together.
    shape(&["passw", "passphrase", "token", "secret", "senha", "contrase", "parola", "пароль", "key material", "ntlm"], Kind::Secret,
        r#"(?i)(?:passwords?|passwd|passphrase|token|secret|passwort|senha|contraseña|parola|пароль)(?:\s+(?-i:[A-Za-z'\x{80}-\x{10FFFF}]){1,16}){1,5}\s*:\s*\\*["']?(?P<s>[^\s"'\[][^\s"']*)|\b(?:key material|(?:token|password|secret|cookie) (?:value|string|data|code)|ntlm(?:v2)?(?: hash)?)\s*[:=]?\s*(?P<s2>[A-Za-z0-9+/=]{16,})"#, of_all_classes_or_long),
    // The last of what a call is given.
    shape(&["auth", "login", "connect", "credential"], Kind::Password,
        r#"(?i)(?:auth|login|connect|credential)\w*\((?:\s*\\*["'][^"'\n]*["']\s*,){1,3}\s*\\*["'](?P<s>[^"'\\]+)"#, mixed).also(&["("]),
    // Two hashes of Windows.
    shape(&["aad3b435b51404ee", ":::"], Kind::Hash, r"\b[0-9a-fA-F]{32}:(?P<s>[0-9a-fA-F]{32})\b", always),
    // `host:port:database:user:x` of a .pgpass, and the fields of a file of users.
    shape(&[":*:", ":5432:", ":6432:", ":/home", ":/bin", ":/root", ":/usr", ":/sbin", ":/var", ":99999:"], Kind::Password,
        r"(?:^|\s)[\w.*-]+:(?:\d{2,5}|\*):[\w*-]+:[\w*-]+:(?P<s>[^\s:\\]{4,})(?:[\s\\]|\z)|\b[a-z_][a-z0-9_-]*:(?P<s2>[^:\s*!][^:\s]{5,}):\d+:\d+:", mixed),
    shape(&["chpasswd", "rootpw", "send "], Kind::Password,
        r#"(?i)\bchpasswd\b[^\n]{0,80}?\b[\w-]+:(?P<s>[^\s"'\\,}\[][^\s"'\\,}]*)|(?:\brootpw\s+(?:--\w+\s+)*|\bexpect\b[^\n]{0,80}\bsend\s+(?:--\s+)?\\*["'])(?P<s2>[^\s"'\\-][^\s"'\\]*)"#, mixed).also(&["chpasswd", "rootpw", "expect"]),
    shape(&["seed phrase", "recovery phrase", "mnemonic", "seed words"], Kind::Secret,
        r#"(?i)\b(?:(?:seed|recovery|backup)\s+(?:phrase|words)|mnemonic(?:\s+phrase)?)\s*(?:is\s+|[:=]\s*)\\*["']?(?P<s>[^\n"'\[][^\n"']*)"#, always),
    // SQL and protocols in words.
    shape(&["identified"], Kind::Password, r#"(?i)\bIDENTIFIED\s+(?:WITH\s+\S+\s+)?(?:BY|AS|USING)\s+(?:PASSWORD\s+|VALUES\s+)?(?:\\*["'`](?P<s>[^"'`\n]+)|(?P<s2>[^\s"'`;]+))"#, always),
    shape(&["password"], Kind::Password, r#"(?i)\bPASSWORD\s*\(\s*\\*["'](?P<s>[^"'\\)]+)"#, always),
    shape(&["password"], Kind::Password, r"(?i)\blogin\s+\S+\s+password\s+(?P<s>\S+)", always),
    shape(&["auth"], Kind::Password, r#"(?:^|[>"'\s])AUTH\s+(?:(?:PLAIN|LOGIN|CRAM-MD5|XOAUTH2)\s+)?(?P<s>[^\s"']{4,})"#, mixed),
    // Hashes of passwords.
    shape(&["$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$7$", "$y$", "$gy$", "$apr1$", "$argon2", "$scrypt", "$pbkdf2", "$md5", "$sha1", "$P$", "$H$", "$S$", "$bcrypt"], Kind::Hash,
        r"(?P<s>\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|argon2(?:id?|d)?|scrypt|pbkdf2[\w-]*|md5|sha1|bcrypt[\w-]*|P|H|S)\$[A-Za-z0-9./$=,+*-]{8,})", always),
    shape(&["pbkdf2", "bcrypt", "argon2", "scrypt", "_crypt$"], Kind::Hash, r"(?i)(?P<s>\b(?:pbkdf2|bcrypt|argon2|scrypt|sha\d+_crypt|md5_crypt)\w*\$\S{16,})", always),
    shape(&["SHA}", "SHA256}", "SHA512}", "MD5}", "CRYPT}", "PBKDF2"], Kind::Hash, r"(?P<s>\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT|PBKDF2[\w-]*)\}[A-Za-z0-9./$=+]{8,})", always),
    shape(&["scram-sha"], Kind::Hash, r"(?i)(?P<s>SCRAM-SHA-(?:1|256|512)\$\d+:\S{8,})", always),
    shape(&["*"], Kind::Hash, r"(?:^|[^\w])(?P<s>\*[0-9A-F]{40})\b", always).of_run(40),
    // Tokens that say themselves what they are.
    shape(&["AKIA", "ASIA", "AROA", "AIDA", "ABIA", "ACCA", "LTAI", "AKID"], Kind::Token, r"\b(?P<s>(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{12,}|LTAI[A-Za-z0-9]{12,}|AKID[A-Za-z0-9]{13,})", always),
    shape(&["gh", "github_pat_"], Kind::Token, r"(?P<s>gh[opusr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,})", always).of_run(16),
    shape(&["gl", "_gitlab"], Kind::Token, r"(?P<s>gl[a-z]{2,6}-[A-Za-z0-9_.-]{16,})", |_, c| is_drawn(&c["s"]) || c["s"].len() >= 20 && c["s"].bytes().any(|b| b.is_ascii_digit())),
    shape(&["xox", "xapp-"], Kind::Token, r"(?P<s>(?:xox[a-z]|xapp|xoxe\.xox[bp])-[A-Za-z0-9-]{10,})", always),
    shape(&["npm_", "pypi-", "dckr_", "hf_", "_live_", "_test_", "whsec_", "dop_v1", "doo_v1", "dor_v1", "shp", "lin_api", "figd_", "glsa_", "glc_", "sntry", "sbp_", "tfp_", "nfp_", "pul-", "rubygems_", "ntn_", "secret_", "cio", "dapi", "fo1_", "fm2_", "atlasv1", "ATATT", "ATBB", "ATCTT", "NRAK-", "PMAK-", "xkeysib-", "ops_", "sq0", "EAAA", "key-", "dp.", "oy2", "tskey-", "sgp_", "zpka_", "pat_", "vc_", "nvapi-", "gsk_", "r8_", "co_"], Kind::Token,
        r"\b(?P<s>(?:npm_|pypi-|dckr_[po]at_|hf_|[a-z]{2}_(?:live|test)_|whsec_|do[opr]_v1_|shp[a-z]{2}_|lin_api_|figd_|glsa_|glc_|sntry[a-z]_|sbp_|tfp_|nfp_|pul-|rubygems_|ntn_|secret_|cio|dapi|fo1_|fm2_|ATATT3|ATBB|ATCTT3|NRAK-|PMAK-|xkeysib-|ops_|sq0[a-z]{3}-|EAAA|key-|dp\.(?:pt|st|ct|sa|scim)\.|oy2|tskey-[a-z]+-|sgp_|zpka_|pat_|vc_|nvapi-|gsk_|r8_|co_)[A-Za-z0-9_.-]{16,})",
        |_, c| c["s"].bytes().any(|b| b.is_ascii_digit()) && is_drawn(&c["s"])),
    shape(&["sk-", "SG.", "hv", "s.", "AGE-SECRET", "ya29.", "1//0", "GOCSPX-", "AIza", "sha256~", "atlasv1", "K10"], Kind::Token,
        r"\b(?P<s>sk-[A-Za-z0-9_-]{16,}|SG\.[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]{12,}|hv[srb]\.[A-Za-z0-9_-]{16,}|s\.[A-Za-z0-9]{24}\b|AGE-SECRET-KEY-1[A-Z0-9]{20,}|ya29\.[A-Za-z0-9_-]{16,}|1//0[A-Za-z0-9_-]{16,}|GOCSPX-[A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{24,}|sha256~[A-Za-z0-9_-]{16,}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{20,}|K10[0-9a-f]{30,}::[a-z-]+:\S+)", always),
    // Any other: a word, `_` or `-`, and thirty characters drawn by lot.
    shape(&["_", "-"], Kind::Token, r"\b(?P<s>[a-zA-Z]{2,12}[_-](?:[a-z0-9]{1,8}[_-]){0,2}[A-Za-z0-9]{24,})\b", |_, c| {
        let last = c["s"].rsplit(['_', '-']).next().unwrap_or_default();
        is_drawn(last) && last.bytes().any(|b| b.is_ascii_uppercase()) && last.bytes().any(|b| b.is_ascii_lowercase())
    }).of_run(24),
    shape(&["token-", "kubeconfig-u", "kubeconfig-user"], Kind::Token, r"\b(?P<s>(?:token|kubeconfig-u(?:ser)?)-[a-z0-9-]+:[a-z0-9]{40,})", always),
    // kubeadm bootstrap token. The name of an Event may end alike (`node01.17d0a1b2c3d4e5f6`), in hexadecimal.
    shape(&["."], Kind::Token, r"(?:^|[^A-Za-z0-9.-])(?P<s>[a-z0-9]{6}\.[a-z0-9]{16})\b", |text, c| {
        let after = c["s"].rsplit('.').next().unwrap_or_default();
        let line = c.get(0).map_or("", |all| text[..all.start()].rsplit('\n').next().unwrap_or_default());
        let has = |is: fn(&u8) -> bool| after.bytes().any(|b| is(&b));
        line.to_ascii_lowercase().contains("token") || has(u8::is_ascii_digit) && has(|b| (b'g'..=b'z').contains(b))
    }).of_run(16),
    shape(&[":AA", ":A"], Kind::Token, r"\b(?P<s>\d{7,11}:A[A-Za-z0-9_-]{30,})", always),
    // Webhooks: who knows the address may write.
    shape(&["hook", "/services/t", "robot/send", "hooks."], Kind::Webhook,
        r#"(?i)https?://[^\s"'<>]*?(?:/services/|/webhooks?/|/webhookb2/|/hooks?/|/hook/v2/|/v2/hook/|/workflows/|/incoming-webhooks?/|/triggers/)(?P<s>[^\s"'<>]+)"#,
        |_, c| c["s"].split(['/', '@', '?', '&', '=']).any(|part| {
            let has = |is: fn(&u8) -> bool| part.bytes().any(|b| is(&b));
            super::random::is_uuid(part)
                || part.len() >= 8 && (is_secret_like(part) || is_drawn(part))
                || part.len() >= 16 && has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase)
        })),
    shape(&["/bot"], Kind::Webhook, r"/bot(?P<s>\d+:[A-Za-z0-9_-]{16,})", always),
    // Parameters of URLs, whose names mean something else everywhere else.
    shape(&["sig=", "signature=", "key=", "code=", "sign=", "auth=", "ticket=", "sid=", "session=", "credential=", "hmac=", "token=", "x-goog", "x-amz", "policy=", "st=", "secret=", "p="], Kind::Signature,
        r#"(?i)[?&;](?:amp;)?(?:sig|signature|key|code|sign|auth|ticket|sid|session|hmac|token|secret|policy|st|hdnts|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential)|ossaccesskeyid|awsaccesskeyid|key-pair-id|p)=(?P<s>[^&\s"'<>]+)"#,
        |_, c| c["s"].len() >= 6 && (is_secret_like(&c["s"]) || c["s"].contains('%') || super::random::is_uuid(&c["s"]))),
    shape(&["signature=", "credential="], Kind::Signature, r"(?i)\b(?:Signature|Credential)=(?P<s>[A-Za-z0-9+/=%_-]{16,})", |_, c| is_drawn(&c["s"])),
    // The private numbers of a JSON Web Key.
    shape(&["\"kty", "kty\\"], Kind::Key, r#"\\*"(?:d|k|p|q|dp|dq|qi)\\*"\s*:\s*\\*"(?P<s>[A-Za-z0-9_-]{16,})"#, always),
    // `credentials admin/x`, `admin / x`.
    shape(&["creds", "credential", "login"], Kind::Password, r#"(?i)\b(?:creds?|credentials?|logins?|log in)\b(?:\s+(?:with|as|is|are|using))?\s*[:=]?\s+\\*["']?[\w.@-]+(?:\s?[/:]\s?|\s(?:and\s)?)(?P<s>[^\s"'/][^\s"']{3,})"#, mixed_value),
    // A word of letters and digits drawn by lot, where nothing says what it is.
    shape(&["LTAI", "secret", "token", "passw", "key"], Kind::Token, r"(?P<s>\b[A-Za-z0-9]{32,}\b)", |all, c| {
        let text = &c["s"];
        let before = c.name("s").map_or("", |found| &all[..found.start()]);
        !super::encoded::in_certificate(before) && is_drawn(text) && text.bytes().any(|b| b.is_ascii_uppercase()) && text.bytes().any(|b| b.is_ascii_lowercase())
    }).of_run(32),
];

/// The bit of the parts of names that call a value secret; those of the shapes are below it.
pub(super) const NAMED: u128 = 1 << NAMED_ROW;
const NAMED_ROW: u8 = 127;

/// Letters and digits in a row that no shape needs less of, where it needs any.
const SHORTEST_RUN: usize = 16;

/// One scan for whatever may lead to a secret.
struct Prefilter {
    marks: Growing,
    /// The row that each mark belongs to.
    rows: Vec<u8>,
    /// Shapes whose mark stands in nearly every text: a long run of letters and digits brings them.
    by_run: u128,
}

static PREFILTER: LazyLock<Option<Prefilter>> = LazyLock::new(|| {
    let is_by_run = |shape: &Shape| shape.run > 0 && shape.marks.iter().any(|mark| mark.len() == 1);
    let shapes = || SHAPES.iter().zip(0u8..);
    let marked = shapes().filter(|(shape, _)| !is_by_run(shape));
    let marks = marked.flat_map(|(shape, row)| shape.marks.iter().map(move |mark| (*mark, row)));
    let (marks, rows): (Vec<&str>, Vec<u8>) = marks.chain(ANCHORS.map(|part| (part, NAMED_ROW))).unzip();
    let marks = Growing::new(marks)?;
    let by_run = shapes().filter(|(shape, _)| is_by_run(shape)).fold(0, |bits, (_, row)| bits | 1 << row);
    Some(Prefilter { marks, rows, by_run })
});

/// Each is compiled when a text with one of its marks comes by: most runs need a few.
static REGEXES: [OnceLock<Option<Regex>>; SHAPES.len()] = [const { OnceLock::new() }; SHAPES.len()];

/// What may be in a text, as bits: the shapes, and [`NAMED`].
pub(super) fn rows_of(text: &str) -> u128 {
    let Some(Prefilter { marks, rows, by_run }) = &*PREFILTER else { return u128::MAX };
    let row = |pattern: usize| rows.get(pattern).map_or(0, |row| 1u128 << row);
    marks.found(text).fold(*by_run, |bits, found| bits | row(found))
}

/// Which bytes are letters or digits: looked up, since nearly every byte of a bundle is asked about.
const ALPHANUMERIC: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    table
};

/// The most letters and digits in a row; 0 if they are less than any shape needs.
fn longest_run(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut longest) = (0, 0);
    while let Some(window) = bytes.get(at..at + SHORTEST_RUN) {
        at += match window.iter().rposition(|b| !ALPHANUMERIC[usize::from(*b)]) {
            Some(other) => other + 1,
            None => {
                let run = bytes[at..].iter().take_while(|b| ALPHANUMERIC[usize::from(**b)]).count();
                longest = longest.max(run);
                run
            }
        };
    }
    longest
}

/// Finds the shapes of these rows in a folded text.
pub(super) fn find(text: &str, rows: u128, found: &mut Vec<Found>) {
    let longest = LazyCell::new(|| longest_run(text));
    for (row, (shape, regex)) in SHAPES.iter().zip(REGEXES.iter()).enumerate() {
        if rows & (1 << row) == 0 || shape.run > 0 && shape.run > *longest || !shape.is_marked(text) {
            continue;
        }
        let Some(regex) = shape.regex_for(regex, text) else { continue };
        for captures in regex.captures_iter(text) {
            for secret in [captures.name("s"), captures.name("s2")].into_iter().flatten() {
                if !value::is_nothing(secret.as_str(), "") && (shape.sure)(text, &captures) {
                    found.push(Found { range: secret.range(), kind: shape.kind });
                }
            }
        }
    }
    urls(text, found);
}

static HOST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&ascii::borders(r#"\A(?:\[[0-9a-fA-F:.%]+\]|[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?|\$\{?\w+\}?|\(\w*)(?::\d{1,5})?(?:[/?#,;\s"'`)\]}>|\\\u{e022}\u{e122}\u{e222}]|\.?\z|:\s|:\z|\.\s)"#)).ok()
});

/// `user:x@` in a URL, whatever characters the password has; and a user that is a token.
fn urls(text: &str, found: &mut Vec<Found>) {
    for (at, mark) in text.match_indices("://") {
        let start = at + mark.len();
        let rest = &text[start..];
        let before = text[..at].chars().rev().find(|c| !c.is_ascii_alphanumeric() && !"+.-".contains(*c));
        // Within quotes a URL ends with them, unless what follows is the rest of a password.
        let ends =
            |c: char| c.is_whitespace() || c == '<' || c == '>' || Some(c) == before.filter(|c| "\"'`".contains(*c));
        let run = &rest[..rest.find(ends).unwrap_or(rest.len())];
        let run = &run[..run.find("://").unwrap_or(run.len())];
        let Some(host) = HOST.as_ref() else { return };
        let Some(at) = run.match_indices('@').map(|(at, _)| at).rfind(|at| host.is_match(&rest[at + 1..])) else {
            continue;
        };
        let user = &run[..at];
        let (secret_at, secret) = match user.split_once(':') {
            Some((_, secret)) if is_place(user) && !secret.is_empty() => continue,
            Some((name, secret)) if secret.is_empty() || secret == "x-oauth-basic" => (0, name),
            Some((name, secret)) => (name.len() + 1, secret),
            None => (0, user),
        };
        if secret_at == 0 && (user.contains('/') || !(is_secret_like(secret) || secret.len() >= 20)) {
            continue;
        }
        if value::is_nothing(secret, "") {
            continue;
        }
        let from = start + secret_at;
        found.push(Found { range: from..from + secret.len(), kind: Kind::Url });
        // A user that is a token too.
        if let Some((name, _)) =
            user.split_once(':').filter(|(name, _)| secret_at > 0 && name.len() >= 16 && is_drawn(name))
        {
            found.push(Found { range: start..start + name.len(), kind: Kind::Url });
        }
    }
}

/// Is what stands before an `@` a host with a port and a path, as in `registry:5000/app@sha256`?
fn is_place(user: &str) -> bool {
    let (authority, path) = user.split_once(['/', ',']).unwrap_or((user, ""));
    let is_port = authority.rsplit_once(':').is_some_and(|(host, port)| {
        !port.is_empty()
            && port.len() <= 5
            && port.bytes().all(|b| b.is_ascii_digit())
            && (host.contains('.') || host == "localhost" || host.starts_with('['))
    });
    is_port && !path.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shape_has_marks_and_a_regex_with_a_secret() {
        for shape in &SHAPES {
            let regex = Regex::new(&ascii::borders(shape.regex)).expect(shape.regex);
            assert!(regex.capture_names().flatten().any(|name| name == "s"), "{}", shape.regex);
            assert!(!shape.marks.is_empty() && shape.marks.iter().all(|mark| !mark.is_empty()), "{}", shape.regex);
        }
        assert!(SHAPES.len() <= usize::from(NAMED_ROW), "a bit for each row");
        assert!(SHAPES.iter().all(|shape| shape.run == 0 || shape.run >= SHORTEST_RUN));
    }
}
