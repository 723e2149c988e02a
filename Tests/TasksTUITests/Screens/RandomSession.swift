import Testing

/// Keys in one window and changes by another, in any order, with and without a frame between them.
protocol RandomSession: AnyObject {
  var random: SeededGenerator { get set }
  var app: AppHarness { get }

  func foreignChange() throws
  func key() throws
  /// Ends what is being typed, lets everything come to rest and compares.
  func rest() throws
}

extension RandomSession {
  var comment: Comment { Comment(rawValue: random.comment) }

  func run(steps: Int) throws {
    for _ in 0..<steps {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4: try foreignChange()
      case 4..<9: try key()
      default: try rest()
      }
      app.pass(.milliseconds(Int.random(in: 0..<120, using: &random)))
      if Bool.random(using: &random) { app.draw() }
      if Int.random(in: 0..<4, using: &random) == 0 { try app.catchUp() }
    }
    try rest()
  }
}
