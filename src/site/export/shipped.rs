//! The templates that come with the program.

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

/// The templates by their names; `--print-template` takes the name before the first dot.
pub const SHIPPED: [(&str, &str); 5] = [
    (
        "tables.md.j2",
        include_str!("../../../templates/export/tables.md.j2"),
    ),
    (
        "index.md.j2",
        include_str!("../../../templates/export/index.md.j2"),
    ),
    (
        "macros.md.j2",
        include_str!("../../../templates/export/macros.md.j2"),
    ),
    (
        "list.md.j2",
        include_str!("../../../templates/export/list.md.j2"),
    ),
    (
        "wizard.json.j2",
        include_str!("../../../templates/export/wizard.json.j2"),
    ),
];
