//! Summarizes cluster health above the findings.

use std::fmt;

use gwconform_base::text::{MAX_EXAMPLES, visible};
use gwconform_cluster::{Health, Trouble};

/// Line width in columns, which fits most terminals.
const WIDTH: usize = 80;

const HEADING: &str = "Health: ";

pub(super) struct Line {
    what: String,
    names: Vec<String>,
}

impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.what, self.names.join(", "))
    }
}

/// Returns one line per problem, or a single line if there are no problems. Empty if no object has
/// a status.
pub(super) fn lines(health: &Health) -> Vec<Line> {
    if health.judged.is_empty() && health.troubles.is_empty() {
        return Vec::new();
    }
    if health.troubles.is_empty() {
        let judged = health.judged.iter();
        return vec![Line {
            what: "no problems in".to_owned(),
            names: judged.map(|one| counted(one.kind, one.count)).collect(),
        }];
    }
    health.troubles.iter().map(line).collect()
}

fn line(trouble: &Trouble) -> Line {
    let mut names: Vec<String> = trouble.names.iter().take(MAX_EXAMPLES).cloned().collect();
    let others = trouble.count - names.len();
    if others > 0 {
        names.push(format!("and {others} more"));
    }
    Line {
        what: format!(
            "{} of {} {}:",
            trouble.count,
            counted(trouble.kind, trouble.of),
            trouble.problem
        ),
        names,
    }
}

pub(super) fn human(health: &Health) -> String {
    let mut text = String::new();
    for line in lines(health) {
        let before = if text.is_empty() { HEADING } else { "        " };
        let mut row = format!("{before}{}", line.what);
        let last = line.names.len().saturating_sub(1);
        for (nth, name) in line.names.iter().enumerate() {
            let comma = if nth == last { "" } else { "," };
            let name = format!(" {}{comma}", visible(name));
            if row.chars().count() + name.chars().count() > WIDTH {
                text.push_str(&row);
                text.push('\n');
                row = " ".repeat(HEADING.len() + 1);
            }
            row.push_str(&name);
        }
        text.push_str(&row);
        text.push('\n');
    }
    text
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
