#!/usr/bin/env bash
# headers.sh: compiles each public header by itself, with the preset `clang`.
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset clang >/dev/null
cmake --build --preset clang --parallel "$(nproc)" --target all_verify_interface_header_sets
