#!/usr/bin/env bash
# check-aarch64.sh [--all] [COMPILER...]: builds tests for AArch64, with g++ or with the given compilers (g++, clang++),
# and runs each program under qemu-user; the first failure ends it. Without --all it runs only the tests of code with
# assembly or memory orders of its own. A process for each test, as under ctest, would take longer to start than to run.
set -euo pipefail
cd "$(dirname "$0")/.."

[[ $(uname -m) == aarch64 ]] && {
  echo "check-aarch64.sh: this is an AArch64 machine; use scripts/check.sh release" >&2
  exit 2
}
all=()
if [[ ${1:-} == --all ]]; then
  all=(
    algorithm_test memory_test model_test numa_test
    runtime_{no_memory,plugin,profiler,runtime,schedulers}
  )
  shift
fi
[[ $# -gt 0 ]] || set -- g++

# The time limit of one program, in seconds; each test's own watchdog fires earlier and reports where the test hangs.
readonly limit=300
programs=(
  "${all[@]}" support_test sched_test
  runtime_{exceptions,full_deque,fuzz,group,invoke,life,no_membarrier,roots,rounding,stacks,stress}
)
# Tests that are not run, and why.
declare -A but=(
  # One worker meets no other.
  [algorithm_test]='-*_1'
  # Millions of executions of code that is the same on every processor; a few of them show that it runs here.
  [model_test]='explorer*:door*:join*:ranges*'
  # Two of five numbers of workers: all take 4 minutes.
  [runtime_fuzz]='*_2:*_16'
  # The emulator does not support watching pages of nodes.
  [runtime_schedulers]='-bats_here.*'
  # In the child of a program with threads the emulator fails an assertion of its own at the first thread.
  [runtime_life]='-fork.a_runtime_of_ones_own_*:fork.grandchildren_*:fork.a_runtime_ends_in_the_child_*'\
':fork.child_of_a_task_has_*:fork.groups_of_threads_*:fork.while_*'
  # The same; also, /proc shows the real processor's system call numbers.
  [runtime_runtime]='-runtime.lets_the_child_*:runtime.leaves_an_idle_processor_alone'
  # Hundreds of emulated threads, under each scheduler, and 300 thousand roots take minutes.
  [runtime_roots]='-*.of_hundreds_of_threads_*:many_roots.*'
  # The resident size includes the emulator's page tables, which grow with each stack that was ever mapped.
  [runtime_stacks]='-stacks.are_given_back_*:stacks.are_bounded_while_*:stacks.suffice_for_200_thousand_*'
)

readonly root=$PWD/build/aarch64-root
readonly run=$PWD/build/aarch64-run

# A script that runs a program under the emulator, for tests that execute their own program again: the system itself can
# execute the script, and the program sees the script's name as its own.
write_runner() {
  local program=$1 runner=$run/${1##*/}
  cat >"$runner" <<EOF
#!/bin/sh
exec qemu-aarch64 -0 '$runner' -L /usr/aarch64-linux-gnu \\
  -E 'LD_LIBRARY_PATH=$root/usr/lib/aarch64-linux-gnu:$root/lib/aarch64-linux-gnu' '$program' "\$@"
EOF
  chmod +x "$runner"
}

for compiler in "$@"; do
  case $compiler in
    g++) preset=aarch64 ;;
    clang++) preset=aarch64-clang ;;
    *)
      echo "check-aarch64.sh: '$compiler', expected g++ or clang++" >&2
      exit 2
      ;;
  esac
  start=$SECONDS
  echo "== $preset: build"
  cmake --preset "$preset"
  cmake --build --preset "$preset" --parallel "$(nproc)" --target "${programs[@]}"
  echo "== $preset: built in $((SECONDS - start)) s; tests"
  start=$SECONDS
  mkdir -p "$run"
  for program in "${programs[@]}"; do
    began=$SECONDS
    write_runner "$(find "$PWD/build/$preset/tests" -type f -name "$program")"
    JACKDAW_TEST_TIMEOUT=60 timeout "$limit" \
      "$run/$program" --gtest_brief=1 --gtest_filter="${but[$program]:-*}" </dev/null ||
      { status=$? && echo "check-aarch64.sh: $program ended with status $status" >&2 && exit "$status"; }
    echo "$program: $((SECONDS - began)) s"
  done
  echo "== $preset: tested in $((SECONDS - start)) s"
done
