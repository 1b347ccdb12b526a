//! A report as it is read: its identity, its profiles and their results.
//!
//! One model serves every stage. It is generic over the text of names and over the place where
//! something is written: the view of rules (`report::view`) borrows its texts and has the node
//! of each field, what is kept of a report (`facts`) owns its names and has no place for them.
//!
//! A report may contain anything. What should be one of a closed set is [`Stated`]: a known value,
//! another text, or absent.

mod report;
mod results;
mod stated;

pub use report::{Implementation, Report};
pub use results::{LevelData, List, NamedList, Profile, Statistics};
pub use stated::{Spanned, Stated};
