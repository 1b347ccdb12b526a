//! Facts of two small synthetic releases, as `tools/facts` prints them.

/// Facts of v1.98.0.
pub const FIRST: &str = r#"{
  "bundleVersion": "v1.98.0",
  "reportApiVersion": "gateway.networking.k8s.io/v1",
  "reportFields": ["date", "implementation", "weather"],
  "isTestExtended": "sha256:c605cdfe19ec9a26836d8bcad017c4c820080eea58439b07907fe1f99c56f1b5",
  "crds": {
    "standard": {
      "gatewayclasses": "gateway.networking.k8s.io/v1.GatewayClass",
      "gateways": "gateway.networking.k8s.io/v1.Gateway"
    },
    "experimental": {
      "gatewayclasses": "gateway.networking.k8s.io/v1.GatewayClass",
      "gateways": "gateway.networking.k8s.io/v1.Gateway",
      "xthings": "gateway.networking.x-k8s.io/v1alpha1.XThing"
    }
  },
  "fieldProposals": {"Gateway": {"spec/infrastructure/labels": [1867]}},
  "features": {
    "Gateway": {
      "level": "core", "channel": "standard", "resource": "Gateway", "meaning": "Serves traffic at a Gateway."
    },
    "GatewayColour": {
      "level": "extended", "channel": "standard", "resource": "Gateway", "meaning": "Answers in colour.", "proposals": [99999, 7]
    },
    "GatewayInfrastructurePropagation": {"level": "extended", "channel": "experimental"},
    "Mesh": {"level": "core", "channel": "standard", "resource": "Mesh", "meaning": "Routes within a mesh."}
  },
  "profiles": {
    "GATEWAY-HTTP": {
      "reportName": "GATEWAY-HTTP",
      "core": ["Gateway"],
      "extended": ["Gateway", "GatewayColour", "GatewayInfrastructurePropagation"]
    },
    "MESH-HTTP": {"reportName": "MESH", "core": ["Mesh"], "extended": []}
  },
  "tests": {
    "GatewayAnswers": {"features": ["Gateway"], "parallel": true, "source": "gateway-answers.go"},
    "GatewayAnswersInColour": {"features": ["Gateway", "GatewayColour"], "provisional": true, "source": "gateway-answers.go"},
    "MeshAnswers": {"features": ["Mesh"], "source": "mesh/mesh.go"}
  }
}
"#;

/// Facts of v1.99.0, which adds and removes features and tests.
pub fn second() -> String {
    replaced(
        FIRST,
        &[
            ("v1.98.0", "v1.99.0"),
            ("\"weather\"", "\"url\""),
            (
                "\"GatewayInfrastructurePropagation\": {\"level\": \"extended\", \"channel\": \"experimental\"}",
                "\"GatewaySong\": {\"level\": \"extended\", \"channel\": \"experimental\", \"meaning\": \"Sings “a song” with \\\\ and \\\"quotes\\\"; its sentence is long enough for lines of its own.\"}",
            ),
            ("\"GatewayInfrastructurePropagation\"", "\"GatewaySong\""),
            ("\"parallel\": true, ", ""),
            (
                "\"GatewayAnswersInColour\": {\"features\": [\"Gateway\", \"GatewayColour\"], \"provisional\": true",
                "\"GatewayAnswersWithASong\": {\"features\": [\"Gateway\", \"GatewaySong\"]",
            ),
            (
                "{\"features\": [\"Mesh\"]",
                "{\"features\": [\"Mesh\"], \"provisional\": true",
            ),
        ],
    )
}

/// Replaces each part, which must occur.
pub fn replaced(text: &str, parts: &[(&str, &str)]) -> String {
    parts.iter().fold(text.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replacen(old, new, 1)
    })
}
