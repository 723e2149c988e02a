#!/bin/sh
# Runs a command whose temporary files lie in memory, where there is enough of it, and are gone afterwards:
# Scripts/in-memory.sh COMMAND [ARGUMENT…]. Files that a test throws away need not reach a disk.
set -eu

available=$(df --output=avail -k /dev/shm 2> /dev/null | tail -n 1)
if [ "${available:-0}" -gt 2000000 ] && [ -w /dev/shm ]; then
  TMPDIR=$(mktemp -d -p /dev/shm tests-XXXXXX)
else
  TMPDIR=$(mktemp -d)
fi
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

"$@"
