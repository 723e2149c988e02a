import LiveStore

/// Values that a rule lets only one object have, and that two machines gave to two.
///
/// The object that has had the value for longer keeps it; the other gets one of its own that tells where it
/// comes from, as every machine does that comes to both. Nothing else of an object is touched.
extension JoinedFile {
  /// Sets aside the values of an object that others have, after a statement that writes columns of it has
  /// failed.
  ///
  /// The others may be about to lose the values in the same transaction, so that the decision waits until
  /// ``settleUniqueValues()``.
  ///
  /// - Parameter columns: The columns that the statement writes.
  /// - Returns: The values with which the statement succeeds as far as such rules go: those of the columns,
  ///   and of others that have to yield to them.
  /// - Throws: The error, if the object has no such value.
  func setTakenValuesAside(
    of object: SyncedObject, _ columns: [String], in table: SyncedLayout.ClassTable, after error: StoreError
  ) throws(StoreError) -> [(column: String, value: SQLiteValue)] {
    let key = object.identity.key
    var values = try row(of: key, in: table)
    for column in columns { values[column] = object.cells[column]?.value }
    var yielding: [String] = []
    for rule in table.uniqueRules where try rival(of: key, with: values, by: rule, in: table) != nil {
      let value = values[rule.yielding]!
      // A value that stays on this machine yields at once: no other machine has to decide the same.
      if rule.isYieldingCarried {
        unsettled.takenValues[object.identity, default: [:]][rule.yielding] = value
      }
      values[rule.yielding] = standIn(for: value, of: key, in: rule)
      if !yielding.contains(rule.yielding) { yielding.append(rule.yielding) }
    }
    guard !yielding.isEmpty else { throw error }
    let written = columns + yielding.filter { !columns.contains($0) }
    return written.map { ($0, values[$0] ?? .null) }
  }

  /// Gives the values that were set aside to the objects that may have them.
  func settleUniqueValues() throws(StoreError) {
    let waiting = unsettled.takenValues.sorted { $0.key.key.precedes($1.key.key) }
    unsettled.takenValues = [:]
    for (identity, values) in waiting {
      guard let table = layout.classes[identity.type], try exists(identity.key, in: table) else { continue }
      for (column, value) in values.sorted(by: { $0.key < $1.key }) {
        if table.links[column] != nil {
          // The transaction may have deleted the object to which it leads.
          try hold(value, as: column, of: identity)
        } else {
          try settle(value, of: column, identity, in: table)
        }
      }
    }
  }

  /// Gives an object a value, and one of two objects that must not both have it one of its own.
  func settle(
    _ value: SQLiteValue, of column: String, _ identity: SyncedObject.Identity,
    in table: SyncedLayout.ClassTable
  ) throws(StoreError) {
    // Each rule may ask one object to yield.
    var attempts = table.uniqueRules.count
    while true {
      do throws(StoreError) {
        return try set([(column, value)], of: identity.key, in: table)
      } catch {
        var wanted = try row(of: identity.key, in: table)
        wanted[column] = value
        guard attempts > 0, let (rule, rival) = try firstRival(of: identity, with: wanted, in: table) else {
          throw error
        }
        attempts -= 1
        if try hasHadLonger(rival, than: identity, rule) {
          try yield(wanted, identity, rule, in: table)
          if rule.yielding == column { return }
        } else {
          try yield(row(of: rival.key, in: table), rival, rule, in: table)
        }
      }
    }
  }

  private func firstRival(
    of identity: SyncedObject.Identity, with values: [String: SQLiteValue], in table: SyncedLayout.ClassTable
  ) throws(StoreError) -> (SyncedLayout.UniqueRule, SyncedObject.Identity)? {
    for rule in table.uniqueRules {
      guard let key = try rival(of: identity.key, with: values, by: rule, in: table) else { continue }
      return (rule, SyncedObject.Identity(type: identity.type, key: key))
    }
    return nil
  }

  /// Gives an object a value of its own instead of that among its values which another keeps.
  private func yield(
    _ values: [String: SQLiteValue], _ identity: SyncedObject.Identity, _ rule: SyncedLayout.UniqueRule,
    in table: SyncedLayout.ClassTable
  ) throws(StoreError) {
    let value = values[rule.yielding] ?? .null
    let own = standIn(for: value, of: identity.key, in: rule)
    if rule.isYieldingCarried, try clock(of: rule.yielding, of: identity)?.replica == replica {
      try noteLoss(of: [rule.yielding: value], of: identity)
    }
    try set([(rule.yielding, own)], of: identity.key, in: table)
    if rule.isYieldingCarried { try assign(own, to: rule.yielding, of: identity) }
  }

  /// All values of an object, as the table has them; those that a new one gets if there is none.
  private func row(
    of key: SQLiteValue, in table: SyncedLayout.ClassTable
  ) throws(StoreError) -> [String: SQLiteValue] {
    let columns = table.columns + table.localColumns
    let row = try statements.prepare(
      "SELECT \(columns.map(quoted).joined(separator: ", ")) FROM \(quoted(table.name)) "
        + "WHERE \(quoted(table.primaryKey)) = ?")
    guard let values = try row.first([key], read: { $0.values(0..<columns.count) }) else {
      return table.defaults
    }
    return Dictionary(uniqueKeysWithValues: zip(columns, values))
  }

  /// The key of another object that has the values which a rule lets only one have.
  private func rival(
    of key: SQLiteValue, with values: [String: SQLiteValue], by rule: SyncedLayout.UniqueRule,
    in table: SyncedLayout.ClassTable
  ) throws(StoreError) -> SQLiteValue? {
    let wanted = rule.columns.map { values[$0] ?? .null }
    guard !wanted.contains(.null) else { return nil }
    let condition = zip(rule.columns, rule.collations).map { "\(quoted($0)) = ? COLLATE \($1)" }.joined(
      separator: " AND ")
    let rows = try statements.prepare(
      "SELECT \(quoted(table.primaryKey)) FROM \(quoted(table.name)) WHERE \(condition) "
        + "AND \(quoted(table.primaryKey)) IS NOT ?" + (rule.condition.map { " AND (\($0))" } ?? ""))
    return try rows.first(wanted + [key]) { $0.value(0) }
  }

  /// Whether the values of a rule are older in one object than in another, to which what stays on this
  /// machine has come.
  private func hasHadLonger(
    _ first: SyncedObject.Identity, than second: SyncedObject.Identity, _ rule: SyncedLayout.UniqueRule
  ) throws(StoreError) -> Bool {
    guard rule.isYieldingCarried else { return true }
    let (own, other) = (try age(of: first, rule), try age(of: second, rule))
    return own == other ? first.key.precedes(second.key) : own < other
  }

  /// The time at which an object got the last of the values of a rule.
  private func age(
    of identity: SyncedObject.Identity, _ rule: SyncedLayout.UniqueRule
  ) throws(StoreError) -> Int64 {
    var latest = Int64.min
    for column in rule.columns {
      // A value that no machine has given it is a new column's default.
      latest = max(latest, try clock(of: column, of: identity)?.stamp ?? .max)
    }
    return latest
  }

  /// The value of an object's own that stands for one that another has: a text with an end that follows from
  /// the key, nothing where there may be nothing, or a number or bytes that follow from the key.
  private func standIn(
    for value: SQLiteValue, of key: SQLiteValue, in rule: SyncedLayout.UniqueRule
  ) -> SQLiteValue {
    let number = key.fingerprint
    return switch value {
    case _ where rule.isYieldingLink: .null
    case .text(let text): .text("\(text) (\(PositionSuffix.of(key)))")
    case _ where rule.isYieldingOptional: .null
    case .integer: .integer(Int64(bitPattern: number) | .min)
    case .real: .real(-Double(number))
    case .blob(let bytes), .malformedText(let bytes):
      .blob(bytes.indices.map { bytes[$0] ^ UInt8(truncatingIfNeeded: number >> UInt64($0 % 8 * 8)) })
    case .null: .null
    }
  }
}
