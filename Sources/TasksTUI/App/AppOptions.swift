/// What the command line tells the app.
struct AppOptions: Equatable, Sendable {
  /// The path of the file to open, as `DatabaseLocation` found it. Neither it nor its folder need exist yet.
  var file: String
  /// Whether changes are shown as movement.
  var isAnimated: Bool
  /// Whether keys that would change something are refused.
  var isReadOnly = false
}
