//! The templates that come with the program.

use std::sync::Arc;

use crate::tree::files::Folder;

use crate::api::closed_set;

closed_set! {
    /// What can be exported without a template of one's own.
    pub enum Shipped {
        /// Pages with tables of reports and features.
        Tables = "tables",
        /// The JSON of a wizard.
        Wizard = "wizard",
        /// The page that lists implementations.
        List = "list",
    }
}

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../../templates/export/", $name)))),+]
    };
}

/// The templates by their names; `--print-template` takes the name before the first dot.
pub const SHIPPED: [(&str, &str); 5] = shipped![
    "tables.md.j2",
    "index.md.j2",
    "macros.md.j2",
    "list.md.j2",
    "wizard.json.j2",
];

/// A template, and where its includes are.
#[derive(Debug, Clone)]
pub struct Template {
    /// Its file name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The folder that includes are read below; `None` for a template that comes with the program,
    /// which includes others of these.
    pub folder: Option<Arc<Folder>>,
    /// What names of templates are printed behind: the folder as it is printed.
    pub shown_folder: String,
}

impl Template {
    /// One that comes with the program, by the beginning of its name.
    pub fn shipped(name: &str) -> Option<Self> {
        let (name, text) = SHIPPED
            .iter()
            .find(|(known, _)| known.split('.').next() == Some(name))?;
        Some(Self {
            name: (*name).to_owned(),
            text: (*text).to_owned(),
            folder: None,
            shown_folder: "templates/export".to_owned(),
        })
    }

    /// A path of it or of one that it includes, as it is printed.
    pub(super) fn shown(&self, name: &str) -> String {
        match self.shown_folder.as_str() {
            "" | "." => name.to_owned(),
            folder => format!("{folder}/{name}"),
        }
    }
}
