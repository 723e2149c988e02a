#!/usr/bin/env python3
"""Records two windows of `tasks` on one file, as a person works in them, as a moving SVG.

usage: Scripts/recording.py PROGRAM OUTPUT.svg

The windows run in tmux, which is asked for their cells some twenty times a second. A line of a window is drawn once for
each look that it had, and shown while it had it.
"""

import html
import sys
import tempfile
import time

from tasks_in_tmux import Tasks
from terminal_svg import CELL_HEIGHT, CELL_WIDTH, header, rows

COLUMNS, LINES = 46, 14
MARGIN, CAPTION = 12, 34
LOOKS_A_SECOND = 20
TASKS = ["Call Anna", "Finish the slides", "Book the train to Kyoto", "Pay the rent", "Buy milk",
         "Water the plants", "Return the library books"]
DONE = ["Return the library books"]

# When somebody does something, in seconds, where, and what: keys by their tmux names, or words that are typed.
LEFT, RIGHT, SHELL = 0, 1, 2
# For tmux, left and right are panes.
WINDOWS = ["first", "second"]
SCRIPT = [
    (1.0, LEFT, ["a"]), (1.5, LEFT, "Bake a cake"), (3.0, LEFT, ["Enter"]),
    (4.2, RIGHT, ["j"]), (4.5, RIGHT, ["j"]), (4.9, RIGHT, ["Space"]),
    (6.4, LEFT, ["g"]), (6.9, LEFT, ["J"]), (7.4, LEFT, ["J"]), (7.9, LEFT, ["J"]),
    (9.2, RIGHT, ["d"]), (10.8, RIGHT, ["u"]),
    (12.6, SHELL, "Buy milk"),
]
END = 15.0


def events():
    """The script, with typed words letter by letter, and what the captions say of it."""
    for moment, window, keys in SCRIPT:
        if window != SHELL and isinstance(keys, str):
            for place, letter in enumerate(keys):
                yield moment + place * 0.11, window, letter, keys[:place + 1]
        else:
            yield moment, window, keys, keys if window == SHELL else " ".join(keys)


def record(tasks):
    """The looks of the screens, and the captions, with the times at which they came."""
    waiting = sorted(events(), key=lambda event: event[0])
    looks, captions = [], []
    start = time.monotonic()
    while (now := time.monotonic() - start) < END:
        while waiting and waiting[0][0] <= now:
            moment, window, keys, words = waiting.pop(0)
            if window == SHELL:
                tasks.complete(keys)
                words = "sqlite3: update TaskItem set completed = 1 where text = '%s'" % keys
            else:
                tasks.send(WINDOWS[window], keys)
            captions.append((now, window, words))
        lines = tasks.screens(*WINDOWS).split("\n")
        screens = ["\n".join(lines[:LINES]), "\n".join(lines[LINES:2 * LINES])]
        looks.append((time.monotonic() - start, screens))
        time.sleep(max(0, len(looks) / LOOKS_A_SECOND - (time.monotonic() - start)))
    return looks, captions


def shown(begin, end):
    return '<set attributeName="visibility" to="visible" begin="t.begin+%.2fs" dur="%.2fs"/>' % (begin, end - begin)


def svg(looks, captions):
    width = 2 * COLUMNS * CELL_WIDTH + 3 * MARGIN
    height = LINES * CELL_HEIGHT + 2 * MARGIN + CAPTION
    parts = [
        header(width, height),
        '<rect width="100%" height="100%" rx="8" fill="#16181d">',
        '<animate id="t" attributeName="x" from="0" to="0" dur="%.1fs" begin="0s;t.end"/></rect>' % END,
    ]
    # The looks of each line, with the spans of time in which it had them.
    for window in range(2):
        left = MARGIN + window * (COLUMNS * CELL_WIDTH + MARGIN)
        drawn = [(moment, rows(screens[window])) for moment, screens in looks]
        for line in range(LINES):
            spans, begin, look = {}, 0.0, drawn[0][1][line]
            for moment, lines in drawn[1:]:
                if lines[line] != look:
                    spans.setdefault(look, []).append((begin, moment))
                    begin, look = moment, lines[line]
            spans.setdefault(look, []).append((begin, END))
            for look, times in spans.items():
                parts.append('<g transform="translate(%d %d)" visibility="hidden">%s%s</g>' % (
                    left, MARGIN + line * CELL_HEIGHT, look, "".join(shown(*span) for span in times)))
    for place, (moment, window, words) in enumerate(captions):
        end = captions[place + 1][0] if place + 1 < len(captions) else END
        x = (MARGIN, 2 * MARGIN + COLUMNS * CELL_WIDTH, MARGIN)[window]
        parts.append('<text x="%d" y="%d" fill="#e8eaf0" visibility="hidden">%s%s</text>' % (
            x, MARGIN + LINES * CELL_HEIGHT + 24, html.escape(words), shown(moment, min(end, moment + 1.6))))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, output = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        tasks = Tasks(program, folder)
        for task in TASKS:
            tasks.add(task)
        tasks.complete(*DONE)
        for window in WINDOWS:
            tasks.open(window, COLUMNS, LINES)
        try:
            for window in WINDOWS:
                tasks.wait(window, TASKS[0])
            looks, captions = record(tasks)
        finally:
            tasks.end()
    print("%d looks a second" % (len(looks) / END))
    with open(output, "w") as svg_file:
        svg_file.write(svg(looks, captions))


main()
