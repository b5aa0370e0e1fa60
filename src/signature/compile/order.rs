//! In which order evidence is evaluated: a capture before its use.

use crate::compile::{Code, Compiler};
use crate::file::EvidenceFile;
use std::collections::BTreeSet;

impl Compiler<'_, '_, '_> {
    /// Indexes of the evidence as it is written, in the order of evaluation: as written, but never before
    /// what it needs. `None` if pieces of evidence need each other.
    pub(super) fn order(&mut self, evidence: &[EvidenceFile], needs: &[BTreeSet<usize>]) -> Option<Vec<usize>> {
        let mut order: Vec<usize> = Vec::with_capacity(evidence.len());
        while order.len() < evidence.len() {
            let next = (0..evidence.len())
                .find(|index| !order.contains(index) && needs[*index].iter().all(|need| order.contains(need)));
            if let Some(next) = next {
                order.push(next);
                continue;
            }
            let stuck: Vec<&EvidenceFile> =
                evidence.iter().enumerate().filter(|(index, _)| !order.contains(index)).map(|(_, item)| item).collect();
            let names = stuck.iter().map(|item| format!("`{}`", item.id.value)).collect::<Vec<_>>().join(", ");
            let place = stuck.first().map(|item| item.id.place).unwrap_or_default();
            let hint = "break the circle: one of them must do without the captures of the others".to_owned();
            self.report(Code::CaptureCycle, place, format!("{names} need each other's captures"), Some(hint));
            return None;
        }
        Some(order)
    }
}
