#!/usr/bin/env bash
# check-aarch64.sh [--all] [COMPILER...]: builds tests for AArch64, with g++ or with the compilers named, g++ or
# clang++, and has qemu-user run each program; the first failure ends it. Without --all only those of what has assembly
# or memory orders of its own, and the algorithms, in which all of it meets. A process for each test, as ctest has it,
# would take longer to start than to run.
set -euo pipefail
cd "$(dirname "$0")/.."

[[ $(uname -m) == aarch64 ]] && {
  echo "check-aarch64.sh: this is such a machine; use scripts/check.sh release" >&2
  exit 2
}
all=()
if [[ ${1:-} == --all ]]; then
  all=(
    memory_test model_test numa_test sched_{cab,laws,span}
    runtime_{affinity,bats,data,inter_spawn,no_memory,plugin,profiler,runtime,squads}
  )
  shift
fi
[[ $# -gt 0 ]] || set -- g++

# A program at a time, at most so many seconds; each test's own watchdog comes first and tells where it hangs.
readonly limit=300
programs=(
  "${all[@]}" algorithm_test support_test sched_{adws,steal_ranges}
  runtime_{exceptions,full_deque,fuzz,group,invoke,life,no_membarrier,roots,rounding,stacks,stress}
)
# What not to run of them, and why.
declare -A but=(
  # One worker meets nobody.
  [algorithm_test]='-*_1'
  # Millions of executions of the same code on any processor: these show that it runs here.
  [model_test]='explorer*:door*:join*:ranges*'
  # Two of five numbers of workers: all take 4 minutes.
  [runtime_fuzz]='*_2:*_16'
  # Pages of nodes, which the emulator does not let be watched.
  [runtime_bats]='-bats_here.*'
  # In the child of any program with threads the emulator fails an assertion of its own at the first thread.
  [runtime_life]='-fork.a_runtime_of_ones_own_*:fork.grandchildren_*:fork.a_runtime_ends_in_the_child_*'\
':fork.child_of_a_task_has_*:fork.groups_of_threads_*:fork.while_threads_send_*'
  # The same; and /proc tells the real processor's numbers of system calls.
  [runtime_runtime]='-runtime.lets_the_child_*:runtime.leaves_an_idle_processor_alone'
  # Hundreds of emulated threads, under each scheduler, and 300 thousand roots take minutes.
  [runtime_roots]='-*.of_hundreds_of_threads_*:many_roots.*'
  # The resident size has the emulator's page tables in it, which grow with each stack that was ever mapped.
  [runtime_stacks]='-stacks.are_given_back_*:stacks.are_bounded_while_*:stacks.suffice_for_200_thousand_*'
)

readonly root=$PWD/build/aarch64-root
readonly run=$PWD/build/aarch64-run

# A program as something that the system itself can execute, for tests that execute their own program once more: a
# script that has the emulator run it, by whose name the program believes to have been called.
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
