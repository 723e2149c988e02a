import Glibc
import LiveStore
import LiveStoreSync
import TasksModel
import VisibleText

/// The commands after `tasks sync`.
struct SyncCommands {
  let arguments: SyncArguments
  private var file: SyncedFile { SyncedFile(path: arguments.file) }

  init(_ arguments: SyncArguments) {
    self.arguments = arguments
  }

  /// Runs the command.
  ///
  /// - Returns: Whether it did what was asked for.
  func run() throws -> Bool {
    if arguments.command.needsFile { try requireFile() }
    switch arguments.command {
    case .help:
      print(SyncArguments.usage, terminator: "")
    case .initialize(let url):
      try ServerConnection(url: ServerURL(url)).install()
      say("The database is ready. Each machine runs tasks sync join URL, with a role of the person at it.")
    case .join(let url, let space, let merges):
      return try join(url, space: space, merges: merges)
    case .run(let once, let withWindows):
      try carry(once: once, withWindows: withWindows)
    case .status(let json):
      return try StatusReport(file).write(json: json)
    case .conflicts:
      guard try file.isJoined else { throw SyncError.notJoined(file.path) }
      try printConflicts()
    case .restore(let number):
      guard try bringBack(number) else { throw noConflict }
      say("It is as you had it.")
    case .forget(let number):
      guard try file.forget(conflict: number) else { throw noConflict }
      say("It stays as it is.")
    case .members(let json):
      try AccessReport(json: json).write(try file.members())
    case .spaces(let url, let json):
      let server = try ServerConnection(url: ServerURL(url))
      try AccessReport(json: json).write(try server.spaces(), of: server.role)
    case .share(let role, nil):
      try file.unshare(with: role)
      say("\(role) may not use it any more; what \(role)'s machines have stays there.")
    case .share(let role, let right?):
      try file.share(with: role, right)
      say("\(role) may \(right == .read ? "read" : right == .write ? "change" : "manage") it now.")
    case .machines(nil):
      try MachineReport(file).write()
    case .machines(let machine?):
      try MachineReport(file).forget(machine)
    case .address(let url):
      let address = try ServerURL(url)
      let role = try file.move(to: address)
      say("“\(arguments.file)” is carried by \(address) from now on, where you are \(role).")
    case .leave(let isConfirmed):
      guard try isConfirmed || mayLeave() else { return false }
      let isTold = try file.leave()
      say("“\(arguments.file)” is joined to no space any more.")
      if !isTold {
        say("The server could not be told: another machine forgets this one by tasks sync machines --forget.")
      }
    }
    return true
  }

  private func requireFile() throws {
    guard access(arguments.file, F_OK) == 0 else {
      throw SyncError(.noSpace, "There is no file “\(arguments.file)”.")
    }
  }

  /// Brings back what was lost, as a step of undo.
  ///
  /// - Returns: Whether there is a conflict of that number.
  private func bringBack(_ number: Int64) throws -> Bool {
    guard let conflict = try file.conflicts().first(where: { $0.number == number }) else { return false }
    let tasks = try TasksStore(
      path: file.path, followsCommits: false, scheduler: .fileDescriptor(NotificationSource()))
    tasks.sortsInTransactions = true
    return try tasks.bringBack(Identifier(sqliteValue: conflict.identity.key)) {
      try file.bringBack(conflict: number, in: tasks.store)
    }
  }

  private func printConflicts() throws {
    let changes = try SyncJournal(path: file.path)?.lostChanges() ?? []
    if changes.isEmpty { say("Nothing of yours lost against others' changes.") }
    for change in changes { say("\(change.number)  \(change.sentence)") }
  }

  private var noConflict: StoreError {
    StoreError(.misuse, "There is no conflict of that number: tasks sync conflicts prints which there are.")
  }

  private func join(_ url: String, space: String, merges: Bool) throws -> Bool {
    let address = try ServerURL(url)
    // Of another person's space it may be “creator/name”.
    let name = space.lastIndex(of: "/").map { String(space[$0...].dropFirst()) } ?? space
    try ServerConnection.requireName(name)
    // Makes no file where the server cannot be reached, or is of another version.
    if access(arguments.file, F_OK) != 0 { _ = try ServerConnection(url: address).space(named: space) }
    // A new file gets its tables, and one of an earlier version those of this one.
    try DatabaseLocation.makeFolders(for: arguments.file)
    _ = try TasksStore(path: arguments.file, scheduler: .fileDescriptor(NotificationSource()))
    let line = StatusLine()
    defer { line.erase() }
    let result = try file.join(
      address, space: space, classes: TasksFile.classes, onStatus: line.show,
      confirm: { merge in
        say(sentence(on: merge, space: space))
        return merges || isConfirmed(merge.versions > 0 ? "Merge them?" : "Join it?")
      })
    line.erase()
    let joined: String
    switch result {
    case .declined: return false
    case .created: joined = "“\(space)”, a new space of yours"
    case .joined(let space): joined = "“\(Self.name(space))”"
    }
    let windows = WindowLocks(database: arguments.file)
    windows.wake()
    let next =
      windows.areThereAny
      ? "The windows that are open carry it from now on." : "Open tasks, or run: tasks sync run"
    say("“\(arguments.file)” is joined to \(joined). \(next)")
    return true
  }

  private func sentence(on merge: SyncedFile.Merge, space: String) -> String {
    let name = merge.space.map(Self.name) ?? space
    guard merge.comesBack else {
      return merge.versions > 0
        ? "This file has tasks or lists, and the space “\(name)” is in use: joining merges them."
        : "The space “\(name)” is another person's, whose members get what this file has."
    }
    let rule =
      merge.right < .write
      ? "what was changed here since is taken back" : "what was deleted there since goes here too"
    return "This file comes back to the space “\(name)”: \(rule). tasks sync conflicts tells what lost."
  }

  /// The name of a space, with that of its creator if that is another person.
  private static func name(_ space: JoinedSpace) -> String { space.isOwn ? space.name : space.fullName }

  /// Asks before the other machines miss what has not been sent, and before changes are forgotten that lost
  /// and may still be brought back.
  private func mayLeave() throws -> Bool {
    let conflicts = try file.conflicts().count
    // A file that cannot be looked at may be left, too.
    let status = (try? file.report())?.status ?? SyncStatus()
    let waiting = Int(status.waiting + status.setAside)
    if waiting > 0 {
      let rows = waiting == 1 ? "1 changed row has" : "\(waiting.grouped) changed rows have"
      say(
        "\(rows) not been sent, so that the other machines would not see this change: "
          + "tasks sync run --once sends what waits.")
    }
    if conflicts > 0 {
      let changes = conflicts == 1 ? "1 of your changes" : "\(conflicts.grouped) of your changes"
      say(
        "\(changes) lost against others': tasks sync conflicts shows which, and which can be brought back. "
          + "Leaving forgets that.")
    }
    return waiting + conflicts == 0 || isConfirmed("Leave?")
  }

  private func isConfirmed(_ question: String) -> Bool {
    guard isatty(STDIN_FILENO) == 1 else {
      say("Say --yes to do it.")
      return false
    }
    say("\(question) [y/N] ", end: "")
    return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
  }

  private func carry(once: Bool, withWindows: Bool) throws {
    // Keys such as Ctrl-C in the terminal of the window that has started it do not concern it.
    if withWindows { setsid() }
    let signals = EndingSignals()
    let line = StatusLine()
    defer { line.erase() }
    if once { return try carryOnce(line) }
    let agent = try makeAgent(withWindows: withWindows)
    if !withWindows { agent.onStatus = line.show }
    signals.forward(to: agent.stopDescriptor)
    try agent.run()
  }

  /// Exchanges everything once, or waits until the agent of the file has.
  private func carryOnce(_ line: StatusLine) throws {
    func exchange() throws {
      let agent = try makeAgent(withWindows: false)
      agent.onStatus = line.show
      try agent.runOnce()
    }
    do {
      try exchange()
    } catch let error as SyncError where error.code == .busy {
      guard try file.waitForAgent(onStatus: line.show) else { return try exchange() }
      line.erase()
      say("In step: an open window, or another process, carries the file and has exchanged everything.")
    }
  }

  /// Makes this process the agent of the file.
  ///
  /// An agent that windows have started looks now and then whether any are left. If none are, this wakes it
  /// and waits for its end.
  private func makeAgent(withWindows: Bool) throws -> SyncAgent {
    let windows = WindowLocks(database: arguments.file)
    var attempts = 0
    while true {
      do {
        return try SyncAgent(path: arguments.file, while: { !withWindows || windows.areThereAny })
      } catch let error as SyncError where error.code == .busy {
        guard !withWindows, !windows.areThereAny, attempts < 20 else { throw error }
        if attempts == 0 { CommitSignal(databasePath: arguments.file).post() }
        attempts += 1
        usleep(50_000)
      }
    }
  }

  private func say(_ text: String, end: String = "\n") {
    print(text.withControlsMadeVisible, terminator: end)
  }
}

/// The parts of a file of tasks that are carried.
enum TasksFile {
  static let classes = SyncedFile.Classes(
    excluded: ["UndoStep"], places: ["TaskListList_items", "TaskList_items", "TaskItem_subtasks"],
    flatPlaces: ["TaskItem_subtasks"],
    // The moment of completing, the words of a text, and what says where a value comes from.
    derivedProperties: Set(
      ["completedAt", "archivedFrom", "readText", "tags", "dateOrigin", "repetitionOrigin"].map {
        "TaskItem.\($0)"
      }),
    readTexts: ["TaskItem.text": "TaskItem.readText"],
    beginnings: [
      "TaskListList": [.integer(Int64(TaskListList.onlyID))],
      "TaskList": [TaskList.firstListID.sqliteValue, TaskList.archiveID.sqliteValue],
    ])
}
