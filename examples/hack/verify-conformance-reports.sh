#!/usr/bin/env bash

# Checks what a change does to the conformance reports. Prow sets PULL_BASE_SHA and ARTIFACTS; without
# them the change is compared with origin/main. GWCONFORM names another program.

set -o errexit
set -o nounset
set -o pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

"${GWCONFORM:-gwconform}" check conformance/reports \
  --since "${PULL_BASE_SHA:-origin/main}" \
  ${ARTIFACTS:+--output "junit=${ARTIFACTS}/junit_gwconform.xml"}
