import LibC

/// The bytes of a database and of its log, read without SQLite, which opens no file whose first page is
/// damaged.
///
/// See <https://sqlite.org/fileformat2.html>; the log in
/// <https://sqlite.org/fileformat2.html#the_write_ahead_log>.
struct DamagedFile {
  /// The pages as the last transaction left them.
  private(set) var bytes: [UInt8]
  let pageSize: Int
  /// Whether the header is reliable.
  let hasHeader: Bool

  private static let magic = Array("SQLite format 3\0".utf8)

  /// - Throws: ``StoreError/Code/fileAccess`` when the file cannot be read.
  init(path: String) throws(StoreError) {
    self.init(
      bytes: try DamagedFile.contents(path),
      log: try DamagedFile.contents(path + DatabaseFiles.walSuffix, isOptional: true))
  }

  init(bytes: [UInt8], log: [UInt8] = []) {
    self.bytes = bytes
    let size = DamagedFile.pageSize(ofDatabase: bytes)
    hasHeader = bytes.starts(with: DamagedFile.magic) && size != nil
    pageSize = size ?? DamagedFile.pageSize(ofLog: log) ?? 4096
    replay(log)
  }

  /// A number of the header, at an offset of <https://sqlite.org/fileformat2.html#the_database_header>.
  func headerNumber(at offset: Int) -> Int? {
    hasHeader && bytes.count >= 100 ? DamagedFile.number(bytes, offset) : nil
  }

  /// The unused bytes at the end of each page.
  var reserved: Int { hasHeader && bytes[20] <= pageSize - 480 ? Int(bytes[20]) : 0 }

  private static func pageSize(ofDatabase bytes: [UInt8]) -> Int? {
    guard bytes.count >= 100 else { return nil }
    let number = Int(bytes[16]) << 8 | Int(bytes[17])
    let size = number == 1 ? 65_536 : number
    return size >= 512 && size <= 65_536 && size & (size - 1) == 0 ? size : nil
  }

  private static func pageSize(ofLog log: [UInt8]) -> Int? {
    guard log.count >= 32 else { return nil }
    let size = number(log, 8)
    return size >= 512 && size <= 65_536 && size & (size - 1) == 0 ? size : nil
  }

  /// Applies the pages of the transactions that are complete in the log.
  private mutating func replay(_ log: [UInt8]) {
    guard DamagedFile.pageSize(ofLog: log) == pageSize, DamagedFile.number(log, 0) | 1 == 0x377f_0683 else {
      return
    }
    var sum = LogChecksum(isBigEndian: log[3] & 1 == 1)
    sum.add(log[0..<24])
    guard sum.isEqual(log, at: 24) else { return }
    var pages: [(number: Int, start: Int)] = []
    var start = 32
    while start + 24 + pageSize <= log.count {
      // Frames of an earlier log have other salts.
      guard log[start + 8..<start + 16] == log[16..<24] else { return }
      sum.add(log[start..<start + 8])
      sum.add(log[start + 24..<start + 24 + pageSize])
      guard sum.isEqual(log, at: start + 16) else { return }
      pages.append((DamagedFile.number(log, start), start + 24))
      let size = DamagedFile.number(log, start + 4)
      start += 24 + pageSize
      guard size > 0 else { continue }
      // The size in the frame alone is not used: damage may have changed it.
      let highest = pages.map(\.number).max() ?? 0
      let needed = highest * pageSize
      if needed > bytes.count, needed <= bytes.count + log.count * 2 {
        bytes += [UInt8](repeating: 0, count: needed - bytes.count)
      }
      for page in pages where page.number > 0 && page.number * pageSize <= bytes.count {
        let place = (page.number - 1) * pageSize
        bytes.replaceSubrange(place..<place + pageSize, with: log[page.start..<page.start + pageSize])
      }
      pages = []
    }
  }

  fileprivate static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func contents(_ path: String, isOptional: Bool = false) throws(StoreError) -> [UInt8] {
    func failure() -> StoreError {
      StoreError(.fileAccess, "“\(path)” cannot be read: \(String(cString: strerror(errno))).")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0, isOptional, errno == ENOENT { return [] }
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure() }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.fileAccess, "“\(path)” is not a regular file; name one instead.")
    }
    let size = Int(status.st_size)
    var contents = [UInt8](repeating: 0, count: size)
    var position = 0
    while position < size {
      let count = contents.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress! + position, min(size - position, 1 << 20), off_t(position))
      }
      if count > 0 {
        position += count
      } else if count < 0, errno == EIO {
        // Where a part of the disk cannot be read, zeros replace it.
        position += min(512 - position % 512, size - position)
      } else if count == 0 {
        contents.removeLast(size - position)
        break
      } else if errno != EINTR {
        throw failure()
      }
    }
    return contents
  }
}

/// The checksum of the log, which continues from frame to frame.
private struct LogChecksum {
  let isBigEndian: Bool
  var first: UInt32 = 0
  var second: UInt32 = 0

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
        first &+= word(bytes, offset) &+ second
        second &+= word(bytes, offset + 4) &+ first
      }
    }
  }

  private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
  }

  func isEqual(_ log: [UInt8], at offset: Int) -> Bool {
    DamagedFile.number(log, offset) == Int(first) && DamagedFile.number(log, offset + 4) == Int(second)
  }
}
