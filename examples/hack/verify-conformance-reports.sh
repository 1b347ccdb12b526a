#!/usr/bin/env bash

# Reviews the changes to the conformance reports.
#
# PULL_BASE_SHA  the revision to compare with (default: origin/main); set by Prow
# ARTIFACTS      the folder for the JUnit report (default: no JUnit report); set by Prow
# GWCONFORM      the program to run (default: gwconform)

set -o errexit
set -o nounset
set -o pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

"${GWCONFORM:-gwconform}" check conformance/reports \
  --since "${PULL_BASE_SHA:-origin/main}" \
  ${ARTIFACTS:+--output "junit=${ARTIFACTS}/junit_gwconform.xml"}
