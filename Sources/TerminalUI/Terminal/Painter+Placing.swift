import CNcurses
import Glibc

/// Clusters whose width differs between terminals.
extension Painter {
  /// Appends to the output the sequences that write the clusters of uncertain width in `lines`, and the
  /// replacements of such clusters, since ncurses takes those cells for blank.
  func place(_ frame: Frame, over previous: Frame?, lines: [Int]) {
    var output: [UInt8] = []
    for line in lines where frame.hasPlaced(line: line) || previous?.hasPlaced(line: line) == true {
      // A terminal that draws a placed cluster wider has covered the cell after it. A blank cell there does
      // not disturb the layout and is left to the cluster. When a placed cluster is removed, such terminals
      // blank all that it covered.
      var followsPlaced = false
      var replacedEnd = 0
      for column in 0..<frame.width {
        let cell = frame.cell(column, line)
        if cell.width == 0 { continue }
        let isPlaced = frame.isPlaced(column, line)
        if let previous {
          for covered in column..<column + Int(cell.width) where previous.isPlaced(covered, line) {
            replacedEnd = max(
              replacedEnd, covered + Int(previous.cell(covered, line).width) + (isPlaced ? 0 : 1))
          }
        }
        if isPlaced || column < replacedEnd || (followsPlaced && cell.glyph != .space) {
          if output.isEmpty { output += description.string("sc") ?? [] }
          output += parameterized("cup", line, column)
          output += rendition(cell.style)
          // At the right edge, a cluster wider than expected must not wrap to the next line. Only there:
          // without wrapping, tmux draws a mark over the cell before.
          let mayWrap = !frame.isCertain(column, line) && column + Int(cell.width) == frame.width
          if mayWrap { output += description.string("rmam") ?? [] }
          output += drawnGlyph(cell).string.utf8
          if mayWrap { output += description.string("smam") ?? [] }
        }
        followsPlaced = isPlaced
      }
    }
    guard !output.isEmpty else { return }
    self.output.append(output + (description.string("rc") ?? []))
  }

  private func parameterized(_ name: String, _ first: Int, _ second: Int = 0) -> [UInt8] {
    guard var capability = description.string(name).map({ $0.map { CChar(bitPattern: $0) } }) else {
      return []
    }
    capability.append(0)
    guard let result = cncurses_parameterized(capability, Int32(first), Int32(second)) else { return [] }
    return Array(UnsafeBufferPointer(start: result, count: strlen(result)).lazy.map { UInt8(bitPattern: $0) })
  }

  /// Returns the sequence that sets a style, regardless of the one before.
  private func rendition(_ style: Style) -> [UInt8] {
    var output = description.string("sgr0") ?? []
    var attributes = style.attributes
    if strikethrough != .attribute { attributes.remove(.strikethrough) }
    // Italics are strikethrough in the variant of the description.
    let names: [(Style.Attributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.underline, "smul"), (.reverse, "rev"), (.strikethrough, "sitm"),
    ]
    for (attribute, name) in names where attributes.contains(attribute) {
      output += description.string(name) ?? []
    }
    if let color = style.foreground { output += parameterized("setaf", color.number) }
    if let color = style.background { output += parameterized("setab", color.number) }
    return output
  }
}
