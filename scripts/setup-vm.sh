#!/usr/bin/env bash
# setup-vm.sh: puts QEMU 10, busybox and a kernel for tests/vm into build/vm. It downloads and unpacks Debian packages
# there without installing them, so it needs a network once and never root. If something is missing, it prints one line
# and the tests are skipped; with JACKDAW_REQUIRE_VM=1 it ends with status 2.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=/dev/null
. scripts/apt.sh

readonly vm=$PWD/build/vm
readonly oldest_qemu=10.0

missing() {
  echo "setup.sh: THE TESTS IN A VIRTUAL MACHINE (ctest -L vm) CANNOT RUN HERE: $1" >&2
  [[ ${JACKDAW_REQUIRE_VM:-0} == 1 ]] && exit 2
  exit 0
}

at_least() { [[ $(printf '%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]; }

# The newest of the packages whose names match this extended regular expression.
newest_named() {
  "${apt_cache[@]}" pkgnames | grep -E "^$1\$" | sort -V | tail -n 1
}

# This release's own lines of the system's sources, changed to its backports.
write_backports() {
  local file
  for file in /etc/apt/sources.list.d/*.sources; do
    [[ -e $file ]] && awk -v name="$1" 'BEGIN { RS = ""; ORS = "\n\n" }
      $0 ~ "(^|\n)Suites:([^\n]* )?" name "( |\n|$)" {
        sub("Suites:[^\n]*", "Suites: " name "-backports")
        print
      }' "$file"
  done >"$2/backports.sources"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [[ -e $file ]] && sed -nE "s/^(deb( \[[^]]*\])? [^ ]+) $1 .*/\1 $1-backports main/p" "$file"
  done >"$2/backports.list"
  return 0
}

[[ $(uname -sm) == "Linux x86_64" ]] || missing "it is not Linux on x86-64"

qemu_found=
if version=$(qemu-system-x86_64 --version 2>/dev/null | sed -nE '1s/.*version ([0-9.]+).*/\1/p'); then
  [[ -n $version ]] && at_least "$oldest_qemu" "$version" && qemu_found=yes
fi
# This file is written last.
if [[ -e $vm/root/complete && (-n $qemu_found || -x $vm/root/usr/bin/qemu-system-x86_64) ]]; then exit 0; fi

command -v dpkg-query apt-get >/dev/null ||
  missing "not a Debian system; tests/vm/README.md lists what build/vm/root must contain"
# shellcheck source=/dev/null
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[[ -n $release ]] || missing "/etc/os-release names no VERSION_CODENAME"

echo "setup.sh: downloading a kernel, busybox and QEMU into build/vm; nothing is installed"
work=$vm/download
rm -rf "$work" "$vm/root.new"
mkdir -p "$work"/{lists,cache/archives}/partial "$work/sources" "$vm/root.new"
find /etc/apt/sources.list.d -regex '.*[.]\(sources\|list\)' -exec cp -t "$work/sources" '{}' +
write_backports "$release" "$work/sources"

apt_options=(-o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o Dir::Etc::sourceparts="$work/sources"
  -o Debug::NoLocking=1 -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3 -o Acquire::Languages=none
  -o Dpkg::Use-Pty=0)
apt_get=(apt-get -qq "${apt_options[@]}")
apt_cache=(apt-cache "${apt_options[@]}")

# Continues if a suite has no backports or one of several sources is unreachable.
"${apt_get[@]}" update </dev/null || true

kernel=$(newest_named 'linux-image-6\.12\.[0-9][^-]*-cloud-amd64') || true
wanted=("${kernel:-linux-image-6.12*-cloud-amd64}" busybox-static)
needed=("${wanted[@]}")
[[ -n $qemu_found ]] || needed+=(qemu-system-x86)
mapfile -t lacking < <(printf '%s\n' "${needed[@]}" | without_candidate "${apt_cache[@]}")
[[ ${#lacking[@]} -eq 0 ]] || missing "no package source has: ${lacking[*]}"
(cd "$work" && "${apt_get[@]}" download "${wanted[@]}") </dev/null || missing "cannot download ${wanted[*]}"

if [[ -z $qemu_found ]]; then
  candidate() { "${apt_cache[@]}" policy qemu-system-x86 | sed -nE 's/^ *Candidate: ([0-9]+:)?([0-9.]+).*/\2/p'; }
  suite=()
  at_least "$oldest_qemu" "$(candidate)" || suite=(-t "$release-backports")
  # Includes the libraries that are not installed.
  "${apt_get[@]}" install --download-only --yes --no-install-recommends "${suite[@]}" qemu-system-x86 </dev/null ||
    missing "cannot download qemu-system-x86"
fi

find "$work" -name '*.deb' -exec dpkg -x '{}' "$vm/root.new" ';'
# Most of the kernel's package is modules, and firmware for other machines comes along.
rm -rf "$vm/root.new"/{lib,usr/lib}/modules "$vm/root.new/usr/share/"{doc,man,locale} "$work"
touch "$vm/root.new/complete"
rm -rf "$vm/root"
mv "$vm/root.new" "$vm/root"
