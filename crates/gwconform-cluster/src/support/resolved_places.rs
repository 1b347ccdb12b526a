use serde::Serialize;

use crate::Cluster;
use crate::needs::{self, MAX_PLACES, Places};
use gwconform_base::text::message::Message;
use gwconform_report::document::Place;

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
    /// Position of the value, or of its key.
    #[serde(flatten)]
    pub place: Place,
    /// Object that contains the value, such as `HTTPRoute/shop/web`. Empty for a part of a file
    /// that is not an object.
    pub object: String,
    /// JSON pointer to the value within the object.
    pub pointer: String,
    /// Value that causes the requirement. Null if the field itself causes the requirement.
    pub value: Option<String>,
    /// Field and value, or a description of the place.
    #[serde(rename = "text")]
    pub title: Message,
}

impl ResolvedPlaces {
    /// Path and line of the first place.
    pub fn first(&self) -> (&str, u32) {
        let first = self.kept.first().map(|one| &one.place);
        first.map_or(("", 1), |place| (&place.path, place.line))
    }
}

pub(super) fn resolved(places: &Places<'_>, cluster: &Cluster<'_>) -> ResolvedPlaces {
    let place = |place: &needs::Place<'_>| {
        let object = cluster.objects.get(place.object);
        let printed = place.anchor().place;
        let start = printed.region.map(|region| region.start);
        ResolvedPlace {
            place: Place {
                path: printed.path.to_string(),
                line: start.map_or(1, |start| start.line),
                column: start.map_or(1, |start| start.column),
            },
            object: object.map_or_else(String::new, |one| one.root.subject().to_string()),
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
