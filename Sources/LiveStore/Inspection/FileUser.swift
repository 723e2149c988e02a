import LibC

/// A process that has a file open.
public struct FileUser: Encodable, Equatable, Sendable {
  /// The number of the process.
  public let processID: Int32
  /// The name of its program, of which the system keeps 15 bytes.
  public let name: String
  /// Whether it waits for the changes of others: its stores have observers, or are kept up to date.
  public let isObserver: Bool

  /// Those that `/proc` shows: of the same user, unless root looks.
  ///
  /// - Complexity: O(d) for d open files of all processes.
  static func all(of files: DatabaseFiles) -> [FileUser] {
    var status = stat()
    let signal = stat(files.signal, &status) == 0 ? status.st_ino : nil
    return DatabaseFiles.names(in: "/proc").compactMap(Int32.init).sorted().compactMap { process in
      let folder = "/proc/\(process)"
      let descriptors = DatabaseFiles.names(in: "\(folder)/fd")
      guard descriptors.contains(where: { target(ofLink: "\(folder)/fd/\($0)") == files.path }) else {
        return nil
      }
      let watchedFiles = descriptors.lazy.filter {
        target(ofLink: "\(folder)/fd/\($0)") == "anon_inode:inotify"
      }
      .flatMap { watched("\(folder)/fdinfo/\($0)") }
      let name = text("\(folder)/comm").split(separator: "\n").first.map(String.init) ?? ""
      return FileUser(
        processID: process, name: name, isObserver: signal.map { watchedFiles.contains($0) } ?? false)
    }
  }

  /// The inodes that an inotify instance watches, by what the system tells of its descriptor.
  private static func watched(_ info: String) -> [UInt] {
    text(info).split(separator: "\n").filter { $0.hasPrefix("inotify ") }.compactMap { line in
      line.split(separator: " ").first { $0.hasPrefix("ino:") }.flatMap { UInt($0.dropFirst(4), radix: 16) }
    }
  }

  private static func target(ofLink path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { buffer in
      readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return count >= 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  private static func text(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while case let count = read(descriptor, &bytes, bytes.count), count > 0 { text += bytes.prefix(count) }
    return String(decoding: text, as: UTF8.self)
  }
}
