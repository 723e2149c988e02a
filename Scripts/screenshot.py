#!/usr/bin/env python3
"""Draws the real screen of `tasks` as an SVG: runs it in tmux on a file made for the purpose and reads the cells.

usage: Scripts/screenshot.py PROGRAM OUTPUT.svg
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import time

from terminal_svg import CELL_HEIGHT, CELL_WIDTH, header, rows

COLUMNS, LINES = 64, 18
# Each as it is given to `tasks add`.
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
    program, output = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "tasks.db")
        environment = dict(
            os.environ, LC_ALL="C.UTF-8", TERM="xterm-256color", COLORTERM="truecolor", TASKS_ANIMATION="off", XDG_STATE_HOME=folder)
        for task in TASKS + [[text] for text in DONE[:2]]:
            subprocess.run([program, "add", "--file", file, *task], check=True, env=environment,
                           stdout=subprocess.DEVNULL)

        with sqlite3.connect(file) as database:
            database.executemany("UPDATE TaskItem SET completed = 1 WHERE text = ?", [(text,) for text in DONE])

        def tmux(*arguments):
            return subprocess.run(["tmux", "-L", "tasks-screenshot", *arguments], check=True, text=True,
                                  capture_output=True, env=environment).stdout

        def wait(text):
            deadline = time.monotonic() + 10
            while time.monotonic() < deadline:
                screen = tmux("capture-pane", "-p")
                if text in screen:
                    return
            sys.exit("tasks did not show “%s”:\n%s" % (text, screen))

        tmux("-f", "/dev/null", "new-session", "-d", "-x", str(COLUMNS), "-y", str(LINES),
             "%s --file %s" % (program, file))
        try:
            wait(TASKS[-1][-1])
            # The subtasks of the third, and the cursor on the second.
            tmux("send-keys", "g", "j", "j", "z")
            wait(TASKS[4][-1])
            tmux("send-keys", "k")
            wait("› " + TASKS[1][-1])
            with open(output, "w") as svg_file:
                svg_file.write(svg(tmux("capture-pane", "-p", "-e", "-N")))
        finally:
            tmux("kill-server")


main()
