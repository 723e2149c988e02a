import Glibc

/// A value with its unit, to three digits.
package func quantity(_ value: Double, _ unit: Unit) -> String {
  guard value.isFinite else { return "–" }
  switch unit {
  case .nanoseconds: return scaled(value, 1000, ["ns", "µs", "ms", "s"])
  case .bytes: return scaled(value, 1000, ["B", "KB", "MB", "GB"])
  case .perSecond: return "\(grouped(Int(value.rounded())))/s"
  case .count: return significant(value)
  }
}

private func scaled(_ value: Double, _ step: Double, _ names: [String]) -> String {
  var value = value
  var index = 0
  // A number that is rounded up to a thousand is one of the next unit.
  while abs(value) >= step - 0.5, index < names.count - 1 {
    value /= step
    index += 1
  }
  return "\(significant(value)) \(names[index])"
}

/// Three digits, or all of those before the point.
package func significant(_ value: Double) -> String {
  guard value.isFinite else { return "–" }
  guard value != 0 else { return "0" }
  let magnitude = Int(floor(log10(abs(value))))
  return fixed(value, decimals: min(max(0, 2 - magnitude), 5))
}

package func fixed(_ value: Double, decimals: Int) -> String {
  let scale = (0..<decimals).reduce(1) { product, _ in product * 10 }
  let number = Int((abs(value) * Double(scale)).rounded())
  let sign = value < 0 && number > 0 ? "-" : ""
  guard decimals > 0 else { return "\(sign)\(number)" }
  var fraction = "\(number % scale)"
  fraction = String(repeating: "0", count: decimals - fraction.count) + fraction
  while fraction.hasSuffix("0") { fraction.removeLast() }
  return "\(sign)\(number / scale)\(fraction.isEmpty ? "" : ".")\(fraction)"
}

/// A number with its thousands set apart.
package func grouped(_ number: Int) -> String {
  var text = ""
  for (index, digit) in "\(abs(number))".reversed().enumerated() {
    if index > 0, index % 3 == 0 { text.append(",") }
    text.append(digit)
  }
  return (number < 0 ? "-" : "") + String(text.reversed())
}

/// Lines of columns.
struct TextTable {
  private let columns: Int
  private let alignedLeft: Set<Int>
  private let hasHeading: Bool
  private var lines: [[String]] = []

  init(columns: Int, alignedLeft: Set<Int>, heading: [String]? = nil) {
    self.columns = columns
    self.alignedLeft = alignedLeft
    hasHeading = heading != nil
    if let heading { lines.append(heading) }
  }

  mutating func append(_ line: [String]) {
    lines.append(line)
  }

  var text: String {
    // A column with nothing below its heading is left out.
    let widths = (0..<columns).map { column in
      lines.dropFirst(hasHeading ? 1 : 0).allSatisfy { $0[column].isEmpty }
        ? 0 : lines.map { $0[column].count }.max() ?? 0
    }
    return lines.map { line in
      var text = ""
      for (column, cell) in line.enumerated() where widths[column] > 0 {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        text += (text.isEmpty ? "" : "  ") + (alignedLeft.contains(column) ? cell + padding : padding + cell)
      }
      while text.hasSuffix(" ") { text.removeLast() }
      return text
    }.joined(separator: "\n")
  }
}
