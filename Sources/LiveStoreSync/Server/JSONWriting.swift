import FoundationEssentials
import LiveStore

/// Values as JSON: integers as numbers, texts as strings, null; and, where JSON or PostgreSQL have no such
/// value, as an object with one member that names the kind.
///
/// - `{"r":"0.1"}`: a real, in the shortest form that reads back the same.
/// - `{"b":"…"}`: the bytes of a blob in Base64; `{"m":"…"}` those of a malformed text.
/// - `{"t":"…"}`: those of a text with U+0000, which `jsonb` cannot hold.
enum JSONWriting {
  /// The key of an object as the server stores it.
  ///
  /// A string may have U+0000 here, as an escape, because a key is a text there.
  static func writeKey(_ value: SQLiteValue, to bytes: inout [UInt8]) {
    if case .text(let text) = value { write(text, to: &bytes) } else { write(value, to: &bytes) }
  }

  static func write(_ value: SQLiteValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .integer(let number): write(number, to: &bytes)
    case .real(let number):
      bytes.append(contentsOf: #"{"r":""#.utf8)
      bytes.append(contentsOf: number.description.utf8)
      bytes.append(contentsOf: #""}"#.utf8)
    case .text(let text):
      if text.utf8.contains(0) {
        write(Array(text.utf8), as: "t", to: &bytes)
      } else {
        write(text, to: &bytes)
      }
    case .malformedText(let value): write(value, as: "m", to: &bytes)
    case .blob(let value): write(value, as: "b", to: &bytes)
    }
  }

  static func write(_ number: Int64, to bytes: inout [UInt8]) {
    if (0..<10).contains(number) {
      bytes.append(UInt8(ascii: "0") + UInt8(number))
    } else {
      bytes.append(contentsOf: String(number).utf8)
    }
  }

  static func write(_ clock: HybridClock, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    write(clock.stamp, to: &bytes)
    bytes.append(UInt8(ascii: ","))
    write(clock.replica, to: &bytes)
    bytes.append(UInt8(ascii: "]"))
  }

  static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      // Nearly always nothing has to be escaped.
      guard utf8.contains(where: needsEscape) else { return bytes.append(contentsOf: utf8) }
      for byte in utf8 {
        if byte < 0x20 {
          bytes.append(contentsOf: #"\u00"#.utf8)
          bytes.append(hexDigits[Int(byte >> 4)])
          bytes.append(hexDigits[Int(byte & 15)])
        } else {
          if needsEscape(byte) { bytes.append(UInt8(ascii: "\\")) }
          bytes.append(byte)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes the name of a member of an object, behind the members before it: none of their values ends with
  /// the brace that begins the object.
  static func beginMember(_ name: String, to bytes: inout [UInt8]) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    write(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)

  private static func write(_ value: [UInt8], as kind: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"\(kind)\":\"".utf8)
    bytes.append(contentsOf: Data(value).base64EncodedData())
    bytes.append(contentsOf: "\"}".utf8)
  }
}
