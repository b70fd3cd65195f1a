#!/bin/busybox sh
# shellcheck shell=dash
# Process 1 inside: runs every line of /tests/plan ("PROGRAM TEST", or "PROGRAM TEST NAME=VALUE"), reports to the
# second serial line, and ends the machine. tests/vm/report.py reads the report.
/bin/busybox mkdir -p /proc /sys /dev /tmp /root
/bin/busybox --install -s /bin
export PATH=/bin HOME=/root
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mount -t cgroup2 none /sys/fs/cgroup
cd /tmp || exit 1

# shellcheck source=/dev/null
. /tests/environment

if [ -e /tests/shell ]; then
  setsid cttyhack sh
  poweroff -f
fi

stty -F /dev/ttyS1 raw
exec 3>/dev/ttyS1
echo "@ready" >&3

seconds() { cut -d ' ' -f 1 /proc/uptime; }

worst=0
while read -r program name; do
  before=$(seconds)
  timeout -s KILL 180 "/tests/$program" --gtest_filter="$name" --gtest_color=no \
    </dev/null >output 2>&1
  status=$?
  after=$(seconds)
  result=pass
  if [ "$status" != 0 ]; then
    result=fail
    worst=1
  elif grep -q '^\[  SKIPPED \]' output; then
    result=skip
  fi
  if [ "$result" = pass ]; then grep '^figure: ' output; else tail -c 30000 output; fi | sed 's/^/|/' >&3
  echo >&3
  echo "@$result $program.$name $status $before $after" >&3
done </tests/plan
echo "@done" >&3

/bin/end_machine "$worst"
# The kernel panics if this returns, and then QEMU ends with status 0.
