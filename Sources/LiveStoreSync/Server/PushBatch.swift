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
        clocks.append(nil)
      } else {
        clocks.append { object.writeKnown(to: &$0) }
      }
      cells.append(nil)
      return
    }
    let common = object.commonClock
    stamps.append(common?.stamp)
    replicas.append(common?.replica)
    var hasOthers = false
    cells.append { bytes in
      bytes.append(UInt8(ascii: "{"))
      for (name, cell) in object.cells {
        if cell.clock != common || cell.basis != nil { hasOthers = true }
        JSONWriting.beginMember(name, to: &bytes)
        JSONWriting.write(cell.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
    guard hasOthers else { return clocks.append(nil) }
    clocks.append { bytes in
      bytes.append(UInt8(ascii: "{"))
      func write(_ name: String, _ clock: HybridClock) {
        JSONWriting.beginMember(name, to: &bytes)
        JSONWriting.write(clock, to: &bytes)
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
    bytes.append(UInt8(ascii: "{"))
    for (replica, stamp) in known {
      JSONWriting.beginMember(String(replica), to: &bytes)
      JSONWriting.write(HybridClock(stamp: stamp, replica: replica), to: &bytes)
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
