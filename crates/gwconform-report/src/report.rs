//! Contents of reports: the lenient [`view`] for rules, [`fit`] to the JSON Schema of the release,
//! and compact [`facts`] for later stages.

pub mod facts;
pub mod fit;
pub mod formats;
pub mod model;
pub mod naming;
pub mod siblings;
pub mod suite;
pub mod view;
