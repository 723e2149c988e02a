/// `tasks config`: checks the configuration file, or prints an initial one.
struct ConfigCommand {
  let file: ConfigurationFile

  /// Prints the errors, one on each line.
  ///
  /// - Returns: Whether there are none.
  func check() throws -> Bool {
    let complaints = file.complaints(of: AppConfiguration(try file.text()))
    for complaint in complaints { try StandardOutput.write(complaint.withControlsMadeVisible + "\n") }
    return complaints.isEmpty
  }
}
