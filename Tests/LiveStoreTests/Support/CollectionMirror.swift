import LiveStoreFixtures
import Testing

@testable import LiveStore

/// One observed collection and what a view that follows its change sets would show.
final class CollectionMirror {
  let name: String
  private let keys: () -> [String]
  private let contents: () -> [String: String]
  private(set) var token: NotificationToken?
  private(set) var rows: [(key: String, content: String)] = []
  private(set) var calls = 0

  init(
    _ name: String, keys: @escaping () -> [String], contents: @escaping () -> [String: String],
    observe: ((CollectionMirror) -> NotificationToken)
  ) {
    self.name = name
    self.keys = keys
    self.contents = contents
    token = observe(self)
  }

  private var current: [(key: String, content: String)] {
    let contents = contents()
    return keys().map { ($0, contents[$0] ?? "?") }
  }

  /// Shows the collection as it is: after the first call, and after a write that the mirror made itself.
  func reload() {
    rows = current
  }

  func receive<Collection>(_ change: CollectionChange<Collection>) {
    calls += 1
    switch change {
    case .initial: reload()
    case .update(_, let changes): receive(changes)
    case .error(let error): Issue.record(error)
    }
  }

  private func receive(_ changes: ChangeSet) {
    let old = rows
    let new = current
    #expect(!changes.isEmpty, "\(name): a call without a change")
    for (index, newIndex) in zip(changes.modifications, changes.modificationsInNew) {
      // L3, L5: the same row, with another value.
      #expect(old[index].key == new[newIndex].key, "\(name): modified \(index) is not \(newIndex)")
      #expect(old[index].content != new[newIndex].content, "\(name): \(old[index]) was not modified")
    }
    for move in changes.moves {
      #expect(
        changes.deletions.contains(move.from) && changes.insertions.contains(move.to), "\(name): \(move)")
      #expect(old[move.from].key == new[move.to].key, "\(name): \(move) moved another row")
      #expect(
        move.isModified == (old[move.from].content != new[move.to].content),
        "\(name): \(move) \(old[move.from])")
    }
    // L6: what is deleted and not moved is gone, what is inserted and not moved was not there.
    let (gone, come) = (Set(changes.moves.map(\.from)), Set(changes.moves.map(\.to)))
    let (oldKeys, newKeys) = (Set(old.map(\.key)), Set(new.map(\.key)))
    for index in changes.deletions where !gone.contains(index) {
      #expect(!newKeys.contains(old[index].key), "\(name): \(old[index].key) is still there")
    }
    for index in changes.insertions where !come.contains(index) {
      #expect(!oldKeys.contains(new[index].key), "\(name): \(new[index].key) was there")
    }
    rows.follow(changes) { new[$0] }
    check("after a change set \(changes)")
  }

  func check(_ when: @autoclosure () -> String) {
    let expected = current
    #expect(rows.map(\.key) == expected.map(\.key), "\(name) \(when())")
    #expect(rows.map(\.content) == expected.map(\.content), "\(name) \(when())")
  }
}
