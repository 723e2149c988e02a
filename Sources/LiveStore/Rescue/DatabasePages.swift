/// The rows on the pages of a database. Each page is read separately, so that no page is lost because another
/// is damaged.
///
/// See <https://sqlite.org/fileformat2.html#b_tree_pages>.
struct DatabasePages {
  enum Kind: UInt8 {
    case innerIndex = 2
    case innerTable = 5
    case leafIndex = 10
    case leafTable = 13

    var isInner: Bool { self == .innerIndex || self == .innerTable }
    /// Whether its tree is that of a table with row numbers.
    var isTable: Bool { self == .innerTable || self == .leafTable }
  }

  struct Row {
    /// The row number, in a table with row numbers.
    let number: Int64?
    let values: [SQLiteValue]
  }

  struct Page {
    let kind: Kind
    var rows: [Row] = []
    /// The pages below an inner page.
    var children: [Int] = []
    /// The number of its unreadable cells.
    var damagedCells = 0
  }

  let file: DamagedFile
  private let usable: Int

  init(_ file: DamagedFile) {
    self.file = file
    usable = file.pageSize - file.reserved
  }

  /// The number of pages, which are numbered from 1.
  var count: Int { file.bytes.count / file.pageSize }

  /// The content of a page, or `nil` if it is no page of a tree.
  func page(_ number: Int) -> Page? {
    guard (1...max(count, 1)).contains(number), count > 0 else { return nil }
    return file.bytes.withUnsafeBytes { bytes in
      let start = (number - 1) * file.pageSize
      // The first page begins with the header of the file.
      let head = start + (number == 1 ? 100 : 0)
      guard let kind = Kind(rawValue: bytes[head]) else { return nil }
      let cells = bytes.short(head + 3)
      let pointers = head + (kind.isInner ? 12 : 8)
      guard pointers + 2 * cells <= start + usable else { return nil }
      var page = Page(kind: kind)
      for index in 0..<cells {
        let cell = start + bytes.short(pointers + 2 * index)
        guard cell >= pointers + 2 * cells, cell < start + usable,
          read(cell, upTo: start + usable, of: kind, bytes, into: &page)
        else {
          page.damagedCells += 1
          continue
        }
      }
      if kind.isInner { page.children.append(bytes.long(head + 8)) }
      return page
    }
  }

  /// The free pages of the file, which contain deleted rows; `nil` if their list is damaged.
  func freePages() -> Set<Int>? {
    guard var trunk = file.headerNumber(at: 32), let total = file.headerNumber(at: 36) else { return nil }
    var free: Set<Int> = []
    return file.bytes.withUnsafeBytes { bytes in
      while trunk != 0 {
        guard trunk <= count, free.insert(trunk).inserted else { return nil }
        let start = (trunk - 1) * file.pageSize
        let leaves = bytes.long(start + 4)
        guard leaves <= usable / 4 - 2 else { return nil }
        for index in 0..<leaves {
          let leaf = bytes.long(start + 8 + 4 * index)
          guard leaf > 0, leaf <= count, free.insert(leaf).inserted else { return nil }
        }
        trunk = bytes.long(start)
      }
      return free.count == total ? free : nil
    }
  }

  /// Reads a cell; returns whether it is valid.
  private func read(
    _ cell: Int, upTo end: Int, of kind: Kind, _ bytes: UnsafeRawBufferPointer, into page: inout Page
  ) -> Bool {
    var offset = cell
    if kind.isInner {
      guard offset + 4 <= end else { return false }
      page.children.append(bytes.long(offset))
      offset += 4
    }
    if kind == .innerTable { return true }
    guard let length = bytes.varint(&offset, end), length >= 0, length <= Int64(bytes.count) else {
      return false
    }
    var number: Int64?
    if kind == .leafTable {
      guard let rowid = bytes.varint(&offset, end) else { return false }
      number = rowid
    }
    guard let payload = payload(Int(length), at: offset, upTo: end, kind, bytes),
      let values = Record.values(payload)
    else { return false }
    page.rows.append(Row(number: number, values: values))
    return true
  }

  /// The bytes of a row, which continue on overflow pages if it is long.
  private func payload(
    _ length: Int, at offset: Int, upTo end: Int, _ kind: Kind, _ bytes: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    let most = kind == .leafTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    let least = (usable - 12) * 32 / 255 - 23
    if length <= most {
      return offset + length <= end ? Array(bytes[offset..<offset + length]) : nil
    }
    let fitting = least + (length - least) % (usable - 4)
    let local = fitting <= most ? fitting : least
    guard offset + local + 4 <= end else { return nil }
    var payload = Array(bytes[offset..<offset + local])
    var next = bytes.long(offset + local)
    while payload.count < length {
      // The length, which no file exceeds, ends a cycle of pages.
      guard next > 0, next <= count else { return nil }
      let start = (next - 1) * file.pageSize
      payload += bytes[(start + 4)...].prefix(min(usable - 4, length - payload.count))
      next = bytes.long(start)
    }
    return next == 0 ? payload : nil
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func short(_ offset: Int) -> Int { Int(self[offset]) << 8 | Int(self[offset + 1]) }

  fileprivate func long(_ offset: Int) -> Int { short(offset) << 16 | short(offset + 2) }

  /// An integer of up to nine bytes; `nil` if it would continue after the end.
  fileprivate func varint(_ offset: inout Int, _ end: Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard offset < end else { return nil }
      let byte = self[offset]
      offset += 1
      if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { break }
    }
    return Int64(bitPattern: value)
  }
}

/// A row as SQLite stores it. See <https://sqlite.org/fileformat2.html#record_format>.
enum Record {
  /// The values of a record, or `nil` if the bytes are none.
  static func values(_ bytes: [UInt8]) -> [SQLiteValue]? {
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      guard let length = bytes.varint(&offset, bytes.count), length > 0, length <= Int64(bytes.count) else {
        return nil
      }
      let head = Int(length)
      var content = head
      var values: [SQLiteValue] = []
      while offset < head {
        guard let type = bytes.varint(&offset, head), let value = value(type, bytes, &content) else {
          return nil
        }
        values.append(value)
      }
      return content == bytes.count ? values : nil
    }
  }

  private static func value(
    _ type: Int64, _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
  ) -> SQLiteValue? {
    let size: Int
    switch type {
    case 0, 8, 9: size = 0
    case 1...4: size = Int(type)
    case 5: size = 6
    case 6, 7: size = 8
    case 12...: size = Int(clamping: (type - 12) / 2)
    default: return nil
    }
    guard size <= bytes.count - offset else { return nil }
    let content = bytes[offset..<offset + size]
    offset += size
    switch type {
    case 0: return .null
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 7:
      let real = Double(bitPattern: content.reduce(0) { $0 << 8 | UInt64($1) })
      return real.isNaN ? .null : .real(real)
    case 12...: return type % 2 == 0 ? .blob(Array(content)) : SQLiteValue(utf8: content)
    default:
      let sign: Int64 = content[content.startIndex] >= 0x80 ? -1 : 0
      return .integer(content.reduce(sign) { $0 << 8 | Int64($1) })
    }
  }
}
