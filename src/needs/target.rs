//! What somebody states about features: a report, or the list of a GatewayClass or a mesh.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::Anchor;
use crate::message::Message;
use crate::registry::Channel;

/// What a report states about the features that are needed.
#[derive(Debug, Clone)]
pub struct Target {
    /// `globex-gateway 2.7.0`
    pub name: String,
    /// Organization, project, and the host of its URL: what tells whose a group is.
    pub owners: Vec<String>,
    /// The channel that it is for, if it has a known one.
    pub channel: Option<Channel>,
    /// Profiles that the Routes need and that it does not have, by name.
    pub missing_profiles: Vec<String>,
    /// By feature.
    pub standings: BTreeMap<String, Standing>,
}

/// What a report shows of a feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// What it comes to.
    pub support: Support,
    /// The same in words: `declared unsupported`.
    pub words: String,
}

/// What a feature's state comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Support {
    /// All its tests passed.
    Proved,
    /// It is supported, and not all of its tests were seen to pass.
    Claimed,
    /// It is not known.
    Unknown,
    /// It is not supported, its tests failed, or the release does not have it.
    Lacking,
}

/// The features that a GatewayClass or a mesh lists as supported.
#[derive(Debug)]
pub struct Listed {
    /// ``GatewayClass `acme` ``
    pub title: Message,
    /// True for a mesh, false for a GatewayClass.
    pub is_mesh: bool,
    /// The names.
    pub features: BTreeSet<String>,
    /// Where it is.
    pub anchor: Anchor,
}
