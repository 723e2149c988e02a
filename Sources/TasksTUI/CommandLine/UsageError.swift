/// A command line that cannot be understood.
struct UsageError: Error, Equatable {
  /// The error, without a full stop.
  var message: String

  init(_ message: String) {
    self.message = message
  }
}
