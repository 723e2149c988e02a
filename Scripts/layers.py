#!/usr/bin/env python3
"""Checks that the sources are built in layers, as Documentation/Architecture.md tells it.

Its tables under the headings "Sources/…" name the folders of a target, from the ground up: a folder may use itself and
those before it. A use is a top-level type, function, constant or variable that one file names and another declares.

Also: no two top-level types of Sources have one name, and no type inside another that of a top-level type of its target;
`sqlite3_…` is called in Sources/LiveStore/SQLite alone; the files, types and members that the document names in code
spans exist, and those of a numbered step are in a file of that step.

Scripts/layers-allowed.txt holds what is not right yet and why, a line each. An entry that is no longer needed is an
error too, so that the list can only become shorter.

  layers.py           print what is wrong; exit code 1 if anything is
  layers.py --counts  print how many uses go against the order, and between which folders
  layers.py --allow   print what is wrong as entries for the list
"""

import re
import sys
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "Documentation/Architecture.md"
ALLOWED = ROOT / "Scripts/layers-allowed.txt"
DECLARING = {"struct", "class", "enum", "protocol", "actor", "typealias", "func", "let", "var"}
TYPES = {"struct", "class", "enum", "protocol", "actor", "typealias"}
TOKEN = re.compile(r"[A-Za-z_]\w*|\n|\S")
WORD = re.compile(r"[A-Za-z_]")
STRING = re.compile(r'(#*)("""|")')
# Nested types whose names were once used for two things; each is to have one meaning in Sources.
ONE_MEANING = {"RowChanges", "RowID", "RowValues", "ListRows", "Configuration", "Move", "Place"}


def code(source):
    """The source without comments and texts; what is interpolated into a text stays. Lines keep their numbers."""
    out = []
    end = len(source)

    def copy(at, interpolated):
        depth = 0
        while at < end:
            text = STRING.match(source, at)
            if source.startswith("//", at):
                at = source.find("\n", at)
                if at < 0:
                    return end
            elif source.startswith("/*", at):
                depth_of_comment = 0
                while at < end:
                    if source.startswith("/*", at):
                        depth_of_comment += 1
                        at += 2
                    elif source.startswith("*/", at):
                        depth_of_comment -= 1
                        at += 2
                        if depth_of_comment == 0:
                            break
                    else:
                        if source[at] == "\n":
                            out.append("\n")
                        at += 1
                out.append(" ")
            elif text:
                at = skip(text.end(), text.group(2) + text.group(1), "\\" + text.group(1))
            else:
                if interpolated and source[at] in "()":
                    depth += 1 if source[at] == "(" else -1
                    if depth < 0:
                        return at + 1
                if source[at] != "`":
                    out.append(source[at])
                at += 1
        return at

    def skip(at, closing, escape):
        out.append(' "" ')
        while at < end and not source.startswith(closing, at):
            if source.startswith(escape + "(", at):
                out.append(" ")
                at = copy(at + len(escape) + 1, True)
                out.append(" ")
            elif source.startswith(escape, at):
                at += len(escape) + 1
            else:
                if source[at] == "\n":
                    out.append("\n")
                at += 1
        return at + len(closing)

    copy(0, False)
    return "".join(out)


class File:
    """What a source file declares, extends and names."""

    def __init__(self, path):
        self.path = path.relative_to(ROOT)
        self.declared = {}  # what others may name: its kind
        self.hidden = set()  # what this file alone sees, or sees first
        self.types = []  # top-level types, private ones too
        self.nested = []  # types inside others
        self.members = set()
        self.names = defaultdict(list)  # a word: lines, and whether it is called there
        self.calls_sqlite = []
        self.scan(TOKEN.findall(code(path.read_text())))

    def scan(self, tokens):
        module = self.path.parts[1]
        depth, line, private, in_case = 0, 1, False, False
        words = []
        before, before_that = "", ""
        for index, token in enumerate(tokens):
            if token == "\n":
                line += 1
                in_case = False
                continue
            following = next((other for other in tokens[index + 1:] if other != "\n"), "")
            if token in "{([":
                depth += 1
            elif token in "})]":
                depth -= 1
            elif token in ("private", "fileprivate"):
                private = following != "("
            elif token in DECLARING and before != "." and WORD.match(following):
                if token != "class" or following not in DECLARING | {"subscript", "override", "final"}:
                    self.declare(token, following, depth, private)
                    private = False
            elif token in ("init", "subscript", "extension", "case"):
                private = False
                if token == "case":
                    in_case = True
            if WORD.match(token):
                if token.startswith("sqlite3_"):
                    self.calls_sqlite.append((line, token))
                if in_case and before in ("case", ","):
                    self.members.add(token)
                is_member = before == "." and before_that != module
                if not is_member and before not in DECLARING:
                    self.names[token].append((line, following))
            before_that, before = before, token

    def declare(self, kind, name, depth, private):
        if depth == 0:
            if private:
                self.hidden.add(name)
            else:
                self.declared[name] = kind
            if kind in TYPES:
                self.types.append(name)
        else:
            self.members.add(name)
            if kind in TYPES:
                self.nested.append(name)
                self.hidden.add(name)
            elif kind == "func":
                self.hidden.add(name)

    def uses(self, name, kind):
        """The lines that name what another file declares."""
        if name in self.declared or name in self.hidden:
            return []
        return [line for line, following in self.names.get(name, []) if kind != "func" or following in ("(", "<")]


@cache
def sources():
    return [File(path) for path in sorted(ROOT.glob("Sources/**/*.swift"))]


def tables():
    """For each target that the document cuts into layers, its folders in order."""
    found, target = {}, None
    for line in DOCUMENT.read_text().splitlines():
        if heading := re.match(r"#+ .*?(Sources/\w+)?\W*$", line):
            target = heading.group(1)
        elif target and (row := re.match(r"\| *`([^`]+)/` *\|", line)):
            found.setdefault(target, []).append(row.group(1))
    return found


def folder(path, target):
    inside = path.relative_to(target).parts
    return inside[0] if len(inside) > 1 else "."


def upward():
    """Each use of a folder that comes later: the folders, the file and the name, and a sentence."""
    for target, order in tables().items():
        rank = {name: number for number, name in enumerate(order)}
        files = [file for file in sources() if file.path.is_relative_to(target)]
        for missing in sorted({folder(file.path, target) for file in files} - set(order)):
            yield None, f"{target}/{missing}/ has no place in {DOCUMENT.relative_to(ROOT)}"
        for missing in order:
            if not (ROOT / target / missing).is_dir():
                yield None, f"{target}/{missing}/ of {DOCUMENT.relative_to(ROOT)} does not exist"
        for declaring in files:
            above = rank.get(folder(declaring.path, target), -1)
            for name, kind in declaring.declared.items():
                for using in files:
                    below = folder(using.path, target)
                    if rank.get(below, above) >= above:
                        continue
                    if lines := using.uses(name, kind):
                        yield (target, below, order[above], using.path, name), (
                            f"{using.path}:{lines[0]}: {below}/ uses {name} of {order[above]}/, which comes after it"
                            + (f" ({len(lines)} times)" if len(lines) > 1 else ""))


def doubled():
    places = defaultdict(set)
    for file in sources():
        for name in file.types + [name for name in file.nested if name in ONE_MEANING]:
            places[name].add(file.path)
    for name, paths in sorted(places.items()):
        if len(paths) > 1:
            yield f"two types {name}", f"{name} stands for {len(paths)} types: {', '.join(map(str, sorted(paths)))}"


def hidden_types():
    """Types inside others that have the name of a top-level type of their target: a reader takes one for the other."""
    top = {
        (file.path.parts[1], name) for file in sources() for name, kind in file.declared.items() if kind in TYPES}
    for file in sources():
        for name in sorted(set(file.nested)):
            if (file.path.parts[1], name) in top:
                yield f"{file.path} hides {name}", f"{file.path}: a type inside another hides the top-level type {name}"


def calls_of_sqlite():
    for file in sources():
        if file.calls_sqlite and not file.path.is_relative_to("Sources/LiveStore/SQLite"):
            line, name = file.calls_sqlite[0]
            yield f"{file.path} calls sqlite3", (
                f"{file.path}:{line}: {name} is called outside of Sources/LiveStore/SQLite ({len(file.calls_sqlite)} calls)")


def spans(text):
    return re.findall(r"`([^`]+)`", text)


def named_in_document():
    """What the document names and the sources do not have."""
    paths = {str(path.relative_to(ROOT)) for path in ROOT.glob("*/**/*")} | {path.name for path in ROOT.glob("*")}
    files = defaultdict(list)
    declared = defaultdict(list)
    for target in ROOT.glob("Sources/*"):
        declared[target.name] = []
    for file in sources():
        files[file.path.name].append(file)
        for name in [*file.declared, *file.hidden, *file.members]:
            declared[name].append(file)
    document = DOCUMENT.relative_to(ROOT)
    text = re.sub(r"```.*?```", lambda block: "\n" * block.group().count("\n"), DOCUMENT.read_text(), flags=re.S)
    # A numbered step goes on in the indented lines behind it.
    lines = re.sub(r"(?<=[^\n])\n {2,}(?=\S)", " \0", text).split("\n")
    number = 1
    for line in lines:
        here, number = number, number + 1 + line.count("\0")
        step = re.match(r"\d+\. ", line)
        of_step = [file for span in spans(line) for file in files.get(span.rsplit("/", 1)[-1], [])]
        for span in spans(line):
            if re.fullmatch(r"[\w+./-]+\.(swift|md|py|sh|txt)", span):
                if not any(path == span or path.endswith("/" + span) for path in paths):
                    yield f"{document}:{here}: there is no file {span}"
            elif re.fullmatch(r"(\w+/)+", span):
                # Those of the tables have been looked for already.
                if not line.startswith("| `") and not any(f"/{path}/".endswith("/" + span) for path in paths):
                    yield f"{document}:{here}: there is no folder {span}"
            elif name := re.fullmatch(r"(\w+)((?:\.\w+)*)(\([\w:]*\))?", span):
                for word in [name.group(1), *name.group(2).split(".")[1:]]:
                    if word not in declared:
                        yield f"{document}:{here}: nothing in Sources is named {word}"
                    elif step and not any(file in of_step for file in declared[word]) and word[0].islower():
                        yield f"{document}:{here}: {word} is in no file that the step names"


def main():
    found = list(upward())
    if "--counts" in sys.argv:
        pairs = Counter(key[:3] for key, _ in found if key)
        for target in tables():
            print(f"{target}: {sum(count for key, count in pairs.items() if key[0] == target)} uses of a folder that comes later")
            for (of, below, above), count in pairs.most_common():
                if of == target:
                    print(f"  {below} uses {above}: {count}")
        return 0
    wrong = {f"{key[3]} uses {key[4]}" if key else message: message for key, message in found}
    wrong.update(doubled())
    wrong.update(hidden_types())
    wrong.update(calls_of_sqlite())
    if "--allow" in sys.argv:
        print("\n".join(f"{entry}: " for entry in wrong))
        return 0
    entries = [line for line in ALLOWED.read_text().splitlines() if line and not line.startswith("#")]
    allowed = {entry.split(": ", 1)[0] for entry in entries}
    problems = [message for entry, message in wrong.items() if entry not in allowed]
    problems += [f"{ALLOWED.relative_to(ROOT)}: “{entry}” is no longer needed; remove it" for entry in allowed - wrong.keys()]
    problems += [
        f"{ALLOWED.relative_to(ROOT)}: “{entry}” gives no reason" for entry in entries if not entry.split(": ", 1)[1:]]
    problems += named_in_document()
    for problem in sorted(problems):
        print(problem, file=sys.stderr)
    return 1 if problems else 0


sys.exit(main())
