//! Knowledge of the field as data: kinds with their printer columns, classes of log streams, products.
//! Read from `patterns/kinds.yaml`, `patterns/sources.yaml` and `patterns/products.yaml`.

/// The whole catalogue.
#[derive(Debug, Default)]
pub struct Catalogue {}

impl Catalogue {
    /// The catalogue that is embedded in the binary.
    pub fn built_in() -> Self {
        Self::default()
    }
}
