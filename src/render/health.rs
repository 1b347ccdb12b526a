//! What works of a cluster, in lines: what people read first.

use crate::resource::{Health, Trouble};

/// How many names a line has.
const MAX_NAMES: usize = 5;

/// A line for each trouble, else one about all that was looked at; none without any status.
pub(super) fn lines(health: &Health) -> Vec<String> {
    if health.judged.is_empty() {
        return Vec::new();
    }
    if health.troubles.is_empty() {
        let judged = health.judged.iter();
        let judged: Vec<String> = judged.map(|(noun, count)| counted(noun, *count)).collect();
        return vec![format!("Health: no trouble in {}", judged.join(", "))];
    }
    health.troubles.iter().map(line).collect()
}

/// ``Health: 2 of 14 Routes not accepted: HTTPRoute `shop/web`, HTTPRoute `shop/api` ``
fn line(trouble: &Trouble) -> String {
    let names = trouble.names.iter().take(MAX_NAMES).cloned();
    let mut names: Vec<String> = names.collect();
    let others = trouble.count - names.len();
    if others > 0 {
        names.push(format!("and {others} more"));
    }
    format!(
        "Health: {} of {} {}: {}",
        trouble.count,
        counted(trouble.noun, trouble.of),
        trouble.what,
        names.join(", ")
    )
}

fn counted(noun: &str, count: usize) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => match noun {
            "policy" => format!("{count} policies"),
            "mesh" | "GatewayClass" => format!("{count} {noun}es"),
            noun => format!("{count} {noun}s"),
        },
    }
}
