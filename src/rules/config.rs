//! Rules about gwconform.toml.

pub mod unused_ignore;
