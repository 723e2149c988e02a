import FoundationEssentials
import LiveStore

/// An import within its transaction: it puts records into lists, some at a time.
struct Importer {
  /// A list that receives tasks, or a task that was there before and receives subtasks.
  private struct Target {
    let rows: TaskRows
    /// Whether it stays when the import is undone: it was there before, or is the archive.
    let stays: Bool
    /// Whether its tasks stand as in the format, and not the open ones above the completed ones.
    let keepsOrder: Bool
    var lastOpen: TaskItem?
    /// The open tasks, and the completed ones, to which all belong that keep their order.
    var parts: [Part]
  }

  private struct Part {
    /// The tasks that are not in the store yet.
    var rows: [RowValues] = []
    /// All of the tasks, in a list that stays.
    var run: ImportedRows.Run
  }

  private let tasksStore: TasksStore
  private let store: Store
  private let format: FileFormat
  /// The list for tasks without one; nil for the first of all.
  private let defaultList: Identifier?
  /// Whether the file has only one list, without tasks and a name of its own, which then becomes what the
  /// format says of it.
  private let isNewFile: Bool
  /// The lists that were there before, by their names.
  private var oldLists: [String: Identifier] = [:]

  private(set) var imported = ImportedRows()
  private var targets: [Target] = []
  private var targetOfList: [Identifier: Int] = [:]
  private var targetOfName: [String: Int] = [:]
  /// The targets of subtasks of tasks that were there before.
  private var targetOfTask: [Identifier: Int] = [:]
  private var current: Int?
  /// The number of tasks and subtasks that are not in the store yet, and their ids.
  private var waiting = 0
  private var waitingIDs: Set<Identifier> = []
  /// The subtasks that are not in the store yet, by their tasks.
  private var subtasks: [Identifier: [RowValues]] = [:]
  private var ownersInOrder: [Identifier] = []
  /// The source of ids for tasks that have none.
  private var ids = AddedRows(in: .lists)
  /// The tasks that a subtask may name: their ids by the keys of the records. A subtask of a subtask becomes
  /// one of its task.
  private var owners: [Identifier: Identifier] = [:]
  /// The subtasks whose task has not come yet.
  private var early: [(line: Int, record: TaskRecord)] = []
  /// The index that the only list of a new file has in the format; nil if the format does not name it.
  private var firstListIndex: Int?

  init(_ tasksStore: TasksStore, _ format: FileFormat, defaultList: Identifier?) {
    self.tasksStore = tasksStore
    self.format = format
    self.defaultList = defaultList
    store = tasksStore.store
    for list in tasksStore.lists where oldLists[list.text] == nil { oldLists[list.text] = list.id }
    let only = tasksStore.lists.count == 1 ? tasksStore.lists.first : nil
    isNewFile = only.map { $0.items.last == nil && $0.text == TaskList.firstListText } == true
  }

  /// The number of lists that it has made.
  var listCount: Int { imported.lists.count }

  /// Takes a record.
  ///
  /// - Returns: The reason why it cannot be taken; nil if it was, or will be at the end.
  mutating func take(_ record: FormatRecord) throws -> String? {
    switch record.content {
    case .start:
      current = nil
      return nil
    case .newerVersion(let version): throw ImportFailure.newerVersion(version)
    case .problem(let sentence): return sentence
    case .listProblem(let sentence):
      current = nil
      return sentence
    case .list(var list):
      list.id = list.id?.nonEmpty
      current = nil
      if Self.isTooLong(list.id) {
        return "the list's id is longer than \(Identifier.greatestLength.grouped) bytes"
      }
      current = try target(of: list)
      return nil
    case .search(let name, let words):
      if Self.isTooLong(Identifier(name)) {
        return "its name is longer than \(Identifier.greatestLength.grouped) bytes"
      }
      // One that is there already stays.
      if tasksStore.savedSearch(named: name) == nil {
        let search = SavedSearch()
        (search.name, search.words) = (name, words)
        store.add(search)
      }
      return nil
    case .task(var task):
      task.key = task.key?.nonEmpty
      return try take(task, line: record.line)
    }
  }

  /// Takes the subtasks that came before their tasks, and writes all that is not in the store yet.
  ///
  /// - Returns: The problems with the records that could not be taken.
  mutating func finish() throws -> [RecordProblem] {
    var (before, problems) = (Int.max, [RecordProblem]())
    while early.count < before {
      before = early.count
      let records = early
      early = []
      for (line, record) in records {
        if let sentence = try take(record, line: line) { problems.append(RecordProblem(line, sentence)) }
      }
    }
    problems += early.map { RecordProblem($0.line, "the task that it is a subtask of is not there") }
    flush()
    for target in targets where target.stays {
      for part in target.parts where !part.run.ids.isEmpty { imported.runs.append(part.run) }
    }
    placeFirstList()
    return problems.sorted { $0.line < $1.line }
  }

  // MARK: Lists

  private mutating func target(of record: ListRecord) throws -> Int {
    var record = record
    if !format.isLossless { record.text = Self.name(record.text) }
    if record.id == TaskList.firstListID, isOfAnotherFile(record) { record.id = nil }
    let known = record.id.flatMap { tasksStore.list($0) == nil ? nil : $0 } ?? oldLists[record.text]
    // Two lists of our own format may have one name.
    let made = format.isLossless && record.id != nil ? nil : targetOfName[record.text]
    let target =
      if let known { try target(ofList: known) } else { try made ?? make(record) }
    if isNewFile, targets[target].stays, targets[target].rows.place != .archive {
      if firstListIndex == nil { firstListIndex = imported.lists.count }
      if let known, record.id == known { change(known, to: record) }
    }
    return target
  }

  /// Whether a list that has the id of every first list is not the first one here: a person has given each a
  /// name of its own.
  private func isOfAnotherFile(_ record: ListRecord) -> Bool {
    guard let list = tasksStore.list(TaskList.firstListID) else { return false }
    return list.text != record.text && list.text != TaskList.firstListText
      && record.text != TaskList.firstListText
  }

  /// The name that a list of another program has here: on one line, without white space around it.
  private static func name(_ text: String) -> String { TaskWords.line(text).trimmedForRow }

  private mutating func target(named name: String) throws -> Int {
    if let target = targetOfName[name] { return target }
    return try target(of: ListRecord(text: name))
  }

  private mutating func target(ofList id: Identifier) throws -> Int {
    if let target = targetOfList[id] { return target }
    guard let rows = tasksStore.rows(of: .tasks(inList: id)) as? TaskRows, let list = tasksStore.list(id)
    else {
      throw ImportFailure.listGone
    }
    return try add(rows, of: list, stays: true)
  }

  /// The subtasks of a task that was there before, or of the one that it is a subtask of; nil without it.
  private mutating func target(ofTask id: Identifier) throws -> (index: Int, owner: Identifier)? {
    var owner = id
    if case .subtasks(let task)? = tasksStore.place(ofTask: id) { owner = task }
    if let target = targetOfTask[owner] { return (target, owner) }
    guard let rows = tasksStore.rows(of: .subtasks(of: owner)) as? TaskRows else { return nil }
    let target = try add(rows, stays: true)
    targetOfTask[owner] = target
    return (target, owner)
  }

  private mutating func make(_ record: ListRecord) throws -> Int {
    let list = TaskList()
    list.id = record.id ?? nextID(of: RowValues(record: record.text))
    (list.text, list.date, list.completed) = (record.text, record.date, record.completed)
    record.details.apply(to: list)
    store.add(list)
    if list.id == TaskList.archiveID {
      // It is among no person's lists.
    } else if record.completed || isNewFile {
      tasksStore.lists.append(list)
    } else {
      tasksStore.lists.insert(list, at: tasksStore.rows(of: .lists)?.openEnd ?? tasksStore.lists.count)
    }
    if list.id != TaskList.archiveID { imported.add(list: RowValues(list)) }
    guard let rows = tasksStore.rows(of: .tasks(inList: list.id)) as? TaskRows else {
      throw ImportFailure.listGone
    }
    return try add(rows, of: list, stays: list.id == TaskList.archiveID)
  }

  private mutating func add(_ rows: TaskRows, of list: TaskList, stays: Bool) throws -> Int {
    let target = try add(rows, stays: stays)
    targetOfList[list.id] = target
    if targetOfName[list.text] == nil, list.id != TaskList.archiveID { targetOfName[list.text] = target }
    return target
  }

  private mutating func add(_ rows: TaskRows, stays: Bool) throws -> Int {
    let last = stays ? try rows.lastOpenTask() : nil
    let part = { (above: Identifier?, below: Identifier?) in
      Part(run: ImportedRows.Run(generated: AddedRows(in: rows.place, previous: above, next: below)))
    }
    targets.append(
      Target(
        rows: rows, stays: stays, keepsOrder: format.isLossless && (!stays || rows.items.last == nil),
        lastOpen: last,
        parts: [
          part(last?.id, stays ? rows.task(below: last)?.id : nil),
          part(stays ? rows.items.last?.id : nil, nil),
        ]))
    return targets.count - 1
  }

  /// Gives the only list of a new file the values that the format has for it.
  private mutating func change(_ id: Identifier, to record: ListRecord) {
    guard let rows = tasksStore.rows(of: .lists), let (row, index) = rows.find(id) else { return }
    let before = rows.state(at: index)
    if row.text != record.text { row.text = record.text }
    if row.date != record.date { row.date = record.date }
    if row.completed != record.completed { row.completed = record.completed }
    (row as? TaskList).map(record.details.apply)
    let after = rows.state(at: index)
    if before != after { imported.changes.append(RowTransition(id: id, before: before, after: after)) }
  }

  /// Moves the only list of a new file where the format has it.
  private mutating func placeFirstList() {
    guard let index = firstListIndex, index > 0, let rows = tasksStore.rows(of: .lists), index < rows.count
    else { return }
    let before = rows.state(at: 0)
    rows.move(from: 0, to: index)
    let after = rows.state(at: index)
    imported.changes.append(RowTransition(id: before.values.id, before: before, after: after))
  }

  // MARK: Tasks

  private mutating func take(_ record: TaskRecord, line: Int) throws -> String? {
    if format.keepsIDs, let taken = takenID(of: record) {
      return "there is a task with the id “\(taken)” already, perhaps from an earlier import"
    }
    if format.keepsIDs, Self.isTooLong(record.key) || record.values.tasks.contains(where: Self.hasTooLongID) {
      return "its id, or that of a subtask, is longer than \(Identifier.greatestLength.grouped) bytes"
    }
    if let parent = record.parent {
      if let owner = owners[parent], targetOfTask[owner] == nil {
        add([record], to: owner)
      } else if format.keepsIDs, let (target, owner) = try target(ofTask: owners[parent] ?? parent) {
        add(finished(record.values, key: record.key), subtasks: [], to: target, key: record.key, of: owner)
      } else {
        early.append((line, record))
        return nil
      }
    } else {
      let target = try target(for: record)
      let values = finished(record.values, key: record.key)
      add(values, subtasks: record.values.tasks, to: target, key: record.key)
    }
    if waiting >= 1_000 { flush() }
    return nil
  }

  private mutating func target(for record: TaskRecord) throws -> Int {
    if let name = record.list.map(Self.name), !name.isEmpty { return try target(named: name) }
    // The archive holds completed tasks; an open one that follows them has no list.
    if let current, record.values.completed || targets[current].rows.place != .archive { return current }
    guard let list = defaultList ?? tasksStore.lists.first?.id else {
      return try target(named: TaskList.firstListText)
    }
    return try target(ofList: list)
  }

  private static func isTooLong(_ id: Identifier?) -> Bool {
    (id?.description.utf8.count ?? 0) > Identifier.greatestLength
  }

  private static func hasTooLongID(_ task: RowValues) -> Bool {
    isTooLong(task.givenID) || task.tasks.contains(where: hasTooLongID)
  }

  /// The id that a record or a subtask of it has, and a task that is there already.
  private func takenID(of record: TaskRecord) -> Identifier? {
    var known: Set<Identifier> = []
    func taken(_ id: Identifier) -> Bool {
      !known.insert(id).inserted || waitingIDs.contains(id) || tasksStore.task(id) != nil
    }
    func takenID(in tasks: [RowValues]) -> Identifier? {
      for task in tasks {
        if let id = task.givenID, taken(id) { return id }
        if let id = takenID(in: task.tasks) { return id }
      }
      return nil
    }
    if let key = record.key, taken(key) { return key }
    return takenID(in: record.values.tasks)
  }

  /// - Parameter owner: The task that it is a subtask of, if that was there before.
  private mutating func add(
    _ values: RowValues, subtasks: [RowValues], to index: Int, key: Identifier?, of owner: Identifier? = nil
  ) {
    var values = values
    let part = targets[index].keepsOrder || values.completed ? 1 : 0
    let hasID = format.keepsIDs && key != nil
    if !hasID {
      values.id =
        format.keepsIDs || !targets[index].stays
        ? nextID(of: values) : targets[index].parts[part].run.generated.nextID
    }
    if targets[index].stays {
      if format.keepsIDs {
        targets[index].parts[part].run.given.append(values.id)
      } else {
        targets[index].parts[part].run.generated.append(values)
      }
    }
    imported.add(values)
    note(values.id, key: key, owner: owner ?? values.id)
    targets[index].parts[part].rows.append(values)
    let subtasks = targets[index].keepsOrder ? subtasks : subtasks.openFirst
    if !subtasks.isEmpty { add(subtasks.map { TaskRecord($0, key: $0.givenID) }, to: values.id) }
  }

  /// Adds subtasks; those of subtasks follow them.
  private mutating func add(_ records: [TaskRecord], to owner: Identifier) {
    for record in records {
      var values = finished(record.values, key: record.key)
      if !(format.keepsIDs && record.key != nil) { values.id = nextID(of: values) }
      imported.add(values)
      note(values.id, key: record.key, owner: owner)
      if subtasks[owner] == nil { ownersInOrder.append(owner) }
      subtasks[owner, default: []].append(values)
      if !record.values.tasks.isEmpty {
        add(record.values.tasks.map { TaskRecord($0, key: $0.givenID) }, to: owner)
      }
    }
  }

  private mutating func note(_ id: Identifier, key: Identifier?, owner: Identifier) {
    waiting += 1
    waitingIDs.insert(id)
    if let key, format.namesParents { owners[key] = owner }
  }

  private mutating func nextID(of values: RowValues) -> Identifier {
    defer { ids.append(values) }
    return ids.nextID
  }

  /// The values with which a task is stored, without its subtasks.
  private func finished(_ values: RowValues, key: Identifier?) -> RowValues {
    var values = values
    values.tasks = []
    if format.keepsIDs, let key { values.id = key }
    guard !format.isLossless else { return values }
    // Its text may be years old, and what it says of dates was meant then.
    let dates = tasksStore.dates
    if values.date != nil || dates.words(in: values.text) != nil { values.details.dateOrigin = .person }
    if !values.details.repetition.isEmpty || dates.repetitionWords(in: values.text) != nil {
      values.details.repetitionOrigin = .person
    }
    return values
  }

  // MARK: Writing

  private mutating func flush() {
    for index in targets.indices where targets[index].parts.contains(where: { !$0.rows.isEmpty }) {
      let target = targets[index]
      let (open, completed) = (target.parts[0].rows, target.parts[1].rows)
      if !open.isEmpty {
        targets[index].lastOpen = target.rows.insertMany(open, below: target.lastOpen) ?? target.lastOpen
      }
      target.rows.appendMany(completed)
      for part in target.parts.indices { targets[index].parts[part].rows.removeAll(keepingCapacity: true) }
    }
    for owner in ownersInOrder {
      guard let task = tasksStore.task(owner), let target = targets.first else { continue }
      target.rows.held(by: task).appendMany(subtasks[owner] ?? [])
    }
    ownersInOrder.removeAll(keepingCapacity: true)
    subtasks.removeAll(keepingCapacity: true)
    waitingIDs.removeAll(keepingCapacity: true)
    waiting = 0
  }
}

extension Identifier {
  /// The id; nil for an empty one, which is none.
  fileprivate var nonEmpty: Identifier? { sqliteValue == .text("") ? nil : self }
}

extension RowValues {
  /// The id that the format has for a subtask; nil if it has none.
  fileprivate var givenID: Identifier? { id.nonEmpty }
}

extension [RowValues] {
  fileprivate var openFirst: [RowValues] { filter { !$0.completed } + filter(\.completed) }
}
