import Dispatch
import Foundation
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// A store on a queue, callbacks of every kind, and steps taken at random.
final class SoakInstance: @unchecked Sendable {
  // Everything but the queue is used on the queue only.

  let queue: DispatchQueue
  let store: Store
  private var followers: [SoakFollower] = []
  private var objects: [SoakObjectView] = []
  private var random: SeededGenerator
  private var writer: SoakWriter
  /// Whether a callback wrote since this was last set to false.
  private var hasWritten = false
  private var cached: (state: StoreState, copy: SoakCopy)?

  /// To be called on the queue.
  init(_ path: String, queue: DispatchQueue, seed: UInt64) throws {
    self.queue = queue
    random = SeededGenerator(seed: seed)
    writer = SoakWriter(seed: seed &+ 1)
    var configuration = Store.Configuration(path: path, objectTypes: SoakWriter.types)
    configuration.busyTimeout = 60_000
    store = try Store(configuration, scheduler: .queue(queue))
    try observe()
  }

  /// The file as the store shows it.
  var copy: SoakCopy {
    let state = store.state
    if let cached, cached.state == state { return cached.copy }
    let copy = SoakCopy(store)
    cached = (state, copy)
    return copy
  }

  private func observe() throws {
    let members = store.objects(Member.self)
    let byName = members.sorted(by: \.name)
    add("all", members) { $0.all }
    add("by rank", byName.sorted(by: \.rank, ascending: false)) { $0.byRank }
    add("high", try byName.filter(#Predicate { $0.rank > 2 })) { $0.high }
    add("distinct", byName.distinct(by: [\.rank])) { $0.distinct }
    add("limited", members.sorted(by: \.rank).limit(5)) { $0.limited }
    let sections = view("sections") { $0.sections }
    sections.token = byName.sectioned(by: \.rank).observe { [unowned sections] in sections.receive($0) }
    try store.write {
      if store.object(ofType: Member.self, forPrimaryKey: 1) == nil {
        try store.create(Member.self, value: ["id": 1])
      }
      if store.object(ofType: Piece.self, forPrimaryKey: 1) == nil {
        try store.create(Piece.self, value: ["id": 1])
      }
    }
    let pieces = try #require(store.object(ofType: Member.self, forPrimaryKey: 1)).pieces
    let list = view("list") { [$0.listOfOne] }
    list.token = pieces.observe { [unowned list] in list.receive($0) }
    add("list by label", pieces.sorted(by: \.label)) { $0.listByLabel }
    let owners = view("owners") { [$0.ownersOfOne] }
    owners.token = try #require(store.object(ofType: Piece.self, forPrimaryKey: 1)).owners.observe {
      [unowned owners] in owners.receive($0)
    }
    for id in 1...3 {
      let object = SoakObjectView(store, id) { [unowned self] in copy }
      objects.append(object)
      add(object)
    }
  }

  /// A view whose subscription the caller makes.
  func view(_ name: String, _ rows: @escaping (SoakCopy) -> [[SoakRow]]) -> SoakView {
    let view = SoakView(name, copy: { [unowned self] in copy }, rows: rows)
    add(view)
    return view
  }

  private func add<Element: Object>(
    _ name: String, _ results: Results<Element>, _ rows: @escaping (SoakCopy) -> [SoakRow]
  ) {
    let view = view(name) { [rows($0)] }
    view.token = results.observe { [unowned view] in view.receive($0) }
  }

  private func add(_ follower: SoakFollower) {
    follower.onCall = { [unowned self] in writeInCallback() }
    followers.append(follower)
  }

  private func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private func writeInCallback() {
    guard !store.isInWriteTransaction, int(0..<40) == 0 else { return }
    hasWritten = true
    recordingErrors { try store.write { writer.change(store) } }
  }

  /// Takes steps, each in a block of its own, so that turns come between.
  func run(_ count: Int, group: DispatchGroup) {
    queue.async(group: group) { [self] in
      do { try step() } catch { Issue.record(error) }
      if count > 1 { run(count - 1, group: group) }
    }
  }

  private func step() throws {
    for object in objects { object.observe() }
    switch int(0..<16) {
    case 0..<5: try store.write { writer.change(store) }
    case 5..<8: try writeSkipping()
    case 8:
      try store.beginWrite()
      writer.change(store)
      store.cancelWrite()
    case 9..<12:
      let connection = try Connection(path: store.path, create: false)
      connection.setBusyTimeout(milliseconds: 60_000)
      try connection.execute(writer.sql())
    case 12: store.autorefresh.toggle()
    case 13: break
    default:
      hasWritten = false
      try store.refresh()
      // A callback's writes are notified of on a later turn.
      if !hasWritten { check("after a refresh") }
    }
  }

  /// A write that some of the views show themselves.
  private func writeSkipping() throws {
    let own = followers.filter { $0.token != nil && int(0..<2) == 0 }
    try store.beginWrite()
    writer.change(store)
    try store.commitWrite(withoutNotifying: own.compactMap(\.token))
    for view in own where view.calls > 0 || view is SoakObjectView { view.show() }
  }

  private func check(_ when: String) {
    // A stream has no token: its consumer is behind until its loop comes round.
    for follower in followers where follower.token != nil { follower.check(when) }
  }

  /// Goes to the newest version; what everything is then.
  func finish() throws -> String {
    try store.refresh()
    check("at the end")
    expectInLoop(followers.allSatisfy { $0.calls > 0 || $0 is SoakObjectView }, "somebody was never called")
    return copy.text
  }

  func close() {
    followers = []
    objects = []
    store.close()
  }

  /// Writes nothing in callbacks any more.
  func endWriting() {
    for follower in followers { follower.onCall = {} }
  }
}
