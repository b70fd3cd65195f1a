#!/usr/bin/env bash
# setup.sh GROUP...: installs the missing Debian packages of these groups: build, test, docs, bench, lint, packaging,
# aarch64, browser. If it may not install them, it prints one line with the command to run and ends with status 2.
# setup-vm.sh handles the group vm: nothing of it is installed, and without it the tests that need it are skipped. So
# are Conan, which the group packaging puts into build/conan, Perfetto's definitions, which the group test puts into
# build/perfetto, and the Chromium of the group browser (350 MB).
set -euo pipefail

declare -A packages=(
  [build]="g++ cmake ninja-build make pkg-config
           libhwloc-dev libnuma-dev libpfm4-dev libprotozero-dev libcli11-dev libfmt-dev libsqlite3-dev
           nlohmann-json3-dev libtomlplusplus-dev zlib1g-dev libpng-dev libtbb-dev libmimalloc-dev"
  [test]="libgtest-dev python3 python3-pandas python3-plotly python3-statsmodels python3-typer python3-venv
          clang-19 libclang-rt-19-dev libclang-19-dev llvm-19-dev valgrind gfortran
          libgomp1 graphicsmagick imagemagick clustalo gettext libopenvdb-tools salmon"
  [docs]="doxygen doxygen-awesome-css python3"
  [bench]="libbenchmark-dev clang-19 libomp-19-dev python3"
  [packaging]="dpkg-dev python3 python3-venv"
  [aarch64]="g++-aarch64-linux-gnu qemu-user"
  [browser]="chromium fonts-dejavu-core"
  [lint]="git clang-19 clang-tidy-19 clang-format-19 libomp-19-dev shellcheck python3"
)

wanted=()
conan=
perfetto=
for group in "$@"; do
  if [[ $group == vm ]]; then
    "$(dirname "$0")/setup-vm.sh"
    continue
  fi
  if [[ -z "${packages[$group]:-}" ]]; then
    echo "setup.sh: '$group', expected one of: build test docs bench lint packaging vm aarch64 browser" >&2
    exit 2
  fi
  read -r -a names <<<"${packages[$group]//$'\n'/ }"
  wanted+=("${names[@]}")
  if [[ $group == aarch64 ]]; then "$(dirname "$0")/setup-aarch64.sh"; fi
  if [[ $group == packaging ]]; then conan=yes; fi
  if [[ $group == test ]]; then perfetto=yes; fi
done

is_installed() {
  local status
  # A name that another package provides has no status of its own, but a version in that package.
  status=$(dpkg-query --show --showformat='${db:Status-Status}\n' "$1" 2>/dev/null) || return 1
  grep -qx installed <<<"$status"
}

install_wanted() {
  [[ ${#wanted[@]} -eq 0 ]] && return 0
  if ! command -v dpkg-query >/dev/null; then
    echo "setup.sh: not a Debian system; needed here under other names: ${wanted[*]}" >&2
    return 0
  fi

  local package missing=()
  for package in "${wanted[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  [[ ${#missing[@]} -eq 0 ]] && return 0

  local as_root=()
  if [[ $EUID -ne 0 ]]; then
    if ! sudo -n true 2>/dev/null; then
      local command="sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}"
      echo "setup.sh: missing packages; run: $command" >&2
      exit 2
    fi
    as_root=(sudo -n)
  fi

  echo "setup.sh: installing ${missing[*]}"
  local apt_get=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
    apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -o Acquire::Retries=3)
  "${apt_get[@]}" update </dev/null
  "${apt_get[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null
}

install_wanted
by_pip() { "$(dirname "$0")/setup-pip.sh" "$@"; }
if [[ -n $conan ]]; then by_pip conan packaging/conan/requirements.txt packaging.conan; fi
if [[ -n $perfetto ]]; then by_pip perfetto tests/trace/requirements.txt trace.timeline; fi
