extension Cell {
  /// The background without the text.
  var blank: Cell { Cell(style: Style(background: style.background)) }
}

extension Style {
  /// Both colors with `amount` (0 … 1) of `color` in them. The terminal's own colors, which are unknown,
  /// count as white on black.
  func blended(with color: RGB, amount: Double) -> Style {
    if amount <= 0 { return self }
    var style = self
    style.foreground = (foreground ?? .white).blended(with: color, amount: amount)
    style.background = (background ?? .black).blended(with: color, amount: amount)
    return style
  }
}

extension Canvas {
  /// Blends every cell's colors with `color`.
  package mutating func blend(with color: RGB, amount: Double) {
    guard amount > 0 else { return }
    self = restyled { $0.blended(with: color, amount: amount) }
  }

  /// Gives text whose contrast is lower than `least` a color that reaches it.
  package mutating func keepContrast(_ least: Double) {
    self = restyled { style in
      var style = style
      if let text = style.foreground, let ground = style.background, text.contrast(with: ground) < least {
        style.foreground = ground.contrastingText.faded(into: ground, amount: 0.8, contrast: least)
      }
      return style
    }
  }

  /// Blends `old` into this picture: `amount` (1 … 0) of the old one is left. Text changes half way, colors
  /// gradually. Canvases of different sizes have nothing in common, and the picture stays unchanged.
  package mutating func crossfade(from old: Canvas, amount: Double) {
    guard amount > 0, old.width == width, old.height == height else { return }
    for line in 0..<height where !hasSameLine(line, as: old) {
      for column in 0..<width {
        let before = old[column, line]
        let after = self[column, line]
        guard before != after else { continue }
        let background = (after.style.background ?? .black)
          .blended(with: before.style.background ?? .black, amount: amount)
        // The old text fades out in the first half, the new one fades in during the second.
        var cell = amount > 0.5 ? before : after
        let strength = abs(amount - 0.5) * 2
        cell.style.foreground = background.blended(with: cell.style.foreground ?? .white, amount: strength)
        cell.style.background = background
        self[column, line] = cell
      }
    }
  }

  /// Draws `picture` as `draw` does, with its cursor if that is within both.
  package mutating func copy(_ picture: Canvas, column: Int, line: Int) {
    draw(picture, column: column, line: line)
    guard let cursor = picture.cursor, (0..<picture.width).contains(cursor.column),
      (0..<width).contains(column + cursor.column), (0..<picture.height).contains(cursor.line),
      (0..<height).contains(line + cursor.line)
    else { return }
    self.cursor = (column + cursor.column, line + cursor.line)
  }

  /// Blanks the halves of wide clusters on a line whose other half is missing.
  mutating func mendWideClusters(line: Int) {
    withLine(line) { cells in
      var column = 0
      while column < cells.count {
        let cell = cells[column]
        if cell.width == 2 {
          if column + 1 < cells.count, cells[column + 1].width == 0 {
            column += 2
            continue
          }
          cells[column] = cell.blank
        } else if cell.width == 0 {
          cells[column] = cell.blank
        }
        column += 1
      }
    }
  }
}
