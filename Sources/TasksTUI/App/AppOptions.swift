/// The options of the app from the command line.
struct AppOptions: Equatable, Sendable {
  /// The path of the file to open, a result of `DatabaseLocation`. Neither the file nor its folder need exist
  /// yet.
  var file: String
  /// Whether changes are shown as movement.
  var isAnimated: Bool
  /// Whether keys that would change something are refused.
  var isReadOnly = false
}
