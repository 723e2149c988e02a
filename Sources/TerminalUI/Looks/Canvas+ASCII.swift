extension Canvas {
  /// Replaces the program's own signs beyond ASCII by the nearest ASCII ones, so that a terminal or a font
  /// without those glyphs shows no boxes. Letters of any script stay unchanged. Complexity: O(cells).
  package mutating func useASCII() {
    for line in 0..<height {
      for column in 0..<width where !self[column, line].glyph.isASCII {
        if let standIn = Self.standIns[self[column, line].text] { self[column, line].text = standIn }
      }
    }
  }

  private static let standIns: [String: String] = [
    "›": ">", "↕": "=", "●": "*", "◉": "@", "…": "~", "–": "-", "—": "-", "·": "-", "“": "\"", "”": "\"",
    "‘": "'", "’": "'", "↑": "^", "↓": "v", "←": "<", "→": ">", "↵": "$", "⇥": ">", "␡": "?",
    "▐": "|", "█": "#", "▁": " ", "▂": " ", "▃": " ", "▄": " ", "▅": " ", "▆": " ", "▇": " ", "◌": "o",
    "≡": "+", "✎": "*", "↻": "~", "○": "o", "✓": "x", "✗": "x", "\u{FFFD}": "?",
  ]
}
