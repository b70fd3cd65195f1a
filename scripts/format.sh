#!/usr/bin/env bash
# format.sh [--check]: formats the tracked C++ sources by .clang-format; with --check only reports those that differ.
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
