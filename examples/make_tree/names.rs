//! Names of fictional organizations and projects.

use std::collections::BTreeSet;

use super::rng::Rng;

const FIRST: &[&str] = &[
    "amber", "ash", "birch", "blue", "brass", "bright", "cedar", "clay", "cliff", "cold", "copper",
    "coral", "dusk", "ember", "fallow", "far", "fern", "flint", "frost", "gale", "glen", "green",
    "grey", "hazel", "heath", "high", "ivory", "juniper", "kelp", "lark", "linden", "low", "maple",
    "mist", "moor", "moss", "north", "oak", "ochre", "old", "pale", "pine", "plum", "quiet",
    "reed", "rowan", "russet", "sable", "salt", "sand", "silver", "slate", "snow", "still",
    "stone", "tall", "thorn", "tide", "umber", "vale", "west", "white", "wild", "willow", "winter",
    "wren", "yarrow",
];

const SECOND: &[&str] = &[
    "bank", "barrow", "bay", "beck", "bridge", "brook", "burn", "cairn", "cove", "croft", "dale",
    "den", "fell", "field", "ford", "gap", "garth", "haven", "head", "hill", "holm", "hurst",
    "isle", "keep", "lake", "lea", "loch", "march", "mead", "mere", "mill", "mouth", "ness",
    "pass", "peak", "point", "pond", "pool", "ridge", "rill", "rock", "shore", "sound", "spring",
    "stead", "strand", "tarn", "thwaite", "toft", "vale", "view", "wade", "ward", "water", "well",
    "wharf", "wick", "wold", "wood", "worth", "yard",
];

const PROJECTS: &[&str] = &[
    "aqueduct",
    "anchor",
    "arch",
    "beacon",
    "bollard",
    "bridge",
    "canal",
    "causeway",
    "conduit",
    "culvert",
    "current",
    "drawbridge",
    "estuary",
    "ferry",
    "flume",
    "fork",
    "funnel",
    "gantry",
    "harbor",
    "jetty",
    "junction",
    "keel",
    "landing",
    "lattice",
    "lever",
    "lock",
    "mooring",
    "narrows",
    "outfall",
    "passage",
    "pier",
    "portage",
    "quay",
    "rudder",
    "runnel",
    "sill",
    "siphon",
    "sluice",
    "spillway",
    "span",
    "stile",
    "strait",
    "switch",
    "threshold",
    "tiller",
    "towpath",
    "trestle",
    "turnstile",
    "viaduct",
    "weir",
];

pub fn fresh(rng: &mut Rng, taken: &mut BTreeSet<String>) -> (String, String) {
    let mut organization = format!("{}{}", rng.pick(FIRST), rng.pick(SECOND));
    // Organization names are unique, because readers would confuse equal names.
    while !taken.insert(organization.clone()) {
        organization = format!("{}{organization}", rng.pick(FIRST));
    }
    (organization, (*rng.pick(PROJECTS)).to_owned())
}

pub fn titled(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
