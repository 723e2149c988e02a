import Foundation
import Glibc
import Testing

@testable import TasksTUI

@Suite("Texts that were being typed when a window ended")
struct UnsavedTextTests {
  @Test("An open window keeps its text; that of one that has ended is taken, also by its number")
  func numbers() throws {
    let folder = TemporaryFolder()
    let state = try #require(StateFile(database: folder("tasks.db"), environment: ["HOME": folder.path]))
    let text = UnsavedText(place: .lists, text: "half a", original: "")
    state.keep(text)
    #expect(state.takeUnsaved() == nil)
    let path = state.unsavedPrefix + "\(getpid())"
    // The first process of the system is another program.
    try FileManager.default.moveItem(atPath: path, toPath: state.unsavedPrefix + "1")
    #expect(state.takeUnsaved() == text && state.takeUnsaved() == nil)
  }
}
