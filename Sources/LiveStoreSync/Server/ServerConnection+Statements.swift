import CPostgreSQL
import LibC
import LiveStore

extension ServerConnection {
  /// The value of a parameter of a statement.
  enum Parameter {
    case integer(Int64?)
    case text(String?)
    /// An array in PostgreSQL's binary format.
    case array([UInt8], type: Oid)
  }

  func execute(_ statements: String) throws(SyncError) {
    try begin { PQsendQuery($0, statements) }
    try finish()
  }

  func query(_ statement: String, _ parameters: [Parameter] = []) throws(SyncError) -> ServerRows {
    try send(statement, parameters)
    return try rows()
  }

  /// Executes a repeated statement and, when that has been committed, another, with one message to the
  /// server; returns the row of each, and nil for the other if that has failed.
  func query(
    _ statement: String, _ parameters: [Parameter], thenExecuting other: String,
    _ otherParameters: [Parameter]
  ) throws(SyncError) -> (ServerRows, ServerRows?) {
    let both = [(statement, parameters), (other, otherParameters)]
    for (statement, parameters) in both { _ = try prepare(statement, parameters) }
    guard PQenterPipelineMode(connection) == 1 else { throw lost() }
    // The mode cannot be left, and is not needed any more, where the connection is lost.
    defer { PQexitPipelineMode(connection) }
    for (statement, parameters) in both {
      try sendRepeated(statement, parameters)
      try begin(PQpipelineSync)
    }
    var results: [ServerRows?] = [nil, nil]
    var failure: SyncError?
    var ends = 0
    while ends < 2 {
      guard let result = try nextResult() else {
        // The end of one statement.
        guard PQstatus(connection) == CONNECTION_OK else { throw failure ?? lost() }
        continue
      }
      switch PQresultStatus(result.result) {
      case PGRES_PIPELINE_SYNC: ends += 1
      // After a pull libpq still returns the first row by itself, and then none.
      case PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK: if result.count > 0 { results[ends] = result }
      default: if ends == 0 { failure = failure ?? error(in: result) }
      }
    }
    if let failure { throw failure }
    guard let first = results[0] else { throw lost() }
    return (first, results[1])
  }

  /// Sends a statement, whose rows are to be fetched by ``rows()``.
  func send(_ statement: String, _ parameters: [Parameter]) throws(SyncError) {
    let encoded = EncodedParameters(parameters)
    try begin { connection in
      withPointers(to: encoded.bytes[...], []) { values in
        PQsendQueryParams(
          connection, statement, Int32(values.count), encoded.types, values, encoded.lengths, encoded.formats,
          0)
      }
    }
  }

  /// Sends a statement that this connection executes again and again: the server plans it once, which takes
  /// longer than executing it. The rows may come in PostgreSQL's binary formats.
  func sendRepeated(
    _ statement: String, _ parameters: [Parameter], isBinary: Bool = false
  ) throws(SyncError) {
    let name = try prepare(statement, parameters)
    let encoded = EncodedParameters(parameters)
    try begin { connection in
      withPointers(to: encoded.bytes[...], []) { values in
        PQsendQueryPrepared(
          connection, name, Int32(values.count), values, encoded.lengths, encoded.formats, isBinary ? 1 : 0)
      }
    }
  }

  /// The name under which the server has a statement that is executed again and again.
  private func prepare(_ statement: String, _ parameters: [Parameter]) throws(SyncError) -> String {
    if let name = preparedStatements[statement] { return name }
    // Of the text, so that no other statement has the name, also where a pooler passes on connections.
    let name = "livestore_\(FNV1a.digits(statement.utf8))"
    let types = EncodedParameters(parameters).types
    try begin { PQsendPrepare($0, name, statement, Int32(types.count), types) }
    try finish()
    preparedStatements[statement] = name
    return name
  }

  /// The parameters of a statement as libpq takes them.
  private struct EncodedParameters {
    var types: [Oid] = []
    var lengths: [Int32] = []
    var formats: [Int32] = []
    var bytes: [[UInt8]?] = []

    init(_ parameters: [Parameter]) {
      for parameter in parameters {
        switch parameter {
        case .integer(let value): append(value.map { Array(String($0).utf8) + [0] }, type: 20, format: 0)
        case .text(let value): append(value.map { Array($0.utf8) + [0] }, type: 0, format: 0)
        case .array(let value, let type): append(value, type: type, format: 1)
        }
      }
    }

    private mutating func append(_ value: [UInt8]?, type: Oid, format: Int32) {
      types.append(type)
      lengths.append(Int32(value?.count ?? 0))
      formats.append(format)
      bytes.append(value)
    }
  }

  /// Calls a closure with the addresses of some arrays, which are not copied.
  private func withPointers(
    to bytes: ArraySlice<[UInt8]?>, _ pointers: [UnsafePointer<CChar>?],
    _ body: ([UnsafePointer<CChar>?]) -> Int32
  ) -> Int32 {
    guard let first = bytes.first else { return body(pointers) }
    guard let first else { return withPointers(to: bytes.dropFirst(), pointers + [nil], body) }
    return first.withUnsafeBytes { buffer in
      withPointers(
        to: bytes.dropFirst(), pointers + [buffer.baseAddress!.assumingMemoryBound(to: CChar.self)], body)
    }
  }

  /// Sends something, and waits until all of it is on its way.
  func begin(_ send: (OpaquePointer) -> Int32) throws(SyncError) {
    guard send(connection) == 1 else { throw lost() }
    while true {
      let left = PQflush(connection)
      if left == 0 { return }
      guard left > 0 else { throw lost() }
      try wait(for: POLLIN | POLLOUT)
    }
  }

  /// Waits for the rows of the statement that was sent.
  func rows() throws(SyncError) -> ServerRows {
    guard let rows = try finish() else { throw lost() }
    return rows
  }

  /// Waits for the end of the statements that were sent, and returns the first result.
  @discardableResult
  func finish() throws(SyncError) -> ServerRows? {
    var first: ServerRows?
    var failure: SyncError?
    while let result = try nextResult() {
      if let error = error(in: result) {
        failure = failure ?? error
      } else if first == nil {
        first = result
      }
    }
    if let failure { throw failure }
    return first
  }

  /// The next result, or nil when there are no more.
  func nextResult() throws(SyncError) -> ServerRows? {
    while PQisBusy(connection) == 1 {
      try wait(for: POLLIN)
    }
    return PQgetResult(connection).map(ServerRows.init)
  }

  /// Waits until the server sends, or takes, something.
  func wait(for events: Int32) throws(SyncError) {
    var descriptor = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
    let start = Self.monotonicMilliseconds()
    let deadline = start + Int64(patience) * 1000
    var silenceEnd = min(deadline, start + Self.silence)
    while true {
      let remaining = silenceEnd - Self.monotonicMilliseconds()
      let count = remaining > 0 ? poll(&descriptor, 1, Int32(clamping: remaining)) : 0
      if count < 0, errno == EINTR { continue }
      if count == 0, silenceEnd < deadline {
        silenceEnd = deadline
        onSilence()
        continue
      }
      guard count > 0 else {
        // A later answer would be taken for that to another question.
        shutdown(PQsocket(connection), Int32(SHUT_RDWR))
        throw SyncError(.connectionLost, "\(url) has not answered for \(patience) seconds.")
      }
      if descriptor.revents & Int16(POLLIN | POLLERR | POLLHUP) != 0, PQconsumeInput(connection) == 0 {
        throw lost()
      }
      return
    }
  }

  /// The error of a connection that is no more.
  func lost() -> SyncError {
    SyncError(
      .connectionLost, "The connection to \(url) was lost.",
      report: String(cString: PQerrorMessage(connection)))
  }

  private func error(in result: ServerRows) -> SyncError? {
    switch PQresultStatus(result.result) {
    case PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR, PGRES_FATAL_ERROR:
      SyncError(result: result.result, of: self)
    default: nil
    }
  }
}

/// The rows that a statement returned, or its error.
final class ServerRows {
  let result: OpaquePointer

  init(_ result: OpaquePointer) {
    self.result = result
  }

  deinit {
    PQclear(result)
  }

  var count: Int { Int(PQntuples(result)) }

  /// A value as text; nil for NULL.
  func text(_ row: Int, _ column: Int) -> String? {
    guard row < count, PQgetisnull(result, Int32(row), Int32(column)) == 0 else { return nil }
    return String(cString: PQgetvalue(result, Int32(row), Int32(column)))
  }

  func integer(_ row: Int, _ column: Int) -> Int64? {
    text(row, column).flatMap { Int64($0) }
  }

  func bool(_ row: Int, _ column: Int) -> Bool {
    text(row, column) == "t"
  }
}
