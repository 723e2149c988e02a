"""Draws what tmux has captured of a terminal as SVG."""

import html
import re
import unicodedata

CELL_WIDTH, CELL_HEIGHT = 9, 20
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


def rows(screen):
    """The lines of what tmux captures with colours, each as the SVG of a line that begins at the origin."""
    style = Style()
    drawn = []
    for text in screen.split("\n"):
        parts, column = [], 0
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
            parts.append('<rect x="%d" width="%d" height="%d" fill="%s"/>' % (
                column * CELL_WIDTH, width * CELL_WIDTH, CELL_HEIGHT, background))
            parts += words(clusters, column, foreground, 1 in style.flags)
            column += width
        drawn.append("".join(parts))
    return drawn


def block(character):
    """The part of its cell, from above, that a block element fills; None for another character."""
    if character == "\u2580":
        return 0, CELL_HEIGHT // 2
    if "\u2581" <= character <= "\u2588":
        height = CELL_HEIGHT * (ord(character) - 0x2580) // 8
        return CELL_HEIGHT - height, height
    return None


def words(clusters, column, foreground, is_bold):
    """The texts of one colour; a word that is no wider than its characters are many is one text."""
    parts, word, start = [], "", column

    def end():
        nonlocal word
        if filled := block(word[:1]):
            parts.append('<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>' % (
                start * CELL_WIDTH, filled[0], (column - start) * CELL_WIDTH, filled[1], foreground))
        elif word.strip() or (word and is_struck):
            parts.append('<text x="%d" y="15" textLength="%d" fill="%s"%s%s>%s</text>' % (
                start * CELL_WIDTH, (column - start) * CELL_WIDTH, foreground,
                ' font-weight="bold"' if is_bold else "",
                ' text-decoration="line-through"' if is_struck else "", html.escape(word)))
        word = ""

    is_struck = False
    for character, cells, struck in clusters:
        isolated = cells != 1 or len(character) != 1 or ord(character) >= 0x2500
        if isolated and block(character):
            # Equal ones side by side are one.
            isolated = False
            if word and word[0] != character:
                end()
        elif word and block(word[0]):
            end()
        if word and (struck != is_struck or isolated or (character == " " and not struck)):
            end()
        if not word:
            start, is_struck = column, struck
        if character != " " or struck:
            word += character
        column += cells
        if isolated:
            end()
    end()
    return parts


def header(width, height):
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
        'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="15" xml:space="preserve">'
        '<style>rect{shape-rendering:crispEdges}</style>' % (width, height, width, height))
