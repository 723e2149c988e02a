import CPostgreSQL

extension ServerConnection {
  /// Prepares the database so that machines can meet in it; does no harm where that was done before.
  ///
  /// To be called as the owner of the database.
  public func install() throws(SyncError) {
    guard PQserverVersion(connection) >= 14_00_00 else {
      throw SyncError(
        .noDatabase, "\(url) is an older PostgreSQL than 14, with which machines cannot meet in it.")
    }
    // At most one program installs at a time; the number is that of nothing else.
    try transaction { () throws(SyncError) in
      _ = try query("SELECT pg_advisory_xact_lock(5135821664107364)")
      if let installed = try installedVersion(), installed > ServerSchema.version { throw olderProgram() }
      let encoding = try query("SHOW server_encoding").text(0, 0)
      guard encoding == "UTF8" else {
        throw SyncError(
          .noDatabase, "The database of \(url) cannot hold every text: create one with the encoding UTF8.")
      }
      do throws(SyncError) {
        try execute(ServerSchema.script)
      } catch  where error.code == .noRights {
        throw SyncError(
          .noRights, "Only the owner of the database of \(url) can prepare it.", report: error.report)
      }
    }
    hasCheckedSchema = true
  }

  /// Makes sure that the database is prepared, by a program whose ways this one knows.
  func checkSchema() throws(SyncError) {
    guard !hasCheckedSchema else { return }
    guard let version = try installedVersion() else {
      throw SyncError(
        .noSchema, "\(url) is not prepared: ask its owner to run `tasks sync init` with this address first.")
    }
    if version > ServerSchema.version { throw olderProgram() }
    if version < ServerSchema.version {
      throw SyncError(
        .olderServer,
        "\(url) was prepared by an older program: ask its owner to run `tasks sync init` with this address "
          + "again.")
    }
    hasCheckedSchema = true
  }

  private func olderProgram() -> SyncError {
    SyncError(.olderProgram, "\(url) was prepared by a newer program: update this one.")
  }

  private func installedVersion() throws(SyncError) -> Int? {
    let exists = try query(
      """
      SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'livestore' AND c.relname = 'installation')
      """
    ).bool(0, 0)
    guard exists else { return nil }
    return try query("SELECT version FROM livestore.installation").integer(0, 0).map { Int($0) }
  }

  /// Runs statements in a transaction, which is taken back if they throw.
  func transaction<Value>(_ body: () throws(SyncError) -> Value) throws(SyncError) -> Value {
    try execute("BEGIN")
    do throws(SyncError) {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      if error.code != .connectionLost { try? execute("ROLLBACK") }
      throw error
    }
  }
}
