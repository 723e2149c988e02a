import BenchmarkRunner
import Glibc
import LiveStore

/// A database file in its own folder, which is removed at the end.
final class BenchmarkFile {
  let path: String
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder("livestore-benchmark")
    path = folder.path + "/benchmark.db"
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
