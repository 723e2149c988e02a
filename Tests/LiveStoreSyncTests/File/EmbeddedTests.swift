import Foundation
import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("Embedded objects and several machines")
struct EmbeddedTests {
  @Test("A file whose objects embed others is not joined, unless those stay on the machine")
  func refused() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path + "/parts.db"
    try Store(
      Store.Configuration(path: path, objectTypes: [Whole.self, Part.self]),
      scheduler: .fileDescriptor(NotificationSource())
    ).close()
    let error = #expect(throws: StoreError.self) { try join(path, excluding: []) }
    #expect(
      error?.description
        == "Whole.parts embeds Part, which cannot be kept the same on several machines: leave Part on this "
        + "machine, or use the rule .owns.")
    _ = try join(path, excluding: ["Part"])
  }

  private func join(_ path: String, excluding excluded: Set<String>) throws -> JoinedFile {
    try JoinedFile.join(
      path: path,
      .init(
        url: "", space: "s", spaceName: "Home", machine: "anna", replica: 7, excluded: excluded, places: []))
  }
}

private final class Whole: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var parts: List<Part>

  override class var rules: [ObjectRule] { [.embeds(\Whole.parts)] }
}

private final class Part: Object {
  @Persisted(primaryKey: true) var id = ""
}
