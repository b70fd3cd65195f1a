#!/usr/bin/env bash
# setup-aarch64.sh: downloads Debian's AArch64 builds of the libraries that jackdaw uses, and unpacks them in
# build/aarch64-root without installing them. The group aarch64 of setup.sh has the cross compiler and the emulator.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=/dev/null
. scripts/apt.sh

readonly root=$PWD/build/aarch64-root
wanted=(libhwloc15 libhwloc-dev libnuma1 libnuma-dev libpfm4 libpfm4-dev libudev1 libprotozero-dev libgtest-dev zlib1g
  zlib1g-dev libpng16-16 libpng-dev)

# This file is written last, and tells what is there.
[[ -e $root/complete && $(<"$root/complete") == "${wanted[*]}" ]] && exit 0

command -v apt-get dpkg >/dev/null || {
  echo "setup.sh: not a Debian system; needed in build/aarch64-root, for AArch64: ${wanted[*]}" >&2
  exit 2
}

echo "setup.sh: downloading libraries for AArch64 into build/aarch64-root; nothing is installed"
work=$PWD/build/aarch64-download
rm -rf "$work" "$root.new"
mkdir -p "$work"/{lists,cache/archives}/partial "$root.new"
touch "$work/status"

apt_options=(-o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o Dir::State::status="$work/status"
  -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Debug::NoLocking=1 -o APT::Sandbox::User="$(id -un)"
  -o Acquire::Retries=3 -o Acquire::Languages=none -o Dpkg::Use-Pty=0)
apt_get=(apt-get -qq "${apt_options[@]}")

# Continues if one of several sources is unreachable or has no packages for AArch64.
"${apt_get[@]}" update </dev/null || true
mapfile -t lacking < <(printf '%s\n' "${wanted[@]}" | without_candidate apt-cache "${apt_options[@]}")
[[ ${#lacking[@]} -eq 0 ]] || {
  echo "setup.sh: no package source has, for AArch64: ${lacking[*]}" >&2
  exit 2
}
(cd "$work" && "${apt_get[@]}" download "${wanted[@]}") </dev/null || {
  echo "setup.sh: cannot download ${wanted[*]} for AArch64" >&2
  exit 2
}
find "$work" -name '*.deb' -exec dpkg -x '{}' "$root.new" ';'
rm -rf "$root.new/usr/share" "$work"
echo "${wanted[*]}" >"$root.new/complete"
rm -rf "$root"
mv "$root.new" "$root"
