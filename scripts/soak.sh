#!/usr/bin/env bash
# soak.sh [SECONDS [SCHEDULER...]]: the soak (tests/soak) with pauses at the atomics, for 600 s unless told otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset soak >/dev/null
cmake --build --preset soak
exec build/soak/tests/soak/soak "${@:-600}"
