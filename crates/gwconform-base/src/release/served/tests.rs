use std::collections::BTreeMap;

use super::{Absent, Crds, GROUP, Object, Write, X_GROUP};
use crate::api::{Channel, Minor};
use crate::release::Registry;

fn crds(minor: &str, channel: Channel) -> Crds<'static> {
    let served = Registry::embedded().served();
    let release = served.newest_patch_of(Minor::parse(minor).unwrap());
    served.crds(release.unwrap(), channel)
}

fn standard(minor: &str) -> Crds<'static> {
    crds(minor, Channel::Standard)
}

fn minor(text: &str) -> Minor {
    Minor::parse(text).unwrap()
}

fn write(kind: &'static str, group: &str, version: &str) -> Option<Write<'static>> {
    Some(Write {
        kind,
        api_version: format!("{group}/{version}"),
        channel: Channel::Standard,
    })
}

fn experimental(write: Option<Write<'static>>) -> Option<Write<'static>> {
    let channel = Channel::Experimental;
    write.map(|write| Write { channel, ..write })
}

#[test]
fn backend_tls_policy_changed_its_version_in_v1_4() {
    let old = |crds: Crds<'static>| crds.object(&format!("{GROUP}/v1alpha3"), "BackendTLSPolicy");
    let v1 = write("BackendTLSPolicy", GROUP, "v1");
    let v1_experimental = experimental(v1.clone());
    assert_eq!(old(crds("v1.3", Channel::Experimental)), Object::Served);
    assert_eq!(
        old(standard("v1.3")),
        Object::OtherChannel {
            channel: Channel::Experimental,
            since: Some(minor("v1.4")),
        }
    );
    assert_eq!(
        old(standard("v1.4")),
        Object::VersionNotServed { write: v1 }
    );
    assert_eq!(
        old(crds("v1.4", Channel::Experimental)),
        Object::Deprecated {
            write: v1_experimental
        }
    );
}

#[test]
fn grpc_route_lost_its_alpha_in_v1_2() {
    let old = |crds: Crds<'static>| crds.object(&format!("{GROUP}/v1alpha2"), "GRPCRoute");
    let v1 = write("GRPCRoute", GROUP, "v1");
    assert_eq!(old(crds("v1.0", Channel::Experimental)), Object::Served);
    assert_eq!(
        old(crds("v1.1", Channel::Experimental)),
        Object::Deprecated {
            write: experimental(v1.clone())
        }
    );
    for channel in [Channel::Standard, Channel::Experimental] {
        let write = v1.clone().map(|write| Write { channel, ..write });
        let not_served = Object::VersionNotServed { write };
        assert_eq!(old(crds("v1.2", channel)), not_served);
    }
}

#[test]
fn tls_tcp_and_udp_routes_became_v1() {
    for (kind, since, alphas) in [
        ("TLSRoute", "v1.5", &["v1alpha2", "v1alpha3"][..]),
        ("TCPRoute", "v1.6", &["v1alpha2"]),
        ("UDPRoute", "v1.6", &["v1alpha2"]),
    ] {
        for alpha in alphas {
            let old = |crds: Crds<'static>| crds.object(&format!("{GROUP}/{alpha}"), kind);
            let v1 = write(kind, GROUP, "v1");
            let not_served = Object::VersionNotServed { write: v1.clone() };
            assert_eq!(old(standard(since)), not_served, "{kind} {alpha}");
            let write = experimental(v1);
            let deprecated = Object::Deprecated { write };
            assert_eq!(
                old(crds(since, Channel::Experimental)),
                deprecated,
                "{kind} {alpha}"
            );
            let other = Object::OtherChannel {
                channel: Channel::Experimental,
                since: Some(minor(since)),
            };
            assert_eq!(old(standard("v1.4")), other, "{kind} {alpha}");
        }
    }
}

#[test]
fn x_listener_set_is_listener_set_since_v1_5() {
    let old = |crds: Crds<'static>| crds.object(&format!("{X_GROUP}/v1alpha1"), "XListenerSet");
    assert_eq!(old(crds("v1.4", Channel::Experimental)), Object::Served);
    for (release, channel) in [
        ("v1.5", Channel::Standard),
        ("v1.6", Channel::Standard),
        ("v1.6", Channel::Experimental),
    ] {
        let now = write("ListenerSet", GROUP, "v1")
            .map(|write| (minor("v1.5"), Write { channel, ..write }));
        let gone = Object::Gone {
            until: minor("v1.4"),
            now,
        };
        assert_eq!(old(crds(release, channel)), gone);
    }
    let new = crds("v1.4", Channel::Experimental).object(&format!("{GROUP}/v1"), "ListenerSet");
    let before = experimental(write("XListenerSet", X_GROUP, "v1alpha1"));
    let not_yet = Object::NotYet {
        since: minor("v1.5"),
        before,
    };
    assert_eq!(new, not_yet);
}

#[test]
fn backend_lb_policy_is_x_backend_traffic_policy_since_v1_3() {
    let old = standard("v1.6").object(&format!("{GROUP}/v1alpha2"), "BackendLBPolicy");
    let now = experimental(write("XBackendTrafficPolicy", X_GROUP, "v1alpha1"));
    let gone = Object::Gone {
        until: minor("v1.2"),
        now: now.map(|write| (minor("v1.3"), write)),
    };
    assert_eq!(old, gone);
}

#[test]
fn reference_grant_is_v1_since_v1_5() {
    let v1 = |crds: Crds<'static>| crds.object(&format!("{GROUP}/v1"), "ReferenceGrant");
    assert_eq!(v1(standard("v1.5")), Object::Served);
    let beta = write("ReferenceGrant", GROUP, "v1beta1");
    assert_eq!(
        v1(standard("v1.4")),
        Object::VersionNotServed { write: beta }
    );
    let beta = standard("v1.6").object(&format!("{GROUP}/v1beta1"), "ReferenceGrant");
    assert_eq!(beta, Object::Served);
}

#[test]
fn other_groups_and_kinds() {
    let crds = standard("v1.6");
    assert_eq!(crds.object("v1", "Service"), Object::NotOfTheApi);
    assert_eq!(
        crds.object("gateway.acme.example/v1", "HTTPRoute"),
        Object::NotOfTheApi
    );
    let unknown = crds.object(&format!("{GROUP}/v1"), "HttpRoute");
    assert_eq!(unknown, Object::Unknown);
    let unknown = crds.object(&format!("{X_GROUP}/v1"), "HTTPRoute");
    assert_eq!(unknown, Object::Unknown);
}

#[test]
fn fields_come_and_go() {
    let absent = |crds: Crds<'static>, kind: &str| crds.absent_fields(kind);
    let retry = "spec.rules[].retry";
    let cors = "spec.rules[].filters[].cors";
    let of_routes = absent(standard("v1.6"), "HTTPRoute");
    assert_eq!(of_routes.get(retry), Some(&Absent::Experimental(None)));
    assert_eq!(of_routes.get(cors), None);
    let of_routes = absent(standard("v1.1"), "HTTPRoute");
    assert_eq!(of_routes.get(retry), Some(&Absent::NotYet(minor("v1.2"))));
    assert_eq!(of_routes.get(cors), Some(&Absent::NotYet(minor("v1.3"))));
    assert_eq!(
        of_routes.get("spec.rules[].timeouts"),
        Some(&Absent::Experimental(Some(minor("v1.2"))))
    );
    let of_gateways = absent(crds("v1.6", Channel::Experimental), "Gateway");
    let gone: BTreeMap<_, _> = of_gateways.into_iter().collect();
    let until = Absent::Gone(minor("v1.3"));
    assert_eq!(
        gone,
        BTreeMap::from([
            ("spec.backendTLS", until),
            ("spec.listeners[].tls.frontendValidation", until),
        ])
    );
    // In v1.3, the old field still exists and its replacement does not.
    let of_gateways = absent(crds("v1.3", Channel::Experimental), "Gateway");
    assert_eq!(of_gateways.get("spec.backendTLS"), None);
    assert_eq!(
        of_gateways.get("spec.tls"),
        Some(&Absent::NotYet(minor("v1.4")))
    );
}
