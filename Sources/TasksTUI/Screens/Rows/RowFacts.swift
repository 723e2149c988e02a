import FoundationEssentials

/// The rows near those in sight as they were read for the last frame or since. While only the cursor or the
/// time moves, each row is read once.
final class RowFacts<Element> {
  /// Everything that the facts depend on, apart from the width.
  struct Basis: Equatable {
    /// The number of the state of the screens.
    let generation: Int
    /// The store's number for the state of the file.
    let readGeneration: UInt64
    let isWide: Bool
    /// The moment at which waiting subtasks were left out.
    let waitingSince: Date
  }

  private var basis: Basis?
  // More than any screen shows at once, with the rows that a page moves over.
  private var elements = NearRows<Element>(limit: 2048)
  private var heights = NearRows<Int>(limit: 2048)
  private var width = 0

  /// Forgets the facts unless they have this basis, and keeps new ones from now on.
  ///
  /// - Returns: Whether the last frame had this basis.
  func beginFrame(_ present: Basis) -> Bool {
    let isSame = basis == present
    if !isSame {
      elements.removeAll()
      heights.removeAll()
    }
    basis = present
    return isSame
  }

  /// Between an event that may change the rows and the next frame, facts are neither used nor kept.
  func element(at row: Int, _ present: @autoclosure () -> Basis, read: () -> Element) -> Element {
    guard basis == present() else { return read() }
    if let known = elements[row] { return known }
    let element = read()
    // A read that fails ends the generation.
    if basis == present() { elements[row] = element }
    return element
  }

  func height(
    ofRow row: Int, width: Int, _ present: @autoclosure () -> Basis, read: () -> Int
  ) -> Int {
    guard basis == present() else { return read() }
    if width != self.width {
      self.width = width
      heights.removeAll()
    }
    if let known = heights[row] { return known }
    let height = read()
    if basis == present() { heights[row] = height }
    return height
  }
}
