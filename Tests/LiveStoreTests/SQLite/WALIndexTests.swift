import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("The wal-index")
struct WALIndexTests {
  /// The header of a wal-index as SQLite 3.7.0 and later fill it, twice.
  private func bytes(version: UInt32, isFilled: Bool) -> [UInt32] {
    let header: [UInt32] = [version, 0, 7, isFilled ? 1 : 0, 3] + Array(repeating: 0, count: 7)
    return header + header + Array(repeating: 0, count: 10)
  }

  @Test("Only a layout that is known is read")
  func layout() {
    func isKnown(_ words: [UInt32]) -> Bool {
      words.withUnsafeBytes { $0.baseAddress.map(WALIndex.hasKnownLayout) ?? false }
    }
    #expect(isKnown(bytes(version: 3_007_000, isFilled: true)))
    #expect(!isKnown(bytes(version: 3_007_000, isFilled: false)))
    #expect(!isKnown(bytes(version: 4_000_000, isFilled: true)))
  }

  @Test("The linked SQLite has the layout that is known")
  func linked() throws {
    let file = TestFile()
    let test = try file.open()
    let index = try #require(test.store.coordinator.index)
    let frames = try #require(index.header()).frames
    try test.write { $0.add(Dog("d")) }
    #expect(try #require(index.header()).frames > frames)
  }
}
