import TerminalUI

typealias KeyMap = KeyAssignment<Command>

extension KeyMap {
  init(_ table: [CommandDescription] = CommandTable.all, changing changes: [Command: [Key]] = [:]) {
    self.init(table.map { ($0.command, $0.keys) }, changing: changes)
  }

  /// The key to teach for a command, or the way to type the command if it has none.
  func label(for command: Command) -> String {
    keys(for: command).first?.label ?? CommandTable.description(of: command).map { ":" + $0.name } ?? ""
  }
}
