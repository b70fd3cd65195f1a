#!/usr/bin/env bash
# check.sh PRESET... [-- CTEST_ARGUMENT...]: configures, builds and tests each preset in turn; the first failure ends it.
set -euo pipefail
cd "$(dirname "$0")/.."

presets=()
while [[ $# -gt 0 && $1 != -- ]]; do
  presets+=("$1")
  shift
done
[[ $# -gt 0 ]] && shift

jobs=$(nproc)
for preset in "${presets[@]}"; do
  start=$SECONDS
  echo "== $preset: build"
  cmake --preset "$preset"
  cmake --build --preset "$preset" --parallel "$jobs"
  built=$SECONDS
  echo "== $preset: built in $((built - start)) s; tests"
  ctest --preset "$preset" --parallel "$jobs" "$@"
  echo "== $preset: tested in $((SECONDS - built)) s"
done
