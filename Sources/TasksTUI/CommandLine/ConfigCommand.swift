import VisibleText

/// `tasks config`: checks the configuration file, or prints an initial one.
struct ConfigCommand {
  let file: ConfigurationFile

  /// Prints the errors, one on each line.
  ///
  /// - Parameter isNamed: Whether the file was named, so that it has to be there.
  /// - Returns: Whether there are none.
  func check(isNamed: Bool) throws -> Bool {
    if isNamed, SmallFile.isMissing(file.path) {
      throw RuntimeError("there is no file “\(file.path)”")
    }
    let complaints = file.complaints(of: AppConfiguration(try file.text()))
    for complaint in complaints { try StandardOutput.write(complaint.withControlsMadeVisible + "\n") }
    return complaints.isEmpty
  }
}
