import FoundationEssentials
import TestSupport
import Testing

@testable import LiveStore

private final class Node: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var name = ""
  @Persisted var score: Double?
  @Persisted var next: Node?
  @Persisted var children: List<Node>
  @Persisted var leaf: Leaf?
  @Persisted var leaves: List<Leaf>
  @Persisted(originProperty: "next") var previous: LinkingObjects<Node>

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

private final class Leaf: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = "leaf"

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

private struct Changed: Error {}

@Suite("Objects whose write is taken back")
struct TakenBackTests {
  private let test: TestStore
  private let file = TestFile()

  init() throws {
    test = try TestStore(file.path, types: [Node.self, Leaf.self])
  }

  private var store: Store { test.store }

  private func cancelled(_ body: () throws -> Void) {
    #expect(throws: Changed.self) {
      try store.write {
        try body()
        throw Changed()
      }
    }
  }

  @Test(
    "An object added in a write that is cancelled belongs to no store, has the values that it had, and is added by a retry"
  )
  func retry() throws {
    let leaf = Leaf(1)
    leaf.name = "a"
    for _ in 0..<3 {
      cancelled {
        store.add(leaf)
        leaf.name = "b"
      }
      #expect(leaf.store == nil && !leaf.isInvalidated && leaf.id == 1 && leaf.name == "a")
    }
    try store.write { store.add(leaf) }
    #expect(leaf.store === store && store.objects(Leaf.self).map(\.name) == ["a"])
    cancelled { leaf.name = "c" }
    #expect(leaf.name == "a" && leaf.store === store)
  }

  @Test("What it led to, cycles included, belongs to no store again either, and the lists are as they were")
  func graph() throws {
    let known = Leaf(7)
    try store.write { store.add(known) }
    let first = Node("first")
    let second = Node("second")
    let leaves = first.leaves
    (first.next, second.next, first.score, first.leaf) = (second, first, 1.5, known)
    first.children.append(contentsOf: [second, first, Node("child")])
    first.leaves.append(contentsOf: [Leaf(1), known, Leaf(2)])
    for _ in 0..<2 {
      cancelled {
        store.add(first)
        #expect(store.objects(Node.self).count == 3 && first.children.count == 3)
        first.leaves.removeAll()
        first.next = nil
      }
      #expect(first.store == nil && second.store == nil && known.store === store)
      #expect(first.next === second && second.next === first && first.score == 1.5)
      #expect(first.leaf?.isSameObject(as: known) == true)
      #expect(first.children.map(\.name) == ["second", "first", "child"])
      #expect(first.leaves.map(\.id) == [1, 7, 2] && first.leaves === leaves && leaves.store == nil)
      #expect(store.objects(Node.self).isEmpty && store.objects(Leaf.self).count == 1)
    }
    try store.write { store.add(first) }
    #expect(
      first.children.map(\.name) == ["second", "first", "child"] && first.leaves.map(\.id) == [1, 7, 2])
    #expect(second.previous.map(\.name) == ["first"] && store.objects(Leaf.self).count == 3)
  }

  @Test("The same when the commit fails, and the cause is thrown")
  func failedCommit() throws {
    try store.write { store.add(Leaf(1)) }
    let leaf = Leaf(2)
    let node = Node("n")
    node.leaf = leaf
    let error = #expect(throws: StoreError.self) {
      try store.write {
        store.add(node)
        store.add(Leaf(1))
      }
    }
    #expect(error?.description.contains("primary key 1 already") == true)
    #expect(node.store == nil && leaf.store == nil && node.leaf === leaf)
    try store.write { store.add(node) }
    #expect(node.store === store && store.objects(Leaf.self).count == 2)
  }

  @Test("An object that replaced the values of one that was there can do so again")
  func updating() throws {
    try store.write { store.add(Leaf(1)) }
    let present = try #require(store.objects(Leaf.self).first)
    let update = Leaf(1)
    update.name = "new"
    let node = Node("n")
    node.leaves.append(update)
    cancelled { store.add(node, update: .modified) }
    #expect(update.store == nil && update.name == "new" && present.name == "leaf" && node.leaves.count == 1)
    cancelled { store.add(update, update: .modified) }
    try store.write { store.add(update, update: .modified) }
    #expect(present.name == "new" && update.isSameObject(as: present))
  }

  @Test("An object that was deleted in a write that is cancelled is there again")
  func deleted() throws {
    let leaf = Leaf(1)
    try store.write { store.add(leaf) }
    cancelled { store.delete(leaf) }
    #expect(!leaf.isInvalidated && leaf.name == "leaf")
    let other = Leaf(1)
    other.name = "other"
    cancelled {
      store.delete(leaf)
      store.add(other)
    }
    #expect(other.store == nil && other.name == "other" && leaf.name == "leaf")
  }

  @Test(
    "Adding, or linking to, an object that has been deleted fails the write with a sentence that names it")
  func adding() throws {
    let node = Node("n")
    try store.write { store.add(node) }
    for isElsewhere in [false, true] {
      let id = isElsewhere ? 6 : 5
      let leaf = Leaf(id)
      try store.write { store.add(leaf, update: .modified) }
      if isElsewhere {
        sqlite3(file.path, "DELETE FROM Leaf")
      } else {
        try store.write { store.delete(leaf) }
      }
      for change in [
        { store.add(leaf) }, { node.leaf = leaf }, { node.leaves.append(leaf) },
        { store.add(leaf, update: .all) },
      ] {
        let error = #expect(throws: StoreError.self) {
          try store.write {
            change()
            node.name = "changed"
          }
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.description.contains("The Leaf with the primary key \(id) has been deleted") == true)
      }
      #expect(node.name == "n" && node.leaf == nil && node.leaves.isEmpty)
    }
    let gone = Leaf(9)
    let error = #expect(throws: StoreError.self) {
      try store.write {
        store.add(gone)
        store.delete(gone)
        node.leaf = gone
      }
    }
    #expect(error?.description.contains("The Leaf with the primary key 9 has been deleted") == true)
  }

  @Test(
    "A chain of 100,000 new objects by links, of 10,000 by lists, is added, and given back when the write is cancelled"
  )
  func chain() throws {
    let chains = [(false, cases(100_000, sample: 10_000)), (true, cases(10_000, sample: 1_000))]
    for (isByList, count) in chains {
      let nodes = (0..<count).map { Node("\($0)") }
      for (node, next) in zip(nodes, nodes.dropFirst()) {
        if isByList { node.children.append(next) } else { node.next = next }
      }
      // Otherwise Swift would take the chain down by recursion.
      defer {
        for node in nodes where node.store == nil {
          node.next = nil
          node.children.removeAll()
        }
      }
      if isByList {
        cancelled { store.add(nodes[0]) }
        #expect(nodes.allSatisfy { $0.store == nil } && store.objects(Node.self).isEmpty)
      }
      try store.write { store.add(nodes[0]) }
      #expect(nodes.allSatisfy { $0.store === store } && store.objects(Node.self).count == nodes.count)
      #expect(isByList ? nodes[500].children.first === nodes[501] : nodes[500].next === nodes[501])
      try store.write { store.deleteAll() }
    }
  }
}
