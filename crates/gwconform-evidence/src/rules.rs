//! Rules about a report and the log of its run.

pub mod evidence;

pub use evidence::EvidenceContext;
pub use gwconform_base::rules::{
    About, Findings, Input, MAX_FINDINGS, Rule, Scope, rule, rule_of, rules,
};
