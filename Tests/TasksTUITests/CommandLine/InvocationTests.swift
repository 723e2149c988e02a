import Testing

@testable import TasksTUI

@Suite("Understanding a command line")
struct InvocationTests {
  @Test(
    "What is asked for",
    arguments: [
      ([], .init(action: .app(isAnimated: true))),
      (["--file", "a b.db"], .init(action: .app(isAnimated: true), file: "a b.db")),
      (["--file=x=y", "--no-animation"], .init(action: .app(isAnimated: false), file: "x=y")),
      (["--no"], .init(action: .app(isAnimated: false))),
      (["--read-only"], .init(action: .app(isAnimated: true, isReadOnly: true))),
      (["--script", "s"], .init(action: .script(path: "s", isReadOnly: false))),
      (["add", "Buy", "milk"], .init(action: .add(text: "Buy milk"))),
      (["--file", "f", "add", "x"], .init(action: .add(text: "x"), file: "f")),
      (["add", "Buy", "--list", "Work", "milk"], .init(action: .add(text: "Buy milk"), list: "Work")),
      (["add", "--file", "f", "--", "--list", "-"], .init(action: .add(text: "--list -"), file: "f")),
      (["add", "--", "-x"], .init(action: .add(text: "-x"))),
      (["add", "--under", "Party", "x"], .init(action: .add(NewTaskOptions(under: "Party"), text: "x"))),
      (["add", "--under=Party", "-"], .init(action: .addLines(NewTaskOptions(under: "Party")))),
      (["add", "-"], .init(action: .addLines())),
      (["add", "--li=Work", "-"], .init(action: .addLines(), list: "Work")),
      (["add", "a", "-"], .init(action: .add(text: "a -"))),
      (
        ["add", "--due", "fri", "--repeat=every week", "--priority", "A", "--notes", "", "x"],
        .init(
          action: .add(
            NewTaskOptions(due: "fri", repetition: "every week", priority: "A", notes: ""), text: "x"))
      ),
      (
        ["edit", "milk", "Buy", "oat milk"], .init(action: .change(.edit(task: "milk", text: "Buy oat milk")))
      ),
      (
        ["edit", "--due", "none", "milk"],
        .init(action: .change(.edit(task: "milk", text: nil, NewTaskOptions(due: "none"))))
      ),
      (["mv", "oat", "milk", "--to", "Work"], .init(action: .change(.move(task: "oat milk", list: "Work")))),
      (["rm", "--list=A", "x"], .init(action: .change(.delete(task: "x")), list: "A")),
      (["undone", "x"], .init(action: .change(.reopen(task: "x")))),
      (["clear"], .init(action: .change(.clear))),
      (["undo"], .init(action: .change(.undo))),
      (["redo", "--file", "f"], .init(action: .change(.redo), file: "f")),
      (["list-add", "At", "home"], .init(action: .change(.addList("At home")))),
      (["list-rename", "a", "b c"], .init(action: .change(.renameList("a", name: "b c")))),
      (["list-color", "a", "red"], .init(action: .change(.colorList("a", color: "red")))),
      (["list-sort", "a b", "due"], .init(action: .change(.sortList("a b", order: "due")))),
      (
        ["search-save", "late", "#home", "milk"],
        .init(action: .change(.saveSearch("late", words: "#home milk")))
      ),
      (["search-save", "late"], .init(action: .change(.saveSearch("late", words: "")))),
      (["list-delete", "a"], .init(action: .change(.deleteList("a")))),
      (["show", "milk", "--json"], .init(action: .show(task: "milk"), asJSON: true)),
      (["search", "oat", "milk"], .init(action: .search(words: "oat milk"))),
      (["ls"], .init(action: .list)),
      (["list"], .init(action: .list)),
      (["list", "--json", "--list", ""], .init(action: .list, list: "", asJSON: true)),
      (["watch", "--list=--json"], .init(action: .watch(), list: "--json")),
      (["watch", "--exec", "wc -c"], .init(action: .watch(command: "wc -c"))),
      (
        ["list", "--format", "csv"],
        .init(action: .export(ExportCommand.Request(format: .csv, isOfOneList: true)))
      ),
      (
        ["ls", "--format=todo.txt", "--list", "Work"],
        .init(action: .export(ExportCommand.Request(format: .todoText, isOfOneList: true)), list: "Work")
      ),
      (["backup", "new.db"], .init(action: .backup(copy: "new.db"))),
      (["backup", "--file", "f", "new.db"], .init(action: .backup(copy: "new.db"), file: "f")),
      (["restore", "--file", "f", "copy.db"], .init(action: .restore(copy: "copy.db"), file: "f")),
      (["doctor"], .init(action: .doctor(newFile: nil))),
      (["doctor", "f", "--save", "new.db"], .init(action: .doctor(newFile: "new.db"), file: "f")),
      (["--file", "f", "doctor"], .init(action: .doctor(newFile: nil), file: "f")),
      (["--help", "nonsense"], .init(action: .help)),
      (["-h"], .init(action: .help)),
      (["watch", "--help"], .init(action: .commandHelp(.watch))),
      (["help"], .init(action: .help)),
      (["help", "ls"], .init(action: .commandHelp(.list))),
      (["ls", "-h"], .init(action: .commandHelp(.list))),
      (["--version"], .init(action: .version)),
    ] as [([String], Invocation)])
  func understood(arguments: [String], invocation: Invocation) throws {
    #expect(try Invocation(arguments: arguments) == invocation)
  }

  @Test(
    "What is wrong, and how it is told",
    arguments: [
      (["--file"], "--file needs a value"),
      (["--file="], "--file needs a value"),
      (["list", "--file", ""], "--file needs a value"),
      (["--fail"], "there is no option --fail"),
      (["-x"], "there is no option -x"),
      (["--list", "Work"], "--list comes after a command, as in tasks list --list NAME"),
      (["--list=Work", "add", "x"], "--list comes after a command, as in tasks add --list NAME"),
      (["--today"], "--today comes after a command, as in tasks list --today"),
      (["--format", "csv"], "--format comes after a command, as in tasks list --format F"),
      (["list", "--format", "csv", "--json"], "--format does not go with --json"),
      (["list", "--today", "--format", "csv"], "--format does not go with --today"),
      (["watch", "--exec", ""], "--exec needs a value"),
      (["--no-animation=1"], "--no-animation takes no value"),
      (["remove"], "there is no command “remove”"),
      (["--no-animation", "list"], "--no-animation does not go with list"),
      (["list", "--no-animation"], "there is no option --no-animation"),
      (["add", "--json", "x"], "there is no option --json"),
      (["add", "-5 °C"], "there is no option -5 °C; words that begin with - come after --"),
      (["done", "-x"], "there is no option -x; words that begin with - come after --"),
      (["undo", "-x"], "there is no option -x"),
      (["add", "--", "-5 °C"], nil),
      (["add"], "add needs the text of the task"),
      (["backup"], "backup needs the name of one new file"),
      (["backup", "a", "b"], "backup needs the name of one new file"),
      (["restore"], "restore needs the name of one copy, such as tasks backup makes it"),
      (["doctor", "a", "b"], "doctor looks at one file"),
      (["doctor", "a", "--file", "b"], "doctor looks at one file"),
      (["doctor", "--save", ""], "--save needs a value"),
      (["add", " ", ""], "add needs the text of the task"),
      (["move", "milk"], "move needs --to LIST"),
      (["move", "--to", "Work"], "move needs the text or the id of a task"),
      (["edit"], "edit needs the text or the id of a task"),
      (
        ["edit", "milk"], "edit needs the new text, after the task in quotes, or an option such as --due"
      ),
      (["edit", "milk", " "], "edit needs the new text"),
      (["undo", "that"], "undo does not know what to do with that"),
      (["redo", "--list", "x"], "there is no option --list"),
      (["clear", "x"], "clear does not know what to do with x; a list is named by --list NAME"),
      (["list-add"], "list-add needs the name of the list"),
      (["list-rename", "a"], "list-rename needs a list and its new name, in quotes if they have spaces"),
      (
        ["list-color", "a"],
        "list-color needs a list, in quotes if it has spaces, and a colour or none"
      ),
      (
        ["list-sort", "At", "home", "due"],
        "list-sort needs a list, in quotes if it has spaces, and an order or off"
      ),
      (["search-save", " "], "search-save needs a name, and the words that it is for"),
      (["list-delete", " "], "list-delete needs the name of the list"),
      (["search"], "search needs some words"),
      (["show", ""], "show needs the text or the id of a task"),
      (["help", "dance"], "there is no command “dance”"),
      (["help", "add", "done"], "help is about one command"),
      (["list", "Work"], "list does not know what to do with Work; a list is named by --list NAME"),
      (["watch", "-"], "watch does not know what to do with -; a list is named by --list NAME"),
      (["list", "--"], nil),
      (["list", "--l"], "--l needs a value"),
      (
        ["list", "--"] + ["--json"],
        "list does not know what to do with --json; a list is named by --list NAME"
      ),
      (["--"], nil),
    ] as [([String], String?)])
  func wrong(arguments: [String], message: String?) {
    let result = Result { try Invocation(arguments: arguments) }
    switch result {
    case .success: #expect(message == nil)
    case .failure(let error): #expect((error as? UsageError)?.message == message)
    }
  }

  @Test("A shortened option that may mean two is refused, unless it is one of them")
  func ambiguous() throws {
    let options: [OptionDescription] = [.init("list", .list, help: ""), .init("lists", help: "")]
    var scanner = OptionScanner(["--list", "x", "--lis"])
    #expect(try scanner.next(options) == .option("list", value: "x"))
    #expect(throws: UsageError("--lis may mean --list or --lists")) { try scanner.next(options) }
  }

  @Test(
    "The words after sync are another program's, with the file before it; as the value of an option it is none",
    arguments: [
      (["sync", "join", "--file", "b"], ["join", "--file", "b"]), (["sync"], []),
      (["--file", "a", "sync", "status"], ["--file", "a", "status"]),
      (["--fil", "a", "sync"], ["--file", "a"]), (["--file=a", "sync"], ["--file", "a"]),
      (["--file", "sync"], nil), (["--script", "sync"], nil), (["--completion", "sync"], nil),
      (["--read-only", "sync"], nil), (["--no", "sync"], nil), (["add", "sync"], nil), (["sync", "-h"], nil),
    ] as [([String], [String]?)])
  func sync(arguments: [String], words: [String]?) {
    #expect(Invocation.wordsForSync(in: arguments) == words)
  }

  @Test("A text of several lines is one line, as one that is pasted")
  func severalLines() throws {
    for text in ["Buy milk and eggs", "Buy\nmilk\r\nand\teggs\n", "\n\nBuy\n\nmilk and\u{2028}eggs"] {
      let add = try Invocation(arguments: ["add", text])
      #expect(add.action == .add(text: "Buy milk and eggs"))
      let edit = try Invocation(arguments: ["edit", "milk", text])
      let change = ChangeCommand.Change.edit(task: "milk", text: "Buy milk and eggs", NewTaskOptions())
      #expect(edit.action == .change(change))
      let addList = try Invocation(arguments: ["list-add", text])
      #expect(addList.action == .change(.addList("Buy milk and eggs")))
      let rename = try Invocation(arguments: ["list-rename", "a\nb", text])
      #expect(rename.action == .change(.renameList("a\nb", name: "Buy milk and eggs")))
    }
    #expect(throws: UsageError.self) { try Invocation(arguments: ["add", "\n\t"]) }
  }

  @Test("The help names every option and command")
  func help() {
    for word in [
      "--file", "--list", "--json", "--no-animation", "--help", "--version", "add", "list", "watch",
    ] {
      #expect(HelpText.text.contains(word))
    }
    for line in HelpText.text.split(separator: "\n") {
      #expect(line.count <= 80)
    }
    #expect(
      HelpText.text.contains(
        "\n  sync join URL [--space NAME] [--yes]\n" + String(repeating: " ", count: 26) + "keep the file"))
    #expect(HelpText.text.contains("\n  sync leave [--yes] "))
    // “All” would read like the name of a list.
    let words = HelpText.text(of: .show).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains("--list NAME the list with this name, or id; without it the first list, and every"))
  }
}
