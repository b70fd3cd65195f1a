#!/usr/bin/env bash
# demo.sh: builds jackdaw and runs its program on real data: this machine, a real graph, real text, a stencil.
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset release -D JACKDAW_BUILD_TESTS=OFF >/dev/null
cmake --build --preset release --parallel "$(nproc)"
