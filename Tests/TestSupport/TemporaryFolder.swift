import FoundationEssentials
import LibC

/// A new folder that goes away, with the files in it, together with its last user.
public final class TemporaryFolder {
  public let path: String

  /// - Parameter parent: Where it is made; what is in `/dev/shm` is not written to a disk.
  public init(in parent: String = FileManager.default.temporaryDirectory.path) {
    var template = Array("\(parent)/tasks-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("\(parent): \(String(cString: strerror(errno)))") }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  public var url: URL { URL(filePath: path) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A path in the folder.
  public func callAsFunction(_ name: String) -> String { path + "/" + name }
}
