use std::io::{self, Write};
use std::ops::Range;

use similar::{Algorithm, DiffOp, TextDiff};

use super::{Change, ChangeSet};
use crate::text::visible;

/// Diffs take quadratic time. Longer regions are replaced as a whole.
const MAX_LINES: usize = 4_000;

impl ChangeSet {
    /// Unified diff with the exact lines of the files.
    pub fn write_diff(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut changes = self.changes.iter();
        changes.try_for_each(|change| write_change(change, out))
    }
}

/// Writes the diff of one file; `before` is `None` for a new file.
pub fn write_file_diff(
    path: &str,
    before: Option<&str>,
    after: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let path = path.to_owned();
    let change = match before {
        Some(before) => Change::Edit {
            path,
            before: before.to_owned(),
            after: after.to_owned(),
        },
        None => Change::Create {
            path,
            bytes: after.into(),
        },
    };
    write_change(&change, out)
}

fn write_change(change: &Change, out: &mut dyn Write) -> io::Result<()> {
    let path = visible(change.path().trim_start_matches('/'));
    match change {
        Change::Edit { before, after, .. } => {
            writeln!(out, "diff --git a/{path} b/{path}")?;
            writeln!(out, "--- a/{path}\n+++ b/{path}")?;
            hunks(before, after, out)?;
        }
        Change::Create { bytes, .. } => {
            writeln!(out, "diff --git a/{path} b/{path}")?;
            writeln!(out, "new file mode 100644")?;
            if !bytes.is_empty() {
                writeln!(out, "--- /dev/null\n+++ b/{path}")?;
                hunks("", &String::from_utf8_lossy(bytes), out)?;
            }
        }
        Change::Rename { to, .. } => {
            let to = visible(to.trim_start_matches('/'));
            writeln!(out, "diff --git a/{path} b/{to}")?;
            writeln!(out, "similarity index 100%")?;
            writeln!(out, "rename from {path}\nrename to {to}")?;
        }
    }
    Ok(())
}

/// 0-based line ranges in `before` and `after`.
pub fn changed_lines(before: &str, after: &str) -> Vec<[Range<usize>; 2]> {
    let lines = |text| str::split_inclusive(text, '\n').collect::<Vec<&str>>();
    let (old, new) = (lines(before), lines(after));
    let (head, old_end, new_end) = differing(&old, &new);
    if old_end - head + new_end - head > MAX_LINES {
        return vec![[head..old_end, head..new_end]];
    }
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Myers)
        .diff_slices(&old, &new);
    let differ = |op: &&DiffOp| !matches!(op, DiffOp::Equal { .. });
    let ops = diff.ops().iter().filter(differ);
    ops.map(|op| [op.old_range(), op.new_range()]).collect()
}

fn differing(old: &[&str], new: &[&str]) -> (usize, usize, usize) {
    let head = (old.iter().zip(new)).take_while(|(a, b)| a == b).count();
    let tail = (old[head..].iter().rev().zip(new[head..].iter().rev()))
        .take_while(|(a, b)| a == b)
        .count();
    (head, old.len() - tail, new.len() - tail)
}

fn hunks(before: &str, after: &str, out: &mut dyn Write) -> io::Result<()> {
    let lines = |text| str::split_inclusive(text, '\n').collect::<Vec<&str>>();
    let (old, new) = (lines(before), lines(after));
    let (head, old_end, new_end) = differing(&old, &new);
    if old_end - head + new_end - head > MAX_LINES {
        return replaced_whole(&old, &new, (head, old_end, new_end), out);
    }
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Myers)
        .newline_terminated(true)
        .diff_slices(&old, &new);
    write!(out, "{}", diff.unified_diff())
}

fn replaced_whole(
    old: &[&str],
    new: &[&str],
    (head, old_end, new_end): (usize, usize, usize),
    out: &mut dyn Write,
) -> io::Result<()> {
    let range = |end: usize| match end - head {
        0 => format!("{head},0"),
        count => format!("{},{count}", head + 1),
    };
    writeln!(out, "@@ -{} +{} @@", range(old_end), range(new_end))?;
    let gone = old[head..old_end].iter().map(|line| ('-', line));
    let come = new[head..new_end].iter().map(|line| ('+', line));
    for (sign, line) in gone.chain(come) {
        write!(out, "{sign}{line}")?;
        if !line.ends_with('\n') {
            writeln!(out, "\n\\ No newline at end of file")?;
        }
    }
    Ok(())
}
