import CSQLite
import LibC

extension StoreError {
  /// The error that SQLite reports for `handle`, during `action`, which is SQL or a description of the
  /// attempt.
  ///
  /// The sentence is for people and contains neither: what they can do depends on the kind of the error, not
  /// on the statement that failed.
  init(sqlite result: Int32, handle: OpaquePointer?, path: String? = nil, while action: some StringProtocol) {
    let message =
      handle.map { Connection.lastError(of: $0).message } ?? String(cString: sqlite3_errstr(result))
    let (code, sentence) = Self.kind(
      of: result, file: Self.name(path, handle), systemError: Self.systemError(handle), message: message)
    self.init(code, sentence, report: "SQLite code \(result), “\(message)”, while: \(action.prefix(200))")
  }

  /// The file of a connection, for a sentence.
  static func name(_ path: String? = nil, _ handle: OpaquePointer?) -> String {
    let path = path ?? handle.flatMap { sqlite3_db_filename($0, "main") }.map { String(cString: $0) } ?? ""
    return path.isEmpty ? "the database" : "“\(path)”"
  }

  static func kind(
    of result: Int32, file: String, systemError: Int32, message: String
  ) -> (Code, String) {
    switch result & 0xff {
    case SQLITE_FULL:
      return full(file)
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      if [ENOSPC, EDQUOT].contains(systemError) { return full(file) }
      if systemError == EROFS { return readOnly(file) }
      let reason = systemError == 0 ? "" : ": \(String(cString: strerror(systemError)))"
      if result & 0xff == SQLITE_CANTOPEN {
        return (
          .fileAccess,
          "\(file), or a file that belongs to it, cannot be opened\(reason); see that both may be used."
        )
      }
      if result >> 8 == outOfMemory { return noMemory(file) }
      let operation = reading.contains(result >> 8) ? "read" : "read or written"
      return (.diskFailure, "\(file) cannot be \(operation)\(reason); check the disk and try again.")
    // SQLite reports a disk that cannot read a page as a damaged file.
    case SQLITE_CORRUPT where systemError != 0, SQLITE_NOTADB where systemError != 0:
      let reason = String(cString: strerror(systemError))
      return (.diskFailure, "\(file) cannot be read: \(reason); check the disk and try again.")
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      return (.busy, "\(file) is locked by another program; try again when it is done.")
    case SQLITE_NOTADB:
      return (.notADatabase, "\(file) is not an SQLite database; name another file.")
    case SQLITE_CORRUPT:
      return (.damaged, "\(file) is damaged; go back to a copy of it, or save what can still be read.")
    case SQLITE_READONLY where result == SQLITE_READONLY | 4 << 8:
      return (.fileAccess, "\(file) has been moved or deleted; put it back, or open it where it is now.")
    case SQLITE_READONLY:
      return readOnly(file)
    case SQLITE_PERM, SQLITE_AUTH:
      return (.fileAccess, "\(file) may not be used; change its permissions.")
    case SQLITE_NOMEM:
      return noMemory(file)
    case SQLITE_TOOBIG:
      return (.sqlite(result), "\(file) cannot hold so large a value; a value may have 1,000,000,000 bytes.")
    case SQLITE_CONSTRAINT where result >> 8 == trigger:
      // The message of a trigger was written for people.
      return (.sqlite(result), "\(file) refuses what was to be written: \(message).")
    case SQLITE_CONSTRAINT:
      if let rule = brokenRule(message) {
        return (.sqlite(result), "\(file) refuses what was to be written: \(rule).")
      }
      // SQLite names the columns after the colon.
      let columns = message.split(separator: ": ", maxSplits: 1).dropFirst().map { " for \($0)" }.joined()
      return (.sqlite(result), "\(file) refuses what was to be written: a rule\(columns) forbids it.")
    case SQLITE_ERROR where message.hasPrefix("too many levels of trigger recursion"):
      return (
        .sqlite(result),
        "\(file) refuses what was to be written: more than 1,000 objects would go one because of the other; "
          + "delete the last of them first."
      )
    case SQLITE_MISUSE:
      return (.misuse, "\(file) was used in a way that SQLite does not allow.")
    default:
      return (
        .sqlite(result),
        "\(file) cannot be used as this program expects; see whether another program has changed its tables."
      )
    }
  }

  /// The rule that a refused row breaks, as the rest of a sentence; `nil` if SQLite does not say.
  static func brokenRule(_ message: String) -> String? {
    let parts = message.split(separator: ": ", maxSplits: 1)
    guard parts.count == 2, let kind = parts.first else { return nil }
    if kind == "CHECK constraint failed" { return String(parts[1]) }
    // “Member.team, Member.number”
    let columns = parts[1].split(separator: ", ").map { $0.split(separator: ".", maxSplits: 1) }
    guard kind == "UNIQUE constraint failed", let table = columns.first?.first,
      columns.allSatisfy({ $0.count == 2 })
    else { return nil }
    let names = columns.map { String($0[1]) }.joined(separator: " and ")
    return "another \(table) has the same \(names)"
  }

  /// The system's number of the last error at the database or its log; 0 if there was none.
  private static func systemError(_ handle: OpaquePointer?) -> Int32 {
    guard let handle else { return 0 }
    let error = sqlite3_system_errno(handle)
    if error != 0 { return error }
    for pointer in [SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER] {
      var file: UnsafeMutablePointer<sqlite3_file>?
      sqlite3_file_control(handle, "main", pointer, &file)
      guard let file, file.pointee.pMethods != nil else { continue }
      let written = LogFile.written(file)
      var error: Int32 = 0
      _ = written.pointee.pMethods.pointee.xFileControl(written, SQLITE_FCNTL_LAST_ERRNO, &error)
      if error != 0 { return error }
    }
    return 0
  }

  /// Whether the disk is full, of all the ways in which it may fail.
  package var isOfFullDisk: Bool { code == .diskFailure && description.hasPrefix(Self.fullDisk) }

  private static let fullDisk = "The disk is full"

  private static func full(_ file: String) -> (Code, String) {
    // The cause comes first: a status line may have no space for the text after a long path.
    (.diskFailure, "\(fullDisk); make room for \(file) and try again.")
  }

  private static func readOnly(_ file: String) -> (Code, String) {
    (
      .fileAccess,
      "\(file), its folder or its disk may not be written; change the permissions, or use a file elsewhere."
    )
  }

  private static func noMemory(_ file: String) -> (Code, String) {
    (
      .sqlite(SQLITE_NOMEM),
      "\(file) cannot be used, because memory is short; close other programs and try again."
    )
  }

  // The extended codes of SQLITE_IOERR, whose definitions Swift cannot import, without their lowest byte:
  // <https://sqlite.org/rescode.html>.
  private static let outOfMemory: Int32 = 12
  /// The extended code of SQLITE_CONSTRAINT for `RAISE` in a trigger.
  private static let trigger: Int32 = 7
  /// The result of a deletion that a foreign key with RESTRICT denies: SQLite makes a trigger of it.
  static let denial = SQLITE_CONSTRAINT | trigger << 8
  /// READ, SHORT_READ, FSTAT, ACCESS, SEEK, MMAP, DATA and CORRUPTFS.
  private static let reading: Set<Int32> = [1, 2, 7, 13, 22, 24, 32, 33]
}
