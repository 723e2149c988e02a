/// `tasks config`: checks the configuration file, or prints one to begin with.
struct ConfigCommand {
  let file: ConfigurationFile

  /// Prints what is wrong, a line each.
  ///
  /// - Returns: whether nothing is.
  func check() throws -> Bool {
    let complaints = file.complaints(of: Configuration(try file.text()))
    for complaint in complaints { try StandardOutput.write(complaint.withControlsMadeVisible + "\n") }
    return complaints.isEmpty
  }
}
