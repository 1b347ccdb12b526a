//! What manifests need, for people and programs.

mod human;

pub use human::write as write_human;
