import TerminalUI

extension DisplayText {
  /// The lines of a message. Of one that does not fit, the middle is left out: the last sentence tells what
  /// the person can do.
  static func lines(ofMessage message: String, width: Int, atMost count: Int) -> [DisplayText] {
    let room = max(1, width)
    func lines(_ text: DisplayText) -> [DisplayText] {
      text.wrapped(to: room).map { DisplayText(clusters: Array(text.clusters[$0])).trimmingEnd }
    }
    let text = DisplayText(message)
    let whole = lines(text)
    if whole.count <= count { return whole }
    let end = text.startOfLastSentence
    for last in [end, text.clusters.count] {
      let rest = Array(text.clusters[last...])
      let beginning = DisplayText(clusters: Array(text.clusters[..<last])).trimmingEnd
      // The greatest width of the beginning with which all of it fits.
      var (fitting, least, most) = ([DisplayText](), 1, count * room)
      while least <= most {
        let width = (least + most) / 2
        let start = beginning.clipped(to: width).clusters
        let short = lines(
          DisplayText(clusters: rest.isEmpty ? start : start + DisplayText(" ").clusters + rest))
        if short.count <= count {
          (fitting, least) = (short, width + 1)
        } else {
          most = width - 1
        }
      }
      if !fitting.isEmpty { return fitting }
    }
    return Array(whole.prefix(count))
  }

  /// The index of the first cluster of the last sentence, or of the last part after a semicolon; 0 if there
  /// is only one.
  private var startOfLastSentence: Int {
    clusters.indices.dropFirst().dropLast().last { index in
      clusters[index].isSpace && [".", ";"].contains(clusters[index - 1].glyphs.last?.text)
    }.map { $0 + 1 } ?? 0
  }

  private var trimmingEnd: DisplayText {
    DisplayText(clusters: Array(clusters[..<(clusters.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? 0)]))
  }
}
