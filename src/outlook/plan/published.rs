//! Supported features that a GatewayClass or XMesh publishes (GEP-2162, GEP-3949).

use crate::cluster::{Cluster, FeatureList, File, Kind};
use crate::text::source::Source;

/// The features that an object publishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// Object name.
    pub name: String,
    /// Names in `status.supportedFeatures`, in file order.
    pub names: Vec<String>,
}

/// Why the features cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublishedError {
    /// Part of the file is unreadable.
    #[error("{path}: a part of it is not YAML")]
    Unread {
        /// File path.
        path: String,
    },
    /// The file does not contain exactly one object of the kind.
    #[error(
        "{path}: found {found} of kind {kind}; expected exactly one, as `kubectl get -o yaml` prints it"
    )]
    NotOne {
        /// File path.
        path: String,
        /// Number of objects.
        found: usize,
        /// Expected kind.
        kind: &'static str,
    },
    /// The object has no name, which the suite needs.
    #[error("{path}: `metadata.name` is missing; expected the name of the {kind}")]
    NoName {
        /// File path.
        path: String,
        /// Expected kind.
        kind: &'static str,
    },
}

/// Reads the only object of a kind.
///
/// # Errors
/// If there is not exactly one, or it has no name.
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
