import CSQLite

/// Why a store could not be opened, read or written.
public struct StoreError: Error, Equatable, CustomStringConvertible, Sendable {
  /// What kind of error it is, for a program that treats some of them differently.
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
    /// The disk is full, or reading from it or writing to it failed.
    case diskFailure
    /// The operation is not allowed in the state the store is in.
    case misuse
    /// Any other error SQLite reports.
    case sqlite(Int32)
  }

  /// Whether it is SQLite's error without a code of its own, as for an overflow of integers.
  var isGeneral: Bool { code == .sqlite(SQLITE_ERROR) }

  /// What kind of error it is.
  public let code: Code
  /// One sentence: what happened and, where something can be done, what to do.
  public let description: String
  /// SQLite's own words, where it reported the error: for programmers, not for the people who use the
  /// program.
  let report: String?

  /// An error of a kind.
  ///
  /// - Parameter code: The kind.
  /// - Parameter description: One sentence, as in ``description``.
  public init(_ code: Code, _ description: String) {
    self.init(code, description, report: nil)
  }

  init(_ code: Code, _ description: String, report: String?) {
    self.code = code
    self.description = description
    self.report = report
  }
}

extension StoreError: CustomDebugStringConvertible {
  /// The sentence and, where SQLite reported the error, its own words, its code and what it was asked to do.
  public var debugDescription: String { report.map { "\(description) (\($0))" } ?? description }
}
