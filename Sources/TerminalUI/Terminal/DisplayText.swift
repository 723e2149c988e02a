import VisibleText

/// Drawable text: any text a person or another program wrote, as clusters of cells.
///
/// No part of it can control the terminal: control characters, C1, bidirectional overrides, line separators
/// and lone zero-width scalars have visible substitutes. Joiners, variation selectors and skin tones are left
/// out, because terminals disagree about their width. Only the drawn text is changed, never the text itself.
package struct DisplayText: Hashable, Sendable {
  /// The content of one cell, or of two for a wide scalar: a spacing scalar and up to four marks over it.
  package struct Glyph: Hashable, Sendable {
    var cell: CellText
    /// The columns: 1 or 2.
    var width: Int

    package var text: String { cell.string }
  }

  /// The drawing of one `Character`; the unit of editing, clipping and wrapping.
  package struct Cluster: Hashable, Sendable {
    /// The leftmost glyph, and the others: nearly always none, for which no memory is allocated.
    var first: Glyph
    private(set) var others: [Glyph] = []
    /// The columns of all glyphs.
    package var width: Int
    /// Whether a line may be broken after this cluster, which then may hang over the edge.
    package var isSpace: Bool

    /// The glyphs from the left; more than one for flags and for syllables with spacing vowel signs.
    package var glyphs: [Glyph] { [first] + others }
  }

  package let clusters: [Cluster]

  /// The columns of all clusters.
  package let width: Int

  /// Complexity: O(n) in the length of `text`.
  package init(_ text: String) {
    self.init(clusters: text.map(Cluster.init))
  }

  package init(clusters: [Cluster]) {
    self.clusters = clusters
    width = clusters.reduce(0) { $0 + $1.width }
  }
}

extension DisplayText {
  /// The beginning of `text` in at most `maxWidth` columns, with “…” at its end if something is missing and
  /// there is space for it.
  ///
  /// Complexity: O(`maxWidth`), regardless of the length of the text.
  package init(_ text: String, clippedTo maxWidth: Int) {
    let beginning = text.beginning(maxWidth + 1)
    var display = DisplayText(beginning)
    if beginning.utf8.count < text.utf8.count, display.width <= maxWidth {
      // A letter with marks without end.
      display = DisplayText(clusters: display.clusters + DisplayText("…").clusters)
    }
    self = display.clipped(to: maxWidth)
  }

  /// The clipped text; see `init(_:clippedTo:)`.
  package func clipped(to maxWidth: Int) -> DisplayText {
    if width <= maxWidth { return self }
    guard maxWidth > 0 else { return DisplayText("") }
    var room = maxWidth - 1
    let kept = clusters.prefix { cluster in
      room -= cluster.width
      return room >= 0
    }
    return DisplayText(clusters: kept + DisplayText("…").clusters)
  }

  /// The drawn text as a string: for tests and for output that is not a terminal's screen.
  package var string: String {
    clusters.reduce(into: "") { string, cluster in
      for glyph in cluster.glyphs { glyph.cell.forEachScalar { string.unicodeScalars.append($1) } }
    }
  }

  /// The ranges of `clusters` that are the lines of the text wrapped to `maxWidth` columns, and those after
  /// the first to `otherWidth`, if it is given.
  ///
  /// Lines break after spaces, and within a word only if it is longer than a line. The spaces at a break
  /// belong to the line before it and may hang over the edge, where they are not drawn. There is always at
  /// least one line, and every cluster is in exactly one; a cluster wider than `maxWidth` gets its own line.
  /// Complexity: O(n).
  package func wrapped(to maxWidth: Int, thenTo otherWidth: Int? = nil) -> [Range<Int>] {
    var limit = max(1, maxWidth)
    var lines: [Range<Int>] = []
    var start = 0
    var used = 0
    // The index after the last space of the line, where it may be broken.
    var breakable: Int?
    for (index, cluster) in clusters.enumerated() {
      if cluster.isSpace {
        used += cluster.width
        breakable = index + 1
        continue
      }
      while used + cluster.width > limit, index > start {
        let end = breakable ?? index
        lines.append(start..<end)
        if let otherWidth { limit = max(1, otherWidth) }
        start = end
        breakable = nil
        used = clusters[start..<index].reduce(0) { $0 + $1.width }
      }
      used += cluster.width
    }
    lines.append(start..<clusters.count)
    return lines
  }

  /// The lines of a text wrapped to `width` columns.
  package static func lines(of text: String, wrappedTo width: Int) -> [String] {
    let display = DisplayText(text)
    return display.wrapped(to: width).map { DisplayText(clusters: Array(display.clusters[$0])).string }
  }
}

extension String {
  /// The text in quotation marks, clipped to a part of a sentence.
  package var quoted: String { "“\(DisplayText(self, clippedTo: 24).string)”" }

  /// The first characters, at most `count`, without the rest of one that has marks without end.
  ///
  /// Complexity: O(count), regardless of the length of the text; finding the end of one character would take
  /// time in proportion to its marks.
  package func beginning(_ count: Int) -> String {
    // A copy: the end of a substring's last character is looked for in the whole text.
    let scalars = String(unicodeScalars.prefix(16 * count))
    return String(scalars.prefix(count))
  }
}

extension DisplayText.Cluster {
  private static let maximumMarks = 4
  /// The greatest number of scalars examined in a cluster: there are texts with a hundred thousand marks on
  /// one letter.
  private static let maximumScalars = 64

  init(_ character: Character) {
    // Not `asciiValue`, which compares the whole of a character with a line break.
    if character.utf8.count == 1, let ascii = character.utf8.first, ascii >= 0x20, ascii < 0x7F {
      self.init(
        first: DisplayText.Glyph(cell: CellText(Unicode.Scalar(ascii)), width: 1), width: 1,
        isSpace: ascii == 0x20)
      return
    }
    var glyphs: [DisplayText.Glyph] = []
    var marks = 0
    var afterJoiner = false
    for scalar in character.unicodeScalars.prefix(Self.maximumScalars) {
      defer { afterJoiner = scalar.value == 0x200D }
      if glyphs.isEmpty {
        glyphs.append(Self.firstGlyph(of: scalar))
        continue
      }
      // The line feed after a carriage return, joiners, variation selectors, and other scalars that never
      // have their own cell.
      if !scalar.isVisible || scalar.properties.isEmojiModifier { continue }
      if afterJoiner && scalar.properties.isEmoji { continue }
      switch TextWidth.columns(of: scalar) {
      case 0?:
        if marks < Self.maximumMarks {
          glyphs[glyphs.count - 1].cell.append(scalar)
          marks += 1
        }
      case let width?:
        glyphs.append(DisplayText.Glyph(cell: CellText(scalar), width: width))
        marks = 0
      case nil:
        break
      }
    }
    self.init(
      // Every character has a scalar.
      first: glyphs.first ?? DisplayText.Glyph(cell: .space, width: 1), others: Array(glyphs.dropFirst()),
      width: glyphs.reduce(0) { $0 + $1.width },
      isSpace: character.isWhitespace && !character.isNewline && character != "\u{A0}")
  }

  private static func firstGlyph(of scalar: Unicode.Scalar) -> DisplayText.Glyph {
    if let standIn = standIn(for: scalar) { return DisplayText.Glyph(cell: CellText(standIn), width: 1) }
    switch TextWidth.columns(of: scalar) {
    case 0?:
      var cell = CellText("\u{25CC}" as Unicode.Scalar)
      cell.append(scalar)
      return DisplayText.Glyph(cell: cell, width: 1)
    case let width?: return DisplayText.Glyph(cell: CellText(scalar), width: width)
    case nil: return DisplayText.Glyph(cell: CellText("\u{FFFD}" as Unicode.Scalar), width: 1)
    }
  }

  /// The sign for a scalar that must not be drawn, or would be invisible.
  private static func standIn(for scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029: return "↵"
    case 0x09: return "⇥"
    case 0..<0x20: return String(Character(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"))
    case 0x7F: return "␡"
    case 0xAD: return "-"
    case 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F: return " "
    default: break
    }
    return scalar.isVisible ? nil : "\u{FFFD}"
  }
}
