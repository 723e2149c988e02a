#!/usr/bin/env python3
"""Checks that the Swift in README.md and in LiveStore's articles is code that is compiled and run.

The lines of a block have to stand, one after the other, in one file: of Examples/Standalone, a package as a user of the
library writes it, or of Tests/LiveStoreTests/Documentation; those of LiveStoreSync's articles in
Examples/RequestCourier. For README.md and the articles that begin with the package, it has to be a file of
Examples/Standalone. Indentation and empty lines do not count.

A block may begin with imports, which the file has to have too. An article has to have shown the import that a name needs
by the time it uses the name, and that of LiveStore in its first block.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ARTICLES = ROOT / "Sources/LiveStore/LiveStore.docc"
SYNC_ARTICLES = ROOT / "Sources/LiveStoreSync/LiveStoreSync.docc"
COURIER = ROOT / "Examples/RequestCourier"
PACKAGE = ROOT / "Examples/Standalone"
TESTS = ROOT / "Tests/LiveStoreTests/Documentation"

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IMPORT = re.compile(r"(?:@\w+ )?import (\w+)$")
# The module that a name needs.
NEEDED = {
    "Dispatch": r"\bDispatch(Queue|Semaphore)\b",
    "Foundation": r"#Predicate|\b(UUID|Date|Data|URL|Decimal|SortDescriptor|JSON(De|En)coder)\b",
    "Glibc": r"\bpoll(fd)?\(",
    "LiveStoreFoundation": r"\bSortDescriptor\b|\.runLoop\b",
    "Observation": r"\bwithObservationTracking\b|@Observable\b",
    "Synchronization": r"\b(Atomic|Mutex)\b|ordering:",
}


def lines(text):
    return [stripped for line in text.split("\n") if (stripped := line.strip())]


def imports(code):
    """The modules that lines import, and those whose names they bring along."""
    found = {match[1] for line in code if (match := IMPORT.match(line))}
    return found | ({"Foundation"} if "FoundationEssentials" in found else set())


class Code:
    def __init__(self, path):
        self.lines = lines(path.read_text(encoding="utf-8"))
        self.imports = imports(self.lines)
        self.text = "\n" + "\n".join(self.lines) + "\n"

    def has(self, block):
        return not block or "\n" + "\n".join(block) + "\n" in self.text


def complaints(path, package, tests):
    name = path.relative_to(ROOT)
    text = path.read_text(encoding="utf-8")
    blocks = [lines(match[2]) for match in FENCED.finditer(text) if match[1] == "swift"]
    if len(re.findall("^```", text, re.MULTILINE)) % 2:
        yield f"{name} has a block without an end"
    if not blocks:
        return
    is_package = name.name == "README.md" or any("import PackageDescription" in block for block in blocks)
    shown = set()
    for block in blocks:
        is_manifest = "import PackageDescription" in block
        if not is_manifest:
            if not shown and not imports(block) & {"LiveStore", "LiveStoreSync"}:
                yield f"{name} does not import LiveStore in its first block"
            shown |= imports(block) | {"Swift"}
            code = "\n".join(line.split("//")[0] for line in block)
            for module, pattern in NEEDED.items():
                if (match := re.search(pattern, code)) and module not in shown:
                    yield f"{name} uses {match[0]} and does not say import {module}"
                    shown.add(module)
        body = block if is_manifest else [line for line in block if not IMPORT.match(line)]
        files = [code for code in (package if is_package else package + tests) if code.has(body)]
        if not files:
            place = "Examples/Standalone" if is_package else "Examples/Standalone or the tests of articles"
            yield f"{name} shows what is not in {place}:\n  " + "\n  ".join(body)
        elif not any(imports(block) <= code.imports for code in files):
            yield f"{name} shows imports that the file with the code does not have: {block[0]}"


package = [Code(path) for path in sorted(PACKAGE.rglob("*.swift")) if ".build" not in path.parts]
tests = [Code(path) for path in sorted(TESTS.glob("*.swift"))]
courier = [Code(path) for path in sorted(COURIER.glob("*.swift"))]
texts = [(path, tests) for path in [ROOT / "README.md", *sorted(ARTICLES.glob("*.md"))]]
texts += [(path, courier) for path in sorted(SYNC_ARTICLES.glob("*.md"))]
found = [complaint for path, files in texts for complaint in complaints(path, package, files)]
if found:
    sys.exit("\n".join(found))
