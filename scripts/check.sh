#!/usr/bin/env bash
# check.sh PRESET... [-- CTEST_ARGUMENT...]: configures, builds and tests each preset in turn; the first failure ends
# it.
set -euo pipefail
cd "$(dirname "$0")/.."

presets=()
while [[ $# -gt 0 && $1 != -- ]]; do
  presets+=("$1")
  shift
done
[[ $# -gt 0 ]] && shift

# gcc 12's ThreadSanitizer dies at start if the kernel randomises mappings by more than 28 bits.
fixed_addresses=()
if setarch -R true 2>/dev/null; then fixed_addresses=(setarch -R); fi

# say WHAT: which preset this is of how many, what happens now, and since when all this runs.
say() {
  printf '== %s (%d of %d): %s; %d:%02d so far\n' \
    "$preset" "$number" "${#presets[@]}" "$1" $((SECONDS / 60)) $((SECONDS % 60))
}

jobs=$(nproc)
number=0
for preset in "${presets[@]}"; do
  number=$((number + 1))
  launcher=()
  [[ $preset == tsan ]] && launcher=("${fixed_addresses[@]}")
  start=$SECONDS
  say "build"
  cmake --preset "$preset"
  "${launcher[@]}" cmake --build --preset "$preset" --parallel "$jobs"
  built=$SECONDS
  say "built in $((built - start)) s; tests"
  "${launcher[@]}" ctest --preset "$preset" --parallel "$jobs" "$@"
  say "tested in $((SECONDS - built)) s"
done
