//! The features that a GatewayClass or an XMesh publishes (GEP-2162, GEP-3949).

use crate::cluster::{Cluster, FeatureList, File, Kind};
use crate::text::source::Source;

/// A resource and what it publishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// Its name.
    pub name: String,
    /// The names in `status.supportedFeatures`, in the order of the file.
    pub names: Vec<String>,
}

/// Why nothing is known of a resource.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublishedError {
    /// A part of the file cannot be read.
    #[error("{path}: a part of it is not YAML")]
    Unread {
        /// The file.
        path: String,
    },
    /// The file does not have exactly one.
    #[error(
        "{path}: found {found} of kind {kind}; expected exactly one, as `kubectl get -o yaml` prints it"
    )]
    NotOne {
        /// The file.
        path: String,
        /// How many.
        found: usize,
        /// What was looked for.
        kind: &'static str,
    },
    /// It has no name, by which the suite would find it.
    #[error("{path}: `metadata.name` is missing; expected the name of the {kind}")]
    NoName {
        /// The file.
        path: String,
        /// What was looked for.
        kind: &'static str,
    },
}

/// Reads the one resource of a kind in a file.
///
/// # Errors
/// When there is not exactly one, or it has no name.
pub fn published(source: &Source, kind: Kind) -> Result<Published, PublishedError> {
    let files = [File::read(source)];
    let path = || source.path().to_owned();
    let cluster = Cluster::read(&files);
    let mut objects = cluster.objects.iter().filter(|one| one.kind == Some(kind));
    let found = objects.clone().count();
    let (Some(object), 1) = (objects.next(), found) else {
        let is_cut = files.iter().any(File::is_cut);
        return Err(match found == 0 && is_cut {
            true => PublishedError::Unread { path: path() },
            false => PublishedError::NotOne {
                path: path(),
                found,
                kind: kind.as_str(),
            },
        });
    };
    if object.name().is_empty() {
        return Err(PublishedError::NoName {
            path: path(),
            kind: kind.as_str(),
        });
    }
    let list = FeatureList::try_new(object);
    let names = list.iter().flat_map(|list| &list.names);
    Ok(Published {
        name: object.name().to_owned(),
        names: names.map(|name| name.value.to_owned()).collect(),
    })
}
