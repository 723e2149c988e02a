import TasksModel

/// A screen of rows: the lists, the tasks of one, or tasks of all.
protocol RowsScreen: Screen {
  associatedtype Element: Row
  var rows: RowController<Element> { get }

  /// Does what Enter asks for.
  func activate() -> ScreenRequest?
  func open() -> ScreenRequest?
  /// Goes back to where the person has come from.
  func leave() -> ScreenRequest?
  func perform(_ command: TasksCommand, _ call: CommandCall) -> ScreenRequest?
}

extension RowsScreen {
  var isEditing: Bool { rows.isEditing }
  var hasWork: Bool { rows.seek != nil }

  func perform(_ call: CommandCall) -> ScreenRequest? {
    switch call.command {
    case .cursor(let command): rows.perform(command, call)
    case .rows(let command): rows.perform(command, call)
    case .tasks(let command): return perform(command, call)
    case .screen(let command): return perform(command)
    case .app: return .passOn
    }
    return nil
  }

  private func perform(_ command: ScreenCommand) -> ScreenRequest? {
    switch command {
    case .activate where rows.isHolding, .open where rows.isHolding: rows.drop()
    case .activate: return activate()
    case .open: return open()
    case .back, .escape:
      if !rows.leaveMode(command) { return leave() }
    }
    return nil
  }

  func type(_ key: Key) { rows.type(key) }
  func paste(_ text: String) { rows.paste(text) }
  func mouse(_ event: MouseEvent) -> CommandCall? { rows.mouse(event) }
  func textInSight(_ id: Identifier) -> String? { rows.textInSight(id) }
  func work(for duration: Duration) { rows.workOnSeek(for: duration) }
  func nextFrame(after time: Duration) -> Duration? { rows.nextFrame(after: time) }
}

extension RowsScreen where Element == TaskItem {
  func activate() -> ScreenRequest? {
    rows.perform(.edit, CommandCall(.rows(.edit)))
    return nil
  }

  func perform(_ command: TasksCommand, _ call: CommandCall) -> ScreenRequest? {
    rows.perform(command, call)
  }
}
