import Glibc
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

/// One callback of one collection: what it was told, and what a view that followed it would show.
final class Observation {
  enum Event: Equatable {
    case initial
    case update(ChangeSet)
    case error(StoreError)
  }

  private(set) var events: [Event] = []
  /// The primary keys in a view that took every change set.
  private(set) var rows: [String] = []
  /// Called after each event, in the callback.
  var onEvent: (Observation) -> Void = { _ in }
  var token: NotificationToken?
  /// Whether the collection shows exactly the version delivered: not when an earlier callback of the round
  /// wrote.
  var showsVersion = true
  private let isList: Bool

  init<Element: Object>(_ results: Results<Element>) {
    isList = false
    token = results.observe { [unowned self] in receive($0) }
  }

  init<Element: Object>(_ list: List<Element>) {
    isList = true
    token = list.observe { [unowned self] in receive($0) }
  }

  deinit { token?.invalidate() }

  static func keys<Objects: Sequence>(_ objects: Objects) -> [String] where Objects.Element: Object {
    objects.map { object in
      switch object._row?.key {
      case .integer(let key)?: "\(key)"
      case .text(let key)?: key
      default: "?"
      }
    }
  }

  /// The change sets it got, in order.
  var changes: [ChangeSet] {
    events.compactMap { if case .update(let changes) = $0 { changes } else { nil } }
  }

  /// The only change set it got since the first call.
  var change: ChangeSet? { changes.count == 1 ? changes[0] : nil }

  var isReady: Bool { !events.isEmpty }

  /// Takes over what the collection shows, after a write that the view made itself.
  func show<Objects: Sequence>(_ objects: Objects) where Objects.Element: Object {
    rows = Observation.keys(objects)
  }

  /// Forgets the events so far.
  func clear() {
    events = []
  }

  private func receive<Objects: Sequence>(_ change: CollectionChange<Objects>)
  where Objects.Element: Object {
    switch change {
    case .initial(let objects):
      #expect(events.isEmpty, "L10: the first call comes once")
      events.append(.initial)
      show(objects)
    case .update(let objects, let changes):
      let current = Observation.keys(objects)
      if showsVersion { checkLaw(changes, current) }
      events.append(.update(changes))
      rows = current
    case .error(let error): events.append(.error(error))
    }
    onEvent(self)
  }

  /// The expectations that hold for every change set.
  private func checkLaw(_ changes: ChangeSet, _ current: [String]) {
    #expect(!changes.isEmpty, "R25: no call without a change")
    var view = rows
    view.follow(changes) { current[$0] }
    #expect(view == current, "L4, R20: \(changes) does not lead from \(rows) to \(current)")
    for array in [
      changes.deletions, changes.insertions, changes.modifications, changes.modificationsInNew,
      changes.moves.map(\.from),
    ] {
      #expect(zip(array, array.dropFirst()).allSatisfy { $0 < $1 }, "R21: \(changes)")
    }
    #expect(Set(changes.insertions).isDisjoint(with: changes.modificationsInNew), "R22: \(changes)")
    #expect(Set(changes.deletions).isDisjoint(with: changes.modifications), "R23: \(changes)")
    #expect(changes.modifications.count == changes.modificationsInNew.count, "R19: \(changes)")
    // The row of a list is the entry; another object may have been put into it.
    if !isList {
      for (old, new) in zip(changes.modifications, changes.modificationsInNew) {
        #expect(rows[old] == current[new], "L5: \(changes)")
      }
    }
    for move in changes.moves {
      #expect(changes.deletions.contains(move.from) && changes.insertions.contains(move.to), "L6: \(changes)")
      if !isList { #expect(rows[move.from] == current[move.to], "L6: \(changes)") }
    }
  }
}

extension ChangeSet {
  /// A change set in which each modified row keeps its index, unless `modificationsInNew` says otherwise.
  init(
    del: [Int] = [], ins: [Int] = [], mod: [Int] = [], modInNew: [Int]? = nil, moves: [Move] = []
  ) {
    self.init(
      deletions: del, insertions: ins, modifications: mod, modificationsInNew: modInNew ?? mod, moves: moves)
  }
}

extension TestFile {
  /// A store on the file.
  func observer() throws -> TestStore { try open() }

  /// Adds people with the numbers, each with the age of ten times its number, to the file.
  func addPeople(_ ids: some Sequence<Int>) throws {
    let store = try open().store
    try store.write { for id in ids { store.add(Person(id: id, name: "p\(id)", age: id * 10)) } }
    store.close()
  }

  /// Adds a person with the number 1 and dogs by the names, in order, to the file.
  func addOwner(of dogs: [String]) throws {
    let store = try open().store
    try store.write {
      let person = Person(id: 1, name: "owner")
      store.add(person)
      for name in dogs { person.dogs.append(Dog(name)) }
    }
    store.close()
  }
}

extension TestStore {
  var people: Results<Person> { store.objects(Person.self) }

  func person(_ id: Int) -> Person {
    guard let person = store.object(ofType: Person.self, forPrimaryKey: id) else {
      Issue.record("There is no person \(id)")
      return Person()
    }
    return person
  }

  /// The names of the dogs in the list of the person with the number 1.
  var dogNames: [String] { person(1).dogs.map(\.name) }

  /// Observes and waits for the first call.
  func observe<Element: Object>(_ results: Results<Element>) -> Observation {
    let observation = Observation(results)
    #expect(turns { observation.isReady }, "there was no first call")
    return observation
  }

  func observe<Element: Object>(_ list: List<Element>) -> Observation {
    let observation = Observation(list)
    #expect(turns { observation.isReady }, "there was no first call")
    return observation
  }

  /// Waits until a delivery is pending, without taking it.
  func awaitPending() {
    #expect(waitForInput(source.fileDescriptor), "nothing became pending")
  }

  func commitWrite(skipping observations: Observation...) throws {
    try store.commitWrite(withoutNotifying: observations.compactMap(\.token))
  }

  func write(skipping observations: [Observation] = [], _ body: (Store) throws -> Void) throws {
    try store.write(withoutNotifying: observations.compactMap(\.token)) { try body(store) }
  }
}
