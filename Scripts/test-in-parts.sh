#!/bin/bash
# Runs all tests of a test bundle: Scripts/test-in-parts.sh BUNDLE. Several processes at a time, each of which runs a part of
# them one after the other: many tests measure what the whole process does (its threads, descriptors, the watcher that all
# its stores share) or change it (the umask), and most of them wait for other programs. What a part has printed comes when
# it is done.
set -euo pipefail

# By the beginnings of the names of suites, those that take longest first; all that is left is one more.
parts=('^LiveStoreSyncTests\.[S-Z]' '^TasksTUITests\.[I-S]' '^TasksTUITests\.T' '^TasksModelTests\.' '^LiveStoreTests\.[A-C]'
  '^LiveStoreSyncTests\.[AB]' '^LiveStoreTests\.[D-Q]' '^LiveStoreSyncTests\.[C-R]' '^LiveStoreTests\.[S-Z]' '^LiveStoreTests\.R'
  '^TasksTUITests\.[GH]' '^TasksTUITests\.F')
export BUNDLE=$1 OUTPUT
OUTPUT=$(mktemp -d)
trap 'rm -rf "$OUTPUT"' EXIT

run() { # OPTION PATTERN [OPTION PATTERN…]
  local log status=0
  log=$OUTPUT/$BASHPID
  NO_COLOR=1 "$BUNDLE" --testing-library swift-testing --no-parallel "$@" > "$log" 2>&1 || status=$?
  # At once, so that parts that end at the same time do not mix.
  flock "$OUTPUT" cat "$log"
  [ "$status" -eq 0 ] || echo "✘ The tests of $* ended with status $status."
  return "$status"
}
export -f run

rest=()
for part in "${parts[@]}"; do rest+=(--skip "$part"); done
status=0
{ printf -- '--filter %s\n' "${parts[@]}" && echo "${rest[*]}"; } \
  | xargs -d '\n' -P $((2 * $(nproc))) -I OPTIONS bash -fc 'run $1' part OPTIONS || status=1

count=$(cat "$OUTPUT"/* | sed -En 's/.*Test run with ([0-9]+) tests? .*/\1/p' | awk '{ sum += $1 } END { print sum + 0 }')
echo "$count tests in $((${#parts[@]} + 1)) parts: $([ "$status" -eq 0 ] && echo passed || echo failed)"
exit "$status"
