import FoundationEssentials
import LiveStore

/// The rows of a place, of either class, as the operations use them inside a transaction.
protocol RowCollection {
  associatedtype Element: Row
  var store: Store { get }
  var place: Place { get }
  var items: List<Element> { get }
  var dates: DateReader { get }
  var completedRows: CompletedRows { get }
  /// The tasks of a list, or the subtasks of a task.
  func held(by row: Element) -> TaskRows
  /// Sets the properties that only its class has, before a new row is in the store.
  func prepare(_ row: Element, _ values: RowValues)
  func setText(_ text: String, of row: any Row)
  /// The row's values, and those of the tasks or subtasks that it contains. Complexity: O(its contents).
  func values(at index: Int) -> RowValues
  /// Deletes the row with the tasks or subtasks that it contains; returns its values, and those places of
  /// the tasks that neither these nor the row's state have.
  ///
  /// Complexity: O(k log n) for the k rows that are deleted with it, and their other places.
  func delete(at index: Int) -> (values: RowValues, links: [RowLink])
  /// The same rows, prepared for an operation that visits many of them.
  func preparedForMany() -> Self
  /// The same rows, for an operation that reads and deletes so many of them without their order, and gives
  /// none of them a subtask.
  func prepared(forRemoving count: Int) -> Self
  /// The index of the last open row, or nil when there is none. Other programs may have mixed the open rows
  /// and the completed ones: all rows above the last open one count as the open part.
  ///
  /// Complexity: O(the number of completed rows below it).
  func lastOpenIndex() -> Int?
  /// Whether the rules allow the row to be completed.
  func isCompletable(at index: Int) -> Bool
}

extension RowCollection {
  var count: Int { items.count }

  /// The tasks of another place.
  func tasks(_ items: List<TaskItem>, at place: Place) -> TaskRows {
    TaskRows(store: store, place: place, items: items, dates: dates, completedRows: completedRows)
  }

  func row(at index: Int) -> any Row { items[index] }

  /// The row with the id and its index, or nil when it is not among the rows.
  func find(_ id: Identifier) -> (row: any Row, index: Int)? {
    guard let row = store.object(ofType: Element.self, forPrimaryKey: id), let index = items.index(of: row)
    else { return nil }
    return (row, index)
  }

  func move(from: Int, to: Int) { items.move(from: from, to: to) }

  /// The id of the row at an index, or nil outside the rows.
  func neighbour(_ index: Int) -> Identifier? {
    index >= 0 && index < count ? items[index].id : nil
  }

  /// Adds objects to the store with the tasks and subtasks in their values; the first gets the index.
  func insert(_ values: [RowValues], at index: Int) {
    let rows = makeNew(values)
    if index == count {
      items.append(contentsOf: rows)
    } else {
      for (offset, row) in rows.enumerated() { items.insert(row, at: index + offset) }
    }
    insertHeld(values, by: rows)
  }

  /// Adds new objects to the store, which no list holds yet.
  func makeNew(_ values: [RowValues]) -> [Element] {
    values.map { values in
      let row = Element()
      set(values, of: row)
      store.add(row)
      return row
    }
  }

  /// Sets the values of a row that is in no store.
  func set(_ values: RowValues, of row: Element) {
    row.id = values.id
    row.text = values.text
    row.date = values.date
    row.completed = values.completed
    prepare(row, values)
  }

  /// Adds what some new rows hold.
  func insertHeld(_ values: [RowValues], by rows: [Element]) {
    for (row, values) in zip(rows, values) where !values.tasks.isEmpty {
      held(by: row).insert(values.tasks, at: 0)
    }
  }

  /// The index of the last open row among some.
  func lastOpenIndex(in indices: Range<Int>) -> Int? {
    items[indices].lastIndex { !$0.completed }
  }

  /// The index of the last open row other than the one at an index.
  func lastOpenIndex(except index: Int?) -> Int? {
    guard let last = lastOpenIndex() else { return nil }
    return last == index ? lastOpenIndex(in: 0..<last) : last
  }

  /// The end of the open part. Complexity: O(the number of completed rows).
  var openEnd: Int { lastOpenIndex().map { $0 + 1 } ?? 0 }
}

/// The tasks of a list, or the subtasks of a task.
struct TaskRows: RowCollection {
  let store: Store
  let place: Place
  let items: List<TaskItem>
  let dates: DateReader
  let completedRows: CompletedRows
  /// The tasks that have subtasks; nil if each has to be asked.
  private(set) var owners: Set<Identifier>?
  /// The tasks that are in several places; nil if each has to be asked.
  fileprivate(set) var repeated: Set<Identifier>?

  func held(by task: TaskItem) -> TaskRows { tasks(task.subtasks, at: .subtasks(of: task.id)) }

  func preparedForMany() -> TaskRows {
    var rows = self
    rows.owners = (try? items.filter(#Predicate { !$0.subtasks.isEmpty })).map { Set($0.map(\.id)) }
    rows.repeated = items.idsInOtherLists
    return rows
  }

  func prepared(forRemoving count: Int) -> TaskRows {
    var rows = self
    rows.owners = items.idsOfTasksWithSubtasks(atMost: count / 4)
    return rows
  }

  /// Deletes a task with its subtasks, unless it is none of these. The order is not read.
  ///
  /// - Parameter check: Receives the task's values, and throws if it is to stay; the transaction must not be
  ///   committed then.
  /// - Returns: Whether it was one of these.
  func remove<Failure: Error>(
    _ id: Identifier, check: (RowValues) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard !items.isInvalidated, let task = store.object(ofType: TaskItem.self, forPrimaryKey: id),
      items.remove(task)
    else { return false }
    let subtasks = ownSubtasks(of: task)
    var values = RowValues(task)
    values.tasks = subtasks.map { RowValues($0) }
    try check(values)
    for subtask in subtasks { store.delete(subtask) }
    store.delete(task)
    return true
  }

  /// The subtasks that follow the task.
  private func ownSubtasks(of task: TaskItem) -> [TaskItem] {
    owners?.contains(task.id) == false ? [] : task.ownSubtasks
  }

  func values(of task: TaskItem) -> RowValues {
    var values = RowValues(task)
    values.tasks = ownSubtasks(of: task).map { RowValues($0) }
    return values
  }

  func delete(_ task: TaskItem) {
    for subtask in ownSubtasks(of: task) { store.delete(subtask) }
    store.delete(task)
  }

  func prepare(_ task: TaskItem, _ values: RowValues) {
    values.details.apply(to: task)
    task.tags = TaskTags.column(of: values.text)
    // Otherwise a date has yet to be read from the text.
    if values.date != nil || values.details.dateOrigin != .unknown || dates.words(in: values.text) == nil {
      task.readText = values.text
    }
  }

  func setText(_ text: String, of row: any Row) {
    guard let task = row as? TaskItem else { return }
    // A text without a date need not be read again.
    let isRead =
      task.readText == task.text && dates.words(in: text) == dates.words(in: task.text)
      || task.dateOrigin == .person
        && (task.repetitionOrigin == .person
          || dates.repetitionWords(in: text) == dates.repetitionWords(in: task.readText))
    task.text = text
    let tags = TaskTags.column(of: text)
    if task.tags != tags { task.tags = tags }
    if isRead { task.readText = text }
  }

  /// The last open task, found without reading the order.
  func lastOpenTask() throws -> TaskItem? { try items.filter(#Predicate { !$0.completed }).last }

  /// The last open task if it is the one with an id, or among the few below that; otherwise nil.
  ///
  /// Complexity: O(log n).
  func lastOpenTask(from id: Identifier) -> TaskItem? {
    guard var task = store.object(ofType: TaskItem.self, forPrimaryKey: id), !task.completed else {
      return nil
    }
    for _ in 0..<8 {
      guard let below = items.element(after: task) else { return items.last?.id == task.id ? task : nil }
      if below.completed { return task }
      task = below
    }
    return nil
  }

  func lastOpenIndex() -> Int? {
    // A few completed ones are read in less time than a query is made, and many in far more than it takes.
    let nearEnd = max(0, count - 4)..<count
    if let near = lastOpenIndex(in: nearEnd) { return near }
    guard nearEnd.lowerBound > 0, let last = try? lastOpenTask() else { return nil }
    return items.index(of: last)
  }

  /// The task below another, or the first one.
  func task(below task: TaskItem?) -> TaskItem? {
    if let task { items.element(after: task) } else { items.first }
  }

  func values(at index: Int) -> RowValues { values(of: items[index]) }

  func delete(at index: Int) -> (values: RowValues, links: [RowLink]) {
    let task = items[index]
    let values = values(of: task)
    var links: [RowLink] = []
    addFurtherLinks(of: task, to: &links)
    delete(task)
    return (values, links.withoutRepetitions)
  }

  /// Adds the places of one of these tasks and of those that go with it, and of tasks below them that stay.
  func addFurtherLinks(of task: TaskItem, to links: inout [RowLink]) {
    if repeated?.contains(task.id) ?? true { addOtherPlaces(of: task, to: &links) }
    guard owners?.contains(task.id) ?? (task.subtasks.last != nil) else { return }
    let (held, own) = (held(by: task), ownSubtasks(of: task))
    held.addLinks(except: Set(own.map(\.id)), to: &links)
    for subtask in own {
      held.addOtherPlaces(of: subtask, to: &links)
      if subtask.subtasks.last != nil { held.held(by: subtask).addLinks(except: [], to: &links) }
    }
  }

  /// Adds the other places of one of these tasks.
  private func addOtherPlaces(of task: TaskItem, to links: inout [RowLink]) {
    for list in task.lists where .tasks(inList: list.id) != place {
      tasks(list.items, at: .tasks(inList: list.id)).addLink(of: task, to: &links)
    }
    for owner in task.parents where .subtasks(of: owner.id) != place {
      held(by: owner).addLink(of: task, to: &links)
    }
  }

  private func addLink(of task: TaskItem, to links: inout [RowLink]) {
    if let index = items.index(of: task) { links.append(RowLink(task.id, at: index, in: self)) }
  }

  /// Adds the links to these tasks, without some of them.
  func addLinks(except others: Set<Identifier>, to links: inout [RowLink]) {
    var seen = others
    for (index, task) in items.enumerated() where seen.insert(task.id).inserted {
      links.append(RowLink(task.id, at: index, in: self))
    }
  }

  func isCompletable(at index: Int) -> Bool { true }

  /// Adds new objects to the store right below a task, or on top, and returns them.
  @discardableResult
  func insertNew(_ values: [RowValues], below task: TaskItem?) -> [TaskItem] {
    let isAtEnd = self.task(below: task) == nil
    let tasks = makeNew(values)
    if isAtEnd {
      items.append(contentsOf: tasks)
    } else if let task {
      items.insert(contentsOf: tasks, after: task)
    } else {
      for (index, task) in tasks.enumerated() { items.insert(task, at: index) }
    }
    insertHeld(values, by: tasks)
    return tasks
  }

  /// Inserts a task of another place right below one of these, or on top. The order is not read.
  func insert(_ task: TaskItem, below above: TaskItem?) {
    if let above {
      items.insert(contentsOf: CollectionOfOne(task), after: above)
    } else {
      items.append(task)
      items.move(task, after: nil)
    }
  }

  /// Adds many new tasks, which have no subtasks, to the store as `insertNew` does. Their values are written
  /// without an object for each; returns the last of them.
  func insertMany(_ values: [RowValues], below task: TaskItem?) -> TaskItem? {
    // The last element is found without the order, which would have to take up all rows written before.
    guard task != nil || items.last == nil else { return insertNew(values, below: nil).last }
    items.insert(keys: makeRows(values), after: task)
    return values.last.flatMap { store.object(ofType: TaskItem.self, forPrimaryKey: $0.id) }
  }

  /// Adds many new tasks to the store at the end, as `insertMany` does.
  func appendMany(_ values: [RowValues]) {
    guard !values.isEmpty else { return }
    items.insert(keys: makeRows(values), after: nil)
  }

  /// Adds the rows of new tasks, which no list holds yet; returns their keys.
  private func makeRows(_ values: [RowValues]) -> [SQLiteValue] {
    let template = TaskItem()
    return values.map { values in
      // Not set for a text that has yet to be read.
      template.readText = ""
      set(values, of: template)
      return store.insertRow(like: template)
    }
  }
}

extension List<TaskItem> {
  /// The ids of the tasks that are in another list, or below a task, as well.
  fileprivate var idsInOtherLists: Set<Identifier> {
    Set(keysInOtherLists().map(Identifier.init(sqliteValue:)))
  }
}

/// All lists.
struct ListRows: RowCollection {
  let store: Store
  let items: List<TaskList>
  let dates: DateReader
  let completedRows: CompletedRows

  var place: Place { .lists }

  func held(by list: TaskList) -> TaskRows { tasks(list.items, at: .tasks(inList: list.id)) }

  func prepare(_ list: TaskList, _ values: RowValues) { values.list?.apply(to: list) }

  func preparedForMany() -> ListRows { self }

  func prepared(forRemoving count: Int) -> ListRows { self }

  func setText(_ text: String, of row: any Row) { row.text = text }

  func values(at index: Int) -> RowValues {
    let list = items[index]
    let tasks = held(by: list).preparedForMany()
    return values(of: list, ownTasks(of: list, among: tasks), tasks)
  }

  func delete(at index: Int) -> (values: RowValues, links: [RowLink]) {
    let list = items[index]
    let tasks = held(by: list).preparedForMany()
    let own = ownTasks(of: list, among: tasks)
    let values = values(of: list, own, tasks)
    var links: [RowLink] = []
    if own.count < list.items.count { tasks.addLinks(except: Set(own.map(\.id)), to: &links) }
    for task in own { tasks.addFurtherLinks(of: task, to: &links) }
    for task in own where !task.isInvalidated { tasks.delete(task) }
    store.delete(list)
    return (values, links.withoutRepetitions)
  }

  private func values(of list: TaskList, _ own: [TaskItem], _ tasks: TaskRows) -> RowValues {
    var values = RowValues(list)
    values.tasks = own.map(tasks.values)
    return values
  }

  /// The tasks that go with a list. Another program may have put one there several times, or into another
  /// list too, where it stays.
  private func ownTasks(of list: TaskList, among tasks: TaskRows) -> [TaskItem] {
    var ids: Set<Identifier> = []
    return list.items.filter { task in
      ids.insert(task.id).inserted
        && (tasks.repeated?.contains(task.id) == false || task.lists.allSatisfy { $0.id == list.id })
    }
  }

  func lastOpenIndex() -> Int? { lastOpenIndex(in: 0..<count) }

  func isCompletable(at index: Int) -> Bool { items[index].isCompletable }
}
