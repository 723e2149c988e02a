import Dispatch
import LiveStore

/// The events of a joined file, as streams, for programs that are not its agent.
extension SyncedFile {
  /// The state of the carrying of the file: the present one first, then each other one, whichever process
  /// carries the file.
  ///
  /// A reader that is slower than the changes gets the latest. While no agent carries the file, the phase is
  /// ``SyncStatus/Phase/stopped``. The stream ends only where the state cannot be followed at all: the small
  /// file that has it is not there and cannot be written, or may not be read.
  public func statuses() -> AsyncStream<SyncStatus> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      nonisolated(unsafe) let sign = SyncSign(database: path)
      // Once the source is active, the sign is used on the queue only. There may have been no agent yet.
      guard sign.fileDescriptor >= 0 else { return continuation.finish() }
      continuation.yield(sign.status)
      nonisolated(unsafe) let source = DispatchSource.makeReadSource(
        // Sources may be cancelled on any thread.
        fileDescriptor: sign.fileDescriptor, queue: DispatchQueue(label: "LiveStoreSync.status"))
      // A change may be on its way when the stream ends. The source lets go of the sign once it has been
      // cancelled.
      source.setEventHandler {
        if sign.look() { continuation.yield(sign.status) }
      }
      source.activate()
      continuation.onTermination = { _ in source.cancel() }
    }
  }

  /// The work of this machine that is lost against others' from now on, each conflict once, in the order in
  /// which they come. ``conflicts()`` has those from before.
  ///
  /// - Throws: `SyncError` if the file is not joined, `StoreError` if it cannot be read. The stream throws
  ///   when it cannot be read any more.
  public func newConflicts() throws -> AsyncThrowingStream<SyncConflict, any Error> {
    let file = try joinedFile()
    let last = try file.conflicts().last?.number ?? 0
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: SyncConflict.self)
    let reader = ConflictReader(path: path, after: last, continuation)
    let watch = try CommitWatcher.shared.subscribe(path: path) { event in
      reader.read()
      return event.isAnnouncedCommit ? .upToDate : .moreMayFollow
    }
    continuation.onTermination = { _ in watch.cancel() }
    // A commit may have come before the subscription.
    reader.read()
    return stream
  }
}

/// The reader of the conflicts after a number, on a queue of its own: the thread that watches for commits is
/// not to wait for it.
private final class ConflictReader: @unchecked Sendable {
  // The file and the number are used on the queue only.
  private let queue = DispatchQueue(label: "LiveStoreSync.conflicts")
  private let path: String
  private let continuation: AsyncThrowingStream<SyncConflict, any Error>.Continuation
  private var file: JoinedFile?
  private var last: Int64

  init(
    path: String, after number: Int64,
    _ continuation: AsyncThrowingStream<SyncConflict, any Error>.Continuation
  ) {
    self.path = path
    last = number
    self.continuation = continuation
  }

  func read() {
    queue.async { [self] in
      do {
        let file = try file ?? SyncedFile(path: path).joinedFile()
        self.file = file
        for conflict in try file.conflicts(after: last) {
          last = conflict.number
          continuation.yield(conflict)
        }
      } catch let error as StoreError where error.code == .busy {
        // The commit that keeps others from reading is the next to wake this.
      } catch {
        continuation.finish(throwing: error)
      }
    }
  }
}
