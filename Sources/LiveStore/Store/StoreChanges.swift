/// What a store tells of itself, one notification after the other, for `for await`.
///
/// What happens while the consumer is busy is one notification: ``Store/Notification/failed(_:)`` if the file
/// cannot be read, ``Store/Notification/recovered`` if it can be again,
/// ``Store/Notification/refreshRequired`` if the store has to be told to move on, else
/// ``Store/Notification/didChange``. The loop must run where the store is used; it ends when the task is
/// cancelled or the store is closed.
public struct StoreChanges: AsyncSequence {
  /// What the consumer gets.
  public typealias Element = Store.Notification
  /// Nothing is thrown.
  public typealias Failure = Never

  fileprivate let store: Store

  /// Begins to observe.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(source: Source(store))
  }

  /// The consumer's end of a stream.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// Nothing is thrown.
    public typealias Failure = Never

    fileprivate let source: Source

    /// Waits for the next notification; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async
      -> Store.Notification?
    {
      await source.next(isolation: actor)
    }
  }

  /// Used where the store is used, by one consumer.
  fileprivate final class Source {
    private let waiter = StreamWaiter()
    private var token: NotificationToken?
    private var arrival: Store.Notification?

    init(_ store: Store) {
      // Goes with the callback, which the store lets go of when it is closed.
      let end = StreamEnd(waiter)
      token = store.observe { [weak self] notification, _ in
        withExtendedLifetime(end) { self?.receive(notification) }
      }
    }

    deinit {
      token?.invalidate()
    }

    private func receive(_ notification: Store.Notification) {
      switch (arrival, notification) {
      case (_, .failed), (_, .recovered), (nil, _), (.didChange, _): arrival = notification
      case (.failed, _), (.recovered, _), (.refreshRequired, _): break
      }
      waiter.signal()
    }

    func next(isolation: isolated (any Actor)?) async -> Store.Notification? {
      let waiter = waiter
      return await withTaskCancellationHandler(
        operation: {
          while true {
            if Task.isCancelled {
              token?.invalidate()
              return nil
            }
            if let arrival {
              self.arrival = nil
              return arrival
            }
            if waiter.isFinished { return nil }
            await waiter.wait(isolation: isolation)
          }
        }, onCancel: { waiter.finish() }, isolation: isolation)
    }
  }
}

extension Store {
  /// What the store tells of itself from now on, as ``observe(_:)`` tells it.
  public var changes: StoreChanges { StoreChanges(store: self) }
}
