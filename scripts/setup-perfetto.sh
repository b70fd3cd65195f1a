#!/usr/bin/env bash
# setup-perfetto.sh: installs PyPI's perfetto, with whose definitions tests/trace reads traces back, into build/perfetto
# by pip, once, and nowhere else. If that fails, it prints one line and the test is skipped; with
# JACKDAW_REQUIRE_PERFETTO=1 it ends with status 2.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly folder=$PWD/build/perfetto
readonly wanted=tests/trace/requirements.txt

# This file is written last.
cmp -s "$wanted" "$folder/complete" && exit 0

missing() {
  echo "setup.sh: THE TEST trace.timeline CANNOT RUN HERE: $1" >&2
  [[ ${JACKDAW_REQUIRE_PERFETTO:-0} == 1 ]] && exit 2
  exit 0
}

echo "setup.sh: downloading perfetto into build/perfetto; nothing is installed elsewhere"
rm -rf "$folder"
mkdir -p build
python3 -m venv "$folder" || missing "python3 cannot make a virtual environment (Debian: python3-venv)"
"$folder/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted" </dev/null ||
  missing "pip cannot install the packages of $wanted"
cp "$wanted" "$folder/complete"
