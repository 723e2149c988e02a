import Testing

/// Checks that the process of an exit test said a sentence before it ended, so that no other end is taken for
/// it.
func expect(
  _ result: ExitTest.Result?, says sentence: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  #expect(text.contains(sentence), "\(text.prefix(500))", sourceLocation: sourceLocation)
}
