#!/usr/bin/env python3
"""Keeps all that the programs say to people in one list, to be read as a whole: Documentation/Sentences.txt.

usage: Scripts/sentences.py           compares the list with the sources; the exit status is 1 if they differ
       Scripts/sentences.py --write   writes the list anew
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "Documentation/Sentences.txt"
SOURCES = ["TasksModel", "TerminalUI", "TasksTUI", "TasksSync", "SyncSigns"]
# What only a programmer reads, and what no person does.
SILENT = re.compile(r"\b(fatalError|precondition|preconditionFailure|assertionFailure|assert)\s*\($")


def skip_interpolation(text, position):
    """The position after the parenthesis that closes the one before `position`."""
    depth = 1
    while depth:
        character = text[position]
        if character == '"':
            position = literal(text, position)[1]
            continue
        depth += {"(": 1, ")": -1}.get(character, 0)
        position += 1
    return position


def literal(text, start):
    """The words of the literal that begins at a quotation mark, with … for what is put in, and its end."""
    long = text.startswith('"""', start)
    mark = '"""' if long else '"'
    position = start + len(mark)
    words = []
    while not text.startswith(mark, position):
        if text[position] == "\\":
            if text[position + 1] == "(":
                position = skip_interpolation(text, position + 2)
                words.append("…")
            else:
                words.append({"n": "\n", "u": ""}.get(text[position + 1], text[position + 1]))
                position += 2
                if text[position - 1] == "u":
                    position = text.index("}", position) + 1
            continue
        words.append(text[position])
        position += 1
    return "".join(words), position + len(mark)


def literals(text):
    """The literals of a source, those that are added to one another as one."""
    position, found, end = 0, [], None
    while position < len(text):
        if text.startswith("//", position):
            position = text.find("\n", position)
            if position < 0:
                break
        elif text.startswith('#"', position):
            position = text.index('"#', position + 2) + 2
        elif text[position] == '"':
            words, after = literal(text, position)
            between = None if end is None else text[end:position]
            if between is not None and re.fullmatch(r"\s*\+\s*", between):
                found[-1] += words
            elif not SILENT.search(text[:position].rstrip()[-40:]):
                found.append(words)
            else:
                found.append("")
            position = end = after
        else:
            position += 1
    return found


def is_sentence(words):
    """Whether a person reads it: several words, none of them code or a statement for a database."""
    return bool(re.search(r"[A-Za-z]{2,}[^A-Za-z]* [^ ]*[A-Za-z…“]", words)) \
        and not re.match(r"\s*(SELECT|PRAGMA|INSERT|UPDATE|DELETE|CREATE|BEGIN)\b", words)


def contents():
    lines = []
    for target in SOURCES:
        for path in sorted((ROOT / "Sources" / target).rglob("*.swift")):
            found = [words for words in literals(path.read_text()) if is_sentence(words)]
            if found:
                lines.append("\n" + str(path.relative_to(ROOT / "Sources")))
                lines += ["  " + words.strip().replace("\n", "\n  ") for words in dict.fromkeys(found)]
    return "\n".join(lines).lstrip() + "\n"


def main():
    if sys.argv[1:] == ["--write"]:
        LIST.write_text(contents())
    elif sys.argv[1:]:
        sys.exit(__doc__)
    elif not LIST.exists() or LIST.read_text() != contents():
        sys.exit("Documentation/Sentences.txt is not what the programs say: run Scripts/sentences.py --write, "
                 "and read what has changed")


main()
