#!/usr/bin/env bash
# format.sh [--check]: brings the tracked C++ sources into the format of .clang-format, or says which are not in it.
set -euo pipefail
cd "$(dirname "$0")/.."

arguments=(-i)
case "${1:-}" in
  "") ;;
  --check) arguments=(--dry-run --Werror) ;;
  *)
    echo "format.sh: '$1', expected --check or nothing" >&2
    exit 2
    ;;
esac
git ls-files -z '*.cpp' '*.hpp' | xargs -0 -r clang-format-19 "${arguments[@]}"
