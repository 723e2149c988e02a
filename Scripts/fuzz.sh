#!/bin/bash
# Builds the fuzzers, one program for all targets, and runs them: Scripts/fuzz.sh [TARGET…]; all without a name.
#
# SECONDS_EACH says how long each runs, JOBS how many at a time, one for each processor otherwise. Inputs that reach new
# code are kept in .build/fuzzing/found; MERGE=1 runs nothing and leaves the fewest of them there that reach as much, and
# BUILD_ONLY=1 ends after the build. UNOPTIMIZED=1 builds in a quarter of the time what tries a half to a quarter of the
# inputs of most targets, in a folder of its own. An input that ends a target is left in .build/fuzzing/crashes and named: put it into
# Fuzzing/Corpora/TARGET, where a test takes it up, then mend what it found.
set -euo pipefail
cd "$(dirname "$0")/.."
build=.build/fuzzing${UNOPTIMIZED:+-unoptimized}
mkdir -p "$build"

# Some toolchains come without libFuzzer. Anything else that fails here is a fault.
empty='@_cdecl("LLVMFuzzerTestOneInput") public func run(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 { 0 }'
if ! failure=$(swiftc -sanitize=fuzzer -parse-as-library -o "$build/empty" - 2>&1 <<< "$empty"); then
  if grep -qE "libclang_rt\.fuzzer|unsupported option '-sanitize=fuzzer'" <<< "$failure"; then
    echo "Nothing was fuzzed: this Swift toolchain has no libFuzzer."
    exit 0
  fi
  echo "$failure" >&2
  exit 1
fi

# The package's own build is of no use here: each module has to be compiled with the counters that libFuzzer reads.
flags=(-sanitize=fuzzer -package-name tasks -parse-as-library -swift-version 6 -assert-config Debug -enable-testing -wmo
  -gline-tables-only -I "$build" -module-cache-path "$build/cache")
if [ -n "${UNOPTIMIZED:-}" ]; then flags+=(-Onone); else flags+=(-O); fi
for module in CSQLite CLinux CNcurses; do flags+=(-Xcc "-fmodule-map-file=Sources/$module/module.modulemap"); done
for module in CTerminal CCalendar; do
  mkdir -p "$build/modules/$module"
  cat > "$build/modules/$module/module.modulemap" <<EOF
module $module { header "$PWD/Sources/$module/include/$module.h" export * }
EOF
  flags+=(-Xcc "-fmodule-map-file=$build/modules/$module/module.modulemap")
done

# compile MODULE FILE…: its object and its module, when a file or a module before it is newer than both.
before=()
compile() {
  local module=$1 newer='not compiled yet'
  shift
  if [ -e "$build/$module.o" ]; then newer=$(find "$@" "${before[@]}" -newer "$build/$module.o"); fi
  before+=("$build/$module.swiftmodule")
  if [ -z "$newer" ]; then return; fi
  echo "Compiling $module"
  swiftc "${flags[@]}" -module-name "$module" -emit-object -emit-module \
    -emit-module-path "$build/$module.swiftmodule" -o "$build/$module.o" "$@"
}
compile LibC Sources/LibC/*.swift
compile LiveStore $(find Sources/LiveStore -name '*.swift' | sort)
compile TasksModel $(find Sources/TasksModel -name '*.swift' | sort)
compile SyncSigns Sources/SyncSigns/*.swift
compile VisibleText Sources/VisibleText/*.swift
compile TerminalUI $(find Sources/TerminalUI -name '*.swift' | sort)
# libFuzzer brings the entry point.
compile TasksTUI $(find Sources/TasksTUI -name '*.swift' ! -name Main.swift | sort)
compile TestSupport Tests/TestSupport/*.swift
objects=()
for source in Sources/CTerminal/*.c Sources/CCalendar/*.c; do
  object=$build/$(basename "$source" .c).o
  [ "$object" -nt "$source" ] || clang -O1 -c -I "$(dirname "$source")/include" -o "$object" "$source"
  objects+=("$object")
done
tests=Tests/LiveStoreTests
flags+=(-plugin-path "$(dirname "$(command -v swiftc)")/../lib/swift/host/plugins/testing")
compile Fuzzing Fuzzing/Entry.swift Tests/TasksTUITests/Fuzzing/TasksFuzzTarget.swift \
  $tests/Fuzzing/LiveStoreFuzzTarget.swift $tests/Query/QueryModel.swift $tests/Query/PredicateGenerator.swift \
  $tests/Support/TestDatabase.swift
if [ ! -e "$build/fuzz" ] || [ -n "$(find "$build"/*.o -newer "$build/fuzz")" ]; then
  swiftc -sanitize=fuzzer -o "$build/fuzz" \
    "$build"/{LibC,LiveStore,TasksModel,SyncSigns,VisibleText,TerminalUI,TasksTUI,TestSupport,Fuzzing}.o \
    "${objects[@]}" -lsqlite3 -lncursesw -ltinfo
fi

[ -z "${BUILD_ONLY:-}" ] || exit 0

targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then targets=($(ls Fuzzing/Corpora)); fi
mkdir -p "$build/crashes"

# fuzz TARGET: runs one for a while, or keeps the smallest set of its inputs that reaches all that they reach.
fuzz() {
  local target=$1 found=$build/found/$1 seeds=Fuzzing/Corpora/$1
  mkdir -p "$found"
  if [ -n "${MERGE:-}" ]; then
    mkdir -p "$found.smallest"
    FUZZ_TARGET=$target "$build/fuzz" -merge=1 -max_len=512 "$found.smallest" "$seeds" "$found" 2> "$found.log"
    rm -rf "$found"
    mv "$found.smallest" "$found"
    return
  fi
  if FUZZ_TARGET=$target "$build/fuzz" -max_total_time="${SECONDS_EACH:-60}" -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$build/crashes/$target-" "$found" "$seeds" > "$found.log" 2>&1; then
    echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$found.log") inputs, nothing found"
  else
    echo "$target: $(grep -aE 'Fatal error|Precondition failed|ERROR: libFuzzer' "$found.log" | head -3 | tr '\n' ' ')"
    # In words too: the machine that found it may be gone when somebody looks.
    sed -n 's/.*Test unit written to //p' "$found.log" | while read -r input; do
      echo "  the input: $input"
      base64 -w 0 "$input" | sed 's/^/  as base64: /'
      echo
    done
    return 1
  fi
}
# What stops the program is for libFuzzer to see, which writes the input down.
export SWIFT_BACKTRACE=enable=no
export -f fuzz
export build
printf '%s\n' "${targets[@]}" | xargs -P "${JOBS:-$(nproc)}" -I TARGET bash -c 'fuzz TARGET'
