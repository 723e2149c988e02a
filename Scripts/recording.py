#!/usr/bin/env python3
"""Records `tasks`, as people work in it, as a moving SVG.

usage: Scripts/recording.py PROGRAM OUTPUT.svg             two windows on one file
       Scripts/recording.py --sync PROGRAM OUTPUT.svg      two machines: Scripts/demo-sync.sh, with tasks-sync beside PROGRAM

The windows run in tmux, which is asked for their cells some twenty times a second. A line of a window is drawn once for
each look that it had, and shown while it had it.
"""

import html
import os
import sys
import tempfile
import time

from tasks_in_tmux import Tasks
from terminal_svg import CELL_HEIGHT, CELL_WIDTH, header, rows

MARGIN, CAPTION = 12, 34
LOOKS_A_SECOND = 20


class TwoWindows:
    """Two windows on one file, and a program that knows nothing of `tasks`."""

    columns, lines = 46, 14
    windows = ["first", "second"]
    end = 15.0
    tasks = ["Call Anna", "Finish the slides", "Book the train to Kyoto", "Pay the rent", "Buy milk",
             "Water the plants", "Return the library books"]
    # When somebody does something, in seconds, where, and what: keys by their tmux names, or words that are typed. The
    # third place is a shell.
    script = [
        (1.0, 0, ["a"]), (1.5, 0, "Bake a cake"), (3.0, 0, ["Enter"]),
        (4.2, 1, ["j"]), (4.5, 1, ["j"]), (4.9, 1, ["Space"]),
        (6.4, 0, ["g"]), (6.9, 0, ["J"]), (7.4, 0, ["J"]), (7.9, 0, ["J"]),
        (9.2, 1, ["d"]), (10.8, 1, ["u"]),
        (12.6, 2, "Buy milk"),
    ]

    def open(self, tmux):
        for task in self.tasks:
            tmux.add(task)
        tmux.complete(self.tasks[-1])
        for window in self.windows:
            tmux.open(window, self.columns, self.lines)
        for window in self.windows:
            tmux.wait(window, self.tasks[0])

    def act(self, tmux, place, keys):
        """Does something; returns where the caption is, and what it says where that is not the keys."""
        if place < 2:
            tmux.send(self.windows[place], keys)
            return place * (MARGIN + self.columns * CELL_WIDTH), None
        tmux.complete(keys)
        return 0, "sqlite3: update TaskItem set completed = 1 where text = '%s'" % keys


class TwoMachines:
    """The demonstration of syncing, as a person sees it."""

    columns, lines = 92, 17
    windows = ["demo"]
    end = 21.0
    # The third place is the network.
    script = [
        (1.0, 0, ["a"]), (1.5, 0, "Bake a cake"), (3.0, 0, ["Enter"]),
        (4.4, 1, ["j"]), (4.8, 1, ["Space"]),
        (6.6, 2, ["F9"]),
        (8.4, 0, ["g"]), (8.8, 0, ["J"]), (9.3, 0, ["J"]),
        (10.6, 1, ["a"]), (11.0, 1, "Pack the tent"), (12.7, 1, ["Enter"]),
        (14.2, 0, ["j"]), (14.6, 0, ["Space"]),
        (16.4, 2, ["F9"]), (17.8, 1, ["g"]), (18.2, 1, ["Space"]),
    ]

    def open(self, tmux):
        self.place = 0
        demo = os.path.join(os.path.dirname(os.path.abspath(__file__)), "demo-sync.sh")
        tmux.open("demo", self.columns, self.lines, "%s %s" % (demo, tmux.program))
        tmux.wait("demo", "Call the dentist", times=2)
        # The marks of a row that has just come.
        time.sleep(2)

    def act(self, tmux, place, keys):
        if place < 2 and place != self.place:
            tmux.send("demo", ["F8"])
            self.place = place
        tmux.send("demo", keys)
        half = self.columns * CELL_WIDTH // 2
        return (place % 2) * half, "F9 cuts the network, or heals it" if place == 2 else None


def events(script):
    """The script, with typed words letter by letter, and what the captions say of it."""
    for moment, place, keys in script:
        if place < 2 and isinstance(keys, str):
            for number, letter in enumerate(keys):
                yield moment + number * 0.11, place, letter, keys[:number + 1]
        else:
            yield moment, place, keys, " ".join(keys)


def record(scene, tmux):
    """The looks of the screens, and the captions, with the times at which they came."""
    waiting = sorted(events(scene.script), key=lambda event: event[0])
    looks, captions = [], []
    start = time.monotonic()
    while (now := time.monotonic() - start) < scene.end:
        while waiting and waiting[0][0] <= now:
            _, place, keys, words = waiting.pop(0)
            left, sentence = scene.act(tmux, place, keys)
            captions.append((now, left, sentence or words))
        lines = tmux.screens(*scene.windows).split("\n")
        screens = [
            "\n".join(lines[number * scene.lines:(number + 1) * scene.lines]) for number in range(len(scene.windows))]
        looks.append((time.monotonic() - start, screens))
        time.sleep(max(0, len(looks) / LOOKS_A_SECOND - (time.monotonic() - start)))
    return looks, captions


def shown(begin, end):
    return '<set attributeName="visibility" to="visible" begin="t.begin+%.2fs" dur="%.2fs"/>' % (begin, end - begin)


def svg(scene, looks, captions):
    count = len(scene.windows)
    width = count * scene.columns * CELL_WIDTH + (count + 1) * MARGIN
    height = scene.lines * CELL_HEIGHT + 2 * MARGIN + CAPTION
    parts = [
        header(width, height),
        '<rect width="100%" height="100%" rx="8" fill="#16181d">',
        '<animate id="t" attributeName="x" from="0" to="0" dur="%.1fs" begin="0s;t.end"/></rect>' % scene.end,
    ]
    # The looks of each line, with the spans of time in which it had them.
    for window in range(count):
        left = MARGIN + window * (scene.columns * CELL_WIDTH + MARGIN)
        drawn = [(moment, rows(screens[window])) for moment, screens in looks]
        for line in range(scene.lines):
            spans, begin, look = {}, 0.0, drawn[0][1][line]
            for moment, lines in drawn[1:]:
                if lines[line] != look:
                    spans.setdefault(look, []).append((begin, moment))
                    begin, look = moment, lines[line]
            spans.setdefault(look, []).append((begin, scene.end))
            for look, times in spans.items():
                parts.append('<g transform="translate(%d %d)" visibility="hidden">%s%s</g>' % (
                    left, MARGIN + line * CELL_HEIGHT, look, "".join(shown(*span) for span in times)))
    for number, (moment, left, words) in enumerate(captions):
        end = captions[number + 1][0] if number + 1 < len(captions) else scene.end
        parts.append('<text x="%d" y="%d" fill="#e8eaf0" visibility="hidden">%s%s</text>' % (
            MARGIN + left, MARGIN + scene.lines * CELL_HEIGHT + 24, html.escape(words),
            shown(moment, min(end, moment + 1.6))))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def main():
    arguments = sys.argv[1:]
    scene = TwoMachines() if arguments[:1] == ["--sync"] else TwoWindows()
    arguments = [argument for argument in arguments if argument != "--sync"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    program, output = arguments
    with tempfile.TemporaryDirectory() as folder:
        tmux = Tasks(program, folder)
        try:
            scene.open(tmux)
            looks, captions = record(scene, tmux)
        finally:
            tmux.end()
    print("%d looks a second" % (len(looks) / scene.end))
    with open(output, "w") as svg_file:
        svg_file.write(svg(scene, looks, captions))


main()
