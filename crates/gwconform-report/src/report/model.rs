//! Report model, generic over text and position. The view (`report::view`) borrows text and has
//! nodes. The facts (`report::facts`) own names and have no positions.

mod report;
mod results;
mod stated;

pub use report::{Implementation, Report};
pub use results::{LevelData, List, NamedList, Profile, Statistics};
pub use stated::{Spanned, Stated};
