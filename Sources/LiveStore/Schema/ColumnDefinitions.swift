/// The definitions of the columns of a table, as they are written in the statement that created it.
///
/// SQLite does not report all of a column: neither how it is computed, nor its checks and its collation.
struct ColumnDefinitions {
  /// The definitions without comments, in the order of the columns; what follows them belongs to the table.
  let texts: [String]

  /// - Parameter sql: The statement as SQLite keeps it, which understood it.
  init(in sql: String) {
    let bytes = Array(sql.utf8)
    var texts: [String] = []
    var text: [UInt8] = []
    var depth = 0
    var index = 0
    func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }
    /// The index of the first byte after a text that begins and ends with others.
    func end(of length: Int, until isEnd: (Int) -> Bool) -> Int {
      var end = index + length
      while end < bytes.count, !isEnd(end) { end += 1 }
      return end
    }
    func finish() {
      let characters = text.drop(while: Self.isSpace).reversed().drop(while: Self.isSpace).reversed()
      texts.append(String(decoding: Array(characters), as: UTF8.self))
      text = []
    }
    while index < bytes.count {
      let start = index
      switch (bytes[index], byte(index + 1)) {
      case (UInt8(ascii: "-"), UInt8(ascii: "-")):
        index = end(of: 2) { bytes[$0] == UInt8(ascii: "\n") }
        text.append(UInt8(ascii: " "))
        continue
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        index = end(of: 2) { bytes[$0] == UInt8(ascii: "*") && byte($0 + 1) == UInt8(ascii: "/") } + 2
        text.append(UInt8(ascii: " "))
        continue
      case (UInt8(ascii: "["), _):
        index = end(of: 1) { bytes[$0] == UInt8(ascii: "]") } + 1
      case (UInt8(ascii: "\""), _), (UInt8(ascii: "'"), _), (UInt8(ascii: "`"), _):
        // A doubled mark ends one such text and begins the next.
        index = end(of: 1) { bytes[$0] == bytes[start] } + 1
      case (UInt8(ascii: "("), _):
        depth += 1
        index += 1
        // Before it are the words up to the table's name.
        if depth == 1 {
          text = []
          continue
        }
      case (UInt8(ascii: ")"), _):
        depth -= 1
        index += 1
        if depth == 0 {
          finish()
          self.texts = texts
          return
        }
      case (UInt8(ascii: ","), _) where depth == 1:
        index += 1
        finish()
        continue
      default: index += 1
      }
      text += bytes[start..<min(index, bytes.count)]
    }
    self.texts = texts
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
