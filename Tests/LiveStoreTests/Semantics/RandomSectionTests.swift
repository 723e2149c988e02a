import FoundationEssentials
import Testing

@testable import LiveStore

/// The contents of a view of sections: for each section its key, and its rows.
private struct Shown: Equatable {
  struct Row: Equatable {
    let id: String
    let content: String
  }

  var keys: [String] = []
  var sections: [[Row]] = []

  mutating func append(_ row: Row, key: String) {
    if let index = keys.firstIndex(of: key) {
      sections[index].append(row)
    } else {
      keys.append(key)
      sections.append([row])
    }
  }

  /// The part of it that has one key.
  func only(_ key: String) -> Shown {
    guard let index = keys.firstIndex(of: key) else { return Shown() }
    return Shown(keys: [key], sections: [sections[index]])
  }
}

/// A view that follows the change sets of one callback.
private final class SectionMirror {
  let name: String
  private let current: () -> Shown
  /// The section observed, if it is one only.
  private let section: String?
  private(set) var shown = Shown()
  private(set) var calls = 0
  var token: NotificationToken?

  init(_ name: String, section: String? = nil, current: @escaping () -> Shown) {
    self.name = name
    self.section = section
    self.current = current
  }

  deinit {
    token?.invalidate()
  }

  /// Whether it shows all sections.
  var isWhole: Bool { section == nil }

  private var expected: Shown {
    section.map { current().only($0) } ?? current()
  }

  func reload() {
    shown = expected
  }

  func receive<Collection>(_ change: SectionedResultsChange<Collection>) {
    calls += 1
    switch change {
    case .initial: reload()
    case .update(_, let changes): receive(changes)
    case .error(let error): Issue.record("\(error)")
    }
  }

  private func receive(_ changes: SectionedChangeSet) {
    #expect(!changes.isEmpty, "\(name): a call without a change")
    var (old, new, changes) = (shown, current(), changes)
    if let section {
      // Its indices are those among all sections; here there is one.
      if let index = new.keys.firstIndex(of: section) {
        for path in changes.insertions + changes.modificationsInNew {
          #expect(path.section == index, "\(name)")
        }
        if !changes.sectionsToInsert.isEmpty { #expect(changes.sectionsToInsert == [index], "\(name)") }
      }
      new = new.only(section)
      changes.sectionsToDelete = changes.sectionsToDelete.map { _ in 0 }
      changes.sectionsToInsert = changes.sectionsToInsert.map { _ in 0 }
      for path in [\SectionedChangeSet.deletions, \.insertions, \.modifications, \.modificationsInNew] {
        changes[keyPath: path] = changes[keyPath: path].map { .init(section: 0, row: $0.row) }
      }
      changes.moves = []
    }
    old = apply(changes, to: old, new)
    #expect(old == new, "\(name): \(changes) does not lead from \(shown) to \(new)")
    shown = new
  }

  private func apply(_ changes: SectionedChangeSet, to old: Shown, _ new: Shown) -> Shown {
    // L3, L5: the same rows, with other values.
    for (index, newIndex) in zip(changes.modifications, changes.modificationsInNew) {
      let (row, newRow) = (
        old.sections[index.section][index.row], new.sections[newIndex.section][newIndex.row]
      )
      #expect(row.id == newRow.id && row.content != newRow.content, "\(name): \(index) was not modified")
      #expect(
        old.keys[index.section] == new.keys[newIndex.section], "\(name): \(index) is in another section")
    }
    for move in changes.moves {
      let (row, newRow) = (
        old.sections[move.from.section][move.from.row], new.sections[move.to.section][move.to.row]
      )
      #expect(row.id == newRow.id, "\(name): \(move) is of another row")
      #expect(move.isModified == (row.content != newRow.content), "\(name): \(move)")
      #expect(
        changes.deletions.contains(move.from) && changes.insertions.contains(move.to), "\(name): \(move)")
    }
    // Contents are taken from the new version only where the change set says so.
    var view = old
    for index in changes.deletions.reversed() { view.sections[index.section].remove(at: index.row) }
    for index in changes.sectionsToDelete.reversed() {
      view.sections.remove(at: index)
      view.keys.remove(at: index)
    }
    for index in changes.sectionsToInsert {
      view.sections.insert([], at: index)
      view.keys.insert(new.keys[index], at: index)
    }
    for index in changes.insertions {
      view.sections[index.section].insert(new.sections[index.section][index.row], at: index.row)
    }
    for index in changes.modificationsInNew {
      view.sections[index.section][index.row] = new.sections[index.section][index.row]
    }
    return view
  }

  func check(_ when: String) {
    #expect(shown == expected, "\(name) \(when)")
  }
}

/// An instance, and sections of every kind that it observes.
private final class Observer {
  let test: TestStore
  private(set) var mirrors: [SectionMirror] = []
  private let playlist: Playlist

  init(_ file: TestFile) throws {
    test = try file.openSongs()
    let store = test.store
    if store.object(ofType: Playlist.self, forPrimaryKey: 1) == nil {
      let playlist = Playlist()
      playlist.id = 1
      try store.write { store.add(playlist) }
    }
    playlist = try #require(store.object(ofType: Playlist.self, forPrimaryKey: 1))
    let songs = test.songs
    let all = "SELECT id FROM Song"
    let listed =
      "SELECT l.target, l.entry FROM Playlist_songs l JOIN Song ON Song.id = l.target WHERE l.owner = 1"
    let inList = "l.position, l.target, l.entry"

    add("by artist", songs.sectioned(by: \.artist), "\(all) ORDER BY artist, id") { $0.artist }
    add("by artist, down", songs.sectioned(by: \.artist, ascending: false), "\(all) ORDER BY artist DESC, id")
    {
      $0.artist
    }
    add("by rating", songs.sorted(by: \.title).sectioned(by: \.rating), "\(all) ORDER BY rating, title, id") {
      "\($0.rating.map { "\($0)" } ?? "none")"
    }
    add("by initial", songs.sectioned(by: \.initial), "\(all) ORDER BY title, id") { $0.initial }
    add(
      "by label", songs.sorted(by: \.title, ascending: false).sectioned { $0.label },
      "\(all) ORDER BY title DESC, id"
    ) { $0.label }
    add("by album", songs.sorted(by: \.title).sectioned { $0.album?.name }, "\(all) ORDER BY title, id") {
      $0.album?.name ?? "none"
    }
    add("each its own", songs.sectioned { $0.id }, "\(all) ORDER BY id") { "\($0.id)" }
    add(
      "filtered", try songs.filter(#Predicate { $0.title > "f" }).sectioned { $0.artist },
      "\(all) WHERE title > 'f' ORDER BY id"
    ) { $0.artist }
    add("list", playlist.songs.sectioned { $0.artist }, "\(listed) ORDER BY \(inList)") { $0.artist }
    add("list by artist", playlist.songs.sectioned(by: \.artist), "\(listed) ORDER BY Song.artist, \(inList)")
    {
      $0.artist
    }
  }

  private func add<Key: Hashable>(
    _ name: String, _ sections: SectionedResults<Key, Song>, _ sql: String, _ key: @escaping (Song) -> String
  ) {
    let (store, isList) = (test.store, sql.contains("entry"))
    func current(_ content: @escaping (Song) -> String) -> () -> Shown {
      {
        var shown = Shown()
        for row in store.rows(sql) {
          guard case .integer(let id) = row[0],
            let song = store.object(ofType: Song.self, forPrimaryKey: Int(id))
          else { continue }
          shown.append(
            .init(id: "\(row[row.count - 1])", content: (isList ? "\(id) " : "") + content(song)),
            key: key(song))
        }
        return shown
      }
    }
    let everything = current {
      "\($0.title) \($0.artist) \($0.rating ?? -1) \($0.album?.id ?? -1) \($0.album?.name ?? "")"
    }
    func add(_ mirror: SectionMirror, _ observe: (SectionMirror) -> NotificationToken) {
      mirror.token = observe(mirror)
      mirrors.append(mirror)
    }
    add(SectionMirror(name, current: everything)) { mirror in
      sections.observe { [unowned mirror] in mirror.receive($0) }
    }
    add(SectionMirror("titles \(name)", current: current(\.title))) { mirror in
      sections.observe(keyPaths: ["title"]) { [unowned mirror] in mirror.receive($0) }
    }
    if !sections.isEmpty {
      let section = sections[0]
      let name = "\(name), section \(section.key)"
      let key = key(section[0])
      add(SectionMirror(name, section: key, current: everything)) { mirror in
        section.observe { [unowned mirror] in mirror.receive($0) }
      }
    }
  }
}

/// Changes songs, albums and the playlist at random.
private struct SongWriter {
  var random: SeededGenerator

  mutating func int(_ range: Range<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func title() -> String {
    String(repeating: ["a", "e", "i", "o"][int(0..<4)], count: int(1..<3))
  }
  private mutating func artist() -> String { "A\(int(0..<4))" }

  mutating func change(_ store: Store) {
    for _ in 0..<int(1..<5) { step(store) }
  }

  private mutating func song(_ store: Store) -> Song? {
    let songs = store.objects(Song.self)
    return songs.isEmpty ? nil : songs[int(0..<songs.count)]
  }

  private mutating func step(_ store: Store) {
    switch int(0..<16) {
    case 0..<3:
      let id = int(0..<25)
      if store.object(ofType: Song.self, forPrimaryKey: id) == nil {
        store.add(Song(id, title(), by: artist()))
      }
    case 3: if let song = song(store) { store.delete(song) }
    case 4..<6: song(store)?.artist = artist()
    case 6..<8: song(store)?.title = title()
    case 8: song(store)?.rating = int(0..<2) == 0 ? nil : int(0..<3)
    case 9..<11:
      let id = int(0..<3)
      let album = store.object(ofType: Album.self, forPrimaryKey: id) ?? Album(id: id, name: "x\(int(0..<3))")
      song(store)?.album = int(0..<4) == 0 ? nil : album
    case 11: store.object(ofType: Album.self, forPrimaryKey: int(0..<3))?.name = "x\(int(0..<3))"
    default: changeList(store)
    }
  }

  private mutating func changeList(_ store: Store) {
    guard let list = store.object(ofType: Playlist.self, forPrimaryKey: 1)?.songs, let song = song(store)
    else { return }
    switch int(0..<5) {
    case 0..<2: list.insert(song, at: int(0..<list.count + 1))
    case 2 where list.count > 5: list.remove(at: int(0..<list.count))
    case 3 where !list.isEmpty: list[int(0..<list.count)] = song
    default: if !list.isEmpty { list.move(from: int(0..<list.count), to: int(0..<list.count)) }
    }
  }

  mutating func sql() -> String {
    switch int(0..<5) {
    case 0: "UPDATE Song SET artist = 'A' || (id % \(int(1..<5)));"
    case 1: "INSERT OR REPLACE INTO Song (id, title, artist) VALUES (\(int(0..<25)), 'r', 'A\(int(0..<4))');"
    case 2: "DELETE FROM Song WHERE id = \(int(0..<25));"
    case 3: "UPDATE Album SET name = 'x' || (id % 2);"
    default: "UPDATE Song SET title = title || 'z' WHERE id % 5 = \(int(0..<5)) AND length(title) < 4;"
    }
  }
}

@Suite("Whatever is written, by whomever, every change set of sections leads from what was known to what is")
struct RandomSectionTests {
  @Test("L1–L8, R124–R131: own, skipped, cancelled and foreign writes, and sections of every kind")
  func random() throws {
    try withSeededGenerator { random in
      let file = TestFile()
      let other = try file.openSongs()
      var writer = SongWriter(random: SeededGenerator(seed: random.next()))
      for _ in 0..<10 { try other.store.write { writer.change(other.store) } }
      let observer = try Observer(file)
      let store = observer.test.store
      for _ in 0..<150 {
        switch writer.int(0..<11) {
        case 0..<3:
          try store.write { writer.change(store) }
        case 3..<5:
          let own = observer.mirrors.filter { _ in writer.int(0..<2) == 0 }
          try store.beginWrite()
          writer.change(store)
          try store.commitWrite(withoutNotifying: own.compactMap(\.token))
          for mirror in own where mirror.calls > 0 { mirror.reload() }
        case 5..<7:
          try other.store.write { writer.change(other.store) }
        case 7:
          try store.beginWrite()
          writer.change(store)
          store.cancelWrite()
        case 8:
          try store.refresh()
          for mirror in observer.mirrors where mirror.calls > 0 { mirror.check("after a refresh") }
        case 9:
          let connection = try Connection(path: file.path, create: false)
          connection.setBusyTimeout(milliseconds: 5_000)
          try connection.execute(writer.sql())
        default:
          observer.test.turn(milliseconds: 1)
        }
      }
      try store.refresh()
      for mirror in observer.mirrors { mirror.check("at the end") }
      #expect(observer.mirrors.allSatisfy { $0.calls > ($0.isWhole ? 5 : 0) })
    }
  }
}
