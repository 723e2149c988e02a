import FoundationEssentials
import Glibc

/// The path of the file, and the creation of its folders.
public enum DatabaseLocation {
  /// The file to open: `file` if given, otherwise `$TASKS_FILE`, `$XDG_DATA_HOME/tasks/tasks.db`, or
  /// `~/.local/share/tasks/tasks.db`. Empty variables count as not set, and a relative `$XDG_DATA_HOME` is
  /// ignored, as the XDG Base Directory Specification demands.
  ///
  /// - Returns: Nil when there is neither a file nor a variable nor a home folder.
  public static func path(file: String?, environment: [String: String]) -> String? {
    func variable(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    if let file { return file }
    if let file = variable("TASKS_FILE") { return file }
    if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/tasks/tasks.db" }
    return variable("HOME").map { $0 + "/.local/share/tasks/tasks.db" }
  }

  /// Creates the missing folders of the file, accessible only to their owner. The store creates the file
  /// itself.
  ///
  /// - Throws: `FolderError` with the first folder that cannot be created.
  public static func makeFolders(for path: String) throws(FolderError) {
    // A path that ends with a slash means a folder, which the store refuses.
    guard !path.hasSuffix("/") else { return }
    try makeFolder(above: path)
  }

  private static func makeFolder(above path: String) throws(FolderError) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    var status = stat()
    guard stat(folder, &status) != 0 else { return }
    guard errno == ENOENT else { throw FolderError(folder: folder, code: errno) }
    try makeFolder(above: folder)
    // Another process may create it at the same time.
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw FolderError(folder: folder, code: errno)
    }
  }
}

/// A folder that cannot be created or reached. Its description is a sentence.
public struct FolderError: Error, Equatable, Sendable, CustomStringConvertible {
  public var folder: String
  /// The value of `errno`.
  public var code: Int32

  public var description: String {
    "The folder “\(folder)” cannot be made: \(String(cString: strerror(code)))."
  }
}
