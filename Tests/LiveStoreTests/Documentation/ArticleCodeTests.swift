import Foundation
import Testing

@Suite("The articles")
struct ArticleCodeTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private static func texts(in folder: URL, _ suffix: String) throws -> [(name: String, text: String)] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }.sorted()
      .map { ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)) }
  }

  /// The lines of a text without indentation and empty lines.
  private static func lines(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  @Test("What the articles and the README show in Swift stands, line for line, in code that a test runs")
  func blocks() throws {
    let root = Self.folder.appendingPathComponent("../../..")
    let articles = root.appendingPathComponent("Sources/LiveStore/LiveStore.docc")
    let sources = try Self.texts(in: Self.folder, ".swift").map {
      "\n" + Self.lines($0.text).joined(separator: "\n") + "\n"
    }
    var count = 0
    for (name, text) in try Self.texts(in: articles, ".md") + Self.texts(in: root, "README.md") {
      let parts = text.components(separatedBy: "```")
      #expect(parts.count % 2 == 1, "\(name) has a block without an end")
      // Every second part is between fences.
      for block in parts.indices.filter({ $0 % 2 == 1 }).map({ parts[$0] }) where block.hasPrefix("swift\n") {
        let wanted = "\n" + Self.lines(block.dropFirst("swift\n".count)).joined(separator: "\n") + "\n"
        #expect(sources.contains { $0.contains(wanted) }, "\(name) shows what no test runs:\(wanted)")
        count += 1
      }
    }
    #expect(count >= 20)
  }
}
