import TasksModel

extension CommandLineTable {
  private static let list = OptionDescription(
    "list", .list,
    help: "the list with this name, or id; without it the first list, and every list to find a task or to "
      + "export")
  private static let json = OptionDescription("json", help: "print as JSON")
  private static let details = OptionDescription(
    "details", help: "dates, priorities and notes too, as on a terminal")
  private static let due = OptionDescription(
    "due", .text("DATE"),
    help: "when it is due, such as fri, +3d, \"tomorrow 9:00\", 2026-12-01, or none; else a date in its text "
      + "counts")
  private static let repetition = OptionDescription(
    "repeat", .text("HOW"),
    help: "how often it comes again, such as \"every week\", \"every mon and thu\", \"every 15th\", "
      + "\"after 3 days\"")
  private static let priority = OptionDescription(
    "priority", .choice("P", ["A", "B", "C"]), help: "how important it is: A, B or C")
  private static let notes = OptionDescription("notes", .text("TEXT"), help: "its note")

  private static let wait = OptionDescription(
    "wait", .text("DATE"), help: "hide it in its list until then, such as mon, +1w, 2026-12-01")

  private static let format = OptionDescription(
    "format", .choice("F", FileFormat.allCases.map(\.rawValue)),
    help: "\(FileFormat.names); else by the ending of the name: "
      + FileFormat.allCases.map { $0.endings[0] }.joined(separator: ", "))

  static func description(of command: Subcommand) -> SubcommandDescription {
    func described(
      _ forms: SubcommandDescription.Form..., summary: String? = nil,
      options: [OptionDescription] = [file, list]
    ) -> SubcommandDescription {
      SubcommandDescription(command, summary: summary, forms, options)
    }
    return switch command {
    case .add:
      described(
        .init("TEXT…", "add a task after the open ones and print its id"),
        .init("-", "the same for each line of standard input, in one transaction"),
        options: [
          file, list,
          .init("under", .task, help: "the open task of which it is to be a subtask"),
          due, repetition, priority, notes, wait,
        ])
    case .list:
      described(
        .init("", "print the tasks, their subtasks indented"),
        options: [
          file, list, .init("today", help: "what is due today or before, of all lists, by date"),
          .init("upcoming", help: "what is due after today, of all lists, by day"),
          .init("waiting", help: "what waits until a date, of all lists, by day"),
          .init("done", help: "what was done, of all lists, by day, the last first"),
          .init("archive", help: "the tasks that were cleared, the last first"), details, json,
          .init(
            "format", .choice("F", FileFormat.allCases.map(\.rawValue)),
            help: "print them in a format of export instead"),
        ])
    case .show: described(.init("TASK", "print all that a task has"), options: [file, list, json])
    case .search:
      described(
        .init("WORDS…", "print the tasks that have these words"),
        options: [
          file, list, .init("saved", .text("NAME"), help: "the words that have this name in the app"),
          details,
          json,
        ])
    case .saveSearch:
      described(
        .init("NAME [WORDS…]", "give words to search for a name, or take it away without words"),
        options: [file])
    case .due:
      described(
        .init(
          "[--exec CMD]",
          "print the tasks of all lists whose time has come; the exit status is 1 when there is none"),
        options: [
          file,
          .init(
            "exec", .text("CMD"),
            help: "print nothing, and run this for each that has become due since the last time, with its "
              + "text as the last argument, such as 'notify-send -- Due'"),
          details, json,
        ])
    case .done: described(.init("TASK", "complete an open task, and print its id"))
    case .undone: described(.init("TASK", "open a completed task again"))
    case .edit:
      described(
        .init(
          "TASK [TEXT…]",
          "give an open task another text, or what the options say; none removes what it has"),
        options: [file, list, due, repetition, priority, notes, wait])
    case .move:
      described(
        .init("TASK --to LIST", "move a task to another list"),
        options: [file, list, .init("to", .list, help: "the list that the task is moved to")])
    case .delete: described(.init("TASK", "delete a task, with its subtasks"))
    case .clear: described(.init("", "move the completed tasks of a list to the archive"))
    case .undo:
      described(.init("", "undo what you did last, in a window or on the command line"), options: [file])
    case .redo: described(.init("", "do again what you have undone"), options: [file])
    case .lists: described(.init("", "print the names of the lists"), options: [file, json])
    case .addList: described(.init("NAME", "make a list"), options: [file])
    case .renameList: described(.init("LIST NAME", "give a list another name"), options: [file])
    case .colorList:
      described(
        .init("LIST COLOUR", "give a list a colour of its own: a name such as red, #rrggbb, or none"),
        options: [file])
    case .sortList:
      described(
        .init("LIST ORDER", "keep the open tasks of a list sorted by due, priority or text, or off"),
        options: [file])
    case .deleteList:
      described(
        .init("LIST", "delete a list, with its tasks"),
        options: [file, .init("yes", help: "do not ask on a terminal whether its tasks may go, too")])
    case .importFile:
      described(
        .init(
          "INPUT",
          "add the tasks of a file of another format, or of standard input (-), in one transaction that "
            + "tasks undo takes back; when a record cannot be taken, none is, and the exit status is 1"),
        options: [
          file, format, list,
          .init("skip-bad", help: "leave out the records that cannot be taken, and take the others"),
          .init("dry-run", help: "tell what would be imported, and change nothing"),
        ])
    case .export:
      described(
        .init(
          "[OUTPUT]",
          "write all tasks in another format into a new file, or to standard output, by default as jsonl"),
        options: [
          file, format, list,
          .init("force", help: "replace a file of this name, which otherwise is left alone"),
        ])
    case .watch:
      described(
        .init("[--exec CMD]", "print each change as a line of JSON, until interrupted"),
        options: [
          file, list,
          .init(
            "exec", .text("CMD"),
            help: "print nothing, and run this for each change, with its line as standard input; changes "
              + "that come while it runs are one"),
        ])
    case .backup:
      described(
        .init("NEWFILE", "copy the file into a new one, while windows and programs go on writing to it"),
        options: [file])
    case .restore:
      described(
        .init(
          "COPY",
          "go back to a copy, while windows are open, which show it; what the file has now is copied too"),
        options: [file])
    case .doctor:
      described(
        .init(
          "[FILE]",
          "look for damage in the file and tell what was found; the exit status is 1 when there is some"),
        options: [
          file,
          .init(
            "save", .file,
            help:
              "save what can be read of the file into this new one; the exit status is 1 when some is lost"
          ),
        ])
    case .sync:
      described(
        .init("init URL", "prepare a PostgreSQL database in which machines meet, as its owner"),
        .init("spaces URL [--json]", "print the spaces that you may use, with their owners"),
        .init("join URL [--space NAME] [--yes]", "keep the file the same as those of others in a space"),
        .init("run [--once]", "carry changes to them and from them, also while no window is open"),
        .init("status [--json]", "print how the file stands: what waits to be sent, and who else there is"),
        .init("conflicts", "print the changes made here that lost against others'"),
        .init("restore NUMBER", "bring back one of these"),
        .init("forget NUMBER", "leave one of these lost, and speak of it no more"),
        .init(
          "share [ROLE --read|--write|--manage|--none]",
          "print who may use the space; let another role of the database use it, or no more"),
        .init("machines [--forget MACHINE]", "print which machines there are; forget one that is lost"),
        .init("address URL", "find the space at another address, where its server has moved"),
        .init("leave [--yes]", "leave the space; the tasks stay here and there"),
        summary: "keep the file the same on several machines",
        options: [
          file, .init("space", .text("NAME"), help: "the name of the space, which is “tasks” if not said"),
          .init(
            "yes",
            help: "merge two files that both have tasks without asking; leave, although changes that lost "
              + "can then not be brought back"),
          .init("once", help: "carry what there is, and end"), .init("json", help: "print it as JSON"),
          .init("read", help: "they may read"), .init("write", help: "they may change it too"),
          .init("manage", help: "they may share it too"),
          .init("none", help: "they may not use it any more"),
          .init("forget", .text("MACHINE"), help: "the machine that does not come back, by name or number"),
        ])
    case .config:
      described(
        .init(
          "--check [FILE]",
          "tell what is wrong in the configuration file, "
            + "which is tasks/config.toml in $XDG_CONFIG_HOME or ~/.config"),
        .init("--print", "print a configuration to begin with"),
        options: [
          .init("check", help: "tell what is wrong"), .init("print", help: "print one to begin with"),
        ])
    case .help: described(.init("[COMMAND]", "print the help of a command"), options: [])
    }
  }
}
