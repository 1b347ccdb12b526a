use serde::Serialize;

use crate::Cluster;
use crate::needs::{MAX_PLACES, Place, Places};
use gwconform_base::text::message::Message;

/// Places in manifests, by line.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct ResolvedPlaces {
    /// Total number of places.
    pub count: usize,
    /// First 100 places, in file order.
    #[serde(rename = "places")]
    pub kept: Vec<ResolvedPlace>,
}

/// Place in a manifest.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct ResolvedPlace {
    /// Printed path of the file.
    pub path: String,
    /// Line number, from 1.
    pub line: u32,
    /// Column number in characters, from 1.
    pub column: u32,
    /// Object that contains the value, such as `HTTPRoute/shop/web`.
    pub resource: String,
    /// JSON pointer to the value within the object.
    pub pointer: String,
    /// Value that causes the requirement. Null if the field itself causes the requirement.
    pub value: Option<String>,
    /// Description of the place.
    #[serde(rename = "text")]
    pub title: Message,
}

pub(super) fn resolved(places: &Places<'_>, cluster: &Cluster<'_>) -> ResolvedPlaces {
    let place = |place: &Place<'_>| {
        let object = cluster.objects.get(place.object);
        let printed = place.anchor().place;
        let start = printed.region.map(|region| region.start);
        ResolvedPlace {
            path: printed.path.to_string(),
            line: start.map_or(1, |start| start.line),
            column: start.map_or(1, |start| start.column),
            resource: object.map_or_else(String::new, |one| one.root.subject().to_string()),
            pointer: place.pointer.clone(),
            value: place.value.clone(),
            title: place.title(),
        }
    };
    ResolvedPlaces {
        kept: places.kept.iter().take(MAX_PLACES).map(place).collect(),
        count: places.count,
    }
}
