import FoundationEssentials
import Glibc

/// The configuration file of a person: `tasks/config.toml` in `$XDG_CONFIG_HOME` or `~/.config`.
struct ConfigurationFile: Sendable {
  let path: String

  init(path: String) {
    self.path = path
  }

  /// - Returns: nil where nothing says in which folder it is.
  init?(environment: [String: String]) {
    func variable(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let folder = variable("XDG_CONFIG_HOME") ?? variable("HOME").map({ $0 + "/.config" }) else {
      return nil
    }
    path = folder + "/tasks/config.toml"
  }

  /// Nobody writes one so long; something else has been put there.
  private static let greatestSize = 1 << 20

  /// The text, which is empty where there is no file.
  ///
  /// - Throws: a sentence, when there is one and it cannot be read.
  func text() throws(RuntimeError) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return "" }
      throw RuntimeError("“\(path)” cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { break }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw RuntimeError("“\(path)” cannot be read: \(String(cString: strerror(errno)))")
      }
      bytes += buffer[..<count]
      guard bytes.count <= Self.greatestSize else {
        throw RuntimeError("“\(path)” is too long to be a configuration")
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw RuntimeError("“\(path)” is not in UTF-8")
    }
    return text
  }

  /// What is wrong in the file, each in a sentence with its line.
  func complaints(of configuration: Configuration) -> [String] {
    configuration.problems.map { "\(path):\($0.line): \($0.message)." }
  }
}
