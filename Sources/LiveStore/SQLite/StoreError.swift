import CSQLite

/// The reason why a store could not be opened, read or written.
public struct StoreError: Error, Equatable, CustomStringConvertible, Sendable {
  /// The kind of an error, for programs that handle some kinds differently.
  public enum Code: Equatable, Sendable {
    /// The file is a folder, cannot be created, or may not be read or written.
    case fileAccess
    /// The file is not an SQLite database, or not the same any more that the store had opened.
    case notADatabase
    /// The file is damaged; ``Store/rescue(_:to:)`` saves what can be read of it.
    case damaged
    /// The file belongs to another application (its `application_id`).
    case otherApplication
    /// The file was written by a newer version of the application (its `user_version`).
    case newerVersion
    /// The classes do not fit the file, or cannot be stored.
    case schema
    /// The migration closure threw its own error.
    case migration
    /// A value does not fit its property, or a primary key is taken.
    case invalidValue
    /// Another program holds the write lock for longer than the store waits.
    case busy
    /// The disk is full, or reading from it or writing to it failed.
    case diskFailure
    /// The operation is not allowed in the present state of the store.
    case misuse
    /// Any other error that SQLite reports.
    case sqlite(Int32)
  }

  /// Whether it is SQLite's general error code, as for an overflow of integers.
  var isGeneral: Bool { code == .sqlite(SQLITE_ERROR) }

  /// The kind of the error.
  public let code: Code
  /// One sentence: what happened and, if a person can do something, what to do.
  public let description: String
  /// Whether a query of the program fails at a value that it reads, as at a text that is no JSON, and
  /// everything else can be read.
  private(set) var isOfQuery = false
  /// SQLite's own message, if it reported the error: for programmers, not for the people who use the program.
  let report: String?

  /// Creates an error of a kind.
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

  /// The failure of a query at a value that it reads.
  init(ofQuery error: StoreError, in file: String) {
    self.init(
      error.code,
      "A query of \(file) fails at a value in it; correct the value, or change the query.",
      report: error.report)
    isOfQuery = true
  }

  /// The outcome of a closure that runs a query of the program: what it returns, or why that query fails.
  /// Throws the errors that concern the file.
  static func ofQuery<R>(
    _ body: () throws(StoreError) -> R
  ) throws(StoreError) -> Result<R, StoreError> {
    do throws(StoreError) {
      return .success(try body())
    } catch {
      guard error.isOfQuery else { throw error }
      return .failure(error)
    }
  }
}

extension StoreError: CustomDebugStringConvertible {
  /// The sentence and, if SQLite reported the error, its message, its code and the statement or attempt.
  public var debugDescription: String { report.map { "\(description) (\($0))" } ?? description }
}
