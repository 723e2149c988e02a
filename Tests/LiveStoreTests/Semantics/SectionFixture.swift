import Testing

@testable import LiveStore

final class Album: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted var name: String = ""

  convenience init(id: Int, name: String) {
    self.init()
    self.id = id
    self.name = name
  }
}

final class Song: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted var title: String = ""
  @Persisted var artist: String = ""
  @Persisted var rating: Int?
  @Persisted var album: Album?

  var initial: String { String(title.prefix(1)) }

  /// Made of two properties, so that no order follows from it.
  var label: String { "\(artist) \(title.count)" }

  convenience init(_ id: Int, _ title: String, by artist: String = "") {
    self.init()
    self.id = id
    self.title = title
    self.artist = artist
  }
}

final class Playlist: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted var songs: List<Song>
}

extension SectionedChangeSet.IndexPath: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Int...) {
    self.init(section: elements[0], row: elements[1])
  }
}

extension SectionedChangeSet {
  /// A change set in which each modified row keeps its place, unless `modInNew` says otherwise.
  init(
    delSections: [Int] = [], insSections: [Int] = [], del: [IndexPath] = [], ins: [IndexPath] = [],
    mod: [IndexPath] = [], modInNew: [IndexPath]? = nil, moves: [RowMove] = []
  ) {
    self.init(
      sectionsToDelete: delSections, sectionsToInsert: insSections, deletions: del, insertions: ins,
      modifications: mod, modificationsInNew: modInNew ?? mod, moves: moves)
  }
}

extension TestFile {
  func openSongs() throws -> TestStore {
    try TestStore(path, types: [Song.self, Album.self, Playlist.self])
  }
}

extension TestStore {
  var songs: Results<Song> { store.objects(Song.self) }

  func song(_ id: Int) throws -> Song {
    try #require(store.object(ofType: Song.self, forPrimaryKey: id))
  }

  /// Observes and waits for the first call.
  func observe<Key: Hashable>(_ sections: SectionedResults<Key, Song>) -> SectionObservation<Key> {
    let observation = SectionObservation(sections)
    #expect(turns { observation.isReady }, "there was no first call")
    return observation
  }

  func observe<Key: Hashable>(_ section: ResultsSection<Key, Song>) -> SectionObservation<Key> {
    let observation = SectionObservation(section)
    #expect(turns { observation.isReady }, "there was no first call")
    return observation
  }
}

/// One callback of sectioned results, or of one section: what it was told, and what a view that followed it
/// would show.
final class SectionObservation<Key: Hashable> {
  private(set) var events = 0
  private(set) var changes: [SectionedChangeSet] = []
  private(set) var error: StoreError?
  /// The numbers of the songs in a view that took every change set.
  private(set) var rows: [[Int]] = []
  var token: NotificationToken?
  var onEvent: (SectionObservation) -> Void = { _ in }

  init(_ sections: SectionedResults<Key, Song>, keyPaths: [String]? = nil) {
    token = sections.observe(keyPaths: keyPaths) { [unowned self] change in
      switch change {
      case .initial(let sections): receive(nil, Self.rows(of: sections))
      case .update(let sections, let changes): receive(changes, Self.rows(of: sections))
      case .error(let error): self.error = error
      }
    }
  }

  init(_ section: ResultsSection<Key, Song>, keyPaths: [String]? = nil) {
    token = section.observe(keyPaths: keyPaths) { [unowned self] change in
      switch change {
      case .initial(let section):
        #expect(events == 0, "L10: the first call comes once")
        rows = [section.map(\.id)]
      case .update(let section, let changes):
        #expect(!changes.isEmpty, "R25: no call without a change")
        self.changes.append(changes)
        rows = [section.map(\.id)]
      case .error(let error): self.error = error
      }
      events += 1
      onEvent(self)
    }
  }

  deinit {
    token?.invalidate()
  }

  static func rows(of sections: SectionedResults<Key, Song>) -> [[Int]] {
    sections.map { $0.map(\.id) }
  }

  var isReady: Bool { events > 0 }

  /// The only change set it got since the first call.
  var change: SectionedChangeSet? { changes.count == 1 ? changes[0] : nil }

  func clear() {
    changes = []
  }

  /// Takes over what the sections show, after a write that the view made itself.
  func show(_ sections: SectionedResults<Key, Song>) {
    rows = Self.rows(of: sections)
  }

  private func receive(_ changes: SectionedChangeSet?, _ current: [[Int]]) {
    events += 1
    if let changes {
      #expect(!changes.isEmpty, "R25: no call without a change")
      #expect(changes.apply(to: rows, from: current) == current, "L4: \(changes) from \(rows) to \(current)")
      self.changes.append(changes)
    } else {
      #expect(events == 1, "L10: the first call comes once")
    }
    rows = current
    onEvent(self)
  }
}
