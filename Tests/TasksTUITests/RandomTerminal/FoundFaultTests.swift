import Glibc
import TasksModel
import Testing

@testable import TasksTUI

/// The faults that the random tests have found, each by itself.
@Suite("Faults that were found by chance", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct FoundFaultTests {
  @Test("Keys that are struck while Ctrl-Z waits for an answer of the terminal are not lost")
  func keysWhileSuspending() throws {
    let folder = TemporaryFolder()
    let window = try PseudoWindow.resuming(ChildProcess.tasks, in: folder)
    try window.wait(for: "the app") { $0.screen.modes.contains(2004) && $0.isAtRest }
    window.send("a")
    try window.wait(forText: "Enter save")
    // It asks how the terminal is after it has written a lot, and gets no answer.
    window.answers = false
    window.resize(columns: 200, lines: 60)
    try window.wait(for: "the new size") { $0.screen.text(line: 59).contains("Enter save") }
    window.send([0x1A])
    let text = "typed while it is being suspended"
    for letter in text {
      window.send(String(letter))
      window.read(for: 5)
    }
    try window.wait(forText: text)
  }

  @Test(
    "A window that has been tiny for a moment, and has its size again when the program looks, is painted anew"
  )
  func sizeForAMoment() throws {
    let folder = TemporaryFolder()
    let window = try PseudoWindow.resuming(ChildProcess.tasks, in: folder)
    try window.wait(forText: "Nothing to do")
    try window.waitForRest()
    let text = window.screen.text
    for _ in 0..<10 {
      window.resize(columns: 2, lines: 2)
      #expect(window.screen.text != text)
      window.resize(columns: 80, lines: 24)
      try window.wait(for: "the same picture") { $0.screen.text == text }
    }
  }

  @Test("A terminal that takes a new size in the middle of a frame that scrolls is scrolled as a whole again")
  func resizedWhileScrolling() throws {
    let folder = TemporaryFolder()
    let window = try PseudoWindow.resuming(ChildProcess.tasks, in: folder)
    try window.wait(forText: "Nothing to do")
    window.send("?")
    try window.waitForRest()
    window.resize(columns: 80, lines: 60)
    // The end of the frame for the former size.
    window.readLate("\u{1B}[1;24r")
    try window.wait(for: "the new size") { $0.screen.text(line: 59).count > 10 && $0.isAtRest }
    #expect(window.screen.region == 0...59)
  }
}
