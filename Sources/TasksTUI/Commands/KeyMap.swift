/// The command of each key, and the keys of each command.
struct KeyMap: Sendable {
  private var commands: [Key: Command] = [:]
  private var keys: [Command: [Key]] = [:]

  /// - Parameter changes: The commands with other keys than in the table. A key is removed from the command
  ///   that has it in the table; among these it must not occur twice.
  init(_ table: [CommandDescription] = CommandTable.all, changing changes: [Command: [Key]] = [:]) {
    let taken = Set(changes.values.joined())
    for description in table {
      let keys = changes[description.command] ?? description.keys.filter { !taken.contains($0) }
      self.keys[description.command] = keys
      for key in keys { commands[key] = description.command }
    }
  }

  subscript(key: Key) -> Command? { commands[key] }

  /// The keys of a command, of which the first one is taught.
  func keys(for command: Command) -> [Key] { keys[command] ?? [] }

  /// The key to teach for a command, or the way to type the command if it has none.
  func label(for command: Command) -> String {
    keys(for: command).first?.label ?? CommandTable.description(of: command).map { ":" + $0.name } ?? ""
  }
}
