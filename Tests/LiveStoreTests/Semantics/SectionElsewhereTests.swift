import Dispatch
import Synchronization
import Testing

@testable import LiveStore

@Suite("Sections observed on another scheduler")
struct SectionElsewhereTests {
  private let file = TestFile()

  @Test("R132: a callback is called there, with the same sections of a store that is opened there")
  func property() throws {
    let test = try file.openSongs()
    try test.store.write { for id in 1...3 { test.store.add(Song(id, "t\(id)", by: "A\(id % 2)")) } }
    let (queue, log) = (DispatchQueue(label: "elsewhere"), CallbackLog())
    let sections = test.songs.sectioned(by: \.artist, ascending: false)
    let token = sections.observe(keyPaths: ["title"], on: .queue(queue)) { change in
      dispatchPrecondition(condition: .onQueue(queue))
      switch change {
      case .initial(let sections): log.append("\(sections.allKeys) \(sections.map { $0.map(\.id) })")
      case .update(let sections, let changes):
        log.append("\(sections.allKeys) \(changes.sectionsToInsert) \(changes.modifications.map(\.row))")
      case .error(let error): log.append("\(error)")
      }
    }
    #expect(log.next() == #"["A1", "A0"] [[1, 3], [2]]"#)
    try test.store.write {
      (try test.song(3)).title = "changed"
      test.store.add(Song(4, "x", by: "B"))
    }
    #expect(log.next() == #"["B", "A1", "A0"] [0] [1]"#)
    token.invalidate()
  }

  @Test("Sections by a property need no object; those by a computed property, or a closure, do")
  func remaking() throws {
    let test = try file.openSongs()
    #expect(test.songs.sectioned(by: \.artist).remake != nil)
    #expect(test.songs.sectioned(by: \.rating).remake != nil)
    #expect(test.songs.sectioned(by: \.initial).remake == nil)
    #expect(test.songs.sectioned(by: \.label).remake == nil)
    #expect(test.songs.sectioned { $0.artist }.remake == nil)
  }

  @Test("R170: frozen sections stay as they are, on any thread, and do not ask for keys any more")
  func freezing() throws {
    let test = try file.openSongs()
    try test.store.write { for id in 1...4 { test.store.add(Song(id, "t\(id)", by: "A\(id % 2)")) } }
    var made = 0
    let sections = test.songs.sectioned { song in
      made += 1
      return song.artist
    }
    let frozen = Frozen(sections)
    made = 0
    try test.store.write { for song in Array(test.songs) { song.artist = "B" } }
    #expect(sections.allKeys == ["B"] && made == 4)
    let log = CallbackLog()
    DispatchQueue(label: "elsewhere").async {
      log.append(
        "\(frozen.value.allKeys) \(frozen.value.map { $0.map(\.id) }) \(frozen.value[[1, 0]].artist)")
    }
    #expect(log.next() == #"["A1", "A0"] [[1, 3], [2, 4]] A0"#)
    #expect(frozen.value.isFrozen && frozen.value.freeze() === frozen.value && made == 4)
    #expect(frozen.value.thaw() === sections && sections.thaw() === sections)
    let late = frozen.value.store.objects(Song.self)
    #expect(late.sectioned(by: \.artist).allKeys == ["A0", "A1"] && late.sectioned { $0.title }.count == 4)
  }

  @Test("L14: sections by a closure cannot be observed on another scheduler")
  func closure() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = TestFile()
        let sections = try file.openSongs().songs.sectioned { $0.artist }
        _ = sections.observe(on: .queue(DispatchQueue(label: "elsewhere"))) { _ in }
      },
      says:
        "Sections whose keys a closure or a computed property makes cannot be observed on another scheduler")
  }
}
