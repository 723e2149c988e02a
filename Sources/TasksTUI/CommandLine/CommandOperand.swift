import TasksModel
import TerminalUI

/// A kind of word that a command takes after its name, as a shell completes it.
enum CommandOperand: Hashable, Sendable {
  /// The text of a task: of a completed one, an open one, or with nil of either.
  case task(completed: Bool?)
  case list
  case file
  case word([String])
  /// A text that only the person knows.
  case text
}

extension SubcommandDescription {
  /// The kinds of the words after the name and the options, by their places.
  var operands: [CommandOperand] {
    // The first word says which of its forms a command has.
    let words = forms.map { $0.operands.prefix { $0 != " " } }
    if forms.count > 1, words.allSatisfy({ $0.first?.isLowercase ?? false }) {
      return [.word(words.map(String.init))]
    }
    var operands: [CommandOperand] = []
    var isValue = false
    for word in forms[0].operands.split(whereSeparator: " []".contains) {
      if word.hasPrefix("--") {
        isValue = options.contains { "--" + $0.name == word && $0.value != nil }
      } else {
        if !isValue { operands.append(operand(called: word)) }
        isValue = false
      }
    }
    return operands
  }

  private func operand(called name: Substring) -> CommandOperand {
    switch name {
    case "TASK":
      switch command {
      case .undone: .task(completed: true)
      case .done, .edit: .task(completed: false)
      default: .task(completed: nil)
      }
    case "LIST": .list
    case "FILE", "NEWFILE", "COPY", "INPUT", "OUTPUT": .file
    case "COLOUR": .word(ListColor.names.map(\.name) + ["none"])
    case "ORDER": .word(RowOrder.allCases.map(\.rawValue) + ["off"])
    case "COMMAND": .word(Subcommand.allCases.flatMap(\.names))
    default: .text
    }
  }
}
