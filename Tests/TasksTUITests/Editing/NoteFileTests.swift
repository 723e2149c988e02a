import Foundation
import Testing

@testable import TasksTUI

@Suite("The file of a note that another program edits")
struct NoteFileTests {
  @Test("What is no text is left out or replaced, and that is said")
  func damaged() throws {
    let folder = TemporaryFolder()
    let file = try NoteFile("café", environment: ["TMPDIR": folder.path])
    #expect(try file.text() == ("café", false))
    for (bytes, text) in [("caf\u{E9}", "caf�"), ("a\0b", "ab")] {
      try #require(bytes.data(using: .isoLatin1)).write(to: URL(filePath: file.path))
      #expect(try file.text() == (text, true))
    }
  }
}
