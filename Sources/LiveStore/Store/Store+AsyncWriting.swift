/// Writing without blocking the thread while another program writes.
extension Store {
  /// Runs a write transaction like ``write(waitingAtMost:withoutNotifying:_:)``, and lets the actor do other
  /// work while it waits for the writes of other programs.
  ///
  /// ```swift
  /// try await store.asyncWrite { book.readers += 1 }
  /// ```
  ///
  /// For a store of the main actor or of another actor, which calls it. The body itself runs in one piece, on
  /// the newest version; what was read before the `await` may have changed.
  ///
  /// - Parameter timeout: The milliseconds to wait; `nil` for the time of the configuration.
  /// - Parameter tokens: Subscriptions of this store that are not notified of this write, because their views
  ///   show it already.
  /// - Parameter isolation: The actor that calls it, which Swift passes by itself.
  /// - Parameter body: The transaction; its result is returned.
  /// - Throws: ``StoreError/Code/busy`` when others write for longer than that, `CancellationError` when the
  ///   task is cancelled while it waits, and what
  ///   ``write(waitingAtMost:withoutNotifying:_:)`` throws.
  @discardableResult
  public func asyncWrite<R>(
    waitingAtMost timeout: Int32? = nil, withoutNotifying tokens: [NotificationToken] = [],
    isolation: isolated (any Actor)? = #isolation, _ body: () throws -> R
  ) async throws -> R {
    let deadline = ContinuousClock.now + .milliseconds(Int64(timeout ?? configuration.busyTimeout))
    var pause = Duration.milliseconds(1)
    while true {
      do {
        try beginWrite(waitingAtMost: 0)
        break
      } catch {
        guard error.code == .busy, ContinuousClock.now < deadline else { throw error }
      }
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(16))
    }
    return try run(body, withoutNotifying: tokens)
  }
}
