/// Lists and tasks as arrays, with the rules on where a row goes, as simply as they can be said.
struct SessionRows: Equatable {
  /// A list, or a task.
  struct Row: Equatable {
    let id: Int
    var text: String
    var isCompleted = false
    /// In words, as it is shown; empty for no date.
    var due = ""
    var priority = ""
    var note = ""
    var tasks: [Row] = []

    var openTasks: Int { tasks.count { !$0.isCompleted } }
    var tags: [String] {
      text.split(separator: " ").filter { $0.hasPrefix("#") }.map { $0.dropFirst().lowercased() }
    }
  }

  /// Where rows stand side by side.
  enum Place: Equatable {
    case lists
    case list(Int)
  }

  var lists: [Row] = []

  subscript(place: Place) -> [Row] {
    get {
      switch place {
      case .lists: lists
      case .list(let id): lists.first { $0.id == id }?.tasks ?? []
      }
    }
    set {
      switch place {
      case .lists: lists = newValue
      case .list(let id):
        if let index = lists.firstIndex(where: { $0.id == id }) { lists[index].tasks = newValue }
      }
    }
  }

  var places: [Place] { [.lists] + lists.map { .list($0.id) } }

  func place(of id: Int) -> Place? { places.first { self[$0].contains { $0.id == id } } }

  func row(_ id: Int) -> Row? { place(of: id).flatMap { self[$0].first { $0.id == id } } }

  mutating func change(_ id: Int, _ body: (inout Row) -> Void) {
    guard let place = place(of: id), let index = self[place].firstIndex(where: { $0.id == id }) else {
      return
    }
    body(&self[place][index])
  }

  // MARK: Rules

  /// Below the last open row.
  static func openEnd(_ rows: [Row]) -> Int { (rows.lastIndex { !$0.isCompleted } ?? -1) + 1 }

  mutating func insert(_ row: Row, in place: Place, at index: Int) {
    self[place].insert(row, at: min(index, Self.openEnd(self[place])))
  }

  /// Completes the open ones of the rows, or, when there are none, opens all again.
  mutating func toggle(_ ids: [Int], in place: Place) -> [Int] {
    let meant = self[place].filter { ids.contains($0.id) }
    let isReopening = meant.allSatisfy(\.isCompleted)
    let toggled = meant.filter { isReopening || !$0.isCompleted && (place != .lists || $0.openTasks > 0) }
    for row in toggled {
      self[place].removeAll { $0.id == row.id }
      var row = row
      row.isCompleted.toggle()
      self[place].insert(row, at: row.isCompleted ? self[place].count : Self.openEnd(self[place]))
    }
    return toggled.map(\.id)
  }

  mutating func delete(_ ids: [Int]) {
    for place in places.reversed() { self[place].removeAll { ids.contains($0.id) } }
  }

  /// Moves open rows by some places, each as far as the others and the ends let it.
  mutating func move(_ ids: [Int], in place: Place, by offset: Int) {
    var rows = self[place]
    let open = rows.indices.filter { ids.contains(rows[$0].id) && !rows[$0].isCompleted }
    for (number, index) in (offset > 0 ? open.reversed() : open).enumerated() {
      let last = Self.openEnd(rows) - 1
      let target =
        offset > 0 ? min(index + offset, last - number) : max(index + offset, number)
      rows.insert(rows.remove(at: index), at: target)
    }
    self[place] = rows
  }

  /// Moves tasks to another list: open ones after its open ones, completed ones to its end.
  mutating func move(_ ids: [Int], from place: Place, to list: Int) {
    for row in self[place] where ids.contains(row.id) {
      self[place].removeAll { $0.id == row.id }
      let target = Place.list(list)
      self[target].insert(row, at: row.isCompleted ? self[target].count : Self.openEnd(self[target]))
    }
  }
}
