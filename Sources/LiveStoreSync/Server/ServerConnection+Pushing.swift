/// The outcome of a push.
public struct PushResult: Hashable, Sendable {
  /// The version of the space that has the objects; the one before if they changed nothing.
  public var version: SpaceVersion
  /// The number of the version just before: if the machine had everything up to there, it now has everything
  /// up to ``version``, and nothing to pull.
  public var previous: Int64
  /// Whether the server took every cell as it was sent: no other machine had a later one.
  public var isTakenAsSent: Bool
}

extension ServerConnection {
  /// Merges objects into the space that was entered, in one transaction, and wakes the other machines.
  ///
  /// After an error that is retryable the same push may be repeated: it does nothing twice.
  ///
  /// - Parameters:
  ///   - objects: The states to merge; of one object there may be several.
  ///   - known: The version up to which this machine has everything.
  ///   - progress: Called before each part that is sent, with the number of objects in those before it.
  public func push(
    _ objects: [SyncedObject], known: SpaceVersion, progress: (_ sent: Int) -> Void = { _ in }
  ) throws(SyncError) -> PushResult {
    let objects = unique(objects)
    var (batch, next) = try makeBatch(of: objects, from: 0)
    let announced: [Parameter] = [.integer(entered().space)]
    if next == objects.count {
      progress(0)
      let (statement, parameters) = call(batch, known: known)
      let (pushed, announcement) = try query(
        statement, parameters, thenExecuting: Self.announcement, announced)
      if let announcement { noteAnnouncement(announcement) }
      return pushResult(pushed)
    }
    // While the server works on a batch, the next one is made.
    let total = try transaction { () throws(SyncError) in
      var total: PushResult?
      while batch.count > 0 {
        let (statement, parameters) = call(batch, known: known)
        progress(next - batch.count)
        try sendRepeated(statement, parameters)
        (batch, next) = try makeBatch(of: objects, from: next)
        let result = pushResult(try rows())
        let isTakenAsSent = (total?.isTakenAsSent ?? true) && result.isTakenAsSent
        total = PushResult(
          version: result.version, previous: total?.previous ?? result.previous, isTakenAsSent: isTakenAsSent)
      }
      return total!
    }
    try sendRepeated(Self.announcement, announced)
    noteAnnouncement(try rows())
    return total
  }

  /// Pushes objects and takes that back: throws what ``push(_:known:)`` would throw.
  func rehearse(_ objects: [SyncedObject], known: SpaceVersion) throws(SyncError) {
    try execute("BEGIN")
    var next = 0
    do throws(SyncError) {
      while next < objects.count {
        let batch: PushBatch
        (batch, next) = try makeBatch(of: objects, from: next)
        let (statement, parameters) = call(batch, known: known)
        _ = try query(statement, parameters)
      }
    } catch {
      if error.code != .connectionLost { try execute("ROLLBACK") }
      throw error
    }
    try execute("ROLLBACK")
  }

  /// The objects, with several states of one merged: a statement changes a row once.
  private func unique(_ objects: [SyncedObject]) -> [SyncedObject] {
    guard objects.count > 1 else { return objects }
    var indices: [SyncedObject.Identity: Int] = Dictionary(minimumCapacity: objects.count)
    var merged: [SyncedObject] = []
    for (index, object) in objects.enumerated() {
      if let first = indices[object.identity] {
        if merged.isEmpty { merged = objects }
        merged[first].merge(object)
      } else {
        indices[object.identity] = index
      }
    }
    return merged.isEmpty ? objects : indices.values.sorted().map { merged[$0] }
  }

  /// The most bytes of a batch: PostgreSQL ends a connection that sends it a larger message.
  private static let mostBytes = 1_000_000_000

  private func makeBatch(
    of objects: [SyncedObject], from start: Int
  ) throws(SyncError) -> (batch: PushBatch, next: Int) {
    var batch = PushBatch()
    var next = start
    while next < objects.count, batch.count < 10_000, batch.size < 4_000_000 {
      batch.append(objects[next])
      next += 1
    }
    guard batch.size < Self.mostBytes else { throw SyncError(.tooLarge, SyncError.tooLarge(for: url)) }
    return (batch, next)
  }

  private func call(_ batch: PushBatch, known: SpaceVersion) -> (statement: String, parameters: [Parameter]) {
    let entrance = entered()
    return (
      "SELECT * FROM livestore.push($1, $2, $3::uuid, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
      [
        .integer(entrance.space), .integer(entrance.replica), .text(entrance.token), .integer(known.number),
      ] + batch.parameters
    )
  }

  private func pushResult(_ rows: ServerRows) -> PushResult {
    let result = PushResult(
      version: SpaceVersion(number: rows.integer(0, 0) ?? 0, mark: rows.integer(0, 1) ?? 0),
      previous: rows.integer(0, 2) ?? 0, isTakenAsSent: rows.bool(0, 3))
    if result.version.number > result.previous { pushedVersions.insert(result.version.number) }
    if result.previous == latestVersion { latestVersion = result.version.number }
    return result
  }
}
