import Foundation
import LiveStore
import TestSupport

@testable import LiveStoreSync

/// An agent on a thread of its own.
final class RunningAgent: @unchecked Sendable {
  // The agent is used on its thread only, but for its end, which any thread may ask for; it is released after
  // the thread has ended.
  private var agent: SyncAgent?
  private let ended = DispatchSemaphore(value: 0)
  private var failure: (any Error)?

  convenience init(_ path: String) throws { self.init(try SyncAgent(path: path)) }

  /// - Parameter pause: The milliseconds until the first failed attempt to reach the server is followed by
  ///   another.
  init(_ agent: SyncAgent, pause: Int64? = nil) {
    self.agent = agent
    if let pause { agent.pause = pause }
    Thread.detachNewThread { [self] in
      do { try self.agent?.run() } catch { failure = error }
      ended.signal()
    }
  }

  /// Waits for the agent to end by itself.
  ///
  /// - Returns: The reason.
  func waitForEnd() -> (any Error)? {
    guard ended.wait(timeout: .now() + .milliseconds(Int(Patience.milliseconds))) == .success else {
      return nil
    }
    ended.signal()
    return failure
  }

  /// Ends the agent, and gives the place of the file's agent back.
  func stop() {
    agent?.stop()
    ended.wait()
    agent = nil
  }
}

extension Machine {
  var synced: SyncedFile { SyncedFile(path: path) }

  func replica() throws -> SQLiteValue {
    try rows("SELECT value FROM _livesync_state WHERE name = 'replica'")[0][0]
  }

  /// Waits for commits to the file until something holds.
  func waitUntil(_ condition: () throws -> Bool) throws {
    let changed = DispatchSemaphore(value: 0)
    let watch = try CommitWatcher.shared.subscribe(path: path) { event in
      changed.signal()
      return event.isAnnouncedCommit ? .upToDate : .moreMayFollow
    }
    defer { watch.cancel() }
    while try !condition() {
      if changed.wait(timeout: .now() + .milliseconds(Int(Patience.milliseconds))) == .timedOut {
        throw Overdue()
      }
    }
  }

  /// Has the program change something, and waits until the agent of the file has sent it.
  func waitUntilSent(_ change: (Connection) throws -> Void) throws {
    try waitForStatus { $0.phase == .inStep }
    let before = (try? SyncSign.read(database: path)).map { SyncStatus(text: $0).exchanged } ?? 0
    try change(program)
    try waitForStatus { $0.exchanged > before && $0.waiting == 0 }
  }

  struct Overdue: Error {}

  /// Waits until the agent of the file says something.
  func waitForStatus(_ condition: (SyncStatus) -> Bool) throws {
    let deadline = ContinuousClock.now + Patience.duration
    // The agent's file tells no one when it is written.
    while !((try? SyncSign.read(database: path)).map { condition(SyncStatus(text: $0)) } ?? false) {
      guard ContinuousClock.now < deadline else { throw Overdue() }
      poll(nil, 0, 20)
    }
  }

  /// Exchanges with the server as the agent does.
  @discardableResult
  func exchange(losingAnswer: Bool, maySend: Bool = true) throws -> JoinedFile.Exchanged {
    try restart()
    let connection = try ServerConnection(url: ServerURL(file.state[text: .url]))
    let entrance = try connection.enter(
      space: Int64(file.state[text: .space])!, replica: file.replica, machineName: name,
      token: file.state[text: .token], known: file.known)
    try file.write { () throws(StoreError) in file.state[text: .token] = entrance.token! }
    let space = LosingSpace(space: ServerSpace(connection: connection), losesAnswer: losingAnswer)
    try file.note(maySend: maySend)
    return try file.exchange(with: space)
  }
}

/// A server whose answers are lost on the way.
private struct LosingSpace: SpaceConnection {
  let space: ServerSpace
  let losesAnswer: Bool

  func push(_ objects: [SyncedObject], known: SpaceVersion) throws -> SpaceVersion? {
    let version = try space.push(objects, known: known)
    if losesAnswer { throw SpaceModel.Lost() }
    return version
  }

  func refusal(of objects: [SyncedObject]) throws -> SyncError? { try space.refusal(of: objects) }

  func pull(
    after known: Int64, and objects: [SyncedObject.Identity], _ body: ([RemoteObject]) throws -> Void
  ) throws -> SpaceVersion {
    try space.pull(after: known, and: objects, body)
  }
}
