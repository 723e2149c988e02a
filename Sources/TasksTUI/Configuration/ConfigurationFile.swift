/// The configuration file of a person: `tasks/config.toml` in `$XDG_CONFIG_HOME` or `~/.config`.
struct ConfigurationFile: Sendable {
  let path: String

  init(path: String) {
    self.path = path
  }

  /// - Returns: Nil if the folder is unknown.
  init?(environment: [String: String]) {
    guard let folder = environment.baseFolder("XDG_CONFIG_HOME", inHome: "/.config") else { return nil }
    path = folder + "/tasks/config.toml"
  }

  /// The greatest size of a configuration: a longer file is something else.
  private static let greatestSize = 1 << 20

  /// The text, which is empty if there is no file; throws if the file exists and cannot be read.
  func text() throws(RuntimeError) -> String {
    try SmallFile.text(of: path, atMost: Self.greatestSize) ?? ""
  }

  /// The errors of the file, each as a sentence with its line.
  func complaints(of configuration: AppConfiguration) -> [String] {
    configuration.problems.map { "\(path):\($0.line): \($0.message)." }
  }
}
