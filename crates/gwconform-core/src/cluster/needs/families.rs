//! Whose features a place asks for: those of gateways, those of meshes, or both.

use super::walk::Part;
use crate::api::Family;
use crate::cluster::{Kind, Object, ParentRef, is_gateway_api, parent_refs, uses_default_gateways};

/// Gateways, meshes, both or neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Families {
    gateway: bool,
    mesh: bool,
}

impl Families {
    /// Gateways alone.
    pub const GATEWAY: Self = Self {
        gateway: true,
        mesh: false,
    };

    /// Meshes alone.
    pub const MESH: Self = Self {
        gateway: false,
        mesh: true,
    };

    /// True where the family is one of them.
    pub fn has(self, family: Family) -> bool {
        match family {
            Family::Gateway => self.gateway,
            Family::Mesh => self.mesh,
        }
    }

    /// True for neither.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// These and others.
    pub(super) fn and(self, others: Self) -> Self {
        Self {
            gateway: self.gateway || others.gateway,
            mesh: self.mesh || others.mesh,
        }
    }

    /// These that are not among others.
    pub(super) fn without(self, others: Self) -> Self {
        Self {
            gateway: self.gateway && !others.gateway,
            mesh: self.mesh && !others.mesh,
        }
    }
}

/// The families that an object is for, as a whole and by each of its parents.
#[derive(Debug)]
pub(super) struct Parents {
    /// All of them; `None` for an object that both may read, such as a ReferenceGrant.
    pub(super) all: Option<Families>,
    /// Those of `spec.parentRefs`, in their order.
    each: Vec<Families>,
}

impl Parents {
    pub(super) fn new(object: &Object<'_>) -> Self {
        let all = match object.kind {
            Some(kind) if Kind::ROUTES.contains(&kind) => return Self::of_route(object),
            Some(Kind::GatewayClass | Kind::Gateway | Kind::ListenerSet) => Some(Families::GATEWAY),
            Some(Kind::Mesh) => Some(Families::MESH),
            _ => None,
        };
        let each = Vec::new();
        Self { all, each }
    }

    fn of_route(route: &Object<'_>) -> Self {
        let spec = route.at(&["spec"]).into_iter();
        let each: Vec<Families> = spec
            .flat_map(|spec| spec.items_at("parentRefs"))
            .map(|parent| of_parent(&ParentRef::read(parent, route)))
            .collect();
        let mut all = each
            .iter()
            .fold(Families::default(), |all, one| all.and(*one));
        // A Route without a parent is meant for a Gateway that is still to be named.
        if uses_default_gateways(route) || parent_refs(route).is_empty() {
            all = all.and(Families::GATEWAY);
        }
        let all = Some(all);
        Self { all, each }
    }

    /// The families that a place of the object is for: of a value in a parent those of that parent.
    pub(super) fn at(&self, trail: &[Part<'_>]) -> Option<Families> {
        match parent_of(trail) {
            Some(at) => Some(self.each.get(at).copied().unwrap_or_default()),
            None => self.all,
        }
    }

    /// True for a value in a parent that is neither a Gateway's nor a Service: it needs nothing of the
    /// API.
    pub(super) fn is_foreign(&self, trail: &[Part<'_>]) -> bool {
        let parent = parent_of(trail).and_then(|at| self.each.get(at));
        parent.is_some_and(|families| families.is_empty())
    }
}

/// The place of a parent in `spec.parentRefs` that a value is in.
fn parent_of(trail: &[Part<'_>]) -> Option<usize> {
    match trail {
        [
            Part::Name("spec"),
            Part::Name("parentRefs"),
            Part::Item(at),
            ..,
        ] => Some(*at),
        _ => None,
    }
}

/// A parent of the API is a Gateway's, a Service is of a mesh; what another group has as a parent is
/// neither, since no profile covers it. The core group is also written `core`; without a group a Service
/// is one of the API's group, which has none: "to set the core API group, Group must be explicitly set to
/// the empty string" (`ParentReference.group`).
fn of_parent(parent: &ParentRef<'_>) -> Families {
    let is_core = !parent.group.contains('.');
    match parent.kind {
        "Service" if is_core => Families::MESH,
        "Service" => Families::default(),
        _ if is_gateway_api(parent.group) => Families::GATEWAY,
        _ => Families::default(),
    }
}
