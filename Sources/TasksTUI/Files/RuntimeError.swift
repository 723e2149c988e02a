/// The reason why a command fails, as a sentence.
struct RuntimeError: Error, Equatable, CustomStringConvertible {
  /// The sentence without a full stop.
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
