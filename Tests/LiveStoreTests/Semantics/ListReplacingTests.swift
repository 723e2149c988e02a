import Foundation
import Synchronization
import Testing

@testable import LiveStore

private final class Track: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var minutes = 0
}

private final class Disc: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var tracks: List<Track>
}

/// An element of the list in the model: each time that a track is put into the list, it is another one.
private struct Entry: Equatable {
  let track: Int
  let number: Int
}

@Suite("Lists as collections whose ranges can be replaced")
struct ListReplacingTests {
  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    test = try TestStore(file.path, types: [Disc.self, Track.self], keeping: file)
    try store.write {
      for id in 0..<12 { try store.create(Track.self, value: ["id": id, "minutes": id % 4]) }
      try store.create(Disc.self, value: ["id": 1])
    }
  }

  @Test("A write that changes a list through its object again and again reads its order once")
  func changedThroughObject() throws {
    let statements = Mutex<[String]>([])
    var configuration = Store.Configuration(path: file.path, objectTypes: [Disc.self, Track.self])
    configuration.trace = { statement in statements.withLock { $0.append(statement.sql) } }
    let store = try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
    let disc = try #require(store.object(ofType: Disc.self, forPrimaryKey: 1))
    try store.write { disc.tracks.append(contentsOf: store.objects(Track.self)) }
    func reads() -> Int {
      statements.withLock { sql in
        defer { sql = [] }
        return sql.count { $0.hasPrefix("SELECT") && $0.contains("\"Disc_tracks\"") }
      }
    }
    _ = reads()
    try store.write { disc.tracks.removeFirst() }
    let once = reads()
    try store.write {
      for _ in 0..<5 { disc.tracks.removeFirst() }
      disc.tracks.insert(disc.tracks[0], at: 3)
      disc.tracks.move(from: 0, to: 2)
    }
    let all = reads()
    #expect(all <= once + 7, "\(all), and \(once) for one")
    #expect(disc.tracks.map(\.id) == [7, 8, 6, 6, 9, 10, 11])
  }

  private func tracks(_ store: Store) throws -> List<Track> {
    try #require(store.object(ofType: Disc.self, forPrimaryKey: 1)).tracks
  }

  /// Changes a list of any kind by one operation, the same for the same choices.
  private static func change<
    Elements: RangeReplaceableCollection & MutableCollection & RandomAccessCollection
  >(
    _ elements: inout Elements, _ operation: Int, _ low: Int, _ high: Int, _ new: [Elements.Element],
    _ isChosen: (Elements.Element) -> Bool
  ) where Elements.Index == Int {
    switch operation {
    case 0: elements.replaceSubrange(low..<high, with: new)
    case 1: elements.insert(contentsOf: new, at: low)
    case 2: elements.removeSubrange(low..<high)
    case 3: elements.removeAll(where: isChosen)
    case 4: elements.append(contentsOf: new)
    case 5: elements.removeFirst(low)
    case 6: elements.removeLast(low)
    case 7: if low < elements.count, let element = new.first { elements[low] = element }
    case 8: if let element = new.first { elements.insert(element, at: high) }
    case 9: if low < elements.count { elements.remove(at: low) }
    case 10: elements.removeSubrange(low...)
    default: elements.removeAll(keepingCapacity: true)
    }
  }

  @Test("An element that comes after one that goes in the same write is another, whatever the clock shows")
  func entriesAreNotUsedAgain() throws {
    let list = try tracks(store)
    // As after a clock was set back: the next numbers are those after the highest.
    sqlite3(file.path, "INSERT INTO Disc_tracks (entry, owner, target) VALUES (\(Int64(1) << 61), 1, 0)")
    try store.refresh()
    try store.write { list.append(store.objects(Track.self)[0]) }
    var changes: [ChangeSet] = []
    let token = list.observe { event in
      if case .update(_, let change) = event { changes.append(change) }
    }
    try store.refresh()
    for id in 1..<4 {
      try store.write {
        list.removeLast()
        list.append(store.objects(Track.self)[id])
      }
      try store.refresh()
    }
    #expect(changes == Array(repeating: ChangeSet(deletions: [1], insertions: [1]), count: 3))
    token.invalidate()
  }

  @Test("Every change is that of an array, and the change set has exactly what came and went")
  func random() throws {
    let list = try tracks(store)
    var change: ChangeSet?
    let token = list.observe { event in
      if case .update(_, let changes) = event { change = changes }
    }
    try store.refresh()
    let other = try TestStore(file.path, types: [Disc.self, Track.self])
    var model: [Entry] = []
    var number = 0
    let contents = TestDatabase(path: file.path)
    var oldEntries: [SQLiteValue] = []
    try withSeededGenerator { random in
      for _ in 0..<randomSteps(usually: 400) {
        let old = model
        let writer = Bool.random(using: &random) ? store : other.store
        try writer.refresh()
        try writer.write {
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            let operation = Int.random(in: 0...(model.count > 20 ? 11 : 10), using: &random)
            let low = Int.random(in: 0...model.count, using: &random)
            let high = Int.random(in: low...model.count, using: &random)
            var ids = (0..<Int.random(in: 0...3, using: &random)).map { _ in
              Int.random(in: 0..<12, using: &random)
            }
            // Sometimes what is there already, at the beginning or the end.
            if Bool.random(using: &random), low < high { ids.insert(model[low].track, at: 0) }
            if Bool.random(using: &random), low < high { ids.append(model[high - 1].track) }
            let chosen = Int.random(in: 0...3, using: &random)

            var tracks = try self.tracks(writer)
            let objects = writer.objects(Track.self)
            Self.change(&tracks, operation, low, high, ids.map { objects[$0] }) { $0.minutes == chosen }
            let new = ids.map { id in
              number += 1
              return Entry(track: id, number: number)
            }
            let isPart = (0...2).contains(operation)
            var (first, last) = (low, isPart && operation != 1 ? high : low)
            var part = operation == 2 ? [] : new[...]
            if operation == 7, low < model.count, let entry = new.first {
              model[low] = Entry(track: entry.track, number: model[low].number)
            } else if isPart {
              // Equal elements at the beginning and the end stay.
              while first < last, let entry = part.first, model[first].track == entry.track {
                (first, part) = (first + 1, part.dropFirst())
              }
              while first < last, let entry = part.last, model[last - 1].track == entry.track {
                (last, part) = (last - 1, part.dropLast())
              }
              model.replaceSubrange(first..<last, with: part)
            } else {
              Self.change(&model, operation, low, high, new) { $0.track % 4 == chosen }
            }
            expectInLoop(tracks.map(\.id) == model.map(\.track), "operation \(operation)")
          }
        }
        change = nil
        try store.refresh()
        expectInLoop(list.map(\.id) == model.map(\.track))
        let entries = contents.rows("SELECT entry FROM Disc_tracks ORDER BY position, target, entry").map {
          $0[0]
        }
        // An element that stays keeps its entry, and one that comes gets one of its own.
        let places = Dictionary(uniqueKeysWithValues: zip(old.map(\.number), oldEntries))
        expectInLoop(
          zip(model, entries).allSatisfy {
            places[$0.number] == $1 || places[$0.number] == nil && !oldEntries.contains($1)
          })
        oldEntries = entries
        let oldTracks = Dictionary(uniqueKeysWithValues: old.map { ($0.number, $0.track) })
        let tracks = Dictionary(uniqueKeysWithValues: model.map { ($0.number, $0.track) })
        func isModified(_ entry: Entry) -> Bool {
          guard let old = oldTracks[entry.number], let new = tracks[entry.number] else { return false }
          return old != new
        }
        let expected = ChangeSet(
          deletions: old.indices.filter { tracks[old[$0].number] == nil },
          insertions: model.indices.filter { oldTracks[model[$0].number] == nil },
          modifications: old.indices.filter { isModified(old[$0]) },
          modificationsInNew: model.indices.filter { isModified(model[$0]) })
        expectInLoop(change ?? ChangeSet() == expected, "\(String(describing: change)) \(expected)")
      }
    }
    token.invalidate()
  }

  @Test("Sorting and turning round are moves, the fewest that do it", arguments: 0..<40)
  func orders(_ seed: Int) throws {
    let list = try tracks(store)
    var generator = SeededGenerator(seed: UInt64(seed))
    let ids = (0..<10).map { _ in Int.random(in: 0..<12, using: &generator) }
    let store = self.store
    try store.write { list.append(contentsOf: ids.map { store.objects(Track.self)[$0] }) }
    var change: ChangeSet?
    let token = list.observe { event in
      if case .update(_, let changes) = event { change = changes }
    }
    try store.refresh()
    let isSorted = seed % 2 == 0
    try store.write {
      if isSorted { list.sort { $0.minutes < $1.minutes } } else { list.reverse() }
    }
    try store.refresh()
    let numbered = Array(ids.enumerated())
    let expected =
      isSorted ? numbered.sorted { $0.element % 4 < $1.element % 4 } : numbered.reversed()
    #expect(list.map(\.id) == expected.map(\.element))
    // The longest part that keeps its order, found by trying all.
    let order = expected.map(\.offset)
    let staying =
      (0..<1 << 10).map { choice in
        let part = order.indices.filter { choice >> $0 & 1 == 1 }.map { order[$0] }
        return zip(part, part.dropFirst()).allSatisfy(<) ? part.count : 0
      }.max() ?? 0
    #expect((change?.moves.count ?? 0) == 10 - staying)
    #expect((change?.deletions.count ?? 0) == 10 - staying && change?.modifications.isEmpty != false)
    token.invalidate()
  }

  @Test("Entries at one position, which two processes may make, can be sorted nevertheless")
  func onePosition() throws {
    let list = try tracks(store)
    let store = self.store
    try store.write { list.append(contentsOf: store.objects(Track.self)) }
    sqlite3(file.path, "UPDATE Disc_tracks SET position = 'B'")
    try store.refresh()
    try store.write { list.sort { $0.id > $1.id } }
    #expect(list.map(\.id) == (0..<12).reversed())
    try store.write { list.sort { $0.id % 5 < $1.id % 5 } }
    #expect(list.map(\.id) == [10, 5, 0, 11, 6, 1, 7, 2, 8, 3, 9, 4])
  }

  @Test("Between entries at one position, or at an empty one, others are put where they are meant to be")
  func noRoom() throws {
    try withSeededGenerator { random in
      let list = try tracks(store)
      let store = self.store
      try store.write { list.append(contentsOf: store.objects(Track.self).prefix(8)) }
      for round in 0..<60 {
        sqlite3(
          file.path,
          "UPDATE Disc_tracks SET position = \(["'B'", "''", "substr('BBCC', abs(random() % 4), 1)"][round % 3])"
            + " WHERE random() % 3 > 0")
        try store.refresh()
        var model = list.map(\.id)
        let (one, two) = (Int.random(in: 0..<8, using: &random), Int.random(in: 0..<8, using: &random))
        let new = store.objects(Track.self)[8 + round % 4]
        try store.write {
          switch round / 3 % 5 {
          case 0:
            list.move(from: one, to: two)
            model.insert(model.remove(at: one), at: two)
          case 1:
            list.insert(new, at: one)
            model.insert(new.id, at: one)
          case 2:
            list.insert(contentsOf: [new], after: list[one])
            model.insert(new.id, at: one + 1)
          case 3 where one != two:
            list.move(list[one], after: list[two])
            let moved = model.remove(at: one)
            model.insert(moved, at: two < one ? two + 1 : two)
          default:
            list.insert(contentsOf: [new, new], at: two)
            model.insert(contentsOf: [new.id, new.id], at: two)
          }
        }
        expectInLoop(list.map(\.id) == model, "round \(round), \(one), \(two)")
        try store.write { list.removeAll { $0.id >= 8 } }
      }
    }
  }

  @Test("A slice of a list is changed as one of an array, in a store and in none", arguments: [true, false])
  func slices(isStored: Bool) throws {
    try withSeededGenerator { random in
      let store = self.store
      let all =
        isStored
        ? Array(store.objects(Track.self))
        : (0..<12).map { id in
          let track = Track()
          track.id = id
          return track
        }
      var list = isStored ? try tracks(store) : List<Track>()
      var model: [Track] = []
      let observation = isStored ? test.observe(list) : nil
      for _ in 0..<200 {
        let operation = Int.random(in: 0..<9, using: &random)
        let low = Int.random(in: 0...model.count, using: &random)
        let high = Int.random(in: low...model.count, using: &random)
        let new = (0..<Int.random(in: 0...3, using: &random)).map { _ in all.randomElement(using: &random)! }
        let offset = Int.random(in: 0...model.count - high + low, using: &random)
        func write(_ body: () -> Void) throws { if isStored { try store.write { body() } } else { body() } }
        try write { Self.changeSlice(&list, operation, low..<high, new, offset) }
        Self.changeSlice(&model, operation, low..<high, new, offset)
        expectInLoop(list.elementsEqual(model, by: ===), "operation \(operation) at \(low)..<\(high)")
        if let observation {
          try store.refresh()
          expectInLoop(observation.rows == model.map { "\($0.id)" })
        }
        if model.count > 20 {
          try write { list.removeAll() }
          model = []
        }
      }
      #expect(list[...].map(\.id) == model.map(\.id))
    }
  }

  private static func changeSlice<
    Elements: RangeReplaceableCollection & MutableCollection & RandomAccessCollection
  >(
    _ elements: inout Elements, _ operation: Int, _ range: Range<Int>, _ new: [Elements.Element],
    _ offset: Int
  )
  where
    Elements.Index == Int, Elements.Element == Track,
    Elements.SubSequence: RangeReplaceableCollection & MutableCollection & RandomAccessCollection
  {
    switch operation {
    case 0: elements[range].removeAll()
    case 1: elements[range].append(contentsOf: new)
    case 2: elements[range].reverse()
    case 3: elements[range].sort { $0.id < $1.id }
    case 4: if !range.isEmpty { elements[range].removeFirst() }
    case 5: if !range.isEmpty { elements[range].removeLast() }
    case 6: elements[range].removeAll { $0.id.isMultiple(of: 2) }
    case 7: elements[range].replaceSubrange(range.lowerBound..<range.lowerBound, with: new)
    // Another part of the same, of as many elements.
    default: elements[range] = elements[offset..<min(elements.count, offset + range.count)]
    }
  }

  @Test("Ranges of other kinds take the changes of their slices as well")
  func rangeExpressions() throws {
    let list = try tracks(store)
    let store = self.store
    try store.write {
      list.append(contentsOf: store.objects(Track.self))
      list[8...].removeAll()
      list[..<2].removeFirst()
      list[2...3].reverse()
      list[...].append(store.objects(Track.self)[11])
      list[...1] = list[5...5]
    }
    #expect(list.map(\.id) == [6, 4, 3, 5, 6, 7, 11])
    #expect(throws: StoreError.self) {
      try store.write {
        let gone = try store.create(Track.self, value: ["id": 90])
        store.delete(gone)
        list[5..<7].append(gone)
      }
    }
    #expect(list.map(\.id) == [6, 4, 3, 5, 6, 7, 11])
  }

  @Test("A list that is assigned is copied, whether its objects are in a store or not")
  func assigning() throws {
    let (one, two, track) = (Disc(), Disc(), Track())
    (one.id, two.id, track.id) = (2, 3, 50)
    two.tracks.append(track)
    one.tracks = two.tracks
    one.tracks.append(track)
    #expect(one.tracks.count == 2 && two.tracks.count == 1)
    let store = self.store
    try store.write {
      store.add(one)
      store.add(two)
    }
    let copy = Disc()
    copy.id = 4
    copy.tracks = one.tracks
    try store.write { store.add(copy) }
    #expect(copy.tracks.map(\.id) == [50, 50] && one.tracks.map(\.id) == [50, 50])
    let error = #expect(throws: StoreError.self) {
      try store.write {
        store.delete(two)
        one.tracks = two.tracks
      }
    }
    #expect(
      error?.description
        == "The list of an object that has been deleted was assigned; assign an array of its "
        + "elements, read before that.")
    #expect(one.tracks.map(\.id) == [50, 50] && two.tracks.map(\.id) == [50])
  }

  @Test("A change costs as many rows as it changes")
  func cost() throws {
    let list = try tracks(store)
    let store = self.store
    try store.write {
      let all = Array(store.objects(Track.self))
      for _ in 0..<500 { list.append(contentsOf: all) }
    }
    func rows(_ body: (List<Track>) -> Void) throws -> Int {
      let before = try store.currentVersion()
      try store.write { body(list) }
      let changes = try #require(try store.changes(since: before))
      return changes.count
    }
    #expect(try rows { $0.replaceSubrange(3001..<3003, with: [$0[0]]) } == 3)
    #expect(try rows { $0.removeSubrange(10..<15) } == 5)
    #expect(try rows { $0.insert(contentsOf: [$0[0], $0[1]], at: 100) } == 2)
    var count = 0
    #expect(
      try rows { list in
        list.removeAll { _ in
          count += 1
          return count % 1000 == 0
        }
      } == 5)
    #expect(try rows { $0.removeLast(7) } == 7)
    #expect(try rows { $0.replaceSubrange(20..<40, with: Array($0[20..<40])) } == 0)
  }

  @Test("The list of an object in no store does the same")
  func unmanaged() {
    withSeededGenerator { random in
      let all = (0..<12).map { id in
        let track = Track()
        (track.id, track.minutes) = (id, id % 4)
        return track
      }
      var list = List<Track>()
      var model: [Track] = []
      for _ in 0..<300 {
        let operation = Int.random(in: 0...(model.count > 20 ? 11 : 10), using: &random)
        let low = Int.random(in: 0...model.count, using: &random)
        let high = Int.random(in: low...model.count, using: &random)
        let new = (0..<Int.random(in: 0...3, using: &random)).map { _ in all.randomElement(using: &random)! }
        let chosen = Int.random(in: 0...3, using: &random)
        Self.change(&list, operation, low, high, new) { $0.minutes == chosen }
        Self.change(&model, operation, low, high, new) { $0.minutes == chosen }
        expectInLoop(list.elementsEqual(model, by: ===), "operation \(operation)")
      }
      list.sort { $0.id > $1.id }
      #expect(list.map(\.id) == model.map(\.id).sorted(by: >))
      list.reverse()
      #expect(list.map(\.id) == model.map(\.id).sorted())
    }
  }

  @Test("Adding two lists makes a third, and changes neither")
  func adding() throws {
    let list = try tracks(store)
    let store = self.store
    try store.write { list.append(contentsOf: store.objects(Track.self).prefix(2)) }
    let both: List<Track> = list + store.objects(Track.self).suffix(1)
    #expect(list.map(\.id) == [0, 1] && both.map(\.id) == [0, 1, 11] && both !== list)
    #expect((list + list).map(\.id) == [0, 1, 0, 1] && list.count == 2)
    #expect(list.filter { $0.id == 1 }.map(\.id) == [1])
  }

  @Test("The list of a property is changed in place, without assigning it")
  func property() throws {
    let album = try #require(store.object(ofType: Disc.self, forPrimaryKey: 1))
    let store = self.store
    let list = album.tracks
    try store.write {
      album.tracks.append(contentsOf: store.objects(Track.self))
      album.tracks.removeAll { $0.minutes > 0 }
      album.tracks[0...1].swapAt(0, 1)
      album.tracks.shuffle()
      album.tracks.sort { $0.id < $1.id }
      _ = album.tracks.popLast()
    }
    #expect(album.tracks === list && list.map(\.id) == [0, 4])
  }
}
