package enum TextDirection: Int32, Sendable {
  case leftToRight = 1
  case rightToLeft = 2

  /// Whether the terminal reorders text by itself, and cannot be told not to.
  package static func isSeenToByTerminal(_ environment: [String: String]) -> Bool {
    if environment["KONSOLE_VERSION"] != nil { return true }
    let type = environment["TERM"] ?? ""
    return ["xterm-kitty", "mlterm", "konsole"].contains { type.hasPrefix($0) }
  }
}

extension DisplayText {
  /// The direction of a text that contains right-to-left text: that of its first letter. Nil for any other
  /// text.
  ///
  /// Complexity: O(n).
  package var direction: TextDirection? { VisualOrder(of: clusters)?.direction }
}

extension DisplayText.Cluster {
  /// Whether it belongs to a right-to-left script. Digits and signs do not.
  var isRightToLeft: Bool {
    guard let scalar = first.cell.first else { return false }
    switch scalar.value {
    case ..<0x590: return false
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
    default: return false
    }
  }
}
