/// The action of a command, from its arguments.
extension CommandArguments {
  func action() throws(UsageError) -> Invocation.Action {
    if command.description.takesOnlyOptions { try requireNoOperands() }
    return switch command {
    case .add: try add()
    case .done: .done(task: try task())
    case .show: .show(task: try task())
    case .search: try search()
    case .edit: .change(try edit())
    case .move: .change(try move())
    case .undone: .change(.reopen(task: try task()))
    case .delete: .change(.delete(task: try task()))
    case .addList: .change(.addList(try line(operands, ofTask: false, "the name of the list")))
    case .renameList: .change(try renameList())
    case .colorList: .change(try colorList())
    case .sortList: .change(try sortList())
    case .saveSearch: .change(try saveSearch())
    case .deleteList:
      .change(.deleteList(try text("the name of the list"), isConfirmed: flags.contains("yes")))
    case .clear: .change(.clear)
    case .undo: .change(.undo)
    case .redo: .change(.redo)
    case .help: try help()
    case .config: try config()
    case .backup: .backup(copy: try one("the name of one new file"))
    case .restore: .restore(copy: try one("the name of one copy, such as tasks backup makes it"))
    case .doctor: try doctor()
    case .list: try printTasks()
    case .due: try due()
    case .importFile: .importFile(try importRequest())
    case .export: .export(try exportRequest())
    // Its words are another program's, which has been started by now, but for the help.
    case .sync: .commandHelp(command)
    case .lists: .lists
    case .watch: .watch(command: values["exec"])
    }
  }

  private func help() throws(UsageError) -> Invocation.Action {
    guard operands.count <= 1 else { throw UsageError("help is about one command") }
    return if let name = operands.first { .commandHelp(try Subcommand(typed: name)) } else { .help }
  }
}

/// Changes.
extension CommandArguments {
  private func add() throws(UsageError) -> Invocation.Action {
    operands == ["-"]
      ? .addLines(newTask) : .add(newTask, text: try line(operands, ofTask: true, "the text of the task"))
  }

  private func edit() throws(UsageError) -> ChangeCommand.Change {
    guard let task = operands.first, !task.allSatisfy(\.isWhitespace) else {
      throw UsageError("edit needs the text or the id of a task")
    }
    let words = operands.dropFirst()
    guard !words.isEmpty || newTask != NewTaskOptions() else {
      throw UsageError("edit needs the new text, after the task in quotes, or an option such as --due")
    }
    return .edit(
      task: task, text: words.isEmpty ? nil : try line(words, ofTask: true, "the new text"), newTask)
  }

  private func move() throws(UsageError) -> ChangeCommand.Change {
    guard let target = values["to"] else { throw UsageError("move needs --to LIST") }
    return .move(task: try task(), list: target)
  }

  private func renameList() throws(UsageError) -> ChangeCommand.Change {
    let need = "a list and its new name, in quotes if they have spaces"
    let (list, name) = try two(need)
    return .renameList(list, name: try line([name], ofTask: false, need))
  }

  private func colorList() throws(UsageError) -> ChangeCommand.Change {
    let (list, color) = try two("a list, in quotes if it has spaces, and a colour or none")
    return .colorList(list, color: color)
  }

  private func sortList() throws(UsageError) -> ChangeCommand.Change {
    let (list, order) = try two("a list, in quotes if it has spaces, and an order or off")
    return .sortList(list, order: order)
  }

  private func saveSearch() throws(UsageError) -> ChangeCommand.Change {
    let name = try line(operands.prefix(1), ofTask: false, "a name, and the words that it is for")
    return .saveSearch(name, words: operands.dropFirst().joined(separator: " "))
  }
}

/// Tasks that are printed.
extension CommandArguments {
  private func search() throws(UsageError) -> Invocation.Action {
    guard let saved = values["saved"] else { return .search(words: try text("some words")) }
    guard operands.isEmpty else { throw UsageError("--saved does not go with words") }
    return .search(words: saved, isName: true)
  }

  private func printTasks() throws(UsageError) -> Invocation.Action {
    if let format {
      let other = topic?.rawValue ?? ["json", "details"].first(where: flags.contains)
      if let other { throw UsageError("--format does not go with --\(other)") }
      return .export(ExportCommand.Request(format: format, isOfOneList: true))
    }
    guard let topic else { return .list }
    guard values["list"] == nil else {
      throw UsageError("--\(topic.rawValue) is about all lists and does not go with --list")
    }
    return .collected(topic)
  }

  private func due() throws(UsageError) -> Invocation.Action {
    let program = values["exec"]
    guard program == nil || !flags.contains("json") else {
      throw UsageError("--exec prints nothing, also not with --json")
    }
    return .due(command: program)
  }
}

/// Files.
extension CommandArguments {
  private func config() throws(UsageError) -> Invocation.Action {
    let checks = flags.contains("check")
    guard checks != flags.contains("print") else { throw UsageError("config needs --check or --print") }
    guard operands.count <= (checks ? 1 : 0) else {
      throw UsageError("config does not know what to do with \(operands[checks ? 1 : 0])")
    }
    return checks ? .checkConfiguration(path: operands.first) : .printConfiguration
  }

  private func doctor() throws(UsageError) -> Invocation.Action {
    guard operands.count <= 1, operands.isEmpty || namedFile == nil else {
      throw UsageError("doctor looks at one file")
    }
    return .doctor(newFile: values["save"])
  }

  private func importRequest() throws(UsageError) -> ImportCommand.Request {
    let path = try one("the name of one file, or - for standard input")
    return ImportCommand.Request(
      path: path, format: try format(ofFile: path), skipsBad: flags.contains("skip-bad"),
      isTrial: flags.contains("dry-run"))
  }

  private func exportRequest() throws(UsageError) -> ExportCommand.Request {
    guard operands.count <= 1, operands != [""] else {
      throw UsageError("export needs the name of one new file, or none")
    }
    var request = ExportCommand.Request(format: format ?? .jsonl, replaces: flags.contains("force"))
    if let path = operands.first, path != "-" {
      (request.path, request.format) = (path, try format(ofFile: path))
    }
    return request
  }
}
