import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Observing sectioned results, and single sections")
struct SectionObservingTests {
  private let file = TestFile()

  private func songs(_ artists: String...) throws -> TestStore {
    let test = try file.openSongs()
    try test.store.write {
      for (index, artist) in artists.enumerated() { test.store.add(Song(index + 1, "t\(index)", by: artist)) }
    }
    return test
  }

  @Test(
    "R1, R2, R9, L10: the first call comes later, once, and is .initial, with what was written until then")
  func initial() throws {
    let test = try songs("A", "B")
    let empty = SectionObservation(test.songs.sorted(by: \.id).sectioned { "\($0.id) \($0.title)" })
    let observation = SectionObservation(test.songs.sectioned(by: \.artist))
    let foreign = try file.openSongs()
    #expect(!observation.isReady)
    try foreign.store.write { foreign.store.add(Song(3, "t", by: "C")) }
    try test.store.refresh()
    #expect(observation.isReady && empty.isReady)
    #expect(observation.rows == [[1], [2], [3]] && observation.changes.isEmpty)
    try test.store.write {}
    try test.store.refresh()
    #expect(observation.events == 1)
  }

  @Test("R128: a section's observer is called for its section only, and once at first even if it is empty")
  func section() throws {
    let test = try songs("A", "A", "B")
    let sections = test.songs.sectioned(by: \.artist)
    let (a, b) = (sections[0], sections[1])
    try test.store.write { test.store.delete(try test.song(3)) }
    #expect(b.isInvalidated && b.isEmpty && !a.isInvalidated)
    let (aObservation, bObservation) = (test.observe(a), test.observe(b))
    #expect(bObservation.rows == [[]] && aObservation.rows == [[1, 2]])
    try test.store.write { (try test.song(2)).title = "changed" }
    #expect(test.turns { aObservation.change == SectionedChangeSet(mod: [[0, 1]]) })
    #expect(bObservation.events == 1)
    aObservation.clear()
    try test.store.write {
      test.store.add(Song(4, "x", by: "C"))
      test.store.add(Song(5, "y", by: "B"))
    }
    #expect(test.turns { bObservation.change == SectionedChangeSet(insSections: [1], ins: [[1, 0]]) })
    #expect(aObservation.changes.isEmpty)
  }

  @Test("R128: where a section stands among the others is its index, not its change")
  func position() throws {
    let test = try songs("B", "B")
    let section = test.songs.sectioned(by: \.artist)[0]
    let observation = test.observe(section)
    let all = test.observe(test.songs.sectioned(by: \.artist))
    try test.store.write { test.store.add(Song(3, "x", by: "A")) }
    #expect(test.turns { all.changes.count == 1 })
    #expect(observation.changes.isEmpty)
    try test.store.write {
      test.store.delete(try test.song(3))
      test.store.delete(try test.song(1))
      (try test.song(2)).title = "changed"
      test.store.add(Song(4, "x", by: "B"))
    }
    #expect(
      test.turns {
        observation.change
          == SectionedChangeSet(del: [[1, 0]], ins: [[0, 1]], mod: [[1, 1]], modInNew: [[0, 0]])
      })
  }

  @Test("R129: a section that goes is told so, then nothing, then that it is there again; its handle follows")
  func disappearing() throws {
    let test = try songs("A", "B", "B")
    let section = test.songs.sectioned(by: \.artist)[1]
    let observation = test.observe(section)
    try test.store.write { for id in 2...3 { test.store.delete(try test.song(id)) } }
    #expect(test.turns { observation.change == SectionedChangeSet(delSections: [1]) })
    #expect(section.isInvalidated && section.isEmpty && section.key == "B")
    observation.clear()
    try test.store.write { test.store.add(Song(4, "x", by: "C")) }
    try test.store.refresh()
    #expect(observation.changes.isEmpty)
    try test.store.write {
      test.store.delete(try test.song(1))
      for id in 5...6 { test.store.add(Song(id, "x", by: "B")) }
    }
    #expect(
      test.turns {
        observation.change == SectionedChangeSet(insSections: [0], ins: [[0, 0], [0, 1]])
      })
    #expect(!section.isInvalidated && section.map(\.id) == [5, 6])
  }

  @Test("L1: a section that goes and comes again between two calls is told of its rows only")
  func goneInBetween() throws {
    let test = try songs("A", "B")
    let sections = test.songs.sectioned { $0.artist }
    let (all, one) = (test.observe(sections), test.observe(sections[1]))
    let foreign = try file.openSongs()
    try foreign.store.write { foreign.store.delete(try foreign.song(2)) }
    try foreign.store.write { foreign.store.add(Song(2, "again", by: "B")) }
    try test.store.refresh()
    let expected = SectionedChangeSet(mod: [[1, 0]])
    #expect(all.change == expected && one.change == expected)
    #expect(all.rows == [[1], [2]] && one.rows == [[2]])
  }

  @Test("R130: each row's key is made once, and again only when the row changes")
  func keysMadeOnce() throws {
    let test = try file.openSongs()
    try test.store.write { for id in 1...50 { test.store.add(Song(id, "t\(id)", by: "A\(id % 5)")) } }
    var made: [Int] = []
    let sections = test.songs.sectioned { song in
      made.append(song.id)
      return song.artist
    }
    let all = test.observe(sections)
    let one = test.observe(sections[2])
    #expect(made.sorted() == Array(1...50))
    #expect(sections.allKeys.count == 5 && one.rows[0].count == 10)
    made = []
    // A write of its own: once, when it is committed, and not again when it is delivered.
    try test.store.write {
      (try test.song(3)).title = "changed"
      test.store.delete(try test.song(4))
    }
    #expect(test.turns { all.changes.count == 1 })
    #expect(made == [3])
    made = []
    sqlite3(
      file.path,
      "BEGIN; UPDATE Song SET artist = 'B' WHERE id IN (7, 8); UPDATE Song SET rating = 1 WHERE id = 9; "
        + "COMMIT"
    )
    #expect(test.turns { all.changes.count == 2 })
    #expect(made.sorted() == [7, 8, 9])
    #expect(sections.allKeys.contains("B"))
  }

  @Test(
    "R130: a section's key is not asked for again though its elements' order changes by another's property")
  func untouchedRows() throws {
    let test = try songs("A", "B", "A")
    var made = 0
    let sections = test.songs.sorted(by: \.title).sectioned { song in
      made += 1
      return song.artist
    }
    let observation = test.observe(sections)
    made = 0
    try test.store.write { (try test.song(1)).title = "zzz" }
    #expect(test.turns { observation.changes.count == 1 })
    #expect(made == 1 && observation.rows == [[2], [3, 1]])
  }

  @Test("L2: a row that is deleted and added again with another key has gone to another section")
  func replaced() throws {
    let test = try songs("A", "A", "B")
    let observation = test.observe(test.songs.sectioned(by: \.artist))
    try test.store.write {
      test.store.delete(try test.song(1))
      test.store.add(Song(1, "t0", by: "B"))
    }
    #expect(test.turns { observation.change != nil })
    #expect(
      observation.change
        == SectionedChangeSet(
          del: [[0, 0]], ins: [[1, 0]], moves: [.init(from: [0, 0], to: [1, 0], isModified: true)]))
  }

  @Test("L3, R25: what is assigned as it was, or changed and taken back, is no change")
  func revertedValues() throws {
    let test = try songs("A", "B")
    let observation = test.observe(test.songs.sectioned { $0.artist })
    try test.store.write {
      (try test.song(1)).artist = "B"
      #expect(test.songs.sectioned(by: \.artist).count == 1)
      (try test.song(1)).artist = "A"
    }
    try test.store.write { (try test.song(2)).title = "t1" }
    try test.store.refresh()
    #expect(observation.changes.isEmpty)
  }

  @Test("L7: all collections and sections are at the new version when the first callback runs")
  func oneStep() throws {
    let test = try songs("A", "B")
    let sections = test.songs.sectioned { $0.artist }
    let plain = test.observe(test.songs)
    let other = test.songs.sectioned(by: \.artist)
    let observation = test.observe(sections)
    var seen: [[String]] = []
    plain.onEvent = { _ in seen = [sections.allKeys, other.allKeys, sections[0].map(\.artist)] }
    #expect(other.count == 2)
    let foreign = try file.openSongs()
    try foreign.store.write { (try foreign.song(1)).artist = "C" }
    #expect(test.turns { observation.changes.count == 1 })
    #expect(seen == [["C", "B"], ["B", "C"], ["C"]])
  }

  @Test("L8: a skipped write is not told, and is the base of what follows")
  func skipping() throws {
    let test = try songs("A", "B")
    let sections = test.songs.sectioned { $0.artist }
    let (skipper, other) = (test.observe(sections), test.observe(sections))
    try test.store.write(withoutNotifying: [try #require(skipper.token)]) {
      test.store.add(Song(3, "x", by: "C"))
    }
    skipper.show(sections)
    #expect(test.turns { other.change == SectionedChangeSet(insSections: [2], ins: [[2, 0]]) })
    #expect(skipper.changes.isEmpty)
    other.clear()
    try test.store.write { (try test.song(3)).title = "changed" }
    #expect(
      test.turns { skipper.change == SectionedChangeSet(mod: [[2, 0]]) && other.change == skipper.change })
  }

  @Test("R79, R138: a callback that writes before others are called does not change what those are told")
  func writingCallback() throws {
    let test = try songs("A", "B")
    let sections = test.songs.sectioned { $0.artist }
    let plain = test.observe(test.songs)
    let observation = test.observe(sections)
    let foreign = try file.openSongs()
    var told: [[[Int]]] = []
    observation.onEvent = { _ in told.append(SectionObservation.rows(of: sections)) }
    var hasWritten = false
    plain.onEvent = { _ in
      guard !hasWritten else { return }
      hasWritten = true
      do {
        try test.store.write { test.store.add(Song(9, "own", by: "A")) }
      } catch { Issue.record(error) }
    }
    try foreign.store.write { foreign.store.add(Song(3, "x", by: "C")) }
    #expect(test.turns { observation.changes.count == 2 })
    #expect(observation.changes[0] == SectionedChangeSet(insSections: [2], ins: [[2, 0]]))
    #expect(observation.changes[1] == SectionedChangeSet(ins: [[0, 1]]))
    #expect(told == [[[1], [2], [3]], [[1, 9], [2], [3]]])
  }

  @Test("R147: what changes while the store holds no version is told afterwards")
  func invalidated() throws {
    let test = try songs("A", "B", "B")
    let byClosure = test.songs.sectioned { $0.artist }
    let byProperty = test.songs.sectioned(by: \.artist)
    let observations = [test.observe(byClosure), test.observe(byProperty)]
    test.store.invalidate()
    sqlite3(
      file.path,
      "BEGIN; UPDATE Song SET artist = 'A' WHERE id = 2; INSERT INTO Song (id, title, artist) VALUES (4, "
        + "'x', 'C'); COMMIT"
    )
    #expect(byClosure.allKeys == ["A", "B", "C"])
    #expect(test.turns { observations.allSatisfy { !$0.changes.isEmpty } })
    for observation in observations {
      #expect(
        observation.change
          == SectionedChangeSet(
            insSections: [2], del: [[1, 0]], ins: [[0, 1], [2, 0]],
            moves: [.init(from: [1, 0], to: [0, 1], isModified: true)]))
    }
    try test.store.write { (try test.song(4)).artist = "B" }
    #expect(test.turns { observations.allSatisfy { $0.rows == [[1, 2], [3, 4]] } })
  }

  @Test("R160: a token that is gone ends the calls; sections that nobody has are kept up no more")
  func ending() throws {
    let test = try songs("A")
    var made = 0
    var sections: SectionedResults<String, Song>? = test.songs.sectioned { song in
      made += 1
      return song.artist
    }
    var observation: SectionObservation? = try test.observe(#require(sections))
    sections = nil
    try test.store.write { (try test.song(1)).artist = "B" }
    #expect(test.turns { observation?.changes.count == 1 })
    observation = nil
    test.store.processNotifications()
    made = 0
    try test.store.write { (try test.song(1)).artist = "C" }
    try test.store.refresh()
    #expect(made == 0 && test.store.sections.isEmpty)
  }

  @Test("Keys of sections that are gone are forgotten, but not those that a callback still knows")
  func manyKeys() throws {
    let test = try songs("first")
    let sections = test.songs.sectioned { $0.artist }
    let observation = test.observe(sections)
    for round in 0..<300 {
      try test.store.write { (try test.song(1)).artist = "artist \(round)" }
      if round % 7 == 0 { try test.store.refresh() }
    }
    try test.store.refresh()
    #expect(sections.keys.count < 140)
    #expect(sections.allKeys == ["artist 299"] && observation.rows == [[1]])
  }

  @Test("R174: many rows at once by a foreign program")
  func foreignBulk() throws {
    let test = try file.openSongs()
    try test.store.write { for id in 1...600 { test.store.add(Song(id, "t\(id)", by: "A\(id % 7)")) } }
    let observations = [
      test.observe(test.songs.sectioned { $0.artist }), test.observe(test.songs.sectioned(by: \.artist)),
    ]
    sqlite3(
      file.path,
      "BEGIN; UPDATE Song SET artist = 'A' || (id % 11) WHERE id % 3 > 0; DELETE FROM Song WHERE id % 10 = "
        + "0; COMMIT"
    )
    #expect(test.turns { observations.allSatisfy { $0.changes.count == 1 } })
    #expect(observations.map { $0.rows.joined().count } == [540, 540])
  }

  @Test("L14: a list that belongs to no store cannot be put into sections")
  func unmanaged() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Playlist().songs.sectioned { $0.artist }
      },
      says:
        "Only the list of an object that was added to a store can be put into sections; add the object first."
    )
  }

  @Test("L14: a section index that is not there stops the program")
  func outOfBounds() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = TestFile()
        _ = try file.openSongs().songs.sectioned { $0.artist }[0]
      }, says: "There is no section 0, there are 0.")
  }
}
