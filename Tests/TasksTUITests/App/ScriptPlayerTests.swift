import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

@Suite("Scripts and looking only")
struct ScriptPlayerTests {
  private let folder = TemporaryFolder()
  private let store: TasksStore

  init() throws {
    store = try TasksStore(path: folder("tasks.db"), scheduler: .fileDescriptor(NotificationSource()))
  }

  private func play(_ script: String, isReadOnly: Bool = false) throws -> Int32 {
    try ScriptPlayer(script, name: "script", store: store, isReadOnly: isReadOnly).run()
  }

  private var tasks: [TaskItem] { store.list(TaskList.firstListID).map { Array($0.items) } ?? [] }

  @Test("Keys, texts and commands are played, and the screen is saved as it looks then")
  func play() throws {
    let status = try play(
      """
      # A day's list.
      size 40x8
      clock 2026-12-01 9:00
      keys a
      type Buy milk
      keys Enter
      :add Call mother
      keys g x
      settle
      expect Buy milk
      save \(folder("screen"))
      keys q
      type never
      """)
    #expect(status == 0)
    let saved = try String(contentsOfFile: folder("screen"), encoding: .utf8)
    #expect(
      saved == """
          My Tasks                      1 open
        › Call mother
          Buy milk




          a add  Space complete  h lists

        """)
    #expect(tasks.map(\.text) == ["Call mother", "Buy milk"])
  }

  @Test("With movement, a frame is the same each time it is played")
  func frames() throws {
    var frames: [String] = []
    for number in 0..<2 {
      _ = try play(
        """
        size 30x6
        animation on
        :add one
        :add two
        settle
        :first
        :move-down
        pass 40
        save \(folder("frame\(number)"))
        keys u u u
        """)
      frames.append(try String(contentsOfFile: folder("frame\(number)"), encoding: .utf8))
    }
    #expect(frames[0] == frames[1] && frames[0].contains("one"))
  }

  @Test(
    "What cannot be played is told by its line",
    arguments: [
      ("keys j\nkeys Nokey", "script:2: there is no key Nokey"),
      ("dance", "script:1: a script has no “dance”"),
      ("size 0x4", "script:1: a size is written as 80x24, each at most 1000"),
      (
        "keys j\nclock 2026-12-01 9:00",
        "script:2: a clock is written as 2026-12-01 9:00, before the first key"
      ),
      ("clock 2026-02-30 9:00", "script:1: that month has only 28 days"),
      ("clock 2028-02-29 9:00\ndance", "script:2: a script has no “dance”"),
      ("expect nothing like it", "script:1: the screen does not show “nothing like it”"),
      ("colors 17", "script:1: colors are truecolor, 256, 16, 8 or none, before the first key"),
      ("background red", "script:1: a background is light or dark"),
      (":set theme none\nkeys j", "script:1: theme is one of "),
      (":set nothing", "script:1: There is no setting “nothing”."),
      (":add x\n:due soonish", "script:2: I don't understand that as a date"),
      (":add x\n:priority z", "script:2: “z” is no priority: A, B, C or none."),
      (":color blurple", "script:1: “blurple” is no colour: "), (":tag 12", "script:1: A tag is a word"),
      (":sort size", "script:1: “size” is no order: "), (":filter none", "script:1: No search has the name"),
      ("pass -1", "script:1: pass needs milliseconds"), ("save", "script:1: save and picture need a file"),
    ])
  func problems(script: String, message: String) {
    let error = #expect(throws: RuntimeError.self) { try play(script) }
    #expect(error.map { "\($0)" }?.hasPrefix(message) == true, "\(String(describing: error))")
  }

  @Test("With --read-only every key that would change something is refused, and nothing else")
  func readOnly() throws {
    try store.add(["one", "two"], to: .tasks(inList: TaskList.firstListID))
    let names = CommandTable.all.filter { $0.group == .change }.map(\.name)
    #expect(names.count > 10)
    for name in names {
      _ = try play(":\(name)\nexpect This window is read-only.", isReadOnly: true)
    }
    for keys in ["Enter", "v x", "m j", ". J"] {
      _ = try play("keys \(keys)", isReadOnly: true)
    }
    #expect(tasks.map(\.text) == ["one", "two"] && tasks.allSatisfy { !$0.completed })
    #expect(
      try play(
        "expect read-only\nkeys j v j\nexpect marked\nkeys Esc h\nsettle\nexpect Lists", isReadOnly: true)
        == 0)
  }
}
