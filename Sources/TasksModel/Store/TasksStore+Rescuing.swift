import LiveStore

/// Copies of a file, the search for its faults, and its rescue.
extension TasksStore {
  /// The content saved from a damaged file.
  public struct RescueReport: Sendable {
    public let lists: Int
    public let tasks: Int
    /// The damages and losses, a sentence each; empty if there are none.
    public let losses: [String]
  }

  /// Copies a file into a new one while other programs read and write it.
  ///
  /// - Throws: `StoreError` when it cannot be read or is damaged, and when the copy cannot be written or
  ///   exists already; no file is left then.
  public static func backUp(_ path: String, to copy: String) throws {
    try Store.backUp(configuration(path), to: copy)
  }

  /// Gives the file the lists, tasks and searches of a copy, which every window shows, and other machines
  /// get. The steps of undo stay; an older one whose rows are now others is refused.
  ///
  /// - Parameter keepsFormer: Whether what the file held before is copied beside it.
  /// - Returns: The path of that copy; nil if the file held the same already, or none was asked for.
  /// - Throws: `StoreError` when the copy cannot be read, is damaged, or is no file of this program; the file
  ///   is as it was then.
  public func restore(from copy: String, keepingFormer keepsFormer: Bool) throws -> String? {
    let former = try store.restore(
      from: copy, leaving: [UndoStep.self], keepingFormer: keepsFormer)
    try store.refresh()
    return former
  }

  /// The faults of a file, a sentence each. The file is neither changed nor migrated.
  ///
  /// - Throws: `StoreError` when it cannot be opened: it does not exist, or belongs to another program or a
  ///   newer version.
  public static func faults(inFile path: String) throws -> [String] {
    do {
      let faults = try Store.faults(in: configuration(path))
      return faults.isEmpty ? try strays(inFile: path) : faults
    } catch let error as StoreError where [.notADatabase, .damaged].contains(error.code) {
      return [error.description]
    }
  }

  /// Rows of a sound file that no window would show.
  private static func strays(inFile path: String) throws -> [String] {
    let scheduler = Scheduler.fileDescriptor(NotificationSource())
    let store: TasksStore
    do {
      store = try openToRead(path, scheduler: scheduler) {
        try TasksStore(path: path, isReadOnly: true, scheduler: scheduler)
      }
    } catch let error as StoreError where error.code == .schema {
      // A file of an older version, or without lists yet.
      return []
    }
    defer { store.close() }
    let lists = store.strayLists.count
    let tasks = store.strayTasks.count
    var faults: [String] = []
    if lists > 0 {
      faults.append(
        lists == 1
          ? "A list is not among the lists, so that no window shows it."
          : "\(lists) lists are not among the lists, so that no window shows them.")
    }
    if tasks > 0 {
      faults.append(
        tasks == 1
          ? "A task stands in no list, so that no window shows it."
          : "\(tasks) tasks stand in no list, so that no window shows them.")
    }
    return faults
  }

  /// Saves everything that can be read of a damaged file into a new one. Tasks whose places are lost are put
  /// into a list of their own.
  ///
  /// - Throws: `StoreError` when the damaged file cannot be read at all or the new one cannot be written or
  ///   exists already.
  public static func rescue(_ path: String, to newFile: String) throws -> RescueReport {
    let report = try Store.rescue(configuration(path), to: newFile)
    var configuration = configuration(newFile)
    // The file is new, and its source still exists.
    configuration.backsUpBeforeMigration = false
    let store = try TasksStore(
      configuration, scheduler: .fileDescriptor(NotificationSource()), author: Author.current,
      dates: DateReader())
    defer { store.close() }
    var losses = report.losses
    let found = try store.gatherStrays()
    if found > 0 {
      losses.append(
        "The \(found == 1 ? "place of a task is" : "places of \(found) tasks are") lost; see the list "
          + "“\(rescuedListText)”."
      )
    }
    return RescueReport(
      lists: store.lists.count, tasks: store.allTasks.count, losses: losses)
  }

  static let rescuedListText = "Rescued"

  /// The lists that are not in the list of lists.
  private var strayLists: [TaskList] {
    let known = Set(lists.map(\.id)).union([TaskList.archiveID])
    return Array(store.objects(TaskList.self)).filter { !known.contains($0.id) }
  }

  /// The tasks that are in no place.
  private var strayTasks: [TaskItem] {
    Array(allTasks).filter { $0.lists.isEmpty && $0.parents.isEmpty }
  }

  /// Gives stray rows a place; returns the number of stray tasks.
  private func gatherStrays() throws -> Int {
    let lists = strayLists
    let tasks = strayTasks
    guard !lists.isEmpty || !tasks.isEmpty else { return 0 }
    try store.write {
      for list in lists { self.lists.append(list) }
      guard !tasks.isEmpty else { return }
      let rescued = TaskList()
      rescued.text = Self.rescuedListText
      self.lists.append(rescued)
      for task in tasks { rescued.items.append(task) }
    }
    return tasks.count
  }
}
