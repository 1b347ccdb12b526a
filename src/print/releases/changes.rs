//! What changed between two releases, for a terminal and as the text of a pull request.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::{Comparison, Field, OneName};
use crate::text::escape::{markdown_code, markdown_text};
use crate::text::{counted, visible};

/// How the parts of the text are written.
struct Form {
    title: &'static str,
    /// Before and behind a note.
    note: [&'static str; 2],
    none: &'static str,
    /// Before and behind a heading.
    heading: [&'static str; 2],
    item: &'static str,
    field: &'static str,
    text: fn(&str) -> String,
    name: fn(&str) -> String,
}

const HUMAN: Form = Form {
    title: "",
    note: ["", ""],
    none: "None",
    heading: ["", ""],
    item: "  ",
    field: "    ",
    text: visible,
    name: visible,
};

const MARKDOWN: Form = Form {
    title: "## ",
    note: ["\n", "."],
    none: "None.",
    heading: ["### ", "\n"],
    item: "- ",
    field: "  - ",
    text: markdown_text,
    name: markdown_code,
};

/// Writes what is new, what changed and what is gone, kind by kind.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_human(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    HUMAN.write(comparison, out)
}

/// The same below a heading of the second level.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_markdown(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    MARKDOWN.write(comparison, out)
}

impl Form {
    fn write(&self, comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
        let Self { title, item, .. } = self;
        let [from, to] = [&comparison.from, &comparison.to].map(|release| (self.text)(release));
        writeln!(out, "{title}Changes from {from} to {to}")?;
        let [before, behind] = self.note;
        for note in &comparison.notes {
            writeln!(out, "{before}{}{behind}", (self.text)(note))?;
        }
        if comparison.is_empty() {
            return writeln!(out, "\n{}", self.none);
        }
        if !comparison.general.is_empty() {
            self.write_heading("General", out)?;
        }
        for field in &comparison.general {
            writeln!(out, "{item}{}", (self.text)(&field.of_changed()))?;
        }
        for (kind, names) in comparison.kinds() {
            let [new, changed] = ["New", "Changed"].map(|word| format!("{word} {kind}s"));
            self.write_names(kind, &new, (&names.new, Field::of_new), out)?;
            self.write_names(kind, &changed, (&names.changed, Field::of_changed), out)?;
            if !names.removed.is_empty() {
                let count = names.removed.len();
                self.write_heading(&format!("Removed {kind}s: {count}"), out)?;
            }
            for name in &names.removed {
                writeln!(out, "{item}{}", (self.name)(name))?;
            }
        }
        Ok(())
    }

    fn write_heading(&self, text: &str, out: &mut dyn Write) -> io::Result<()> {
        let [before, behind] = self.heading;
        writeln!(out, "\n{before}{text}{behind}")
    }

    /// Names with the same facts are written together.
    fn write_names(
        &self,
        kind: &str,
        title: &str,
        (names, field): (&[OneName], fn(&Field) -> String),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if !names.is_empty() {
            self.write_heading(&format!("{title}: {}", names.len()), out)?;
        }
        for (facts, names) in groups(names, field) {
            match names.as_slice() {
                [name] => {
                    let was = name.renamed_from.as_ref();
                    let was = was.map(|older| format!(", was {}", (self.name)(older)));
                    let was = was.unwrap_or_default();
                    writeln!(out, "{}{}{was}", self.item, (self.name)(&name.name))?;
                }
                names => writeln!(out, "{}{}", self.item, counted(names.len(), kind))?,
            }
            for fact in &facts {
                writeln!(out, "{}{}", self.field, (self.text)(fact))?;
            }
            if names.len() > 1 {
                let names: Vec<String> = names.iter().map(|one| (self.name)(&one.name)).collect();
                writeln!(out, "{}names: {}", self.field, names.join(", "))?;
            }
        }
        Ok(())
    }
}

/// The facts of names, each with all names that have them, in the order of the first ones.
fn groups(names: &[OneName], field: fn(&Field) -> String) -> Vec<(Vec<String>, Vec<&OneName>)> {
    let mut groups: Vec<(Vec<String>, Vec<&OneName>)> = Vec::new();
    let mut places: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for name in names {
        let facts: Vec<String> = name.fields.iter().map(field).collect();
        let is_alone = facts.is_empty() || name.renamed_from.is_some();
        let place = places.get(&facts).filter(|_| !is_alone);
        if let Some((_, names)) = place.and_then(|&at| groups.get_mut(at)) {
            names.push(name);
            continue;
        }
        if !is_alone {
            places.insert(facts.clone(), groups.len());
        }
        groups.push((facts, vec![name]));
    }
    groups
}
