import LibC

/// The locks that processes hold on files, as the system lists them in `/proc/locks`.
enum FileLocks {
  /// Whether any process, this one or another of the same process namespace, holds a write lock on a byte of
  /// a file.
  ///
  /// - Complexity: O(n) for n locks of all processes.
  static func isLocked(byte: Int64, ofInode inode: UInt64) -> Bool {
    // If reading the list takes several calls, a lock may be missing while others are added and removed.
    (0..<3).contains { _ in isListed(byte: byte, ofInode: inode) }
  }

  private static func isListed(byte: Int64, ofInode inode: UInt64) -> Bool {
    let descriptor = open("/proc/locks", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
      text += buffer[..<count]
    }
    return text.split(separator: UInt8(ascii: "\n")).contains { isLock($0, on: byte, ofInode: inode) }
  }

  /// The format of a line is `1: POSIX  ADVISORY  WRITE 1234 fe:00:5678 120 120`; with `->` after its number
  /// the lock is only waited for.
  static func isLock(_ line: ArraySlice<UInt8>, on byte: Int64, ofInode inode: UInt64) -> Bool {
    let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 8, words[3] == "WRITE",
      words[5].split(separator: ":").last.flatMap({ UInt64($0) }) == inode,
      let first = Int64(words[6])
    else { return false }
    return first <= byte && (words[7] == "EOF" || Int64(words[7]).map { byte <= $0 } == true)
  }
}
