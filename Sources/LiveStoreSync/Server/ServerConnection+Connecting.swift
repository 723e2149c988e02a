import CPostgreSQL
import LibC

extension ServerConnection {
  static func connect(to url: ServerURL, within seconds: Int) throws(SyncError) -> OpaquePointer {
    var options = url.options
    // libpq looks at these only where the address says nothing.
    for (name, value) in [
      "fallback_application_name": "tasks-sync", "keepalives": "1",
      "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3",
      "tcp_user_timeout": "30000",
    ] where options[name] == nil {
      options[name] = value
    }
    // Texts are written in it, whatever the address says.
    options["client_encoding"] = "UTF8"
    var connection = try start(options, to: url)
    // A service or the environment may have named the host: only now is it known.
    if let all = PQconninfo(connection) {
      let effective = ServerURL.options(all)
      PQconninfoFree(all)
      if !ServerURL.isLocal(effective), options["sslmode"] == nil,
        effective["sslmode"] ?? "prefer" == "prefer",
        getenv("PGSSLMODE") == nil
      {
        options["sslmode"] = "verify-full"
        if effective["sslrootcert"] == nil, let authorities = systemAuthorities() {
          options["sslrootcert"] = authorities
        }
        PQfinish(connection)
        connection = try start(options, to: url)
      }
    }
    do throws(SyncError) {
      let limit = options["connect_timeout"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? seconds
      try finish(connection, to: url, within: limit)
      return connection
    } catch {
      PQfinish(connection)
      throw error
    }
  }

  private static func start(
    _ options: [String: String], to url: ServerURL
  ) throws(SyncError) -> OpaquePointer {
    var names: [UnsafePointer<CChar>?] = []
    var values: [UnsafePointer<CChar>?] = []
    for (name, value) in options {
      names.append(UnsafePointer(strdup(name)))
      values.append(UnsafePointer(strdup(value)))
    }
    defer {
      for text in names + values { free(UnsafeMutablePointer(mutating: text)) }
    }
    guard let connection = PQconnectStartParams(names + [nil], values + [nil], 0) else {
      throw SyncError(.busy, "There is no memory left for a connection to \(url).")
    }
    // Codes in messages, so that these can be told apart in any language.
    PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
    // By default libpq writes the server's remarks to standard error, which may be a screen.
    PQsetNoticeReceiver(connection, { _, _ in }, nil)
    return connection
  }

  /// The certificates of the authorities that the system trusts, unless the person has some of their own.
  private static func systemAuthorities() -> String? {
    if let home = getenv("HOME"), access(String(cString: home) + "/.postgresql/root.crt", F_OK) == 0 {
      return nil
    }
    return ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]
      .first { access($0, R_OK) == 0 }
  }

  private static func finish(
    _ connection: OpaquePointer, to url: ServerURL, within seconds: Int
  ) throws(SyncError) {
    let deadline = monotonicMilliseconds() + Int64(seconds) * 1000
    var state = PGRES_POLLING_WRITING
    while PQstatus(connection) != CONNECTION_BAD {
      if state == PGRES_POLLING_OK { return }
      if state == PGRES_POLLING_FAILED { break }
      var descriptor = pollfd(
        fd: PQsocket(connection), events: Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0
      )
      let remaining = deadline - monotonicMilliseconds()
      let count = remaining > 0 ? poll(&descriptor, 1, Int32(clamping: remaining)) : 0
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let time = seconds == 1 ? "a second" : "\(seconds) seconds"
        throw SyncError(.noServer, "\(url) has not answered within \(time).")
      }
      state = PQconnectPoll(connection)
    }
    throw SyncError(connecting: connection, to: url)
  }

  static func monotonicMilliseconds() -> Int64 { milliseconds(CLOCK_MONOTONIC) }
}
