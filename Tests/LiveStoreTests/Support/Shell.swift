import Testing

/// Runs a command that does something to a file, outside of this process: to open the file here would drop
/// SQLite's locks.
func shell(_ command: String) {
  #expect(runProgram("sh", "-c", command) == 0, "\(command)")
}
