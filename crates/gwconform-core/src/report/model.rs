//! Report model, generic over text and position. The view (`report::view`) borrows text and has
//! nodes. The facts (`report::facts`) own names and have no positions.
//!
//! A report may contain anything, so fields with a closed set of values use [`Stated`].

mod report;
mod results;
mod stated;

pub use report::{Implementation, Report};
pub use results::{LevelData, List, NamedList, Profile, Statistics};
pub use stated::{Spanned, Stated};
