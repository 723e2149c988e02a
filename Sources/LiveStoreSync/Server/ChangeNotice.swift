import COpenSSL
import FoundationEssentials
import LiveStore

/// The channel on which the server notifies a machine, and the key by which the machine knows its notices.
struct Reception {
  /// The name of the channel. Only members of the space know it, and may send notices there too.
  var channel: String
  /// A text that only the server and this machine know.
  var key: String
}

/// The change that made a version of a space.
struct NotifiedChange {
  var version: SpaceVersion
  /// The objects, with the cells that the change gave them.
  var objects: [PulledObject]
}

/// A message of the server to the machines of a space: the number of its last version and, where they are
/// small, the changes of the last versions, which do not have to be pulled then.
///
/// Its text is `version LF mark LF change LF … LF tags`. A change is a line of eleven fields, one after the
/// other by tabs: its author and machine and, as in a push, the types, keys, lives, deletions, clocks and
/// cells of its objects, those of several parted by U+001E. There is a tag for each machine that listens,
/// parted by spaces.
struct ChangeNotice {
  /// The number of the space's last version; nil if members or machines have changed instead.
  private(set) var version: Int64?
  /// The changes of the versions up to that, the earliest first; empty where they may not be from the server,
  /// or cannot be read.
  private(set) var changes: [NotifiedChange] = []

  init(_ text: String, to reception: Reception) {
    var text = text
    let notice = text.withUTF8 { ChangeNotice($0, to: reception) }
    self = notice
  }

  private init(_ text: UnsafeBufferPointer<UInt8>, to reception: Reception) {
    let lines = Self.parts(of: text, by: UInt8(ascii: "\n"))
    version = Self.integer(lines[0])
    guard let version, lines.count > 3, let mark = Self.integer(lines[1]), let tags = lines.last else {
      return
    }
    let signed = UnsafeBufferPointer(rebasing: text.dropLast(tags.count + 1))
    let tag = Self.tag(of: signed, by: reception.key)
    guard Self.parts(of: tags, by: UInt8(ascii: " ")).contains(where: { $0.elementsEqual(tag.utf8) }) else {
      return
    }
    var changes: [NotifiedChange] = []
    for (index, line) in lines[2..<(lines.count - 1)].enumerated() {
      let number = version - Int64(lines.count - 4 - index)
      guard let objects = Self.objects(in: line, of: number) else { return }
      changes.append(NotifiedChange(version: SpaceVersion(number: number, mark: mark), objects: objects))
    }
    self.changes = changes
  }

  /// The tag by which a machine knows that a text is the server's: 12 bytes as Base64.
  static func tag(of text: UnsafeBufferPointer<UInt8>, by key: String) -> String {
    let digest = hash(text)
    let own = (Array(key.utf8) + digest).withUnsafeBufferPointer(hash)
    return Data(own.prefix(12)).base64EncodedString()
  }

  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256(bytes.baseAddress, bytes.count, &digest)
    return digest
  }

  /// The objects of a change; nil if not all of it can be read.
  private static func objects(in line: UnsafeBufferPointer<UInt8>, of version: Int64) -> [PulledObject]? {
    let fields = parts(of: line, by: UInt8(ascii: "\t"))
    guard fields.count == 11 else { return nil }
    var scanner = JSONScanner(fields[0])
    guard case .text(let author)? = scanner.onlyValue(), let machine = integer(fields[1]) else { return nil }
    let columns = fields.dropFirst(2).map { parts(of: $0, by: 0x1E) }
    let count = columns[0].count
    guard columns.allSatisfy({ $0.count == count }) else { return nil }
    var decoder = RowDecoder()
    var objects: [PulledObject] = []
    for row in 0..<count {
      var values = TextFields(values: columns.map { $0[row] })
      guard var object = decoder.object(of: version, in: &values), decoder.unreadable.isEmpty else {
        return nil
      }
      (object.author, object.machine) = (author, machine)
      objects.append(object)
    }
    return objects
  }

  private static func parts(
    of text: UnsafeBufferPointer<UInt8>, by separator: UInt8
  ) -> [UnsafeBufferPointer<UInt8>] {
    text.split(separator: separator, omittingEmptySubsequences: false).map(
      UnsafeBufferPointer.init(rebasing:))
  }

  fileprivate static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    Int64(String(decoding: text, as: UTF8.self))
  }
}

/// The values of an object as texts, of which NULL is the empty one.
private struct TextFields: ObjectFields {
  let values: [UnsafeBufferPointer<UInt8>]
  private var index = 0

  init(values: [UnsafeBufferPointer<UInt8>]) {
    self.values = values
  }

  mutating func next() -> UnsafeBufferPointer<UInt8>? {
    guard index < values.count, !values[index].isEmpty else {
      index += 1
      return nil
    }
    defer { index += 1 }
    return values[index]
  }

  mutating func integer() -> Int64? { next().flatMap(ChangeNotice.integer) }

  mutating func json() -> UnsafeBufferPointer<UInt8>? { next() }
}
