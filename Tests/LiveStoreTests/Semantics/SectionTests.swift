import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Sectioned results: what is in them and how they change")
struct SectionTests {
  let file = TestFile()

  private func songs(_ songs: (title: String, artist: String)...) throws -> TestStore {
    let test = try file.openSongs()
    try test.store.write {
      for (index, song) in songs.enumerated() { test.store.add(Song(index + 1, song.title, by: song.artist)) }
    }
    return test
  }

  private func content<Key: Hashable>(_ sections: SectionedResults<Key, Song>) -> [[Int]] {
    SectionObservation.rows(of: sections)
  }

  // MARK: What is in them

  @Test("R143: sections are computed when they are read, before anyone observes, and follow the store")
  func reading() throws {
    let test = try songs(("b", "Y"), ("a", "Z"), ("c", "Y"))
    let sections = test.songs.sorted(by: \.title).sectioned(by: \.artist)
    #expect(sections.allKeys == ["Y", "Z"] && sections.count == 2)
    #expect(content(sections) == [[1, 3], [2]])
    #expect(
      sections[0].key == "Y" && sections[0].id == "Y" && sections[0].count == 2 && sections[0][1].id == 3)
    #expect(sections[[1, 0]].id == 2)
    #expect(sections.indexPath(of: try test.song(3)) == [0, 1])
    try test.store.write { test.store.add(Song(4, "d", by: "A")) }
    #expect(sections.allKeys == ["A", "Y", "Z"] && content(sections) == [[4], [1, 3], [2]])
    #expect(sections.store === test.store && sections[0].store === test.store)
  }

  @Test("Sections by a property stand in the order of its values, up or down")
  func ascending() throws {
    let test = try songs(("b", "Y"), ("a", "Z"), ("c", "X"))
    #expect(test.songs.sectioned(by: \.artist).allKeys == ["X", "Y", "Z"])
    #expect(test.songs.sectioned(by: \.artist, ascending: false).allKeys == ["Z", "Y", "X"])
    let rated = test.songs.sectioned(by: \.rating)
    #expect(rated.allKeys == [nil])
    try test.store.write { (try test.song(2)).rating = 3 }
    #expect(rated.allKeys == [nil, 3] && content(rated) == [[1, 3], [2]])
  }

  @Test("Sections by a value of a linked object stand in its order, too")
  func linked() throws {
    let test = try file.open()
    try test.store.write {
      for (id, name) in [(1, "C"), (2, "A"), (3, "B")] {
        test.store.add(Person(id: id, name: name))
        let other = Person(id: id + 10)
        other.friend = test.store.object(ofType: Person.self, forPrimaryKey: id)
        test.store.add(other)
      }
    }
    let linked = try test.store.objects(Person.self).filter(#Predicate { $0.id > 10 })
    #expect(linked.sectioned(by: \.friend?.name).allKeys == ["A", "B", "C"])
    #expect(linked.sectioned(by: \.friend?.name, ascending: false).allKeys == ["C", "B", "A"])
    let sections = linked.sectioned(by: \.friend?.name)
    try test.store.write { test.store.object(ofType: Person.self, forPrimaryKey: 2)?.name = "Z" }
    #expect(sections.allKeys == ["B", "C", "Z"])
  }

  @Test(
    "Sections by a computed property: sorted by the one property that it is made of, else in the order that was"
  )
  func computed() throws {
    let test = try songs(("bee", "Y"), ("ant", "Z"), ("bat", "Y"), ("cat", "Z"))
    let initials = test.songs.sectioned(by: \.initial)
    #expect(initials.allKeys == ["a", "b", "c"] && content(initials) == [[2], [3, 1], [4]])
    #expect(test.songs.sectioned(by: \.initial, ascending: false).allKeys == ["c", "b", "a"])
    let labels = test.songs.sectioned(by: \.label)
    #expect(labels.allKeys == ["Y 3", "Z 3"] && content(labels) == [[1, 3], [2, 4]])
  }

  @Test("Sections by a closure stand in the order of their first elements, whatever the key type")
  func closure() throws {
    let test = try songs(("bee", "Y"), ("ant", "Z"), ("bat", "Y"), ("cat", "Z"))
    let byTitle = test.songs.sorted(by: \.title)
    let artists = byTitle.sectioned { $0.artist }
    #expect(artists.allKeys == ["Z", "Y"] && content(artists) == [[2, 4], [3, 1]])
    let characters = byTitle.sectioned { $0.title.last }
    #expect(characters.allKeys == ["t", "e"] && content(characters) == [[2, 3, 4], [1]])
    #expect(test.songs.sectioned { [$0.artist, $0.title] }.count == 4)
  }

  @Test(
    "Sections by a closure, or by a key path, of what is sorted by descriptors; of distinct and limited results"
  )
  func derived() throws {
    let test = try songs(("bee", "Y"), ("ant", "Z"), ("bat", "Y"), ("cat", "Z"))
    let descending = [SortProperty<Song>(\.title, ascending: false)]
    let artists = test.songs.sectioned(by: { $0.artist }, sortedBy: descending)
    #expect(artists.allKeys == ["Z", "Y"] && content(artists) == [[4, 2], [1, 3]])
    let initials = test.songs.sectioned(by: \.initial, sortedBy: descending)
    #expect(initials.allKeys == ["c", "b", "a"] && content(initials) == [[4], [1, 3], [2]])
    let limited = test.songs.sorted(by: \.title).limit(3).sectioned { $0.artist }
    let observation = test.observe(limited)
    #expect(content(limited) == [[2], [3, 1]])
    try test.store.write { test.store.add(Song(5, "aaa", by: "X")) }
    #expect(test.turns { observation.change != nil })
    #expect(
      observation.change == SectionedChangeSet(insSections: [0], del: [[1, 1]], ins: [[0, 0]]))
    #expect(content(test.songs.distinct(by: [\.artist]).sectioned { $0.artist }) == [[1], [2], [5]])
    let playlist = Playlist()
    try test.store.write {
      test.store.add(playlist)
      for id in [2, 1] { playlist.songs.append(try test.song(id)) }
    }
    #expect(playlist.songs.sectioned(by: \.artist, sortedBy: descending).allKeys == ["Y", "Z"])
  }

  @Test("Sections of a list, in its order, with an object that stands in it twice")
  func list() throws {
    let test = try songs(("b", "Y"), ("a", "Z"), ("c", "Y"))
    let playlist = Playlist()
    try test.store.write {
      test.store.add(playlist)
      for id in [2, 1, 2, 3] { playlist.songs.append(try test.song(id)) }
    }
    let sections = playlist.songs.sectioned { $0.artist }
    #expect(sections.allKeys == ["Z", "Y"] && content(sections) == [[2, 2], [1, 3]])
    #expect(content(playlist.songs.sectioned(by: \.artist)) == [[1, 3], [2, 2]])
    #expect(sections.indexPath(of: try test.song(2)) == [0, 0])
    let observation = test.observe(sections)
    try test.store.write { playlist.songs.move(from: 3, to: 0) }
    #expect(test.turns { observation.change != nil })
    #expect(
      observation.change
        == SectionedChangeSet(
          delSections: [1], insSections: [0], ins: [[0, 0], [0, 1]]))
  }

  @Test("R143: inside a write sections show what it has written, and after cancelling what there was")
  func uncommitted() throws {
    let test = try songs(("b", "Y"), ("a", "Z"))
    let sections = test.songs.sectioned { $0.artist }
    let unread = test.songs.sectioned(by: \.artist)
    #expect(content(sections) == [[1], [2]])
    try test.store.beginWrite()
    (try test.song(1)).artist = "Z"
    #expect(sections.allKeys == ["Z"] && content(sections) == [[1, 2]])
    #expect(unread.allKeys == ["Z"])
    test.store.delete(try test.song(2))
    test.store.add(Song(9, "x", by: "A"))
    #expect(content(sections) == [[1], [9]] && unread.allKeys == ["A", "Z"])
    test.store.cancelWrite()
    #expect(content(sections) == [[1], [2]] && unread.allKeys == ["Y", "Z"])
    try test.store.write { (try test.song(2)).artist = "B" }
    #expect(sections.allKeys == ["Y", "B"] && unread.allKeys == ["B", "Y"])
  }

  @Test("A value of a foreign program that has no meaning shares the section of the default")
  func meaningless() throws {
    let test = try file.open()
    try test.store.write { for id in 1...3 { test.store.add(Person(id: id)) } }
    sqlite3(
      file.path, "UPDATE Person SET mood = 'zzz' WHERE id = 2; UPDATE Person SET mood = 'eager' WHERE id = 3")
    try test.store.refresh()
    let sections = test.people.sectioned(by: \.mood)
    #expect(sections.allKeys == [.calm, .eager])
    #expect(sections.map { $0.map(\.id) } == [[1, 2], [3]])
  }

  // MARK: Change sets

  @Test("R124: modifications and deletions are in old section indices, insertions in new ones")
  func indexSpaces() throws {
    let test = try songs(("a", "B"), ("b", "B"), ("c", "C"), ("d", "C"))
    let observation = test.observe(test.songs.sectioned(by: \.artist))
    try test.store.write {
      test.store.add(Song(5, "e", by: "A"))
      test.store.add(Song(6, "f", by: "C"))
      test.store.delete(try test.song(1))
      (try test.song(4)).title = "changed"
    }
    #expect(test.turns { observation.change != nil })
    #expect(
      observation.change
        == SectionedChangeSet(
          insSections: [0], del: [[0, 0]], ins: [[0, 0], [2, 2]], mod: [[1, 1]], modInNew: [[2, 1]]))
  }

  @Test("R125: rows of a removed section are not listed, rows of a new one are insertions")
  func wholeSections() throws {
    let test = try songs(("a", "A"), ("b", "A"), ("c", "B"))
    let observation = test.observe(test.songs.sectioned(by: \.artist))
    try test.store.write {
      test.store.delete(try test.song(1))
      test.store.delete(try test.song(2))
      for id in 4...5 { test.store.add(Song(id, "x", by: "C")) }
    }
    #expect(test.turns { observation.change != nil })
    #expect(
      observation.change
        == SectionedChangeSet(delSections: [0], insSections: [1], ins: [[1, 0], [1, 1]]))
  }

  @Test("R126: a row that goes to another section is deleted there and inserted here, and never modified")
  func crossing() throws {
    let test = try songs(("a", "A"), ("b", "A"), ("c", "B"), ("d", "C"))
    let observation = test.observe(test.songs.sectioned(by: \.artist))
    try test.store.write {
      (try test.song(2)).artist = "B"
      (try test.song(2)).title = "changed"
    }
    #expect(test.turns { observation.change != nil })
    #expect(
      observation.change
        == SectionedChangeSet(
          del: [[0, 1]], ins: [[1, 0]], moves: [.init(from: [0, 1], to: [1, 0], isModified: true)]))
    observation.clear()
    // Its old section goes with it.
    try test.store.write { (try test.song(4)).artist = "A" }
    #expect(test.turns { observation.change != nil })
    #expect(observation.change == SectionedChangeSet(delSections: [2], ins: [[0, 1]]))
  }

  @Test("R127 (differs, L1, L3): a kept row with another value is a modification, though its index shifts")
  func shifted() throws {
    let test = try songs(("a", "A"), ("b", "A"), ("c", "A"))
    let observation = test.observe(test.songs.sectioned(by: \.artist))
    try test.store.write {
      test.store.delete(try test.song(1))
      (try test.song(3)).title = "changed"
      (try test.song(2)).title = "b"
    }
    #expect(test.turns { observation.change != nil })
    #expect(observation.change == SectionedChangeSet(del: [[0, 0]], mod: [[0, 2]], modInNew: [[0, 1]]))
  }

  @Test("R131: a modification over a link that does not concern the sections is one in the right section")
  func overLink() throws {
    let test = try songs(("a", "A"), ("b", "B"), ("c", "B"))
    let album = Album(id: 1, name: "x")
    try test.store.write { (try test.song(3)).album = album }
    let byProperty = test.observe(test.songs.sectioned(by: \.artist))
    let byClosure = test.observe(test.songs.sectioned { $0.artist })
    try test.store.write { album.name = "y" }
    #expect(test.turns { byProperty.change != nil && byClosure.change != nil })
    #expect(byProperty.change == SectionedChangeSet(mod: [[1, 1]]))
    #expect(byClosure.change == SectionedChangeSet(mod: [[1, 1]]))
  }

  @Test("A key over a link puts rows into another section when the linked object changes")
  func keyOverLink() throws {
    let test = try songs(("a", ""), ("b", ""), ("c", ""))
    let (x, y) = (Album(id: 1, name: "x"), Album(id: 2, name: "y"))
    try test.store.write {
      for (id, album) in [(1, x), (2, x), (3, y)] { (try test.song(id)).album = album }
    }
    let sections = test.songs.sectioned { $0.album?.name }
    let observation = test.observe(sections)
    let unwatched = SectionObservation(sections, keyPaths: [])
    #expect(test.turns { unwatched.isReady })
    try test.store.write {
      x.name = "y"
      #expect(sections.allKeys == ["y"])
    }
    let expected = SectionedChangeSet(
      delSections: [0], ins: [[0, 0], [0, 1]])
    #expect(test.turns { observation.change == expected && unwatched.change == expected })
    #expect(content(sections) == [[1, 2, 3]])
  }

  @Test("L9, R92: key paths keep modifications away, but not rows that go to another section")
  func keyPaths() throws {
    let test = try songs(("a", "A"), ("b", "B"))
    let sections = test.songs.sectioned { $0.artist }
    let titles = SectionObservation(sections, keyPaths: ["title"])
    let none = SectionObservation(sections, keyPaths: [])
    let all = test.observe(sections)
    #expect(test.turns { titles.isReady && none.isReady })
    try test.store.write { (try test.song(1)).rating = 5 }
    #expect(test.turns { all.change == SectionedChangeSet(mod: [[0, 0]]) })
    #expect(titles.changes.isEmpty && none.changes.isEmpty)
    all.clear()
    try test.store.write { (try test.song(1)).title = "z" }
    #expect(test.turns { all.changes.count == 1 && titles.change == SectionedChangeSet(mod: [[0, 0]]) })
    #expect(none.changes.isEmpty)
    for observation in [titles, none, all] { observation.clear() }
    try test.store.write { (try test.song(1)).artist = "B" }
    let expected = SectionedChangeSet(delSections: [0], ins: [[0, 0]])
    #expect(test.turns { [titles, none, all].allSatisfy { $0.change == expected } })
  }
}

extension SectionTests {
  @Test("R130: a link as section key is an error, which leaves the results usable")
  func linkAsKey() throws {
    let test = try file.openSongs()
    try test.store.write { test.store.add(Song(1, "a", by: "A")) }
    let songs = test.songs
    let error = #expect(throws: StoreError.self) { try songs.sectioned(by: \.album) }
    #expect(error?.code == .misuse)
    #expect(songs.sectioned(by: \.artist).allKeys == ["A"])
    let playlist = Playlist()
    try test.store.write { test.store.add(playlist) }
    #expect(throws: StoreError.self) { try playlist.songs.sectioned(by: \.album) }
    #expect(playlist.songs.sectioned(by: \.artist).isEmpty)
  }

  @Test("R130, L14: a closure that makes a section key of a link stops the program")
  func linkByClosure() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let file = TestFile()
        _ = try file.openSongs().songs.sectioned { $0.album }
      }, says: "A link cannot be the key of a section; use a value of the object that it leads to.")
  }
}
