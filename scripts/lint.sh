#!/usr/bin/env bash
# lint.sh [FOLDER...]: clang-tidy over every C++ source, or those in these folders, as the preset `clang` compiles them,
# and the shell scripts' linter.
set -euo pipefail
cd "$(dirname "$0")/.."

git ls-files -z -- '*.sh' .ci/run bench/run |
  while IFS= read -r -d '' script; do
    if head -n 1 "$script" | grep -qE '^#!.*sh$'; then printf '%s\0' "$script"; fi
  done |
  xargs -0 -r shellcheck

cmake --preset clang >/dev/null
sources='\.cpp$'
[[ $# -gt 0 ]] && sources="^$PWD/($(IFS='|' && echo "$*"))/.*\.cpp$"
run-clang-tidy-19 -p build/clang -quiet -j "$(nproc)" -clang-tidy-binary clang-tidy-19 "$sources"
