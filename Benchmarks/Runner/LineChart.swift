import Glibc

/// A drawing of how each operation grows with the collection; both axes are logarithmic.
struct LineChart {
  private struct Line {
    let name: String
    let isBaseline: Bool
    var points: [(rows: Double, value: Double)]
  }

  private let title: String
  private let unit: Unit
  private var lines: [Line] = []
  private let target: Double?

  /// - Returns: `nil` when nothing was measured at several sizes.
  init?(title: String, _ measurements: [Measurement]) {
    guard let unit = measurements.first?.unit else { return nil }
    let measurements = measurements.filter { $0.unit == unit && $0.median > 0 }
    self.title = title
    self.unit = unit
    target = measurements.last.flatMap { measurement in
      // The scale is logarithmic.
      for case .median(atMost: let limit) in measurement.targets where limit > 0 { return limit }
      return nil
    }
    var baselines: [Line] = []
    for measurement in measurements {
      add(measurement.median, of: measurement, name: measurement.operation, isBaseline: false, to: &lines)
      if let baseline = measurement.baseline {
        // Baselines of the same kind lie on top of each other; the first operation's is shown.
        let isOther =
          measurement.operation != measurements.first { $0.baseline?.name == baseline.name }?.operation
        if isOther { continue }
        add(baseline.median, of: measurement, name: baseline.name, isBaseline: true, to: &baselines)
      }
    }
    lines = (lines + baselines).filter { $0.points.count > 1 }
    if lines.isEmpty { return nil }
  }

  private func add(
    _ value: Double, of measurement: Measurement, name: String, isBaseline: Bool, to lines: inout [Line]
  ) {
    let point = (Double(measurement.rows), value)
    if let index = lines.firstIndex(where: { $0.name == name }) {
      lines[index].points.append(point)
    } else {
      lines.append(Line(name: name, isBaseline: isBaseline, points: [point]))
    }
  }

  private static let width = 920.0
  private static let height = 440.0
  private static let left = 76.0
  private static let right = 620.0
  private static let top = 64.0
  private static let bottom = 392.0

  /// The drawing, which takes the colours of the reader's light or dark surroundings.
  var svg: String {
    let points = lines.flatMap(\.points)
    let values = points.map(\.value) + (target.map { [$0] } ?? [])
    let low = floor(log10(values.min() ?? 1))
    let high = max(ceil(log10(values.max() ?? 10)), low + 1)
    let first = log10(points.map(\.rows).min() ?? 1)
    let last = log10(points.map(\.rows).max() ?? 10)
    func x(_ rows: Double) -> Double {
      Self.left + (log10(rows) - first) / (last - first) * (Self.right - Self.left)
    }
    func y(_ value: Double) -> Double {
      Self.bottom - (log10(value) - low) / (high - low) * (Self.bottom - Self.top)
    }

    var elements: [String] = []
    for decade in Int(low)...Int(high) {
      let value = pow(10, Double(decade))
      elements.append(rule(from: (Self.left, y(value)), to: (Self.right, y(value)), "grid"))
      elements.append(label(quantity(value, unit), x: Self.left - 8, y: y(value) + 4, "axis", anchor: "end"))
    }
    for rows in Set(points.map(\.rows)).sorted() {
      elements.append(rule(from: (x(rows), Self.top), to: (x(rows), Self.bottom), "grid"))
      elements.append(label(grouped(Int(rows)), x: x(rows), y: Self.bottom + 20, "axis", anchor: "middle"))
    }
    elements.append(
      label("rows", x: (Self.left + Self.right) / 2, y: Self.bottom + 40, "axis", anchor: "middle"))

    // Names stand at the ends of their lines, moved apart where they would cover each other.
    var names: [(text: String, y: Double, style: String)] = []
    if let target {
      elements.append(rule(from: (Self.left, y(target)), to: (Self.right, y(target)), "target"))
      names.append(("target \(quantity(target, unit))", y(target), "axis"))
    }
    var color = 0
    for line in lines {
      color += line.isBaseline ? 0 : 1
      let style = line.isBaseline ? "baseline" : "c\((color - 1) % 6)"
      let path = line.points.sorted { $0.rows < $1.rows }
      let corners = path.map { "\(fixed(x($0.rows), decimals: 1)),\(fixed(y($0.value), decimals: 1))" }
      elements.append("<polyline class=\"line \(style)\" points=\"\(corners.joined(separator: " "))\"/>")
      for point in path {
        elements.append(
          "<circle class=\"dot \(style)\" cx=\"\(fixed(x(point.rows), decimals: 1))\" "
            + "cy=\"\(fixed(y(point.value), decimals: 1))\" r=\"3\"><title>\(escaped(line.name)), "
            + "\(grouped(Int(point.rows))) rows: \(quantity(point.value, unit))</title></circle>")
      }
      if let end = path.last {
        names.append(("\(line.name), \(quantity(end.value, unit))", y(end.value), "name \(style)"))
      }
    }
    names.sort { $0.y < $1.y }
    var lowest = Self.top - 20
    for index in names.indices {
      names[index].y = max(names[index].y, lowest + 16)
      lowest = names[index].y
    }
    let overflow = max(0, lowest - Self.bottom)
    for name in names {
      elements.append(
        label(name.text, x: Self.right + 12, y: name.y - overflow + 4, name.style, anchor: "start"))
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" \
      width="\(Int(Self.width))" height="\(Int(Self.height))" role="img">
      <title>\(escaped(title))</title>
      <style>\(Self.style)</style>
      <rect class="paper" width="100%" height="100%"/>
      \(titleLines.enumerated().map { label($1, x: 16, y: 26 + 18 * Double($0), "heading", anchor: "start") }
        .joined(separator: "\n"))
      \(elements.joined(separator: "\n"))
      </svg>

      """
  }

  private var titleLines: [String] {
    var lines = [""]
    for word in title.split(separator: " ") {
      if lines[lines.count - 1].count + word.count > 118 { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines
  }

  private func rule(
    from: (x: Double, y: Double), to: (x: Double, y: Double), _ style: String
  ) -> String {
    "<line class=\"\(style)\" x1=\"\(fixed(from.x, decimals: 1))\" y1=\"\(fixed(from.y, decimals: 1))\" "
      + "x2=\"\(fixed(to.x, decimals: 1))\" y2=\"\(fixed(to.y, decimals: 1))\"/>"
  }

  private func label(_ text: String, x: Double, y: Double, _ style: String, anchor: String) -> String {
    "<text class=\"\(style)\" x=\"\(fixed(x, decimals: 1))\" y=\"\(fixed(y, decimals: 1))\" "
      + "text-anchor=\"\(anchor)\">\(escaped(text))</text>"
  }

  private func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }

  private static let style: String = {
    let light = ["#0969da", "#1a7f37", "#cf222e", "#8250df", "#9a6700", "#0a7d8c"]
    let dark = ["#58a6ff", "#3fb950", "#ff7b72", "#bc8cff", "#d29922", "#39c5cf"]
    func colors(_ values: [String]) -> String {
      values.enumerated().map { ".line.c\($0){stroke:\($1)}.dot.c\($0),.name.c\($0){fill:\($1)}" }.joined()
    }
    return """
      text{font:12px ui-sans-serif,system-ui,sans-serif;fill:#1f2328}.heading{font-size:13px;font-weight:600}\
      .paper{fill:#fff}.grid{stroke:#d8dee4}.axis{fill:#59636e}.target{stroke:#59636e;stroke-dasharray:2 3}\
      .line{fill:none;stroke-width:2}.line.baseline{stroke:#6e7781;stroke-dasharray:6 4}\
      .dot.baseline,.name.baseline{fill:#6e7781}\(colors(light))\
      @media (prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117}.grid{stroke:#2a313a}\
      .axis{fill:#9198a1}.target{stroke:#9198a1}.line.baseline{stroke:#8b949e}\
      .dot.baseline,.name.baseline{fill:#8b949e}\(colors(dark))}
      """
  }()
}
