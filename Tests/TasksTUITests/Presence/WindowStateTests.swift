import TasksModel
import Testing

@testable import TasksTUI

@Suite("What windows tell of themselves")
struct WindowStateTests {
  private static let id = Identifier()
  private static let states: [WindowState] = [
    WindowState(author: "anna", terminal: "pts/3"),
    WindowState(author: "Zoë 会", terminal: "", activity: .editing(id)),
    WindowState(author: "", terminal: "tty1", activity: .writingNote(id)),
    WindowState(author: "bob", terminal: "pts/12", activity: .adding(list: id)),
    WindowState(author: "bob", terminal: "pts/12", activity: .adding(list: nil)),
  ]

  @Test("It is read as it was written, in a place of the same size each", arguments: states)
  func roundTrip(state: WindowState) {
    #expect(state.bytes.count == WindowState.size)
    #expect(WindowState(bytes: state.bytes) == state)
  }

  @Test("No byte can be another, and none missing, without its being noticed", arguments: states)
  func damage(state: WindowState) {
    let bytes = state.bytes
    let length = bytes.prefix { $0 != 0 }.count
    for index in 0..<length {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << bit
        #expect(WindowState(bytes: damaged) == nil, "byte \(index), bit \(bit)")
      }
      #expect(WindowState(bytes: bytes[..<index]) == nil)
      // Half written over what another window said.
      let other = WindowState(author: "somebody else", terminal: "pts/9", activity: .editing(Identifier()))
        .bytes
      let mixed = bytes[..<index] + other[index...]
      let read = WindowState(bytes: mixed)
      #expect(read == nil || read == state || read == WindowState(bytes: other))
    }
  }

  @Test("Names that are too long, or would be several lines, are cut to what there is room for")
  func longNames() throws {
    let family: Character = "👨‍👩‍👧‍👦"
    let long = WindowState(
      author: String(repeating: family, count: 90), terminal: String(repeating: "x", count: 999))
    #expect(long.bytes.count == WindowState.size)
    let read = try #require(WindowState(bytes: long.bytes))
    #expect(!read.author.isEmpty && read.author.allSatisfy { $0 == family })
    #expect(read.terminal.count == 48)
    let lines = WindowState(author: "a\nb\u{0}c\r\nd", terminal: "\n")
    #expect(WindowState(bytes: lines.bytes) == WindowState(author: "abcd", terminal: ""))
  }

  @Test("Anything else is nothing", arguments: ["", "tasks window 2\n", String(repeating: "\n", count: 255)])
  func other(text: String) {
    #expect(WindowState(bytes: Array(text.utf8)) == nil)
    #expect(WindowState(bytes: [UInt8](repeating: 0xFF, count: 256)) == nil)
  }
}
