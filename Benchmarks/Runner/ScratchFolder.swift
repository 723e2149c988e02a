import Glibc

/// A folder for files, which is removed with its contents at the end.
public final class ScratchFolder {
  public let path: String

  /// - Parameter name: The beginning of the folder's name.
  /// - Throws: `Failure` when it cannot be created.
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
