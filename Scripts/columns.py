#!/usr/bin/env python3
"""Checks that no line of Swift is longer than 110 columns, which swift format does for code and not for comments.

Text is exempt where a break would make it harder to read: lines of a multi-line string and, in tests, lines that are one
literal, such as the name of a test.
"""
import re
import subprocess
import sys

COLUMNS = 110
LITERAL = re.compile(r'\s*(== |\+ )?#*".*"#*(\.\w+)?[,)\]}]*')


def overlong(path):
    may_be_literal = path.startswith("Tests/")
    inside_text = False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if len(line) > COLUMNS and not inside_text and not (may_be_literal and LITERAL.fullmatch(line)):
                yield f"{path}:{number}: {len(line)} columns"
            if line.count('"""') % 2 == 1:
                inside_text = not inside_text


files = subprocess.check_output(["git", "ls-files", "*.swift"], text=True).split()
found = [line for path in files for line in overlong(path)]
print("\n".join(found))
if found:
    sys.exit(f"{len(found)} lines are longer than {COLUMNS} columns")
