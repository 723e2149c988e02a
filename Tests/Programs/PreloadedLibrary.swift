import LibC

/// A library in C that changes what the C library does for the programs that are started with it.
package enum PreloadedLibrary {
  /// Compiles it by clang or cc: the package manager's own libraries bring Swift's runtime with them, which a
  /// program has already.
  ///
  /// - Returns: The path of the library, which is removed when this process ends.
  package static func compile(_ source: String) throws(Program.Failure) -> String {
    guard let folder else { throw Program.Failure("There is no folder for a library.") }
    let name = source.split(separator: "/").last?.split(separator: ".").first ?? ""
    let path = "\(folder)/lib\(name).so"
    let isCompiled = ["clang", "cc"].contains { compiler in
      let program = Program([compiler, "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"])
      return (try? program.run().status) == 0
    }
    guard isCompiled else {
      throw Program.Failure("“\(source)” cannot be compiled by clang or cc.")
    }
    return path
  }

  private static let folder: String? = {
    var template = Array("/tmp/preloaded-libraries-XXXXXX".utf8CString)
    guard let folder = mkdtemp(&template) else { return nil }
    atexit { _ = try? Program(["rm", "-r", PreloadedLibrary.folder ?? ""]).run() }
    return String(cString: folder)
  }()
}
