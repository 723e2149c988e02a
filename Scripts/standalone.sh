#!/bin/sh
# Builds Examples/Standalone, a package that uses LiveStore as any other does, and runs its programs: Scripts/standalone.sh
# [OPTION OF swift build…]. What they print is compared with Examples/Standalone/expected.txt.
set -eu
cd "$(dirname "$0")/.."
build=$PWD/.build/standalone
# SwiftPM does not notice that a package on which another depends has files that it had not: it looks for all of them anew.
rm -f "$build"/*.yaml
swift build --package-path Examples/Standalone --scratch-path "$build" "$@"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for program in Readme Standalone Features; do
  mkdir "$folder/$program"
  echo "$program:"
  (cd "$folder/$program" && timeout 60 "$build/debug/$program")
done > "$folder/printed.txt"
diff -u Examples/Standalone/expected.txt "$folder/printed.txt"
echo 'Examples/Standalone prints what it should.'
