import TerminalUI

enum CommandTable {
  /// All commands, each once, in the order of the help.
  static let all: [CommandDescription] = move + change + several + find + go + program

  private static let move: [CommandDescription] = [
    .init(
      command: .cursor(.down), group: .move, name: "down", help: "Move down",
      keys: [character("j"), Key(.down), control("n")]),
    .init(
      command: .cursor(.up), group: .move, name: "up", help: "Move up",
      keys: [character("k"), Key(.up), control("p")]),
    .init(
      command: .cursor(.first), group: .move, name: "first",
      help: "Go to the first row, or to the one counted",
      keys: [character("g"), Key(.home), alt("<")]),
    .init(
      command: .cursor(.last), group: .move, name: "last", help: "Go to the last row, or to the one counted",
      keys: [character("G"), Key(.end), alt(">")]),
    .init(
      command: .cursor(.pageDown), group: .move, name: "page-down", help: "A page down",
      keys: [Key(.pageDown), control("f"), control("v")]),
    .init(
      command: .cursor(.pageUp), group: .move, name: "page-up", help: "A page up",
      keys: [Key(.pageUp), control("b"), alt("v")]),
    .init(
      command: .cursor(.halfPageDown), group: .move, name: "half-page-down", help: "Half a page down",
      keys: [control("d")]),
    .init(
      command: .cursor(.halfPageUp), group: .move, name: "half-page-up", help: "Half a page up",
      keys: [control("u")]),
    .init(
      command: .cursor(.top), group: .move, name: "top-of-screen", help: "Go to the top row of the screen",
      keys: [character("H")]),
    .init(
      command: .cursor(.middle), group: .move, name: "middle-of-screen",
      help: "Go to the middle row of the screen", keys: [character("M")]),
    .init(
      command: .cursor(.bottom), group: .move, name: "bottom-of-screen",
      help: "Go to the bottom row of the screen", keys: [character("L")]),
    .init(
      command: .cursor(.scrollDown), group: .move, name: "scroll-down", help: "Scroll down by a line",
      keys: [control("e")]),
    .init(
      command: .cursor(.scrollUp), group: .move, name: "scroll-up", help: "Scroll up by a line",
      keys: [control("y")]),
  ]

  private static let change: [CommandDescription] = [
    .init(
      command: .rows(.add), group: .change, name: "add", help: "Add a row after the open ones",
      keys: [character("a")], argument: "TEXT"),
    .init(
      command: .rows(.addOnTop), group: .change, name: "add-on-top", help: "Add a row on top",
      keys: [character("A")], argument: "TEXT"),
    .init(
      command: .rows(.addBelow), group: .change, name: "add-below", help: "Add a row below this one",
      keys: [character("o")], argument: "TEXT"),
    .init(
      command: .rows(.addAbove), group: .change, name: "add-above", help: "Add a row above this one",
      keys: [character("O")], argument: "TEXT"),
    .init(
      command: .rows(.toggleCompleted), group: .change, name: "complete", help: "Complete, or open again",
      keys: [character(" "), character("x")]),
    .init(
      command: .rows(.edit), group: .change, name: "edit", help: "Edit the row",
      keys: [character("e"), character("i")], argument: "TEXT"),
    .init(
      command: .rows(.delete), group: .change, name: "delete", help: "Delete the row",
      keys: [character("d"), Key(.delete)]),
    .init(
      command: .rows(.moveDown), group: .change, name: "move-down", help: "Move the row down",
      keys: [character("J"), Key(.down, .shift), Key(.down, .alt)]),
    .init(
      command: .rows(.moveUp), group: .change, name: "move-up", help: "Move the row up",
      keys: [character("K"), Key(.up, .shift), Key(.up, .alt)]),
    .init(
      command: .rows(.hold), group: .change, name: "hold", hint: "lift",
      help: "Lift the row, to take it where you go", keys: [character("m")]),
    .init(
      command: .tasks(.moveToList), group: .change, name: "move-to-list", help: "Move to another list",
      keys: [character(">")], argument: "LIST"),
    .init(
      command: .rows(.clearCompleted), group: .change, name: "clear",
      help: "Clear the completed rows: tasks go to the archive",
      keys: [character("C")]),
    .init(
      command: .rows(.sort), group: .change, name: "sort",
      help: "Sort the open rows by due date, priority or text", keys: [character("s")],
      argument: "due, priority, text"),
    .init(
      command: .app(.keepSorted), group: .change, name: "keep-sorted",
      help: "Keep the list sorted: due, priority, text or off", keys: [],
      argument: "ORDER"),
    .init(
      command: .app(.color), group: .change, name: "color",
      help: "Give the list a colour of its own; or none", keys: [], argument: "COLOUR"),
    .init(
      command: .tasks(.due), group: .change, name: "due",
      help: "Say when it is due: fri, +3d, tomorrow 9:00; or none",
      keys: [character("D")], argument: "DATE"),
    .init(
      command: .tasks(.repetition), group: .change, name: "repeat",
      help: "Say how often it comes again: every week; or none",
      keys: [character("R")], argument: "HOW OFTEN"),
    .init(
      command: .tasks(.wait), group: .change, name: "wait",
      help: "Hide it in its list until a date; or none",
      keys: [character("W")], argument: "DATE"),
    .init(
      command: .tasks(.editNote), group: .change, name: "editor",
      help: "Write the note in your editor ($EDITOR)",
      keys: [character("E")]),
    .init(
      command: .tasks(.priority), group: .change, name: "priority",
      help: "Say how important it is: A, B, C or none",
      keys: [character("P")], argument: "A, B, C"),
    .init(
      command: .tasks(.raisePriority), group: .change, name: "raise", help: "Raise its priority",
      keys: [character("+")]),
    .init(
      command: .tasks(.lowerPriority), group: .change, name: "lower", help: "Lower its priority",
      keys: [character("-")]),
    .init(
      command: .tasks(.subtask), group: .change, name: "subtask", help: "Add a subtask",
      keys: [character("S")], argument: "TEXT"),
    .init(
      command: .tasks(.demote), group: .change, name: "demote", help: "Make it a subtask of the task above",
      keys: [character("]"), Key(.right, .shift), Key(.right, .alt)]),
    .init(
      command: .tasks(.promote), group: .change, name: "promote", help: "Make the subtask a task of the list",
      keys: [character("["), Key(.left, .shift), Key(.left, .alt)]),
    .init(
      command: .rows(.undo), group: .change, name: "undo", help: "Undo what you did last",
      keys: [character("u"), control("_")]),
    .init(command: .rows(.redo), group: .change, name: "redo", help: "Redo", keys: [control("r")]),
    .init(
      command: .app(.repeatChange), group: .change, name: "again", help: "Repeat the last change here",
      keys: [character(".")]),
  ]

  private static let several: [CommandDescription] = [
    .init(
      command: .rows(.mark), group: .several, name: "mark", help: "Mark the row, or take its mark away",
      keys: [Key(.tab)]),
    .init(
      command: .rows(.markRange), group: .several, name: "mark-range", hint: "range",
      help: "Mark from here to where you go; the same key ends it",
      keys: [character("v"), Key(.character(" "), .control)]),
    .init(
      command: .rows(.markAll), group: .several, name: "mark-all", hint: "all",
      help: "Mark all rows, or none",
      keys: [character("V")]),
    .init(
      command: .rows(.copy), group: .several, name: "copy",
      help: "Copy the text; of marked rows a line each", keys: [character("y")]),
  ]

  private static let go: [CommandDescription] = [
    .init(
      command: .screen(.activate), group: .go, name: "enter", hint: "open",
      help: "Open the list; edit the task",
      keys: [Key(.enter)]),
    .init(
      command: .screen(.open), group: .go, name: "open", help: "Open the list; the task's subtasks",
      keys: [character("l"), Key(.right)]),
    .init(
      command: .screen(.back), group: .go, name: "lists", help: "Back to the task; to the lists",
      keys: [character("h"), Key(.left)]),
    .init(
      command: .tasks(.fold), group: .go, name: "fold",
      help: "Show the subtasks beneath the task, or hide them",
      keys: [character("z")]),
    .init(
      command: .tasks(.foldAll), group: .go, name: "fold-all", help: "The same for all tasks",
      keys: [character("Z")]),
    .init(
      command: .tasks(.note), group: .go, name: "note", help: "Read and write the note of the task",
      keys: [character("c")]),
    .init(
      command: .app(.today), group: .go, name: "today", help: "What is due today, of all lists",
      keys: [character("T")]),
    .init(
      command: .app(.upcoming), group: .go, name: "upcoming", help: "What is due after today, of all lists",
      keys: [character("U")]),
    .init(
      command: .app(.waiting), group: .go, name: "waiting",
      help: "What waits until a date, of all lists", keys: []),
    .init(
      command: .app(.done), group: .go, name: "done", help: "What was done, of all lists, by day", keys: []),
    .init(
      command: .app(.archive), group: .go, name: "archive", help: "The tasks that were cleared", keys: []),
    .init(
      command: .app(.tag), group: .go, name: "tag", help: "The tasks of all lists that have a tag",
      keys: [character("#")], argument: "NAME"),
    .init(
      command: .screen(.escape), group: .go, name: "escape",
      help: "End what goes on", keys: [Key(.escape), control("g")]),
  ]

  private static let find: [CommandDescription] = [
    .init(
      command: .app(.search), group: .find, name: "search",
      help: "Search as you type, here or (Tab) in all lists", keys: [character("/"), control("s")],
      argument: "WORDS"),
    .init(
      command: .app(.filter), group: .find, name: "filter",
      help: "Search all lists for the words that have a name", keys: [character("F")], argument: "NAME"),
    .init(
      command: .app(.saveSearch), group: .find, name: "save-search",
      help: "Give the last search a name, or take it away", keys: [],
      argument: "NAME"),
    .init(
      command: .rows(.nextMatch), group: .find, name: "next-match",
      help: "Go to the next row that was searched for",
      keys: [character("n")]),
    .init(
      command: .rows(.previousMatch), group: .find, name: "previous-match", help: "Go to the one before",
      keys: [character("N")]),
  ]

  private static let program: [CommandDescription] = [
    .init(
      command: .app(.commandLine), group: .program, name: "command",
      help: "Type a command; Tab completes its name",
      keys: [character(":"), alt("x")]),
    .init(
      command: .app(.set), group: .program, name: "set",
      help: "Change a setting until you leave, or tell its value",
      keys: [], argument: "NAME VALUE"),
    .init(
      command: .app(.hide), group: .program, name: "hide",
      help: "Hide the completed tasks, or show them again",
      keys: []),
    .init(
      command: .app(.theme), group: .program, name: "theme", help: "Change the colours until you leave",
      keys: [], argument: "NAME"),
    .init(
      command: .app(.windows), group: .program, name: "windows",
      help: "Who else has this file open, and what they edit", keys: []),
    .init(
      command: .app(.sync), group: .program, name: "sync",
      help: "How this file stands with other machines", keys: []),
    .init(
      command: .app(.bringBack), group: .program, name: "bring-back",
      help: "Bring back the last change lost to another machine",
      keys: [character("B")]),
    .init(
      command: .app(.forgetLost), group: .program, name: "forget-lost",
      help: "Leave it lost, and do not speak of it again", keys: []),
    .init(
      command: .app(.help), group: .program, name: "keys", help: "Show the keys; / searches among them",
      keys: [character("?"), Key(.function(1))], argument: "WORDS"),
    .init(
      command: .app(.repaint), group: .program, name: "repaint", help: "Redraw the screen",
      keys: [control("l")]),
    .init(
      command: .app(.suspend), group: .program, name: "suspend", help: "Suspend; fg in the shell goes on",
      keys: [control("z")]),
    .init(command: .app(.quit), group: .program, name: "quit", help: "Quit", keys: [character("q")]),
  ]

  private static let byCommand = Dictionary(uniqueKeysWithValues: all.map { ($0.command, $0) })

  static func description(of command: Command) -> CommandDescription? { byCommand[command] }

  private static func character(_ character: Character) -> Key { Key(.character(character)) }
  private static func control(_ character: Character) -> Key { Key(.character(character), .control) }
  private static func alt(_ character: Character) -> Key { Key(.character(character), .alt) }
}
