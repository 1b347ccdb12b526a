#!/bin/sh
# Installs gwconform: downloads the archive for this machine, verifies its SHA-256, and installs the program.
#
# GWCONFORM_INSTALL_DIR  the folder of the program (default: ~/.local/bin)
# GWCONFORM_VERSION      another release, whose file SHA256SUMS then contains the SHA-256
# GWCONFORM_SHA256       the expected SHA-256 of the archive
# GWCONFORM_SERVER       the server to download from (default: https://github.com)
# GWCONFORM_REPOSITORY   the repository to download from (default: OWNER/gwconform)
# GH_TOKEN               the token for `gh`, to verify the attestation of the archive
set -eu

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

download() {
  curl --fail --silent --show-error --location --proto '=https,file' --proto-redir '=https' --retry 3 \
    --max-filesize 104857600 --output "$work/$1" "$from/$1" || fail "$from/$1 could not be downloaded"
}

# The shell reads the whole script before it runs a function. So no part of an incomplete download is run.
main() {
  # dist/fill sets the version and the checksums.
  release=RELEASE_VERSION
  version=${GWCONFORM_VERSION:-$release}
  version=${version#v}
  repository=${GWCONFORM_REPOSITORY:-OWNER/gwconform}
  server=${GWCONFORM_SERVER:-https://github.com}
  folder=${GWCONFORM_INSTALL_DIR:-${HOME:?is not set; set GWCONFORM_INSTALL_DIR}/.local/bin}
  # The version becomes part of URLs and file names.
  case $version in
  *[!0-9A-Za-z.-]*) version= ;;
  [0-9]*.[0-9]*.[0-9]*) ;;
  *) version= ;;
  esac
  [ -n "$version" ] || fail 'version: expected a release such as 0.1.0'

  ending=tar.gz tar=tar program=gwconform
  case $(uname -s)-$(uname -m) in
  Linux-x86_64) target=x86_64-unknown-linux-musl sum=SHA256_X86_64_LINUX ;;
  Linux-aarch64) target=aarch64-unknown-linux-musl sum=SHA256_AARCH64_LINUX ;;
  Darwin-x86_64) target=x86_64-apple-darwin sum=SHA256_X86_64_DARWIN ;;
  Darwin-arm64) target=aarch64-apple-darwin sum=SHA256_AARCH64_DARWIN ;;
  MINGW*-x86_64 | MSYS*-x86_64)
    target=x86_64-pc-windows-msvc sum=SHA256_X86_64_WIN32
    # The tar of Git Bash cannot read zip files. The one of Windows can.
    ending=zip tar=$SYSTEMROOT/System32/tar.exe program=gwconform.exe
    ;;
  *) fail "there is no binary for $(uname -s) on $(uname -m)" ;;
  esac
  name=gwconform-$version-$target
  archive=$name.$ending
  from=$server/$repository/releases/download/v$version
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM

  download "$archive"
  if [ -n "${GWCONFORM_SHA256:-}" ]; then
    sum=$GWCONFORM_SHA256
  elif [ "$version" != "$release" ]; then
    download SHA256SUMS
    sum=$(awk -v "name=$archive" '$2 == name || $2 == "*" name { print $1 }' "$work/SHA256SUMS")
  fi
  # macOS has no sha256sum.
  if command -v sha256sum >/dev/null; then
    found=$(sha256sum <"$work/$archive")
  else
    found=$(shasum -a 256 <"$work/$archive")
  fi
  found=${found%% *}
  [ "$found" = "$sum" ] || fail "$archive has the SHA-256 $found; expected ${sum:-one in SHA256SUMS}"

  unverified=
  if [ "$server" != https://github.com ]; then
    unverified="$server keeps no attestations"
  elif ! command -v gh >/dev/null; then
    unverified='gh is not installed'
  elif [ -z "${GH_TOKEN:-}" ]; then
    unverified='GH_TOKEN is not set'
  else
    gh attestation verify "$work/$archive" --repo "$repository" \
      --signer-workflow "$repository/.github/workflows/release.yml" --source-ref "refs/tags/v$version" >&2 \
      || fail "$archive has no valid attestation of $repository for v$version"
  fi
  if [ -n "$unverified" ]; then
    printf 'note: the attestation of %s was not verified: %s\n' "$archive" "$unverified" >&2
  fi

  # Extract only the program, so that no other file of the archive is written to the folder.
  (cd "$work" && "$tar" -xzf "$archive" "$name/$program")
  mkdir -p -- "$folder"
  if [ -d "$folder/$program" ]; then fail "$folder/$program is a folder"; fi
  mv -f "$work/$name/$program" "$folder/$program"
  printf 'installed %s/%s: gwconform %s for %s, SHA-256 verified\n' "$folder" "$program" "$version" "$target"
  case :$PATH: in
  *:"$folder":*) ;;
  *) printf 'note: %s is not in PATH\n' "$folder" >&2 ;;
  esac
}

main
