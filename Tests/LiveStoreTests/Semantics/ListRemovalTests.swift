import Foundation
import Synchronization
import Testing

@testable import LiveStore

private final class MixSong: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var minutes = 0
  @Persisted var title: String?
}

private final class Mix: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var songs: List<MixSong>
}

private final class Verse: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var lines = 0
}

private final class Poem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var verses: List<Verse>
  override class var rules: [ObjectRule] { [.embeds(\Poem.verses)] }
}

@Suite("Removing elements of a list by a condition")
struct ListRemovalTests {
  private let file = TestFile()
  private static let types: [Object.Type] = [Mix.self, MixSong.self]

  /// A store with two lists of some songs; the other list is not to change.
  private func fill(_ count: Int) throws -> TestStore {
    let test = try TestStore(file.path, types: Self.types, keeping: file)
    try test.store.write {
      for id in 0..<count {
        let title = id % 5 == 0 ? nil : "\(id)"
        try test.store.create(
          MixSong.self, value: ["id": id, "minutes": id % 7, "title": title as Any])
      }
      for id in 1...2 {
        try test.store.create(Mix.self, value: ["id": id]).songs.append(
          contentsOf: test.store.objects(MixSong.self))
      }
    }
    return test
  }

  private func songs(_ store: Store, of mix: Int = 1) throws -> List<MixSong> {
    try #require(store.object(ofType: Mix.self, forPrimaryKey: mix)).songs
  }

  @Test("Each element is tested by a closure without a search for its row")
  func reads() throws {
    _ = try fill(2_000)
    let statements = Mutex(0)
    var configuration = Store.Configuration(path: file.path, objectTypes: Self.types)
    configuration.trace = { statement in
      if statement.sql.hasPrefix("SELECT") { statements.withLock { $0 += 1 } }
    }
    let store = try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
    let songs = try songs(store)
    func count(_ body: () throws -> Void) rethrows -> Int {
      statements.withLock { $0 = 0 }
      try body()
      return statements.withLock { $0 }
    }
    let removal = try count { try store.write { songs.removeAll { $0.minutes == 3 } } }
    // Each of the 286 entries is read once more after it has gone.
    #expect(removal < 486, "\(removal) statements")
    #expect(songs.count == 1_714)
    let loop = count { for song in songs where song.minutes == 3 { Issue.record("\(song.id)") } }
    #expect(loop < 200, "\(loop) statements")
    #expect(try self.songs(store, of: 2).count == 2_000)
  }

  @Test("A list in any order loses what a model loses, by a closure and by a predicate, whoever writes")
  func random() throws {
    let test = try fill(400)
    let store = test.store
    let list = try songs(store)
    let observation = test.observe(list)
    let other = try TestStore(file.path, types: Self.types)
    var model = list.map(\.id)
    var minutes = (0..<400).map { $0 % 7 }
    var titles = (0..<400).map { $0 % 5 == 0 ? nil : "\($0)" }
    try withSeededGenerator { random in
      for _ in 0..<randomSteps(usually: 120) {
        let writer = Bool.random(using: &random) ? store : other.store
        if Bool.random(using: &random) {
          let (id, new) = (Int.random(in: 0..<400, using: &random), Int.random(in: 0..<7, using: &random))
          sqlite3(file.path, "UPDATE MixSong SET minutes = \(new), title = NULL WHERE id = \(id)")
          (minutes[id], titles[id]) = (new, nil)
        }
        try writer.refresh()
        let chosen = Int.random(in: 0..<7, using: &random)
        let part = Int.random(in: 2...6, using: &random)
        let kind = Int.random(in: 0..<5, using: &random)
        let added = (0..<Int.random(in: 0...60, using: &random)).map { _ in
          Int.random(in: 0..<400, using: &random)
        }
        let isOrdered = Int.random(in: 0..<4, using: &random) == 0
        try writer.write {
          let songs = try self.songs(writer)
          switch kind {
          case 0: songs.removeAll { $0.minutes == chosen && $0.id % part == 0 }
          case 1: try songs.removeAll(matching: #Predicate { $0.minutes == chosen && $0.id % part == 0 })
          case 2: try songs.removeAll(matching: #Predicate { $0.title == nil && $0.minutes < chosen })
          case 3:
            // The closure may change what it has not been called with yet.
            var number = 0
            songs.removeAll { song in
              number += 1
              if number == 70 {
                for song in writer.objects(MixSong.self) where song.minutes == chosen { song.minutes = part }
                for id in 0..<400 where minutes[id] == chosen { minutes[id] = part }
              }
              return number > 70 && song.minutes == chosen
            }
          default: songs.removeAll { _ in false }
          }
          for id in added {
            if let song = writer.object(ofType: MixSong.self, forPrimaryKey: id) { songs.append(song) }
          }
          if isOrdered { songs.sort { $0.id < $1.id } }
        }
        switch kind {
        case 0, 1: model.removeAll { minutes[$0] == chosen && $0 % part == 0 }
        case 2: model.removeAll { titles[$0] == nil && minutes[$0] < chosen }
        case 3:
          var number = 0
          model.removeAll {
            number += 1
            return number > 70 && minutes[$0] == chosen
          }
        default: break
        }
        model += added
        if isOrdered { model.sort() }
        try store.refresh()
        expectInLoop(list.map(\.id) == model, "kind \(kind)")
        expectInLoop(list.map(\.minutes) == model.map { minutes[$0] })
        expectInLoop(observation.rows == model.map { "\($0)" }, "kind \(kind)")
      }
    }
    #expect(try songs(store, of: 2).map(\.id) == Array(0..<400))
  }

  @Test("What is removed by a predicate from a list that embeds it is deleted, and no other")
  func embedded() throws {
    let test = try TestStore(file.path, types: [Poem.self, Verse.self], keeping: file)
    let store = test.store
    let poems = try store.write {
      try (1...2).map { id in
        let verses = (0..<6).map { ["id": id * 10 + $0, "lines": $0] }
        return try store.create(Poem.self, value: ["id": id, "verses": verses])
      }
    }
    let observation = test.observe(poems[0].verses)
    try store.write { try poems[0].verses.removeAll(matching: #Predicate { $0.lines > 2 }) }
    try store.refresh()
    #expect(poems[0].verses.map(\.id) == [10, 11, 12] && poems[1].verses.count == 6)
    #expect(store.objects(Verse.self).map(\.id) == [10, 11, 12] + Array(20...25))
    #expect(observation.change == ChangeSet(del: [3, 4, 5]))
  }

  @Test("A closure is not called with elements that were deleted meanwhile")
  func deleted() throws {
    let store = try fill(300).store
    let songs = try songs(store)
    var called: [Int] = []
    try store.write {
      try songs.removeAll { song in
        called.append(song.id)
        if song.id == 10 {
          try store.delete(store.objects(MixSong.self).filter(#Predicate { (11...290).contains($0.id) }))
        }
        return song.id.isMultiple(of: 2)
      }
    }
    #expect(called == Array(0...10) + Array(291..<300))
    #expect(songs.map(\.id) == [1, 3, 5, 7, 9, 291, 293, 295, 297, 299])
  }
}
