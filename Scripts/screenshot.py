#!/usr/bin/env python3
"""Draws the real screen of `tasks` as an SVG: runs it in tmux on a file made for the purpose and reads the cells.

usage: Scripts/screenshot.py PROGRAM OUTPUT.svg
"""

import html
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import unicodedata

COLUMNS, LINES = 64, 18
CELL_WIDTH, CELL_HEIGHT = 9, 20
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
# The 16 colours of a terminal, then the cube and the greys of the 256.
BASIC = ["000000", "cd0000", "00cd00", "cdcd00", "0000ee", "cd00cd", "00cdcd", "e5e5e5",
         "7f7f7f", "ff0000", "00ff00", "ffff00", "5c5cff", "ff00ff", "00ffff", "ffffff"]
STEPS = [0, 95, 135, 175, 215, 255]


def palette(index):
    if index < 16:
        return "#" + BASIC[index]
    if index < 232:
        index -= 16
        return "#%02x%02x%02x" % (STEPS[index // 36], STEPS[index // 6 % 6], STEPS[index % 6])
    grey = 8 + (index - 232) * 10
    return "#%02x%02x%02x" % (grey, grey, grey)


class Style:
    def __init__(self):
        self.foreground, self.background = "#e5e5e5", "#000000"
        self.flags = set()

    def apply(self, codes):
        codes = [int(code or 0) for code in codes.split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.__init__()
            elif code in (1, 2, 4, 7, 9):
                self.flags.add(code)
            elif code in (38, 48):
                kind = codes.pop(0)
                if kind == 5:
                    colour = palette(codes.pop(0))
                else:
                    colour = "#%02x%02x%02x" % tuple(codes[:3])
                    del codes[:3]
                if code == 38:
                    self.foreground = colour
                else:
                    self.background = colour
            elif code == 39:
                self.foreground = "#e5e5e5"
            elif code == 49:
                self.background = "#000000"
            elif 30 <= code <= 37:
                self.foreground = palette(code - 30)
            elif 40 <= code <= 47:
                self.background = palette(code - 40)
            elif 90 <= code <= 97:
                self.foreground = palette(code - 82)
            elif 100 <= code <= 107:
                self.background = palette(code - 92)

    def colours(self):
        if 7 in self.flags:
            return self.background, self.foreground
        return self.foreground, self.background


def svg(screen):
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="DejaVu Sans Mono, Menlo, '
        'Consolas, monospace" font-size="15">' % (COLUMNS * CELL_WIDTH, LINES * CELL_HEIGHT),
        '<rect width="100%" height="100%" rx="6" fill="#000"/>',
    ]
    style = Style()
    for line, text in enumerate(screen.split("\n")[:LINES]):
        column = 0
        for piece in re.split(r"(\x1b\[[0-9;]*m)", text):
            if piece.startswith("\x1b["):
                style.apply(piece[2:-1])
                continue
            foreground, background = style.colours()
            clusters = []
            for character in piece:
                if unicodedata.combining(character) and clusters:
                    if character == "\u0336":
                        clusters[-1][2] = True
                    else:
                        clusters[-1][0] += character
                    continue
                width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
                clusters.append([character, width, 9 in style.flags])
            width = sum(cluster[1] for cluster in clusters)
            if width == 0:
                continue
            parts.append('<rect x="%d" y="%d" width="%d" height="%d" fill="%s" shape-rendering="crispEdges"/>' % (
                column * CELL_WIDTH, line * CELL_HEIGHT, width * CELL_WIDTH, CELL_HEIGHT, background))
            for character, cells, struck in clusters:
                if character != " " or struck:
                    parts.append(
                        '<text x="%d" y="%d" fill="%s"%s%s>%s</text>' % (
                            column * CELL_WIDTH, line * CELL_HEIGHT + 15, foreground,
                            ' font-weight="bold"' if 1 in style.flags else "",
                            ' text-decoration="line-through"' if struck else "", html.escape(character)))
                column += cells
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
