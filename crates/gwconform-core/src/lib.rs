//! The lower half of gwconform, which the library `gwconform` shows as its own: its page is the map.

pub mod text;
pub mod api;
pub mod tree;
pub mod release;
pub mod report;
pub mod cluster;
pub mod evidence;
pub mod rules;
