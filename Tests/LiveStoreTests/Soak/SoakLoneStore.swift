import Dispatch
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// A store with one connection, which observes nothing, and takes steps at random.
final class SoakLoneStore: @unchecked Sendable {
  // Everything but the queue is used on the queue only.

  let queue: DispatchQueue
  private let store: Store
  private var random: SeededGenerator
  private var writer: SoakWriter

  /// To be called on the queue.
  init(_ path: String, queue: DispatchQueue, seed: UInt64) throws {
    self.queue = queue
    random = SeededGenerator(seed: seed)
    writer = SoakWriter(seed: seed &+ 1)
    store = try Store(Self.configuration(path), scheduler: .queue(queue))
  }

  private static func configuration(_ path: String) -> Store.Configuration {
    var configuration = Store.Configuration(path: path, objectTypes: SoakWriter.types)
    configuration.busyTimeout = 60_000
    configuration.followsCommits = false
    return configuration
  }

  /// Takes steps, each in a block of its own, so that a rest may come between.
  func run(_ count: Int, group: DispatchGroup) {
    queue.async(group: group) { [self] in
      do { try step() } catch { Issue.record(error) }
      if count > 1 { run(count - 1, group: group) }
    }
  }

  private func step() throws {
    switch Int.random(in: 0..<8, using: &random) {
    case 0..<4: try store.write { writer.change(store) }
    case 4:
      try store.beginWrite()
      writer.change(store)
      store.cancelWrite()
    case 5: try store.refresh()
    default:
      // No other store commits meanwhile.
      try store.beginWrite()
      defer { store.cancelWrite() }
      let fresh = try Store(Self.configuration(store.path), scheduler: .queue(queue))
      defer { fresh.close() }
      check(against: SoakCopy(fresh))
    }
  }

  /// Compares the objects with the rows.
  private func check(against copy: SoakCopy) {
    let members = store.objects(Member.self)
    expectInLoop(members.count == copy.members.count, "a store with one connection shows other members")
    for member in members {
      let entries = copy.lists[member.id] ?? []
      let row = copy.members[member.id]
      let shown = member.pieces.map { "\($0.id) \($0.label)" }
      expectInLoop(
        row?.name == member.name && row?.rank == member.rank && row?.leader == member.leader?.id
          && shown == entries.map { "\($0.target) \(copy.pieces[$0.target] ?? "none")" },
        "a store with one connection shows another member \(member.id)")
    }
  }

  /// Goes to the newest version; all rows then.
  func finish() throws -> String {
    defer { store.close() }
    try store.refresh()
    return SoakCopy(store).text
  }
}
