#!/bin/sh
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
