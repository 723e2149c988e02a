import Glibc

/// A folder of one's own for files, gone with all that is in it at the end.
public final class ScratchFolder {
  public let path: String

  /// - Parameter name: What the folder's name begins with.
  /// - Throws: `Failure` when it cannot be made.
  public init(_ name: String) throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    guard let made else { throw Failure("No folder can be made in \(parent).") }
    path = made
  }

  deinit { Self.remove(path) }

  private static func remove(_ path: String) {
    if let entries = opendir(path) {
      while let entry = readdir(entries) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard name != ".", name != ".." else { continue }
        if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
      }
      closedir(entries)
    }
    rmdir(path)
  }
}
