//! One plain value in a signature file: a boolean, a number or text, as YAML types it.
//!
//! Why a type with its own reader: `equals: true` and `equals: "True"` mean different things (a field that
//! is a boolean, a condition status that is a string), so the type that was written must survive.

use facts::node::Value;
use serde::de::{self, Deserializer, Visitor};

/// A boolean, a number or text.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// `true` or `false`, unquoted.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number beyond `i64`.
    UInt(u64),
    /// A number with a fraction.
    Float(f64),
    /// Anything else.
    Text(String),
}

impl Scalar {
    /// The value that it is compared with.
    pub fn value(&self) -> Value {
        match self {
            Scalar::Bool(b) => Value::Bool(*b),
            Scalar::Int(i) => Value::Int(*i),
            Scalar::UInt(u) => Value::UInt(*u),
            Scalar::Float(f) => Value::Float(*f),
            Scalar::Text(text) => Value::Str(text.as_str().into()),
        }
    }

    /// The text, if it is text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Scalar::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A number, or a duration (`10m`) in seconds.
    pub fn quantity(&self) -> Option<f64> {
        match self {
            Scalar::Int(i) => Some(*i as f64),
            Scalar::UInt(u) => Some(*u as f64),
            Scalar::Float(f) => Some(*f),
            Scalar::Text(text) => crate::duration::seconds(text).map(|s| s as f64),
            Scalar::Bool(_) => None,
        }
    }
}

impl<'de> de::Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Scalar;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a text, a number, or true or false")
            }
            fn visit_bool<E: de::Error>(self, value: bool) -> Result<Scalar, E> {
                Ok(Scalar::Bool(value))
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Scalar, E> {
                Ok(Scalar::Int(value))
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Scalar, E> {
                Ok(i64::try_from(value).map_or(Scalar::UInt(value), Scalar::Int))
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Scalar, E> {
                Ok(Scalar::Float(value))
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<Scalar, E> {
                Ok(Scalar::Text(value.to_owned()))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

impl schemars::JsonSchema for Scalar {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Scalar".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["boolean", "number", "string"] })
    }
}
