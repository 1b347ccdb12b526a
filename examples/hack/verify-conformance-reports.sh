#!/usr/bin/env bash

# Copyright The Kubernetes Authors.
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

# Reviews the changes to the conformance reports.
#
# PULL_BASE_REF  the branch to compare with; set by Prow. Release branches are skipped
# PULL_BASE_SHA  the revision to compare with (default: origin/main); set by Prow. In CI, if it is HEAD: the parent of HEAD
# ARTIFACTS      the folder for the JUnit report (default: no JUnit report); set by Prow
# GWCONFORM      the program to run (default: the version below, installed in bin/)
#
# With --install, only installs the program and prints its path.
#
# If the program cannot be installed, the script prints a notice and succeeds, so that other checks can pass. In CI, where
# CI, PROW_JOB_ID or PULL_NUMBER is set, it fails with exit code 3. A wrong checksum always fails with exit code 3.

set -o errexit
set -o nounset
set -o pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly REPOSITORY=https://github.com/OWNER/gwconform
readonly VERSION=RELEASE_VERSION
# From the file SHA256SUMS of the release.
checksum() {
  case $1 in
    x86_64-unknown-linux-musl) echo SHA256_X86_64_LINUX ;;
    aarch64-unknown-linux-musl) echo SHA256_AARCH64_LINUX ;;
    x86_64-apple-darwin) echo SHA256_X86_64_DARWIN ;;
    aarch64-apple-darwin) echo SHA256_AARCH64_DARWIN ;;
  esac
}

in_ci() {
  [[ -n ${CI:-}${PROW_JOB_ID:-}${PULL_NUMBER:-} ]]
}

not_run() {
  if in_ci; then
    echo "ERROR: the conformance reports were not checked: $*" >&2
    exit 3
  fi
  echo "NOTICE: the conformance reports were not checked: $*" >&2
  exit 0
}

# Installs the version in bin/ and prints the path of the program.
install_program() {
  local target program sum
  target="$(uname -m)-$(uname -s)"
  target=${target/arm64/aarch64}
  target=${target/Linux/unknown-linux-musl}
  target=${target/Darwin/apple-darwin}
  program="${PWD}/bin/gwconform-${VERSION}"
  if [[ -x ${program} ]]; then
    echo "${program}"
    return
  fi
  sum=$(checksum "${target}")
  # On a platform without a binary, the checksum of another one shows whether this file is a template.
  if [[ ${REPOSITORY} == */OWNER/* || ! ${sum:-$(checksum x86_64-unknown-linux-musl)} =~ ^[0-9a-f]{64}$ ]]; then
    echo "ERROR: this file is a template; copy verify-conformance-reports.sh from the files of a gwconform release" >&2
    return 2
  fi
  [[ -n ${sum} ]] || return 5
  archive=$(mktemp -d)
  trap 'rm -rf "${archive}"' EXIT
  curl --fail --silent --show-error --location --retry 3 --output "${archive}/gwconform.tar.gz" \
    "${REPOSITORY}/releases/download/v${VERSION}/gwconform-${VERSION}-${target}.tar.gz" || return 4
  # macOS has no sha256sum.
  local check=(sha256sum)
  command -v sha256sum >/dev/null || check=(shasum --algorithm 256)
  if ! echo "${sum}  ${archive}/gwconform.tar.gz" | "${check[@]}" --check --status; then
    echo "ERROR: the checksum of the gwconform ${VERSION} archive does not match" >&2
    return 3
  fi
  tar -xzf "${archive}/gwconform.tar.gz" -C "${archive}" || return 6
  mkdir -p bin || return 6
  mv "${archive}/gwconform-${VERSION}-${target}/gwconform" "${program}" || return 6
  echo "${program}"
}

if [[ ${1:-} == --install ]]; then
  install_program
  exit
fi

if [[ ${PULL_BASE_REF:-} == release-* ]]; then
  echo "Skipped: release branches contain no new conformance reports"
  exit 0
fi

if [[ -z ${GWCONFORM:-} ]]; then
  code=0
  GWCONFORM=$(install_program) || code=$?
  case ${code} in
    0) ;;
    2 | 3) exit "${code}" ;;
    4) not_run "gwconform ${VERSION} could not be downloaded" ;;
    5) not_run "gwconform has no binary for $(uname -s) on $(uname -m)" ;;
    *) not_run "gwconform ${VERSION} could not be installed" ;;
  esac
elif ! command -v "${GWCONFORM}" >/dev/null; then
  echo "ERROR: GWCONFORM: ${GWCONFORM}: no such program" >&2
  exit 2
fi

# Prints the ID of a commit, or nothing if git does not find the commit. gwconform prints the reason.
commit() {
  git rev-parse --verify --quiet "$1^{commit}" 2>/dev/null || true
}

base=${PULL_BASE_SHA:-origin/main}
head=$(commit HEAD)
# In jobs that run after a merge, the base is the checked-out commit.
if in_ci && [[ -n ${head} && $(commit "${base}") == "${head}" ]]; then
  base=HEAD^1
  [[ -n $(commit "${base}") ]] || not_run "HEAD has no parent in this clone; fetch more history, or set PULL_BASE_SHA"
fi
"${GWCONFORM}" check conformance/reports \
  --since "${base}" \
  ${ARTIFACTS:+--also "junit=${ARTIFACTS}/junit_gwconform.xml"}
