import FoundationEssentials
import Testing

/// The damage to a file on a disk that fails, or under a program that writes where it should not.
enum Damage: CaseIterable, Sendable {
  case zeroedPages, swappedPages, copiedPages, cutOff, header, flippedBits, randomBytes, pageHeads

  /// Whether bytes of texts and numbers may have become others, which nothing can tell.
  var reachesValues: Bool {
    switch self {
    case .flippedBits, .randomBytes: true
    case .zeroedPages, .swappedPages, .copiedPages, .cutOff, .header, .pageHeads: false
    }
  }

  /// Whether whole pages are where others were, and pages that are of one kind cannot be told from one
  /// another.
  var movesPages: Bool { self == .swappedPages || self == .copiedPages }

  /// Damages the pages of a file, of 4096 bytes each.
  func damage(_ file: inout [UInt8], using random: inout SeededGenerator) {
    let size = 4096
    let pages = file.count / size
    func page() -> Int { Int.random(in: 0..<pages, using: &random) * size }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      switch self {
      case .zeroedPages:
        let start = page()
        file.replaceSubrange(start..<start + size, with: [UInt8](repeating: 0, count: size))
      case .swappedPages:
        let (first, second) = (page(), page())
        let content = Array(file[first..<first + size])
        file.replaceSubrange(first..<first + size, with: file[second..<second + size])
        file.replaceSubrange(second..<second + size, with: content)
      case .copiedPages:
        let (first, second) = (page(), page())
        file.replaceSubrange(first..<first + size, with: file[second..<second + size])
      case .cutOff:
        file.removeLast(Int.random(in: 1..<file.count - 600, using: &random))
        return
      case .header:
        file[.random(in: 0..<100, using: &random)] = .random(in: 0...255, using: &random)
      case .flippedBits:
        for _ in 0..<20 {
          file[.random(in: 0..<file.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      case .randomBytes:
        let start = page() + Int.random(in: 0..<size, using: &random)
        for place in start..<min(start + Int.random(in: 1...size, using: &random), file.count) {
          file[place] = .random(in: 0...255, using: &random)
        }
      case .pageHeads:
        // The head says where the rows begin, how many they are, and which page goes on.
        let start = page()
        let head = start == 0 ? 100 : 0
        for _ in 0..<3 {
          file[start + head + Int.random(in: 0..<12, using: &random)] = .random(in: 0...255, using: &random)
        }
      }
    }
  }
}
