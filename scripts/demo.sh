#!/usr/bin/env bash
# demo.sh: builds the program and runs it on this machine: on Debian's package graph, on the packages' descriptions as
# text, and on a stencil. Every result is checked against a serial one.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p build
if ! cmake --preset release -D JACKDAW_BUILD_TESTS=OFF >build/demo.log 2>&1 ||
  ! cmake --build --preset release --parallel "$(nproc)" --target jackdaw_cli; then
  cat build/demo.log >&2
  exit 1
fi

program=build/release/src/cli/jackdaw
show() {
  echo
  echo "\$ jackdaw $*"
  "$program" "$@" 2>build/demo.log || { status=$? && cat build/demo.log >&2 && return $status; }
}
compare() {
  show bench "$@" --scheduler random,hierarchical,adws --against serial,tbb,openmp --db build/demo.db
}

show doctor
compare pagerank --input data/debian12-dependencies.txt.gz
compare components --input data/debian12-dependencies.txt.gz
compare sort --shape text --input data/debian12-packages.txt
compare heat2d --size 512 --iterations 500
