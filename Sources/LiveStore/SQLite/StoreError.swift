import CSQLite

/// Why a store could not be opened, read or written.
public struct StoreError: Error, Equatable, CustomStringConvertible, Sendable {
  public enum Code: Equatable, Sendable {
    /// The file is a folder, cannot be created, or may not be read or written.
    case fileAccess
    /// The file is not an SQLite database, or is damaged.
    case notADatabase
    /// The file belongs to another application (its `application_id`).
    case otherApplication
    /// The file was written by a newer version of the application (its `user_version`).
    case newerVersion
    /// The classes do not fit the file, or cannot be stored.
    case schema
    /// The block that migrates the file threw an error of its own.
    case migration
    /// A value does not fit the property that it is for, or a primary key is taken.
    case invalidValue
    /// Another program holds the write lock for longer than the store waits.
    case busy
    /// The disk is full, or a write to it failed.
    case diskFailure
    /// The operation is not allowed in the state the store is in.
    case misuse
    /// Any other error SQLite reports.
    case sqlite(Int32)
  }

  /// Whether it is SQLite's error without a code of its own, as for an overflow of integers.
  var isGeneral: Bool { code == .sqlite(SQLITE_ERROR) }

  public let code: Code
  /// One sentence: what happened and, where something can be done, what to do.
  public let description: String

  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// The error that SQLite reports for `handle`, in the middle of `action`.
  init(sqlite result: Int32, handle: OpaquePointer?, while action: String) {
    let message =
      handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(result))
    let code: Code =
      switch result & 0xff {
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_NOTADB, SQLITE_CORRUPT: .notADatabase
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH: .fileAccess
      case SQLITE_FULL, SQLITE_IOERR: .diskFailure
      case SQLITE_MISUSE: .misuse
      default: .sqlite(result)
      }
    self.init(code, "\(action): \(message) (SQLite code \(result)).")
  }
}
