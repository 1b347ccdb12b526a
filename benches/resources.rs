//! Compares `resources` with a lower bound: parsing the same text to YAML nodes.
//!
//! Run `cargo bench --package gwconform-benches --bench resources`. If the cost is linear, 8000
//! Routes take twice as long as 4000.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods
)]

use std::fmt::Write as _;

use criterion::{BenchmarkId, Criterion, SamplingMode, criterion_group, criterion_main};
use gwconform_base::release::Registry;
use gwconform_base::text::source::Source;
use gwconform_cluster::File;
use gwconform_cluster::resources::{Against, check_resources};
use gwconform_report::rules::check::Settings;

const AROUND: &str = include_str!("../tests/integration/support/dump.yaml");

fn resources(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("resources");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for routes in [4000, 8000] {
        for (name, is_wrong) in [("right", false), ("wrong", true)] {
            let text = dump(routes, is_wrong);
            let files = [Source::new("cluster.yaml", text.into_bytes())];
            let id = |what: &str| BenchmarkId::new(format!("{what}-{name}"), routes);
            group.bench_function(id("read"), |bencher| {
                bencher.iter(|| File::read(&files[0]).yaml.read_to);
            });
            group.bench_function(id("check"), |bencher| {
                bencher.iter(|| {
                    let settings = Settings::default();
                    check_resources(&files, Against::default(), &settings, Registry::embedded())
                        .report
                        .findings
                        .len()
                });
            });
        }
    }
    group.finish();
}

/// Generates a cluster dump. If `is_wrong` is set, each Route refers to a missing Service and needs
/// a missing ReferenceGrant.
fn dump(routes: usize, is_wrong: bool) -> String {
    let mut text = AROUND.to_owned();
    for number in 0..routes {
        let other = if is_wrong { "gone" } else { "web" };
        write!(
            text,
            "---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {{name: web-{number}, namespace: shop-{number}, generation: 1}}
spec:
  parentRefs: [{{name: edge, namespace: infra}}]
  rules:
  - backendRefs: [{{name: {other}-{number}, port: 80}}, {{name: db-{number}, namespace: data, port: 80}}]
status:
  parents:
  - controllerName: acme.example/gateway
    parentRef: {{name: edge, namespace: infra}}
    conditions:
    - {{type: Accepted, status: 'True', reason: Accepted, observedGeneration: 1}}
    - {{type: ResolvedRefs, status: 'True', reason: ResolvedRefs, observedGeneration: 1}}
---
{{apiVersion: v1, kind: Service, metadata: {{name: web-{number}, namespace: shop-{number}}}}}
---
{{apiVersion: v1, kind: Service, metadata: {{name: db-{number}, namespace: data}}}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: ReferenceGrant
metadata: {{name: shop-{number}, namespace: data}}
spec:
  from: [{{group: gateway.networking.k8s.io, kind: {kind}, namespace: shop-{number}}}]
  to: [{{group: '', kind: Service, name: db-{number}}}]
",
            kind = if is_wrong { "GRPCRoute" } else { "HTTPRoute" },
        )
        .expect("a text takes all");
    }
    text
}

criterion_group!(benches, resources);
criterion_main!(benches);
