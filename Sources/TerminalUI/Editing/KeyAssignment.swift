/// The command of each key, and the keys of each command.
package struct KeyAssignment<Verb: Hashable & Sendable>: Sendable {
  private var commands: [Key: Verb] = [:]
  private var keys: [Verb: [Key]] = [:]

  /// - Parameters:
  ///   - table: The usual keys of all commands.
  ///   - changes: The commands with other keys than in the table. A key is removed from the command that has
  ///     it in the table; among these it must not occur twice.
  package init(_ table: [(command: Verb, keys: [Key])], changing changes: [Verb: [Key]]) {
    let taken = Set(changes.values.joined())
    for (command, usual) in table {
      let keys = changes[command] ?? usual.filter { !taken.contains($0) }
      self.keys[command] = keys
      for key in keys { commands[key] = command }
    }
  }

  package subscript(key: Key) -> Verb? { commands[key] }

  /// The keys of a command, of which the first one is taught.
  package func keys(for command: Verb) -> [Key] { keys[command] ?? [] }
}
