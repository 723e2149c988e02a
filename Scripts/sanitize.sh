#!/bin/bash
# Runs the tests under a sanitizer: Scripts/sanitize.sh address|thread [OPTION OF THE TESTS…]. The first also
# looks for memory that is never freed. A report of a sanitizer fails the run.
set -euo pipefail
cd "$(dirname "$0")/.."
kind=$1
shift

# Left out, by name:
skipped=()
[ "$kind" != thread ] || skipped+=(
  # The program has to be idle, and a thread of the sanitizer wakes.
  TerminalSessionTests/idle
  # One thread, and minutes of it.
  RankKeyTests RankTreeTests PositionKeyTests GoldenScreenTests ThemeTests
)

build=.build/sanitize-$kind
swift build --scratch-path "$build" --sanitize "$kind" --disable-xctest \
  -Xswiftc -driver-batch-size-limit -Xswiftc 200 --product tasksPackageTests
options=(--testing-library swift-testing --no-parallel)
# A program in these ends in the middle of a test, whose memory then seems lost.
withoutLeaks=(TerminalTests)
[ "$kind" != address ] || skipped+=("${withoutLeaks[@]}")
for suite in "${skipped[@]}"; do options+=(--skip "\.$suite[/(]"); done
# The runtime of a sanitizer needs /proc.
options+=(--skip 'CommandLineTests/withoutProc')

# The program takes the signals that end it, to give the terminal back, and the tests look at how it has ended.
signals=handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0
export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=0:$signals
ASAN_OPTIONS+=:suppressions=$PWD/Scripts/sanitizers/address.txt
export LSAN_OPTIONS=suppressions=$PWD/Scripts/sanitizers/leaks.txt:print_suppressions=0
export TSAN_OPTIONS=suppressions=$PWD/Scripts/sanitizers/thread.txt:halt_on_error=0:exitcode=66:$signals
# Suppressions go by the names of functions, and a program that a test starts may have no PATH on which to look them up.
if symbolizer=$(command -v llvm-symbolizer); then
  ASAN_OPTIONS+=:external_symbolizer_path=$symbolizer
  TSAN_OPTIONS+=:external_symbolizer_path=$symbolizer
fi
# Everything is some ten times slower.
export TEST_CASES=${TEST_CASES:-all}
# Each round of five machines takes minutes here.
export LIVESTORE_ROUNDS=${LIVESTORE_ROUNDS:-5}
export TASKS_TEST_PATIENCE=${TASKS_TEST_PATIENCE:-600} SWIFT_BACKTRACE=enable=no
preloaded=()
if [ "$kind" = thread ]; then
  clang -shared -fPIC -Wall -O1 -o "$build/futex.so" Scripts/sanitizers/futex.c
  preloaded=(env "LD_PRELOAD=$PWD/$build/futex.so")
fi

# The tests go on after a report, and other processes that they start report where they print.
log=$build/log
status=0
run() {
  Scripts/in-memory.sh "${preloaded[@]}" "$PWD/$build/debug/tasksPackageTests.xctest" "$@" 2>&1 | tee -a "$log" || status=$?
}
: > "$log"
run "${options[@]}" "$@"
# Without arguments, which may choose others.
if [ "$kind" = address ] && [ $# -eq 0 ]; then
  ASAN_OPTIONS+=:detect_leaks=0
  for suite in "${withoutLeaks[@]}"; do
    run --testing-library swift-testing --no-parallel --filter "\.$suite/"
  done
fi
reports=$(grep -acE '^(==[0-9]+==ERROR|WARNING: ThreadSanitizer|SUMMARY: .*Sanitizer)' "$log" || true)
[ "$reports" -eq 0 ] || { echo "$reports lines of reports of the sanitizer in $log" >&2; status=1; }
exit "$status"
