use super::walk::Part;
use crate::{Kind, Object, ParentRef, is_gateway_api, parent_refs, uses_default_gateways};
use gwconform_base::api::Family;

/// Set of profile families.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Families {
    gateway: bool,
    mesh: bool,
}

impl Families {
    /// Only [`Family::Gateway`].
    pub const GATEWAY: Self = Self {
        gateway: true,
        mesh: false,
    };

    /// Only [`Family::Mesh`].
    pub const MESH: Self = Self {
        gateway: false,
        mesh: true,
    };

    /// Only the given family.
    pub fn of(family: Family) -> Self {
        match family {
            Family::Gateway => Self::GATEWAY,
            Family::Mesh => Self::MESH,
        }
    }

    /// Whether the set includes a family.
    pub fn has(self, family: Family) -> bool {
        match family {
            Family::Gateway => self.gateway,
            Family::Mesh => self.mesh,
        }
    }

    /// True if the set includes neither the gateway nor the mesh family.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    pub(super) fn and(self, others: Self) -> Self {
        Self {
            gateway: self.gateway || others.gateway,
            mesh: self.mesh || others.mesh,
        }
    }

    pub(super) fn without(self, others: Self) -> Self {
        Self {
            gateway: self.gateway && !others.gateway,
            mesh: self.mesh && !others.mesh,
        }
    }
}

#[derive(Debug)]
pub(super) struct Parents {
    /// Families of all parents; `None` if both may read the object, such as a ReferenceGrant.
    pub(super) all: Option<Families>,
    each: Vec<Families>,
}

impl Parents {
    pub fn new(object: &Object<'_>) -> Self {
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
        // Treat a Route without a parent as intended for a Gateway.
        if uses_default_gateways(route) || parent_refs(route).is_empty() {
            all = all.and(Families::GATEWAY);
        }
        let all = Some(all);
        Self { all, each }
    }

    pub(super) fn at(&self, trail: &[Part<'_>]) -> Option<Families> {
        match parent_of(trail) {
            Some(at) => Some(self.each.get(at).copied().unwrap_or_default()),
            None => self.all,
        }
    }

    pub(super) fn is_foreign(&self, trail: &[Part<'_>]) -> bool {
        let parent = parent_of(trail).and_then(|at| self.each.get(at));
        parent.is_some_and(|families| families.is_empty())
    }
}

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

/// Families of a parent; empty for other groups, which no profile covers. The group of a Service
/// must be empty or `core` (see `ParentReference.group`).
fn of_parent(parent: &ParentRef<'_>) -> Families {
    let is_core = !parent.group.contains('.');
    match parent.kind {
        "Service" if is_core => Families::MESH,
        "Service" => Families::default(),
        _ if is_gateway_api(parent.group) => Families::GATEWAY,
        _ => Families::default(),
    }
}
