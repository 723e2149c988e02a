import FoundationEssentials
import Glibc
import LiveStore
import TasksModel

/// The program `tasks` from its arguments to its exit status. The app itself is a parameter, so that the
/// command line can be tested without a terminal.
struct TasksProgram {
  static let version = "0.1.0"

  let environment: [String: String]
  /// Runs the app and returns the exit status. An error that it throws is reported in a sentence, after the
  /// terminal was restored.
  let app: (AppOptions) throws -> Int32

  /// - Parameter arguments: The arguments without the program's name.
  /// - Returns: The exit status: 0, 1 when something failed, 2 when the arguments are wrong.
  func run(_ arguments: some Sequence<String>) -> Int32 {
    let arguments = Array(arguments)
    if let words = Invocation.wordsForSync(in: arguments) {
      do throws(RuntimeError) {
        try SyncLauncher.run(words)
      } catch {
        return complain("\(error)")
      }
    }
    do throws(UsageError) {
      return run(try Invocation(arguments: arguments))
    } catch {
      return complain(error.message + "; see tasks --help", status: 2)
    }
  }

  private func run(_ invocation: Invocation) -> Int32 {
    // A closed pipe is then an error of the write, and does not end the process.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that reached its size limit.
    signal(SIGXFSZ, SIG_IGN)
    let (file, list, asJSON) = (invocation.file, invocation.list, invocation.asJSON)
    let style = OutputStyle.standardOutput(isLong: invocation.isLong, environment: environment)
    do {
      switch invocation.action {
      case .help:
        try StandardOutput.write(HelpText.text)
      case .commandHelp(let command):
        try StandardOutput.write(HelpText.text(of: command))
      case .manual:
        try StandardOutput.write(ManualPage.text)
      case .completion(let shell):
        try StandardOutput.write(shell.script)
      case .version:
        try StandardOutput.write("tasks \(Self.version)\n")
      case .app(let isAnimated, let isReadOnly):
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
          try look(file) { try ListCommand(store: $0, list: nil).run(asJSON: false, style) }
          return 0
        }
        let isAnimated = isAnimated && environment["TASKS_ANIMATION"] != "off"
        return try app(AppOptions(file: path(file), isAnimated: isAnimated, isReadOnly: isReadOnly))
      case .plain(let isReadOnly):
        return try Launch.runPlain(
          path(file), stateFile: StateFile(database: path(file), environment: environment),
          isReadOnly: isReadOnly, environment: environment)
      case .script(let path, let isReadOnly):
        let text = try Self.text(ofScript: path)
        let store = try open(file, NotificationSource(), isReadOnly: isReadOnly)
        defer { store.close() }
        return try ScriptPlayer(text, name: path, store: store, isReadOnly: isReadOnly).run()
      case .add(let options, let text):
        try requireFile(file, for: options)
        try use(file, { try AddCommand(store: $0, list: list).run([text], options) }, printing: printIDs)
      case .addLines(let options):
        try requireFile(file, for: options)
        let lines = try InputLines(InputFile("-"))
        try use(
          file, { try AddCommand(store: $0, list: list).run(lines, options, check: lines.requireRead) },
          printing: printIDs)
      case .done(let task):
        try TasksStore.requireFile(path(file))
        try use(file) { store in
          readSettings(for: store)
          return try DoneCommand(store: store, list: list).run(task)
        }
      case .change(let change):
        if !change.mayBeginFile { try TasksStore.requireFile(path(file)) }
        try use(file) { store in
          readSettings(for: store)
          return try ChangeCommand(store: store, list: list, confirm: confirm).run(change)
        }
      case .show(let task):
        try look(file) { try ShowCommand(store: $0, list: list).show(task, asJSON: asJSON) }
      case .search(let words, let isName):
        try look(file) { store in
          var words = words
          if isName {
            guard let search = store.savedSearch(named: words) else {
              throw RuntimeError("no search has the name “\(words)”")
            }
            words = search.words
          }
          return try ShowCommand(store: store, list: list).search(words, asJSON: asJSON, style)
        }
      case .list:
        try look(file) { try ListCommand(store: $0, list: list).run(asJSON: asJSON, style) }
      case .lists:
        try look(file) { try ListsCommand(store: $0).run(asJSON: asJSON) }
      case .collected(let topic):
        try look(file) { try CollectedCommand(store: $0, topic: topic).run(asJSON: asJSON, style) }
      case .due(let program):
        var due: [DueTask] = []
        try look(file) { store in
          let command = DueCommand(store: store)
          due = try command.tasks()
          return program == nil ? try command.run(asJSON: asJSON, style) : ""
        }
        guard let program else { return due.isEmpty ? 1 : 0 }
        let stateFile = StateFile(database: try path(file), environment: environment)
        try DueCommand.tell(due, with: program, since: stateFile)
      case .importFile(let request):
        let input = try InputFile(request.path)
        var isComplete = true
        let run = { (store: TasksStore) throws -> String in
          let (line, isAll) = try ImportCommand(store: store, list: list, complain: { complain($0) })
            .run(request, input)
          isComplete = isAll
          return line
        }
        if request.isTrial { try tryOut(file, run) } else { try use(file, run) }
        return isComplete ? 0 : 1
      case .export(let request):
        let store = try openToRead(file)
        try use(
          store, { try ExportCommand(store: $0, list: list).run(request) }, printing: StandardOutput.write)
      case .backup(let copy):
        try TasksStore.backUp(path(file), to: copy)
      case .restore(let copy):
        let path = try path(file)
        let isNew = SmallFile.isMissing(path)
        try use(file) { try RestoreCommand(store: $0, path: path).run(from: copy, isNew: isNew) }
      case .doctor(let newFile):
        return try DoctorCommand(path: path(file)).run(savingTo: newFile) ? 0 : 1
      case .printConfiguration:
        try StandardOutput.write(AppConfiguration.defaultText)
      case .checkConfiguration(let path):
        guard
          let file = path.map(ConfigurationFile.init(path:)) ?? ConfigurationFile(environment: environment)
        else {
          throw RuntimeError("HOME is not set; say which file to check")
        }
        return try ConfigCommand(file: file).check(isNamed: path != nil) ? 0 : 1
      case .watch(let program):
        let stop = try StopSignals()
        let notifications = NotificationSource()
        let store = try openToRead(file, notifications)
        if let sentence = store.pollingSentence { complain(sentence) }
        try WatchCommand(
          store: store, notifications: notifications, list: list, program: program,
          complain: { complain($0) }
        ).run(until: stop)
      }
      return 0
    } catch is StandardOutput.Closed {
      return 0
    } catch let error as StoreError {
      return complain(error.sentence)
    } catch {
      return complain("\(error)")
    }
  }

  /// Takes over the settings that concern the rows; those of a file that cannot be read do not count.
  private func readSettings(for store: TasksStore) {
    do throws(RuntimeError) {
      let configuration = try ConfigurationFile(environment: environment)?.text()
      store.completedRows = AppConfiguration(configuration ?? "").settings.completedRows
    } catch {
      complain("\(error); its settings are not used")
    }
  }

  private static func text(ofScript path: String) throws(RuntimeError) -> String {
    let file = try InputFile(path)
    var bytes: [UInt8] = []
    while case let part = try file.next(), !part.isEmpty { bytes += part }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func path(_ file: String?) throws(RuntimeError) -> String {
    guard let path = DatabaseLocation.path(file: file, environment: environment) else {
      throw RuntimeError("HOME is not set; say with --file which file to use")
    }
    return path
  }

  private func open(
    _ file: String?, _ notifications: NotificationSource? = nil, isReadOnly: Bool = false
  ) throws -> TasksStore {
    try TasksStore.open(path(file), notifications, isReadOnly: isReadOnly, environment: environment)
  }

  private func openToRead(_ file: String?, _ notifications: NotificationSource? = nil) throws -> TasksStore {
    try TasksStore.openToRead(path(file), notifications, environment: environment)
  }

  /// Runs a command that only reads a file, and prints its result, which is valid only if the file could be
  /// read.
  private func look(_ file: String?, _ command: (TasksStore) throws -> String) throws {
    let store = try openToRead(file)
    try use(store, command) { output in
      try store.requireReadable()
      try StandardOutput.write(output)
    }
  }

  /// Runs a command on a file, and prints its result.
  private func use(_ file: String?, _ command: (TasksStore) throws -> String) throws {
    try use(file, command, printing: StandardOutput.write)
  }

  /// Throws if there is no file in which new tasks could come below another.
  private func requireFile(_ file: String?, for options: NewTaskOptions) throws {
    if options.under != nil { try TasksStore.requireFile(path(file)) }
  }

  /// Runs a command that changes nothing, where there is no file on one that is removed afterwards, and
  /// prints its result.
  private func tryOut(_ file: String?, _ command: (TasksStore) throws -> String) throws {
    let path = try path(file)
    guard SmallFile.isMissing(path) else { return try use(file, command) }
    var template = Array("\(environment["TMPDIR"] ?? "/tmp")/tasks-trial-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw RuntimeError("no folder can be made for the trial: \(String(cString: strerror(errno)))")
    }
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try TasksStore.open(folder + "/tasks.db", nil, environment: environment)
    try use(store, command, printing: StandardOutput.write)
  }

  /// Runs a command that writes, and prints its result. A file that was named here and is new is told of: the
  /// name may be wrong. A command that fails leaves no new one.
  private func use<Result>(
    _ file: String?, _ command: (TasksStore) throws -> Result, printing print: (Result) throws -> Void
  ) throws {
    let path = try path(file)
    let isNew = SmallFile.isMissing(path)
    let store = try open(file)
    try use(store, writing: true, isNew: isNew, command) { result in
      if isNew, file != nil { complain("made the new file “\(path)”") }
      try print(result)
    }
  }

  /// Runs a command on an open file, and prints its result. If the file could not be read, an error of the
  /// command is not valid; the result of a command that writes is, even if a read fails after its commit.
  private func use<Result>(
    _ store: TasksStore, writing writes: Bool = false, isNew: Bool = false,
    _ command: (TasksStore) throws -> Result, printing print: (Result) throws -> Void
  ) throws {
    // After the result is printed: writing the log back into the file may take long.
    defer { store.close() }
    // For all others, what a command changes in a list that is kept sorted and the order of the list are one
    // change.
    store.sortsInTransactions = writes
    let result: Result
    do {
      result = try command(store)
      // Those that another program has left in no order.
      if writes { try store.keepListsSorted() }
    } catch {
      defer { if isNew { store.removeUnusedFile() } }
      try store.requireReadable()
      throw error
    }
    try print(result)
  }

  /// Prints the ids of added tasks, one a line.
  private func printIDs(_ added: AddedRows) throws {
    for start in stride(from: 0, to: added.count, by: 1_000) {
      let ids = added[start..<min(start + 1_000, added.count)]
      try StandardOutput.write(ids.map { $0.description + "\n" }.joined())
    }
  }

  /// Asks a question on the terminal; a program that runs this is not asked.
  private func confirm(_ question: String) -> Bool {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return true }
    let line = question.asPrintedSentence + " (y/n) "
    _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
  }

  /// Prints a sentence on standard error, and returns the exit status.
  @discardableResult
  func complain(_ sentence: String, status: Int32 = 1) -> Int32 {
    let end = sentence.hasSuffix(".") ? "\n" : ".\n"
    let line = "tasks: " + sentence.asPrintedSentence + end
    _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    return status
  }
}
