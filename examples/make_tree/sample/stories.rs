use super::Story;

const NONE: &[(&str, &str)] = &[];

pub const ALL: &[Story] = &[
    // Based on an example in GEP-1709: every release, both channels and two modes.
    Story {
        name: "acme/operator",
        title: "Acme operator",
        about: "The Acme operator runs the Acme proxy on any Kubernetes cluster and configures it through the Gateway API. It is the reference of what a small team can keep current: every release of the Gateway API since v1.0.0 has been tested within a month.",
        site: "https://acme.example/operator",
        contact: "@acme/operator-maintainers",
        install: "",
        class: "acme",
        modes: &[(
            "with-the-lot",
            "The operator is installed with all optional components: the request mirror, the gRPC bridge and, with the experimental channel, the TCP and TLS listeners. Set `features=all` in its values.",
        )],
        notes: &[(
            "v1.6",
            "Retries are claimed as a whole; the suite of v1.6.0 has a test for `HTTPRouteRetry` only.",
        )],
        formatting: 0,
    },
    // Based on the other example in GEP-1709. The project lost features when its proxy was
    // rewritten, and skipped a minor.
    Story {
        name: "umbrella/operator",
        title: "Umbrella operator",
        about: "The Umbrella operator turns Gateways into Umbrella appliances, in a data center or as virtual machines.",
        site: "https://umbrella.example/operator",
        contact: "maintainers@umbrella.example",
        install: "",
        class: "umbrella",
        modes: NONE,
        notes: &[
            (
                "v1.3.0",
                "Version 2.0.0 has a new data path. Rewrites, timeouts and backend protocols of 1.9 are not in it yet.",
            ),
            (
                "v1.5",
                "Rewrites and timeouts are back. Gateway API v1.4 was skipped in favor of that work.",
            ),
        ],
        formatting: 7,
    },
    // Supports gateway and mesh, with a second mode for the mesh since v1.5.
    Story {
        name: "fjordline/strait",
        title: "Strait",
        about: "Strait is a service mesh with gateways of its own. Both are configured through the Gateway API, and both families of profiles are tested with each release.",
        site: "https://strait.example",
        contact: "@fjordline/strait-conformance",
        install: "straitctl install --version {version} --set mesh.mode={mode}",
        class: "strait",
        modes: &[(
            "node-proxy",
            "The mesh works from one proxy on each node, without sidecars: `straitctl install --set mesh.mode=node-proxy`. Gateways are the same in both modes, so only the mesh profiles are run.",
        )],
        notes: NONE,
        formatting: 3,
    },
    // Supports only mesh, and keeps a script next to its reports.
    Story {
        name: "weftworks/weft",
        title: "Weft",
        about: "Weft is a service mesh for clusters that have no ingress of their own. It implements GAMMA and nothing for Gateways.",
        site: "https://weft.example",
        contact: "@weftworks/weft",
        install: "",
        class: "",
        modes: NONE,
        notes: &[(
            "v1.6",
            "The script `run-conformance.sh` in this folder does all of the above on a local cluster.",
        )],
        formatting: 4,
    },
    // Supports only mesh. The newest report skips a core test, so the verdict is partial and
    // expires soon.
    Story {
        name: "tidewater/undertow",
        title: "Undertow",
        about: "Undertow is a mesh data path in the kernel. Requests are routed without a proxy where the route allows it.",
        site: "https://tidewater.example/undertow",
        contact: "https://tidewater.example/undertow/issues/new",
        install: "",
        class: "",
        modes: NONE,
        notes: &[(
            "v1.4.0",
            "`MeshTrafficSplit` is skipped: weights below one percent are rounded, so the split of the test is met on some runs only.",
        )],
        formatting: 5,
    },
    // The project was retired after v1.2.
    Story {
        name: "oldharbor/sluice",
        title: "Sluice",
        about: "Sluice is an ingress controller with Gateway API support. It is no longer developed; its last version is 1.1.0.",
        site: "https://oldharbor.example/sluice",
        contact: "@oldharbor",
        install: "",
        class: "sluice",
        modes: NONE,
        notes: NONE,
        formatting: 6,
    },
    // An old project with an invalid contact and URL, a version that is not semantic, a file name
    // without the channel, and a claimed feature whose test is skipped.
    Story {
        name: "hollowoak/ingress-bridge",
        title: "Hollow Oak Ingress Bridge",
        about: "The Ingress Bridge serves Ingress and Gateway API resources side by side, for clusters that move from one to the other.",
        site: "https://hollowoak.example/ingress-bridge",
        contact: "@hollowoak/bridge",
        install: "",
        class: "ingress-bridge",
        modes: NONE,
        notes: &[
            (
                "v1.2.1",
                "`GatewayStaticAddresses` is skipped: the cluster of our pipeline has no addresses to give away. The feature is supported.",
            ),
            (
                "v1.4.1",
                "Two tests of BackendTLSPolicy are skipped: the status of conflicting policies is written late in this version.",
            ),
        ],
        formatting: 2,
    },
    // A managed service with three modes but no default mode. One report skips a core test.
    Story {
        name: "skyquay/load-balancer",
        title: "Skyquay Load Balancer",
        about: "The managed load balancers of Skyquay, configured from a cluster. There is one mode for each kind of load balancer; versions are those of the managed control plane.",
        site: "https://skyquay.example/load-balancer",
        contact: "https://skyquay.example/support",
        install: "skyquay clusters create conformance --gateway-api-version {version} --load-balancer {mode}",
        class: "skyquay-{mode}",
        modes: &[
            (
                "global-external",
                "The class `skyquay-global-external`: one address for all regions.",
            ),
            (
                "regional-external",
                "The class `skyquay-regional-external`: an address in one region.",
            ),
            (
                "regional-internal",
                "The class `skyquay-regional-internal`: an address within the network of one region; run the suite from a machine in it.",
            ),
        ],
        notes: &[(
            "v1.3.0",
            "`HTTPRouteWeight` is skipped in mode `global-external`: new weights take longer to reach all regions than the test waits.",
        )],
        formatting: 1,
    },
    // A new project that supports only core features.
    Story {
        name: "bramble/hedge",
        title: "Hedge",
        about: "Hedge is a small gateway for single-node clusters. This is its first report: the core of HTTPRoute, and nothing else yet.",
        site: "https://bramble.example/hedge",
        contact: "@bramble",
        install: "",
        class: "hedge",
        modes: NONE,
        notes: NONE,
        formatting: 8,
    },
    // Supports only layer 4: TLS, and also TCP and UDP since v1.6 added profiles for them.
    Story {
        name: "stonebridge/arch",
        title: "Arch",
        about: "Arch is a load balancer for connections. It never looks into HTTP, so it runs the profiles of TLSRoute, TCPRoute and UDPRoute.",
        site: "https://stonebridge.example/arch",
        contact: "@stonebridge/arch",
        install: "",
        class: "arch",
        modes: NONE,
        notes: NONE,
        formatting: 9,
    },
    // Lost features in its newest major version. The last report is for v1.5.
    Story {
        name: "cinderpath/cinder",
        title: "Cinder Gateway",
        about: "Cinder is an API gateway whose routes come from the Gateway API and whose plugins come from you.",
        site: "https://cinderpath.example/cinder",
        contact: "@cinderpath/gateway",
        install: "",
        class: "cinder",
        modes: NONE,
        notes: &[(
            "v1.5",
            "Version 4.0.0 moved timeouts, header changes per backend and multiple mirrors to plugins; they are no longer done by HTTPRoute.",
        )],
        formatting: 10,
    },
    // Conformant with v1.4, without later reports. The verdict is partial.
    Story {
        name: "marlinspike/edge",
        title: "Marlinspike Edge",
        about: "Marlinspike Edge is a gateway for many small sites, each with a cluster of its own.",
        site: "https://marlinspike.example/edge",
        contact: "edge-conformance@marlinspike.example",
        install: "",
        class: "marlinspike",
        modes: NONE,
        notes: NONE,
        formatting: 11,
    },
    // Supports only gRPC, without tests for most claimed features.
    Story {
        name: "saffron/routeloom",
        title: "Routeloom",
        about: "Routeloom is a gateway for gRPC alone.",
        site: "https://saffron.example/routeloom",
        contact: "@saffron/routeloom",
        install: "kubectl apply --server-side -f https://saffron.example/routeloom/releases/{version}/install.yaml",
        class: "routeloom",
        modes: NONE,
        notes: NONE,
        formatting: 12,
    },
    // Partial with v1.5 at both levels, and conformant with v1.6 in two modes.
    Story {
        name: "glasshouse/pane",
        title: "Pane",
        about: "Pane is an experimental gateway written to try new parts of the Gateway API early. It is tested with the experimental channel only.",
        site: "https://glasshouse.example/pane",
        contact: "@glasshouse/pane",
        install: "",
        class: "pane",
        modes: &[(
            "dedicated",
            "Every Gateway gets a proxy and an address of its own: `--set proxy.placement=dedicated`.",
        )],
        notes: &[
            (
                "v1.5",
                "`HTTPRouteHTTPSListener` is skipped, as two listeners of one port cannot have certificates of the same name yet, and `ListenerSetHostnameConflict` for the same reason.",
            ),
            (
                "v1.6",
                "`HTTPRouteRetryBackendTimeout` and `HTTPRouteRetryConnectionError` are covered by our own tests; the suite has none for them.",
            ),
        ],
        formatting: 13,
    },
];

pub const SCRIPT: &str = r#"#!/bin/sh
# Runs the mesh profiles of the conformance suite against Weft on a local cluster.
set -eu

VERSION="${1:?usage: run-conformance.sh VERSION}"
GATEWAY_API="${GATEWAY_API:-v1.6.0}"

kind create cluster --name weft-conformance
trap 'kind delete cluster --name weft-conformance' EXIT

kubectl apply --server-side -f "https://github.com/kubernetes-sigs/gateway-api/releases/download/$GATEWAY_API/standard-install.yaml"
helm install weft https://weft.example/charts/weft --version "$VERSION" --namespace weft-system --create-namespace

git clone --depth 1 --branch "$GATEWAY_API" https://github.com/kubernetes-sigs/gateway-api
cd gateway-api
go test ./conformance -run Conformance -v -timeout 60m -args \
  --conformance-profiles=MESH-HTTP,MESH-GRPC \
  --organization=weftworks --project=weft --url=https://weft.example \
  --version="$VERSION" --contact=@weftworks/weft --mode=default \
  --supported-features="${FEATURES:?the features to claim, a comma list}" \
  --report-output="../standard-$VERSION-default-report.yaml"
"#;
