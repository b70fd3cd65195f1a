#!/usr/bin/env bash
# setup-pip.sh NAME REQUIREMENTS TEST: installs Python packages that only one test needs, those of the file
# REQUIREMENTS, into build/NAME by pip, once, and nowhere else. If that fails, it prints one line and the test is
# skipped; with JACKDAW_REQUIRE_NAME=1 (in capitals) it ends with status 2.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly name=$1 wanted=$2 test=$3
readonly folder=$PWD/build/$name required=JACKDAW_REQUIRE_${name^^}

# This file is written last.
cmp -s "$wanted" "$folder/complete" && exit 0

missing() {
  echo "setup.sh: THE TEST $test CANNOT RUN HERE: $1" >&2
  [[ ${!required:-0} == 1 ]] && exit 2
  exit 0
}

echo "setup.sh: downloading what $test needs into build/$name; nothing is installed elsewhere"
rm -rf "$folder"
mkdir -p build
python3 -m venv "$folder" || missing "python3 cannot make a virtual environment (Debian: python3-venv)"
"$folder/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted" </dev/null ||
  missing "pip cannot install the packages of $wanted"
cp "$wanted" "$folder/complete"
