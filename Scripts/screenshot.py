#!/usr/bin/env python3
"""Draws the real screen of `tasks` as an SVG: runs it in tmux on a file made for the purpose and reads the cells.

usage: Scripts/screenshot.py PROGRAM OUTPUT.svg
"""

import sys
import tempfile

from tasks_in_tmux import Tasks
from terminal_svg import CELL_HEIGHT, CELL_WIDTH, header, rows

COLUMNS, LINES = 112, 18
LISTS = ["Work", "Household", "Travel", "Books"]
# Each as it is given to `tasks add`.
ELSEWHERE = [["--list", "Work", "Answer the letters"], ["--list", "Work", "Order paper"],
             ["--list", "Household", "Repair the bicycle"], ["--list", "Travel", "Renew the passport"]]
TASKS = [
    ["--due", "tomorrow 18:00", "Call Anna about Saturday #family"],
    ["--priority", "A", "Finish the slides"],
    ["Plan the party"],
    ["--under", "Plan the party", "Balloons"],
    ["--under", "Plan the party", "Ask who comes"],
    ["Book the train to Kyoto"],
    ["--repeat", "every month", "Pay the rent"],
    ["Buy milk, bread and 林檎"],
    ["--notes", "The one with the red cover.", "Read the SQLite file format #books"],
]
DONE = ["Water the plants", "Return the library books", "Balloons"]


def svg(screen):
    parts = [header(COLUMNS * CELL_WIDTH, LINES * CELL_HEIGHT), '<rect width="100%" height="100%" rx="6" fill="#000"/>']
    for line, row in enumerate(rows(screen)[:LINES]):
        parts.append('<g transform="translate(0 %d)">%s</g>' % (line * CELL_HEIGHT, row))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, output = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        tasks = Tasks(program, folder, TASKS_ANIMATION="off")
        for task in TASKS + [[text] for text in DONE[:2]]:
            tasks.add(*task)
        for name in LISTS:
            tasks.run("list-add", name)
        for task in ELSEWHERE:
            tasks.add(*task)
        tasks.complete(*DONE)
        tasks.open("window", COLUMNS, LINES)
        try:
            # Its tag is in a column.
            tasks.wait("window", TASKS[-1][-1].split(" #")[0])
            # The subtasks of the third, and the cursor on the second.
            tasks.send("window", ["g", "j", "j", "z"])
            tasks.wait("window", TASKS[4][-1])
            tasks.send("window", ["k"])
            tasks.wait("window", "› " + TASKS[1][-1])
            screen = tasks.screens("window")
        finally:
            tasks.end()
    with open(output, "w") as svg_file:
        svg_file.write(svg(screen))


main()
