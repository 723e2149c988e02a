#!/usr/bin/env python3
"""Writes Documentation/Rules.md: for each rule what LiveStore does, and the tests that show it.

A rule is found in the names of tests: "R79: ...", "R16–R19: ...", "L3, R113: ..." hold it; "L3 (not R27): ..." and
"R27 (differs, L3): ..." show what is done instead, and by which law. Rules that do not apply say why in
Documentation/rules-not-applicable.tsv.

  rules.py           write the table
  rules.py --check   only say what is wrong with it: exit code 1 if anything is
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "Documentation/Rules.md"
NUMBER = r"[LR]\d+"
DIFFERS = re.compile(rf"({NUMBER}(?:, {NUMBER})*) \(not ({NUMBER}(?:, {NUMBER})*)\)")
DIFFERS_NAMED_FIRST = re.compile(rf"({NUMBER}(?:[–,] ?{NUMBER})*) \(differs,? ({NUMBER}(?:, {NUMBER})*)[^)]*\)")
RANGE = re.compile(rf"([LR])(\d+)[–-][LR]?(\d+)")


def read(path):
    return dict(line.split("\t", 1) for line in path.read_text().splitlines() if line)


def expand(text):
    """The numbers in a text, ranges spelt out."""
    numbers = []
    for letter, first, last in RANGE.findall(text):
        numbers += [f"{letter}{number}" for number in range(int(first), int(last) + 1)]
    return numbers + re.findall(rf"\b{NUMBER}\b", RANGE.sub("", text))


def tests():
    """Every test whose name begins with a rule: its name, and where it stands."""
    for path in sorted(ROOT.glob("Tests/**/*.swift")):
        text = re.sub(r"@Test\(\s+", "@Test(", path.read_text())
        for name in re.findall(r'@Test\("((?:[^"\\]|\\.)*)"', text):
            if re.match(NUMBER, name):
                yield name, path.relative_to(ROOT)


def main():
    rules = read(ROOT / "Documentation/rules.tsv")
    not_applicable = read(ROOT / "Documentation/rules-not-applicable.tsv")
    held, differing, found_in = defaultdict(list), defaultdict(set), defaultdict(list)
    problems = []
    for name, path in tests():
        rest = name
        for laws, numbers in DIFFERS.findall(name):
            for number in expand(numbers):
                differing[number] |= set(expand(laws))
                found_in[number].append((name, path))
        for numbers, laws in DIFFERS_NAMED_FIRST.findall(name):
            for number in expand(numbers):
                differing[number] |= set(expand(laws))
                found_in[number].append((name, path))
            rest = rest.replace(numbers + " (differs", "(differs", 1)
        rest = re.sub(r"\(not [^)]*\)", "", rest)
        # Several rules may share a test: "R30: …; R31: …".
        for number in expand(rest):
            if number not in rules:
                problems.append(f"{path}: “{name}” names {number}, which is no rule")
            elif (name, path) not in found_in[number]:
                held[number].append(name)
                found_in[number].append((name, path))
    lines = [
        "# The law and the rules",
        "",
        "What an observer may rely on. L1 to L15 are LiveStore's own law; R1 to R181 are the observable behaviour of Realm,",
        "which LiveStore follows unless the law says otherwise. Made by `Scripts/rules.py` from the names of the tests.",
        "",
        "| rule | in short | LiveStore | tests |",
        "|---|---|---|---|",
    ]
    counts = defaultdict(int)
    for number, text in rules.items():
        if number in differing:
            laws = sorted(differing[number], key=lambda law: int(law[1:]))
            status = "deliberately different (" + ", ".join(laws) + ")"
            kind = "deliberately different"
        elif number in held:
            status = kind = "held"
        elif number in not_applicable:
            status, kind = "not applicable: " + not_applicable[number], "not applicable"
        else:
            status = kind = "**no test**"
            problems.append(f"{number} ({text}) has no test, and no reason why it needs none")
        counts[kind] += 1
        # The numbers in front of the names are those of the rows that they stand in.
        names = sorted({f"{path.stem}: {name.split(': ', 1)[-1]}" for name, path in found_in[number]})
        lines.append(f"| {number} | {text} | {status} | {'<br>'.join(names).replace('|', chr(92) + '|')} |")
    lines.insert(5, ", ".join(f"{count} {kind}" for kind, count in counts.items()) + ".")
    lines.insert(6, "")
    table = "\n".join(lines) + "\n"
    if "--check" in sys.argv:
        if not TABLE.exists() or TABLE.read_text() != table:
            problems.append(f"{TABLE.relative_to(ROOT)} is not what the tests say; run make rules")
        for problem in problems:
            print(problem, file=sys.stderr)
        sys.exit(1 if problems else 0)
    TABLE.write_text(table)
    for problem in problems:
        print(problem, file=sys.stderr)


main()
