/// A command of the command line, in the order of the help. The compiler demands a description in
/// `CommandLineTable` and a handler for each.
enum Subcommand: String, CaseIterable, Sendable {
  case add, list, show, search
  case saveSearch = "search-save"
  case due, done, undone, edit, move, delete, clear, undo, redo
  case lists
  case addList = "list-add"
  case renameList = "list-rename"
  case colorList = "list-color"
  case sortList = "list-sort"
  case deleteList = "list-delete"
  case importFile = "import"
  case export
  case watch, backup, restore, doctor, sync, config, help

  /// The other names, which people type from habit.
  private static let aliases: [String: Subcommand] = ["ls": .list, "rm": .delete, "mv": .move]

  init?(named name: String) {
    guard let command = Self.aliases[name] ?? Subcommand(rawValue: name) else { return nil }
    self = command
  }

  /// The command that a person has named.
  init(typed name: String) throws(UsageError) {
    guard let command = Self(named: name) else { throw UsageError("there is no command “\(name)”") }
    self = command
  }

  var names: [String] { [rawValue] + Self.aliases.filter { $0.value == self }.keys.sorted() }

  var description: SubcommandDescription { CommandLineTable.description(of: self) }
}
