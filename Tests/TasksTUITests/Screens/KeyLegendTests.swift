import Foundation
import Testing

@testable import TasksTUI

/// The documents that list keys, which have to agree with the tables of commands.
@Suite("Keys in documents")
struct KeyLegendTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
  private static let isRenewing = ProcessInfo.processInfo.environment["TASKS_GOLDEN"] == "renew"

  @Test("Documentation/Keys.md is made from the tables of commands")
  func document() throws {
    let file = Self.root.appending(path: "Documentation/Keys.md")
    if Self.isRenewing { try KeyLegend.document.write(to: file, atomically: true, encoding: .utf8) }
    let document = try String(contentsOf: file, encoding: .utf8)
    #expect(document == KeyLegend.document, "If that is meant, run make golden, and look at git diff.")
  }

  @Test("The keys that the README lists are the program's")
  func readme() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let rows = readme.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let known = Set(KeyLegend.document.split(separator: "\n"))
    #expect(rows.count >= 12)
    for row in rows { #expect(known.contains(row), "Documentation/Keys.md has no row \(row)") }
  }
}
