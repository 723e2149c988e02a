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
    try SmallFile.text(of: path, atMost: Self.greatestSize) ?? ""
  }

  /// What is wrong in the file, each in a sentence with its line.
  func complaints(of configuration: Configuration) -> [String] {
    configuration.problems.map { "\(path):\($0.line): \($0.message)." }
  }
}
