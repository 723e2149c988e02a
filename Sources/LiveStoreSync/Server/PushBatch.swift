import LiveStore

/// The arrays by which objects are passed to the server's `push`.
struct PushBatch {
  private(set) var count = 0
  private var types = BinaryArray(of: .text)
  private var keys = BinaryArray(of: .text)
  private var lives = BinaryArray(of: .integer)
  private var deletionStamps = BinaryArray(of: .integer)
  private var deletionReplicas = BinaryArray(of: .integer)
  private var stamps = BinaryArray(of: .integer)
  private var replicas = BinaryArray(of: .integer)
  private var clocks = BinaryArray(of: .json)
  private var cells = BinaryArray(of: .json)

  /// The bytes that it takes in a message, without the numbers.
  var size: Int { types.size + keys.size + clocks.size + cells.size }

  mutating func append(_ object: SyncedObject) {
    count += 1
    types.append { $0.append(contentsOf: object.identity.type.utf8) }
    keys.append { JSONWriting.writeKey(object.identity.key, to: &$0) }
    lives.append(object.life)
    deletionStamps.append(object.deletion?.stamp)
    deletionReplicas.append(object.deletion?.replica)
    guard object.deletion == nil else {
      stamps.append(nil)
      replicas.append(nil)
      if object.known.isEmpty {
        clocks.appendNull()
      } else {
        clocks.append { object.writeKnown(to: &$0) }
      }
      cells.appendNull()
      return
    }
    let common = object.commonClock
    stamps.append(common?.stamp)
    replicas.append(common?.replica)
    var hasOthers = false
    cells.append { bytes in
      var separator = UInt8(ascii: "{")
      for (name, cell) in object.cells {
        if cell.clock != common || cell.basis != nil { hasOthers = true }
        bytes.append(separator)
        JSONWriting.write(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        JSONWriting.write(cell.value, to: &bytes)
        separator = UInt8(ascii: ",")
      }
      if object.cells.isEmpty { bytes.append(separator) }
      bytes.append(UInt8(ascii: "}"))
    }
    guard hasOthers else { return clocks.appendNull() }
    clocks.append { bytes in
      var separator = UInt8(ascii: "{")
      func write(_ name: String, _ clock: HybridClock) {
        bytes.append(separator)
        JSONWriting.write(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        JSONWriting.write(clock, to: &bytes)
        separator = UInt8(ascii: ",")
      }
      for (name, cell) in object.cells {
        if cell.clock != common { write(name, cell.clock) }
        if let basis = cell.basis { write(ServerSchema.basisPrefix + name, basis) }
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// The parameters, in the order of the function.
  var parameters: [ServerConnection.Parameter] {
    [types, keys, lives, deletionStamps, deletionReplicas, stamps, replicas, clocks, cells].map(\.parameter)
  }
}

extension SyncedObject {
  /// Writes the clocks that were known as those of cells are written, under the numbers of the machines.
  fileprivate func writeKnown(to bytes: inout [UInt8]) {
    var separator = UInt8(ascii: "{")
    for (replica, stamp) in known {
      bytes.append(separator)
      JSONWriting.write(String(replica), to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      JSONWriting.write(HybridClock(stamp: stamp, replica: replica), to: &bytes)
      separator = UInt8(ascii: ",")
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// The clock that most of the cells have, so that few have to be named.
  var commonClock: HybridClock? {
    guard let first = cells.values.first?.clock else { return nil }
    guard cells.values.contains(where: { $0.clock != first }) else { return first }
    var counts: [HybridClock: Int] = [:]
    for cell in cells.values { counts[cell.clock, default: 0] += 1 }
    return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}
