//! The codes of everything that lint can say. They are stable: a code is never reused, so that a note in
//! somebody's pipeline keeps its meaning.

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $number:literal, $text:literal;)+) => {
        /// What kind of mistake a problem is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Code {
            /// All codes, in order.
            pub const ALL: &'static [Code] = &[$(Code::$name,)+];

            /// The stable code: `CFL001`.
            pub fn id(self) -> &'static str {
                match self { $(Code::$name => $number,)+ }
            }

            /// What the mistake is, in one sentence.
            pub fn description(self) -> &'static str {
                match self { $(Code::$name => $text,)+ }
            }
        }
    };
}

codes! {
    /// The file is not YAML.
    NotYaml = "CFL001", "the file is not valid YAML";
    /// A key that the format does not know.
    UnknownKey = "CFL002", "a key is not one of those that the format knows";
    /// A key that is missing.
    MissingKey = "CFL003", "a key that the format needs is missing";
    /// A value of the wrong type or outside its set.
    BadValue = "CFL004", "a value has the wrong type or is not one of those allowed";
    /// A key that stands twice.
    DuplicateKey = "CFL005", "a key stands twice in one map";
    /// The version of the format.
    UnknownSchema = "CFL006", "the version of the format is not known";
    /// A badly formed id, name or date.
    BadId = "CFL007", "an id, a name or a date is not well formed";
    /// A choice of which exactly one is needed.
    ChooseOne = "CFL008", "exactly one of several keys is needed";
    /// Two of one id.
    DuplicateId = "CFL009", "an id is used twice";
    /// A condition that does not parse.
    BadCondition = "CFL010", "a condition does not parse";
    /// An evidence id that nobody defines.
    UnknownEvidence = "CFL011", "an evidence id is not defined in this signature";
    /// A path that does not parse.
    BadPath = "CFL012", "a path does not parse";
    /// A regex that does not parse or is too big.
    BadRegex = "CFL013", "a regex does not parse or is too big";
    /// A regex without a literal.
    RegexWithoutLiteral = "CFL014", "a regex has no literal text to start from, so it would have to run on everything";
    /// A log query without a literal.
    LogWithoutLiteral = "CFL015", "a log query has no literal, so it would have to read every line";
    /// A capture without use.
    UnusedCapture = "CFL016", "a capture is never used";
    /// A variable that nobody captures.
    UnknownVariable = "CFL017", "a variable is neither the entity nor a capture";
    /// Captures that need each other.
    CaptureCycle = "CFL018", "pieces of evidence need each other's captures";
    /// A placeholder that means nothing.
    UnknownPlaceholder = "CFL019", "a placeholder is neither the entity, a capture nor an evidence id";
    /// A line query in `ruled_out`.
    LogRulesOut = "CFL020", "log lines can not rule out, because logs are never whole";
    /// Missing advice.
    MissingAdvice = "CFL021", "at severity high and above `does_not_help` and `do_not` are needed";
    /// Free text in flow style.
    FlowText = "CFL022", "free text in flow style must be quoted, because a comma or a colon would cut it";
    /// A relation to nobody.
    UnknownRelation = "CFL023", "a relation leads to a signature that is not in any pack";
    /// Causes in a circle.
    CauseCycle = "CFL024", "signatures cause each other in a circle";
    /// A kind that is not one.
    BadKind = "CFL025", "a kind is not written as plural.group";
    /// Nothing says how to collect.
    NoCollect = "CFL026", "nothing says how to collect what the evidence needs";
    /// No test file.
    NoTests = "CFL027", "a signature has no tests";
    /// A missing kind of test.
    MissingTest = "CFL028", "a signature needs a test of each kind: confirmed, ruled_out, missing, near_miss";
    /// A test that contradicts itself.
    BadTest = "CFL029", "a test refers to something that does not exist";
    /// A bad duration.
    BadDuration = "CFL030", "a duration is not written as 30s, 10m, 1h or 7d";
    /// A relation that is not well formed.
    BadRelation = "CFL031", "a relation is not well formed";
    /// No reason to suspect.
    NoSuspicion = "CFL032", "without a hallmark or `suspect` a signature can never be undecided";
    /// An override of nobody.
    BadOverride = "CFL033", "an override is not well formed or names a signature that is not there";
    /// A file that cannot be read.
    Unreadable = "CFL034", "a file or folder can not be read";
    /// A placeholder that may have no value.
    UnsetPlaceholder = "CFL035", "a text prints a value that may not be there";
    /// A variable that a form does not give.
    UnknownFormVariable = "CFL036", "a variable of the forms has no value in each of them";
    /// A variable of forms without use.
    UnusedFormVariable = "CFL037", "a variable of the forms is never used";
    /// A verdict that rests on what is not known.
    IgnoranceDecides = "CFL040", "evidence that holds where an age is not known may stand in `suspect` only";
    /// An `each` that asks nothing.
    BadEach = "CFL041", "`each` is not tied to the entity and to its values";
    /// A literal that stands in ordinary lines.
    OrdinaryLiteral = "CFL042", "a literal stands in log lines that a healthy cluster writes all day";
    /// A kind that nobody knows, spelt nearly like one that is known.
    UnknownKind = "CFL043", "a kind is spelt nearly like one that is known, and is none itself";
    /// A word in angle brackets for which the signature has the value.
    LeftOpen = "CFL044", "a command leaves open what the signature knows";
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn codes_are_stable() {
        let listing: String = Code::ALL.iter().map(|c| format!("{} {:?}: {}\n", c.id(), c, c.description())).collect();
        insta::assert_snapshot!(listing, @r"
        CFL001 NotYaml: the file is not valid YAML
        CFL002 UnknownKey: a key is not one of those that the format knows
        CFL003 MissingKey: a key that the format needs is missing
        CFL004 BadValue: a value has the wrong type or is not one of those allowed
        CFL005 DuplicateKey: a key stands twice in one map
        CFL006 UnknownSchema: the version of the format is not known
        CFL007 BadId: an id, a name or a date is not well formed
        CFL008 ChooseOne: exactly one of several keys is needed
        CFL009 DuplicateId: an id is used twice
        CFL010 BadCondition: a condition does not parse
        CFL011 UnknownEvidence: an evidence id is not defined in this signature
        CFL012 BadPath: a path does not parse
        CFL013 BadRegex: a regex does not parse or is too big
        CFL014 RegexWithoutLiteral: a regex has no literal text to start from, so it would have to run on everything
        CFL015 LogWithoutLiteral: a log query has no literal, so it would have to read every line
        CFL016 UnusedCapture: a capture is never used
        CFL017 UnknownVariable: a variable is neither the entity nor a capture
        CFL018 CaptureCycle: pieces of evidence need each other's captures
        CFL019 UnknownPlaceholder: a placeholder is neither the entity, a capture nor an evidence id
        CFL020 LogRulesOut: log lines can not rule out, because logs are never whole
        CFL021 MissingAdvice: at severity high and above `does_not_help` and `do_not` are needed
        CFL022 FlowText: free text in flow style must be quoted, because a comma or a colon would cut it
        CFL023 UnknownRelation: a relation leads to a signature that is not in any pack
        CFL024 CauseCycle: signatures cause each other in a circle
        CFL025 BadKind: a kind is not written as plural.group
        CFL026 NoCollect: nothing says how to collect what the evidence needs
        CFL027 NoTests: a signature has no tests
        CFL028 MissingTest: a signature needs a test of each kind: confirmed, ruled_out, missing, near_miss
        CFL029 BadTest: a test refers to something that does not exist
        CFL030 BadDuration: a duration is not written as 30s, 10m, 1h or 7d
        CFL031 BadRelation: a relation is not well formed
        CFL032 NoSuspicion: without a hallmark or `suspect` a signature can never be undecided
        CFL033 BadOverride: an override is not well formed or names a signature that is not there
        CFL034 Unreadable: a file or folder can not be read
        CFL035 UnsetPlaceholder: a text prints a value that may not be there
        CFL036 UnknownFormVariable: a variable of the forms has no value in each of them
        CFL037 UnusedFormVariable: a variable of the forms is never used
        CFL040 IgnoranceDecides: evidence that holds where an age is not known may stand in `suspect` only
        CFL041 BadEach: `each` is not tied to the entity and to its values
        CFL042 OrdinaryLiteral: a literal stands in log lines that a healthy cluster writes all day
        CFL043 UnknownKind: a kind is spelt nearly like one that is known, and is none itself
        CFL044 LeftOpen: a command leaves open what the signature knows
        ");
        let mut ids: Vec<_> = Code::ALL.iter().map(|c| c.id()).collect();
        ids.dedup();
        assert_eq!(ids.len(), Code::ALL.len(), "a code is used twice");
    }
}
