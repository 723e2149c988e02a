/// Something that keeps a command from doing its work, told in a sentence.
struct RuntimeError: Error, Equatable, CustomStringConvertible {
  /// Without a full stop.
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
