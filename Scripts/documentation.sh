#!/bin/sh
# Builds LiveStore's documentation, symbols and articles, as a web site in .build/documentation. A public symbol
# without documentation, and whatever docc warns of, is an error.
set -eu
cd "$(dirname "$0")/.."
build=.build/documentation-build
graphs=$build/symbol-graphs
output=.build/documentation

command -v docc > /dev/null || {
  echo "docc, which comes with the Swift toolchain, is not on the PATH." >&2
  exit 1
}
rm -rf "$graphs"
mkdir -p "$graphs"
# A module that is up to date would not be compiled, and give no symbols. What the package manager has planned stays: it
# does not write it again while the package is the same.
[ ! -d "$build" ] || find "$build" -path '*/LiveStore.build/*' -type f ! -name '*.json' ! -name sources -delete
swift build --quiet --scratch-path "$build" --target LiveStore -Xswiftc -emit-symbol-graph \
  -Xswiftc -emit-symbol-graph-dir -Xswiftc "$PWD/$graphs"

python3 - "$graphs/LiveStore.symbols.json" <<'PYTHON'
import json, sys

symbols = json.load(open(sys.argv[1]))["symbols"]
missing = sorted(
    ".".join(symbol["pathComponents"])
    for symbol in symbols
    # What the compiler makes, or a protocol's documentation covers, has no place in the sources of its own.
    if "docComment" not in symbol and "location" in symbol and symbol["accessLevel"] in ("public", "open")
)
for name in missing:
    print(f"{name} has no documentation", file=sys.stderr)
sys.exit(1 if missing else 0)
PYTHON

docc convert Sources/LiveStore/LiveStore.docc --additional-symbol-graph-dir "$graphs" --output-dir "$output" \
  --fallback-display-name LiveStore --fallback-bundle-identifier LiveStore --warnings-as-errors \
  --transform-for-static-hosting --hosting-base-path /
echo "The documentation is in $output; to read it: python3 -m http.server --directory $output, then open http://localhost:8000/documentation/livestore"
