import Programs

/// Runs a program found on the path, to its end. Its exit status, or the negative number of the signal that
/// ended it; nil when it cannot be started.
@discardableResult
func runProgram(_ words: String...) -> Int32? {
  try? Program(words).start().waitForEnd()
}
