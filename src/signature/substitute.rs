//! A deserializer that puts the values of one form into every text that it passes on.
//!
//! Why here and not in the text of the file: places stay those of the file, whatever a value is long, and a value
//! can hold quotes and colons, for it never is YAML. Why not in the structs that come out: a field that is added
//! to them later would be forgotten.
//!
//! Invariants: nothing but texts changes, keys of maps included; a text without a variable passes as it is.

use crate::forms::Form;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The values of one form, and which variables were met.
#[derive(Debug)]
pub(crate) struct Substitution<'f> {
    form: &'f Form,
    used: RefCell<BTreeSet<String>>,
}

impl<'f> Substitution<'f> {
    /// Of one form; nothing was met yet.
    pub(crate) fn new(form: &'f Form) -> Self {
        Self { form, used: RefCell::default() }
    }

    /// The variables that were met, known or not.
    pub(crate) fn used(self) -> BTreeSet<String> {
        self.used.into_inner()
    }

    /// The same data with the values in its texts.
    pub(crate) fn over<T>(&self, inner: T) -> Over<'_, 'f, T> {
        Over { inner, by: self }
    }

    fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, name, after)) = next_variable(rest) {
            self.used.borrow_mut().insert(name.to_owned());
            out.push_str(before);
            // What no form gives is reported by whoever asked; the text is never shown.
            out.push_str(self.form.value(name).unwrap_or_default());
            rest = after;
        }
        if rest.len() == text.len() {
            return Cow::Borrowed(text);
        }
        out.push_str(rest);
        Cow::Owned(out)
    }
}

/// The first `${name}` of a text: what stands before it, its name, and what stands after it.
pub(crate) fn next_variable(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let open = from + text.get(from..)?.find("${")?;
        let inside = text.get(open + 2..)?;
        if let Some((name, after)) = inside.split_once('}')
            && crate::forms::is_name(name)
        {
            return Some((text.get(..open)?, name, after));
        }
        from = open + 2;
    }
}

/// Any part of a deserializer, with the substitution that it passes on.
pub(crate) struct Over<'s, 'f, T> {
    inner: T,
    by: &'s Substitution<'f>,
}

macro_rules! forward {
    ($($method:ident($($name:ident: $type:ty),*);)+) => {
        $(fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method($($name,)* self.by.over(visitor))
        })+
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Over<'_, '_, D> {
    type Error = D::Error;

    forward! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! pass {
    ($($method:ident($type:ty);)+) => {
        $(fn $method<E: serde::de::Error>(self, value: $type) -> Result<V::Value, E> {
            self.inner.$method(value)
        })+
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Over<'_, '_, V> {
    type Value = V::Value;

    pass! {
        visit_bool(bool);
        visit_i64(i64);
        visit_i128(i128);
        visit_u64(u64);
        visit_u128(u128);
        visit_f64(f64);
        visit_char(char);
        visit_bytes(&[u8]);
        visit_borrowed_bytes(&'de [u8]);
        visit_byte_buf(Vec<u8>);
    }

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.inner.expecting(f)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<V::Value, E> {
        match self.by.apply(text) {
            Cow::Borrowed(text) => self.inner.visit_str(text),
            Cow::Owned(text) => self.inner.visit_string(text),
        }
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<V::Value, E> {
        match self.by.apply(text) {
            Cow::Borrowed(text) => self.inner.visit_borrowed_str(text),
            Cow::Owned(text) => self.inner.visit_string(text),
        }
    }

    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<V::Value, E> {
        let text = self.by.apply(&text).into_owned();
        self.inner.visit_string(text)
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(self.by.over(inner))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(self.by.over(inner))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(self.by.over(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.inner.visit_map(self.by.over(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<V::Value, A::Error> {
        self.inner.visit_enum(self.by.over(data))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Over<'_, '_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(self.by.over(deserializer))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Over<'_, '_, A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, A::Error> {
        self.inner.next_element_seed(self.by.over(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Over<'_, '_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        self.inner.next_key_seed(self.by.over(seed))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.next_value_seed(self.by.over(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, 's, 'f, A: EnumAccess<'de>> EnumAccess<'de> for Over<'s, 'f, A> {
    type Error = A::Error;
    type Variant = Over<'s, 'f, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let (value, variant) = self.inner.variant_seed(self.by.over(seed))?;
        Ok((value, self.by.over(variant)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Over<'_, '_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        self.inner.newtype_variant_seed(self.by.over(seed))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.inner.tuple_variant(len, self.by.over(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.inner.struct_variant(fields, self.by.over(visitor))
    }
}
