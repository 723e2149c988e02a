import LiveStore

/// A record that an import could not take.
public struct RecordProblem: Equatable, Sendable {
  /// The number of its first line.
  public let line: Int
  /// The reason, a sentence without capital and full stop.
  public let sentence: String

  init(_ line: Int, _ sentence: String) {
    (self.line, self.sentence) = (line, sentence)
  }
}

/// The reason why an import took nothing. Its description is a sentence without capital and full stop.
public enum ImportFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// Some records could not be taken.
  case badRecords(Int)
  /// A list was deleted while tasks were put into it.
  case listGone
  /// The file is of a version of our format that is not known.
  case newerVersion(Int)

  public var description: String {
    switch self {
    case .badRecords(let count):
      "nothing was imported, because \(count == 1 ? "a record" : "\(count) records") could not be taken; "
        + "--skip-bad takes the others"
    case .listGone: "nothing was imported, because a list has just been deleted"
    case .newerVersion(let version):
      "nothing was imported, because a newer tasks has written the file, in version \(version) of the format"
    }
  }
}

/// The outcome of an import.
public struct ImportResult: Equatable, Sendable {
  /// The number of tasks and subtasks.
  public var tasks = 0
  /// The number of new lists.
  public var lists = 0
  /// The number of records that could not be taken.
  public var problems = 0
}

extension TasksStore {
  /// Adds the lists and tasks of a file of some format, in one transaction, and as one step of undo. The
  /// memory that it needs does not grow with their number, except for the keys by which subtasks name their
  /// tasks, and the ids of tasks that are added to lists that were there before.
  ///
  /// A list is the one with the id of the format, otherwise the one with its name, otherwise a new one.
  /// Except in our own format, dates in words are not read out of the texts.
  ///
  /// - Parameters:
  ///   - bytes: Returns the next bytes of the file; none at its end.
  ///   - list: The list for tasks without one; nil for the first of all.
  ///   - skipsBad: Whether the other records are taken if some cannot be.
  ///   - isTrial: Whether nothing is kept, and only the outcome is returned.
  ///   - problem: Called with each record that cannot be taken.
  ///   - progress: Called now and then with the number of tasks read so far.
  /// - Throws: `ImportFailure`, `StoreError`, what `bytes` throws; nothing has been added then.
  ///
  /// Complexity: O(k log n) for k tasks.
  @discardableResult
  public func importRecords(
    _ format: FileFormat, from bytes: @escaping ByteSource, toList list: Identifier? = nil,
    skippingBad skipsBad: Bool = false, isTrial: Bool = false,
    problem: (RecordProblem) -> Void = { _ in }, progress: (Int) -> Void = { _ in }
  ) throws -> ImportResult {
    /// The way out of the transaction of a trial.
    struct Trial: Error {}
    var result = ImportResult()
    func note(_ found: RecordProblem) {
      result.problems += 1
      problem(found)
    }
    do {
      try write {
        var reader = try format.reader(of: bytes, dates.calendar)
        var importer = Importer(self, format, defaultList: list)
        while let record = try reader.next() {
          // A file that is not taken is read to its end, for all that is wrong with it.
          if !skipsBad, result.problems > 0 {
            if let sentence = record.problem { note(RecordProblem(record.line, sentence)) }
          } else if let sentence = try importer.take(record) {
            note(RecordProblem(record.line, sentence))
          }
          if importer.imported.count % 1_000 == 0 { progress(importer.imported.count) }
        }
        if skipsBad || result.problems == 0 { try importer.finish().forEach(note) }
        if !skipsBad, result.problems > 0 { throw ImportFailure.badRecords(result.problems) }
        (result.tasks, result.lists) = (importer.imported.count, importer.listCount)
        try requireReadable()
        if isTrial { throw Trial() }
        if result.tasks > 0 || result.lists > 0 || !importer.imported.changes.isEmpty {
          try keep(importer.imported)
        }
      }
    } catch is Trial {}
    return result
  }
}
