use gwconform_types::closed_set;

closed_set! {
    /// Support level of a feature.
    pub enum Level {
        /// Required for every implementation of the resource.
        Core = "core",
        /// Optional for implementations.
        Extended = "extended",
    }
}

closed_set! {
    /// Profile family: ingress or service mesh.
    pub enum Family {
        /// Routes attached to Gateways.
        Gateway = "gateway",
        /// Routes attached to Services.
        Mesh = "mesh",
    }
}

closed_set! {
    /// Deployment mode. Implementations may define additional modes.
    pub enum Mode {
        /// The mode of implementations with only one mode.
        Default = "default",
    }
}

closed_set! {
    /// Kind of a name that a release declares.
    pub enum NameKind {
        /// Feature, such as `HTTPRouteCORS`.
        Feature = "feature",
        /// Profile, such as `GATEWAY-HTTP`.
        Profile = "profile",
        /// Test, such as `HTTPRouteCORS`.
        Test = "test",
    }
}
