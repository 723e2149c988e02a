import CPostgreSQL
import LiveStore

/// A reader of the objects that a pull returns, or a notice carries.
struct RowDecoder {
  /// The objects that this program cannot read: any client may have written them.
  private(set) var unreadable: [String] = []
  // Most rows have the author of the row before.
  private var author = RepeatedText()
  private var type = RepeatedText()

  /// The object of a version in the rest of a row; nil if there is none, or it cannot be read.
  mutating func object(of version: Int64?, in fields: inout some ObjectFields) -> PulledObject? {
    guard let version, let name = fields.next(), let keyText = fields.next(),
      let life = fields.integer()
    else { return nil }
    guard let key = JSONReading.key(keyText) else {
      unreadable.append("\(type.text(name)) \(String(decoding: keyText, as: UTF8.self))")
      return nil
    }
    let deletion = fields.clock()
    let common = fields.clock()
    let clocks = fields.json()
    let data = fields.json()
    var object = SyncedObject(
      SyncedObject.Identity(type: type.text(name), key: key), life: life, deletion: deletion)
    var unseen: [String: [UnseenSpan]] = [:]
    if deletion == nil, let common, let data {
      let read = Self.cells(data, clocks: clocks, common: common)
      if read?.areAllRead != true {
        unreadable.append("\(type.text(name)) \(String(decoding: keyText, as: UTF8.self))")
      }
      guard let read else { return nil }
      object.cells = read.cells
      unseen = read.unseen
    }
    if deletion != nil, let clocks {
      var scanner = JSONScanner(clocks)
      _ = scanner.members { _, _, text in
        if let known = JSONReading.clock(text) { object.known[known.replica] = known.stamp }
        return true
      }
    }
    let role = fields.next().map { author.text($0) }
    return PulledObject(
      object: object, author: role ?? "", machine: fields.integer(), version: version, unseen: unseen)
  }

  /// The cells of an object, without those of a form that this program does not know; `nil` if the clocks
  /// cannot be read.
  private static func cells(
    _ data: UnsafeBufferPointer<UInt8>, clocks: UnsafeBufferPointer<UInt8>?, common: HybridClock
  ) -> (cells: [String: SyncedObject.Cell], unseen: [String: [UnseenSpan]], areAllRead: Bool)? {
    var others: [String: HybridClock] = [:]
    var unseen: [String: [UnseenSpan]] = [:]
    var unread: Set<String> = []
    var areAllRead = true
    if let clocks {
      var scanner = JSONScanner(clocks)
      let isComplete = scanner.members { name, _, text in
        if let clock = JSONReading.clock(text) {
          others[name] = clock
        } else if name.hasPrefix(ServerSchema.unseenPrefix), let spans = JSONReading.unseenSpans(text) {
          unseen[String(name.dropFirst())] = spans
        } else {
          unread.insert(name)
        }
        return true
      }
      guard isComplete else { return nil }
    }
    var cells: [String: SyncedObject.Cell] = Dictionary(minimumCapacity: 12)
    var scanner = JSONScanner(data)
    let isComplete = scanner.members { name, value, text in
      if let value = JSONReading.cell(value, text), !unread.contains(name) {
        cells[name] = SyncedObject.Cell(value: value, clock: clocks == nil ? common : others[name] ?? common)
        if !others.isEmpty { cells[name]?.basis = others[ServerSchema.basisPrefix + name] }
      } else {
        areAllRead = false
      }
      return true
    }
    return (cells, unseen, areAllRead && isComplete && unread.isEmpty)
  }

  /// The text of the row before, if that has the same bytes.
  private struct RepeatedText {
    private var last = ""

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
      if !last.utf8.elementsEqual(bytes) { last = String(decoding: bytes, as: UTF8.self) }
      return last
    }
  }
}

/// The values of an object, one after the other.
protocol ObjectFields {
  /// The bytes of the next value; nil for NULL.
  mutating func next() -> UnsafeBufferPointer<UInt8>?
  mutating func integer() -> Int64?
  /// The text of the next value, which is JSON.
  mutating func json() -> UnsafeBufferPointer<UInt8>?
}

extension ObjectFields {
  mutating func clock() -> HybridClock? {
    let (stamp, replica) = (integer(), integer())
    guard let stamp, let replica else { return nil }
    return HybridClock(stamp: stamp, replica: replica)
  }
}

/// The values of the first row of a result in PostgreSQL's binary formats.
struct BinaryRow: ObjectFields {
  private let rows: ServerRows
  private var column: Int32 = 0

  init(_ rows: ServerRows) {
    self.rows = rows
  }

  mutating func next() -> UnsafeBufferPointer<UInt8>? {
    defer { column += 1 }
    guard PQgetisnull(rows.result, 0, column) == 0, let value = PQgetvalue(rows.result, 0, column) else {
      return nil
    }
    return UnsafeBufferPointer(
      start: UnsafeRawPointer(value).assumingMemoryBound(to: UInt8.self),
      count: Int(PQgetlength(rows.result, 0, column)))
  }

  mutating func integer() -> Int64? {
    guard let bytes = next(), bytes.count == 8 else { return nil }
    return Int64(bigEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(as: Int64.self))
  }

  /// A value of `jsonb`, without the version of its format.
  mutating func json() -> UnsafeBufferPointer<UInt8>? {
    next().map { UnsafeBufferPointer(rebasing: $0.dropFirst()) }
  }
}
