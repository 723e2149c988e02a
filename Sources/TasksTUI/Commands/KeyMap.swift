/// Which command a key asks for, and which keys a command has.
struct KeyMap: Sendable {
  private var commands: [Key: Command] = [:]
  private var keys: [Command: [Key]] = [:]

  /// - Parameter changes: Commands that have other keys than the table's. A key is taken from the command
  ///   that has it in the table; among these it must not stand twice.
  init(_ table: [CommandDescription] = CommandTable.all, changing changes: [Command: [Key]] = [:]) {
    let taken = Set(changes.values.joined())
    for description in table {
      let keys = changes[description.command] ?? description.keys.filter { !taken.contains($0) }
      self.keys[description.command] = keys
      for key in keys { commands[key] = description.command }
    }
  }

  subscript(key: Key) -> Command? { commands[key] }

  /// The one to teach first.
  func keys(for command: Command) -> [Key] { keys[command] ?? [] }

  /// The key to teach for a command, or how to type the command when it has none.
  func label(for command: Command) -> String {
    keys(for: command).first?.label ?? CommandTable.description(of: command).map { ":" + $0.name } ?? ""
  }
}
