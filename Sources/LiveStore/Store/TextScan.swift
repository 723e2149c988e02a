import CLinux
import LibC

/// A search of a text property in all elements of a collection that creates no objects. It runs on its own
/// threads and connections and reads the rows in the order in which they lie in the file.
///
/// Created where the store is used, from the order that it shows there; started from any thread. It reads the
/// version that is the newest at that time. An element that was changed since the store's version may be
/// found by its new text; an observer of the collection is notified of that change and can check the element
/// again.
public struct TextScan: Sendable {
  private let database: DatabaseFile
  private let query: CollectionQuery
  private let tree: CollectionTree
  private let sql: String
  /// The primary key, in SQL.
  private let key: String
  /// A key with about as many rows before it as after it, by which two threads divide the rows; `nil` if
  /// there are no elements.
  let middle: SQLiteValue?

  /// A scan that was started.
  public final class Run: Sendable {
    private let cancelled = Guarded(false)

    fileprivate init() {}

    /// Ends the run soon, without a result. May be called from any thread, also after the end.
    public func cancel() { cancelled.withLock { $0 = true } }

    fileprivate var isCancelled: Bool { cancelled.withLock { $0 } }
  }

  init(_ ranked: RankedCollection, _ property: AnyKeyPath) {
    let store = ranked.store
    let value = ranked.query.value(property, "looked through by")
    database = store.database
    query = ranked.query
    tree = ranked.tree
    let table = quoted(query.elements.name)
    key = "\(table).\(query.elements.key)"
    sql = "SELECT \(key), \(value.sql(row: table, schema: store.schema)) FROM \(table)"
    middle = Self.middleKey(of: tree, query)
  }

  /// The median of some keys: random keys are distributed evenly, but those of rows that were added together
  /// may be consecutive.
  private static func middleKey(of tree: CollectionTree, _ query: CollectionQuery) -> SQLiteValue? {
    let keys = stride(from: 0, to: tree.count, by: max(1, tree.count / 100)).map { index in
      OrderedKey(tree.withEntry(at: index) { query.element(of: $0) })
    }
    return keys.isEmpty ? nil : keys.sorted(by: <)[keys.count / 2].value
  }

  /// Starts the search.
  ///
  /// - Parameters:
  ///   - matches: Returns whether the UTF-8 of a text, which may be malformed, matches. Called on several
  ///     threads.
  ///   - completion: Receives the indices of the matching elements, ascending, in the order that the
  ///     collection had when the scan was created. Called on another thread, and not at all if the run was
  ///     cancelled before.
  ///
  /// Complexity: O(n) for all rows of the class, on two threads.
  public func start(
    matching matches: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Bool,
    completion: @escaping @Sendable (Result<[Int], StoreError>) -> Void
  ) -> Run {
    let run = Run()
    let parts =
      middle.map { middle in ["<", ">="].map { (condition: "\(key) \($0) ?", values: [middle]) } }
      ?? [("1", [])]
    let results = Guarded((left: parts.count, found: [FoundKeys](), error: StoreError?.none))
    for part in parts {
      BackgroundThread.run {
        // The thread that handles keys goes first.
        clinux_lower_priority()
        let found: Result<FoundKeys, StoreError>
        do throws(StoreError) { found = .success(try keys(in: part, matches, run)) } catch {
          found = .failure(error)
        }
        let all = results.withLock { results -> (found: [FoundKeys], error: StoreError?)? in
          switch found {
          case .success(let keys): results.found.append(keys)
          case .failure(let error): results.error = error
          }
          results.left -= 1
          return results.left == 0 ? (results.found, results.error) : nil
        }
        guard let all, !run.isCancelled else { return }
        completion(all.error.map { .failure($0) } ?? .success(indices(of: all.found)))
      }
    }
    return run
  }

  /// The number of rows between two checks for cancellation.
  private static let rowsBetweenLooks = 256

  private func keys(
    in part: (condition: String, values: [SQLiteValue]), _ matches: (UnsafeBufferPointer<UInt8>) -> Bool,
    _ run: Run
  ) throws(StoreError) -> FoundKeys {
    var found = FoundKeys()
    guard !run.isCancelled else { return found }
    let connection = try database.openAnother()
    let rows = try Statement(connection, "\(sql) WHERE \(part.condition)")
    rows.bind(part.values)
    var writer = RankKeyWriter()
    var number = 0
    while try rows.step() {
      number += 1
      if number % Self.rowsBetweenLooks == 0, run.isCancelled { return FoundKeys() }
      guard rows.withUTF8(1, matches) else { continue }
      writer.removeAll()
      writer.append(rows, 0, isKey: true)
      writer.withUnsafeBytes { found.insert($0) }
    }
    return found
  }

  private func indices(of found: [FoundKeys]) -> [Int] {
    var indices: [Int] = []
    var index = 0
    let componentsBefore = query.componentsBeforeElement
    tree.forEachEntry { entry in
      var reader = RankKeyReader(entry)
      reader.skip(componentsBefore)
      let start = reader.offset
      reader.skip()
      let key = UnsafeRawBufferPointer(rebasing: entry[start..<reader.offset])
      if found.contains(where: { $0.contains(key) }) { indices.append(index) }
      index += 1
      return true
    }
    return indices
  }
}

/// Primary keys, as components of rank keys.
private struct FoundKeys: Sendable {
  /// The keys that are UUIDs, as nearly all text keys are.
  private var uuids: Set<UInt128> = []
  private var others: Set<RankKey> = []

  private static func uuid(_ key: UnsafeRawBufferPointer) -> UInt128? {
    guard key.count == 18, key[0] == RankKeyTag.uuidText, key[17] == 0 else { return nil }
    return key.loadUnaligned(fromByteOffset: 1, as: UInt128.self)
  }

  mutating func insert(_ key: UnsafeRawBufferPointer) {
    if let uuid = Self.uuid(key) { uuids.insert(uuid) } else { others.insert(RankKey(copying: key)) }
  }

  func contains(_ key: UnsafeRawBufferPointer) -> Bool {
    if let uuid = Self.uuid(key) { return uuids.contains(uuid) }
    return !others.isEmpty && others.contains(RankKey(copying: key))
  }
}

extension List {
  /// A search of a text property in all elements on other threads, in the present order of the list.
  ///
  /// - Complexity: O(1) once the order has been read, else O(n).
  public func textScan(of property: KeyPath<Element, String>) -> TextScan {
    TextScan(requireManaged("looked through").ranked, property)
  }
}

extension Results {
  /// A search of a text property in all elements on other threads, in the present order of the results.
  ///
  /// - Complexity: O(1) once the order has been read, else O(n).
  public func textScan(of property: KeyPath<Element, String>) -> TextScan {
    TextScan(ranked, property)
  }
}
