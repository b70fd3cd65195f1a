#!/usr/bin/env bash
# lint.sh: clang-tidy over every C++ source as the preset `clang` compiles it, shellcheck over the shell scripts.
set -euo pipefail
cd "$(dirname "$0")/.."

git ls-files -z -- '*.sh' .ci/run bench/run |
  while IFS= read -r -d '' script; do
    if head -n 1 "$script" | grep -qE '^#!.*sh$'; then printf '%s\0' "$script"; fi
  done |
  xargs -0 -r shellcheck

cmake --preset clang >/dev/null
run-clang-tidy-19 -p build/clang -quiet -j "$(nproc)" -clang-tidy-binary clang-tidy-19 '\.cpp$'
