#!/bin/sh
# Builds the documentation of LiveStore and, where libpq is installed, of LiveStoreSync, symbols and articles, as web sites
# in .build/documentation/MODULE. A public symbol without documentation, and whatever docc warns of, is an error.
set -eu
cd "$(dirname "$0")/.."
build=.build/documentation-build
output=.build/documentation

command -v docc > /dev/null || {
  echo "docc, which comes with the Swift toolchain, is not on the PATH." >&2
  exit 1
}

# document MODULE [PART]: PART is a module that MODULE exports as its own.
document() {
  module=$1
  part=${2:-$1}
  graphs=$build/symbol-graphs/$module
  rm -rf "$graphs"
  mkdir -p "$graphs"
  # A module that is up to date would not be compiled, and give no symbols. What the package manager has planned stays: it
  # does not write it again while the package is the same.
  for name in "$module" "$part"; do
    find "$build" -path "*/$name.build/*" -type f ! -name '*.json' ! -name sources -delete
  done
  swift build --quiet --scratch-path "$build" --target "$module" -Xswiftc -emit-symbol-graph \
    -Xswiftc -emit-symbol-graph-dir -Xswiftc "$PWD/$graphs"

  python3 - "$graphs/$module.symbols.json" "$graphs/$part.symbols.json" << 'PYTHON'
import json, sys

graph, part = (json.load(open(path)) for path in sys.argv[1:])
if part["module"] != graph["module"]:
    for kind in ("symbols", "relationships"):
        graph[kind] += part[kind]
    json.dump(graph, open(sys.argv[1], "w"))
symbols = graph["symbols"]
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

  # Each flag writes the symbols of all modules that are compiled.
  find "$graphs" -type f ! -name "$module*.symbols.json" -delete
  docc convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$graphs" --output-dir "$output/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" --warnings-as-errors \
    --transform-for-static-hosting --hosting-base-path /
  echo "The documentation of $module is in $output/$module; to read it: python3 -m http.server --directory" \
    "$output/$module, then open http://localhost:8000/documentation/$(echo "$module" | tr '[:upper:]' '[:lower:]')"
}

mkdir -p "$build" "$output"
document LiveStore
[ -z "${LIBPQ_HEADER:-}" ] || document LiveStoreSync SyncSigns
