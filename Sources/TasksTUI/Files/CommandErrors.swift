import LiveStore

/// A command line that cannot be understood.
struct UsageError: Error, Equatable {
  /// The error, without a full stop.
  var message: String

  init(_ message: String) {
    self.message = message
  }
}

/// The reason why a command fails, as a sentence.
struct RuntimeError: Error, Equatable, CustomStringConvertible {
  /// The sentence without a full stop.
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

extension StoreError {
  /// The sentence; that of a damaged file names the command that does what it advises.
  var sentence: String {
    code == .damaged
      ? "\(description.dropLast()): tasks doctor --file FILE --save NEWFILE." : description
  }
}
