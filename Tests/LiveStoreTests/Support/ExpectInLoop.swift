import Testing

/// `#expect` for inner loops: it costs nothing while the condition holds, where the macro costs some 10 µs.
func expectInLoop(
  _ condition: Bool, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  if !condition { Issue.record(Comment(rawValue: comment()), sourceLocation: sourceLocation) }
}
