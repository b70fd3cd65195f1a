#!/usr/bin/env bash
# soak.sh [SECONDS [SCHEDULER...]]: runs the soak test (tests/soak) with pauses at atomics, by default for 600 s.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset soak >/dev/null
cmake --build --preset soak
exec build/soak/tests/soak/soak "${@:-600}"
