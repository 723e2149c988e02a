import TerminalUI

enum CommandTable {
  /// All commands, each once, in the order of the help.
  static let all: [CommandDescription] = [
    (CommandDescription.Group.move, move), (.change, change), (.several, several), (.find, find), (.go, go),
    (.program, program),
  ].flatMap { group, commands in
    commands.map { command in
      var command = command
      command.group = group
      return command
    }
  }

  private static let move: [CommandDescription] = [
    .init(.cursor(.down), "down", "Move down", "j", "Down", "C-n"),
    .init(.cursor(.up), "up", "Move up", "k", "Up", "C-p"),
    .init(.cursor(.first), "first", "Go to the first row, or to the one counted", "g", "Home", "M-<"),
    .init(.cursor(.last), "last", "Go to the last row, or to the one counted", "G", "End", "M->"),
    .init(.cursor(.pageDown), "page-down", "A page down", "PgDn", "C-f", "C-v"),
    .init(.cursor(.pageUp), "page-up", "A page up", "PgUp", "C-b", "M-v"),
    .init(.cursor(.halfPageDown), "half-page-down", "Half a page down", "C-d"),
    .init(.cursor(.halfPageUp), "half-page-up", "Half a page up", "C-u"),
    .init(.cursor(.top), "top-of-screen", "Go to the top row of the screen", "H"),
    .init(.cursor(.middle), "middle-of-screen", "Go to the middle row of the screen", "M"),
    .init(.cursor(.bottom), "bottom-of-screen", "Go to the bottom row of the screen", "L"),
    .init(.cursor(.scrollDown), "scroll-down", "Scroll down by a line", "C-e"),
    .init(.cursor(.scrollUp), "scroll-up", "Scroll up by a line", "C-y"),
  ]

  private static let change: [CommandDescription] = [
    .init(.rows(.add), "add", "Add a row after the open ones", argument: "TEXT", "a"),
    .init(.rows(.addOnTop), "add-on-top", "Add a row on top", argument: "TEXT", "A"),
    .init(.rows(.addBelow), "add-below", "Add a row below this one", argument: "TEXT", "o"),
    .init(.rows(.addAbove), "add-above", "Add a row above this one", argument: "TEXT", "O"),
    .init(.rows(.toggleCompleted), "complete", "Complete, or open again", "Space", "x"),
    .init(.rows(.edit), "edit", "Edit the row", argument: "TEXT", "e", "i"),
    .init(.rows(.delete), "delete", "Delete the row", "d", "Delete"),
    .init(.rows(.moveDown), "move-down", "Move the row down", "J", "S-Down", "M-Down"),
    .init(.rows(.moveUp), "move-up", "Move the row up", "K", "S-Up", "M-Up"),
    .init(.rows(.hold), "hold", "Lift the row, to take it where you go", hint: "lift", "m"),
    .init(.tasks(.moveToList), "move-to-list", "Move to another list", argument: "LIST", ">"),
    .init(.rows(.clearCompleted), "clear", "Clear the completed rows: tasks go to the archive", "C"),
    .init(
      .rows(.sort), "sort", "Sort the open rows by due date, priority or text",
      argument: "due, priority, text", "s"),
    .init(
      .app(.keepSorted), "keep-sorted", "Keep the list sorted: due, priority, text or off",
      argument: "ORDER"),
    .init(.app(.color), "color", "Give the list a colour of its own; or none", argument: "COLOUR"),
    .init(.tasks(.due), "due", "Say when it is due: fri, +3d, tomorrow 9:00; or none", argument: "DATE", "D"),
    .init(
      .tasks(.repetition), "repeat", "Say how often it comes again: every week; or none",
      argument: "HOW OFTEN", "R"),
    .init(.tasks(.wait), "wait", "Hide it in its list until a date; or none", argument: "DATE", "W"),
    .init(.tasks(.editNote), "editor", "Write the note in your editor ($EDITOR)", "E"),
    .init(
      .tasks(.priority), "priority", "Say how important it is: A, B, C or none", argument: "A, B, C", "P"),
    .init(.tasks(.raisePriority), "raise", "Raise its priority", "+"),
    .init(.tasks(.lowerPriority), "lower", "Lower its priority", "-"),
    .init(.tasks(.subtask), "subtask", "Add a subtask", argument: "TEXT", "S"),
    .init(.tasks(.demote), "demote", "Make it a subtask of the task above", "]", "S-Right", "M-Right"),
    .init(.tasks(.promote), "promote", "Make the subtask a task of the list", "[", "S-Left", "M-Left"),
    .init(.rows(.undo), "undo", "Undo what you did last", "u", "C-_"),
    .init(.rows(.redo), "redo", "Redo", "C-r"),
    .init(.app(.repeatChange), "again", "Repeat the last change here", "."),
  ]

  private static let several: [CommandDescription] = [
    .init(.rows(.mark), "mark", "Mark the row, or take its mark away", "Tab"),
    .init(
      .rows(.markRange), "mark-range", "Mark from here to where you go; the same key ends it",
      hint: "range", "v", "C-Space"),
    .init(.rows(.markAll), "mark-all", "Mark all rows, or none", hint: "all", "V"),
    .init(.rows(.copy), "copy", "Copy the text; of marked rows a line each", "y"),
  ]

  private static let go: [CommandDescription] = [
    .init(.screen(.activate), "enter", "Open the list; edit the task", hint: "open", "Enter"),
    .init(.screen(.open), "open", "Open the list; the task's subtasks", "l", "Right"),
    .init(.screen(.back), "lists", "Back to the task; to the lists", "h", "Left"),
    .init(.tasks(.fold), "fold", "Show the subtasks beneath the task, or hide them", "z"),
    .init(.tasks(.foldAll), "fold-all", "The same for all tasks", "Z"),
    .init(.tasks(.note), "note", "Read and write the note of the task", "c"),
    .init(.app(.today), "today", "What is due today, of all lists", "T"),
    .init(.app(.upcoming), "upcoming", "What is due after today, of all lists", "U"),
    .init(.app(.waiting), "waiting", "What waits until a date, of all lists"),
    .init(.app(.done), "done", "What was done, of all lists, by day"),
    .init(.app(.archive), "archive", "The tasks that were cleared"),
    .init(.app(.tag), "tag", "The tasks of all lists that have a tag", argument: "NAME", "#"),
    .init(.screen(.escape), "escape", "End what goes on", "Esc", "C-g"),
  ]

  private static let find: [CommandDescription] = [
    .init(
      .app(.search), "search", "Search as you type, here or (Tab) in all lists",
      argument: "WORDS", "/", "C-s"),
    .init(.app(.filter), "filter", "Search all lists for the words that have a name", argument: "NAME", "F"),
    .init(.app(.saveSearch), "save-search", "Give the last search a name, or take it away", argument: "NAME"),
    .init(.rows(.nextMatch), "next-match", "Go to the next row that was searched for", "n"),
    .init(.rows(.previousMatch), "previous-match", "Go to the one before", "N"),
  ]

  private static let program: [CommandDescription] = [
    .init(.app(.commandLine), "command", "Type a command; Tab completes its name", ":", "M-x"),
    .init(.app(.set), "set", "Change a setting until you leave, or tell its value", argument: "NAME VALUE"),
    .init(.app(.hide), "hide", "Hide the completed tasks, or show them again"),
    .init(.app(.theme), "theme", "Change the colours until you leave", argument: "NAME"),
    .init(.app(.windows), "windows", "Who else has this file open, and what they edit"),
    .init(.app(.sync), "sync", "How this file stands with other machines"),
    .init(.app(.bringBack), "bring-back", "Bring back the last change lost to another machine", "B"),
    .init(.app(.forgetLost), "forget-lost", "Leave it lost, and do not speak of it again"),
    .init(.app(.help), "keys", "Show the keys; / searches among them", argument: "WORDS", "?", "F1"),
    .init(.app(.repaint), "repaint", "Redraw the screen", "C-l"),
    .init(.app(.suspend), "suspend", "Suspend; fg in the shell goes on", "C-z"),
    .init(.app(.quit), "quit", "Quit", "q"),
  ]

  private static let byCommand = Dictionary(uniqueKeysWithValues: all.map { ($0.command, $0) })

  static func description(of command: Command) -> CommandDescription? { byCommand[command] }
}
