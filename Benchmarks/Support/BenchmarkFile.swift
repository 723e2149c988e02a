import BenchmarkRunner
import Glibc
import LiveStore

/// A database file in a folder of its own, gone at the end.
final class BenchmarkFile {
  let path: String
  private let folder: String

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/livestore-benchmark-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    guard let made else { throw Failure("No folder can be made in \(parent).") }
    folder = made
    path = folder + "/benchmark.db"
  }

  deinit {
    for suffix in ["", "-wal", "-shm", "-live"] { unlink(path + suffix) }
    rmdir(folder)
  }

  /// A store on the file, for the calling thread.
  func store(_ types: [Object.Type], source: NotificationSource = NotificationSource()) throws -> Store {
    try Store(Store.Configuration(path: path, objectTypes: types), scheduler: .fileDescriptor(source))
  }

  /// Bytes of the file, or of one that SQLite keeps beside it.
  func size(_ suffix: String = "") -> Int {
    var status = stat()
    return stat(path + suffix, &status) == 0 ? Int(status.st_size) : 0
  }
}
