//! Does a query show the text of lines, or does it only ask which lines to take?
//!
//! Why: masking a text takes longer than all else that is done with a line. A text that stays within the condition of the
//! scan need be masked only where what the line holds decides.
//!
//! Invariant: a text is unseen only if no step above the scans has a column of its name, nor an expression that names one.

use crate::logs;
use polars_lazy::prelude::LazyFrame;
use polars_plan::plans::{IR, IRPlan};
use polars_plan::utils::aexpr_to_leaf_names_iter;

/// Does nothing of a query but the conditions of its scans name a text of lines? Also false if that cannot be told.
pub(crate) fn are_texts_unseen(query: &LazyFrame) -> bool {
    query.clone().to_alp_optimized().is_ok_and(|plan| {
        let mut waiting = vec![plan.lp_top];
        while let Some(node) = waiting.pop() {
            let step = plan.lp_arena.get(node);
            if node == plan.lp_top && is_leaf(step) || !is_leaf(step) && names_a_text(&plan, step) {
                return false;
            }
            waiting.extend(step.inputs());
        }
        true
    })
}

/// Is it where rows come from?
fn is_leaf(step: &IR) -> bool {
    step.inputs().next().is_none()
}

fn names_a_text(plan: &IRPlan, step: &IR) -> bool {
    let mut names = step.exprs().flat_map(|expr| aexpr_to_leaf_names_iter(expr.node(), &plan.expr_arena));
    names.any(|name| logs::is_text_name(name))
        || step.schema(&plan.lp_arena).iter_names().any(|name| logs::is_text_name(name))
}
