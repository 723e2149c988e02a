#!/usr/bin/env python3
"""Checks how documentation comments begin: that of a type or property with a noun phrase, that of a
function with a verb or with what it returns. A question word or a person that is not named is neither."""
import re
import subprocess
import sys

OPENING = re.compile(r"\s*/// (What|Whoever|Nobody|Somebody|Whom|Who)\b")


def openings(path):
    is_first = True
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if is_first and (match := OPENING.match(line)):
                yield f"{path}:{number}: a comment begins with “{match[1]}”: {line.strip()}"
            is_first = not line.lstrip().startswith("///")


files = subprocess.check_output(["git", "ls-files", "*.swift", "*.h"], text=True).split()
found = [line for path in files for line in openings(path)]
print("\n".join(found), end="\n" if found else "")
if found:
    sys.exit(
        f"{len(found)} documentation comments do not begin with a noun phrase or a verb, such as "
        "“The rows that a delivery changes” or “Notifies the observers of…”")
