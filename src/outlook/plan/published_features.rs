//! Reads the supported features that a GatewayClass or XMesh publishes (GEP-2162, GEP-3949).

use gwconform_base::text::source::Source;
use gwconform_cluster::{Cluster, FeatureList, File, Kind};

/// Features that an object publishes in its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// `metadata.name` of the object.
    pub name: String,
    /// From `status.supportedFeatures`, in file order.
    pub names: Vec<String>,
}

/// Reason why published features cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublishedError {
    /// The YAML of the file is invalid or incomplete.
    #[error("{path}: a part of it is not YAML")]
    Unread {
        /// Printed path.
        path: String,
    },
    /// The file does not contain exactly one object of the expected kind.
    #[error(
        "{path}: found {found} of kind {kind}; expected exactly one, as `kubectl get -o yaml` prints it"
    )]
    NotOne {
        /// Printed path.
        path: String,
        /// Number of objects of this kind.
        found: usize,
        /// Expected kind, such as `GatewayClass`.
        kind: &'static str,
    },
    /// The object has no name, which the suite requires.
    #[error("{path}: `metadata.name` is missing; expected the name of the {kind}")]
    NoName {
        /// Printed path.
        path: String,
        /// Kind of the object.
        kind: &'static str,
    },
}

/// Reads the only object of a kind.
pub fn published(source: &Source, kind: Kind) -> Result<Published, PublishedError> {
    let files = [File::read(source)];
    let path = || source.path().to_owned();
    let cluster = Cluster::read(&files);
    let mut objects = cluster.objects.iter().filter(|one| one.kind == Some(kind));
    let found = objects.clone().count();
    let (Some(object), 1) = (objects.next(), found) else {
        let is_cut = files.iter().any(File::is_cut);
        return Err(if found == 0 && is_cut {
            PublishedError::Unread { path: path() }
        } else {
            PublishedError::NotOne {
                path: path(),
                found,
                kind: kind.as_str(),
            }
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
