import FoundationEssentials
import TasksModel

/// Screens that lead from one list to tasks of others.
extension App {
  func startSearch(_ text: String) {
    let tasks = screen as? TasksScreen
    // Not with a row in the hand.
    tasks?.rows.drop()
    search = SearchScreen(
      context: context, list: tasks.flatMap { context.store.list($0.listID) }, text: text)
  }

  func leave(_ search: SearchScreen, _ outcome: SearchScreen.Outcome) {
    switch outcome {
    case .open: return
    case .left: break
    case .found(let task, let listID):
      if let tasks = screen as? TasksScreen, tasks.listID == listID {
        tasks.rows.select(task)
      } else if context.store.list(listID) != nil {
        open(listID, selecting: task)
      }
    }
    self.search = nil
    context.killRing = search.editor.killRing
  }

  /// Shows tasks of all lists that have something in common.
  func collect(_ theme: CollectedScreen.Theme) {
    if let collected = screen as? CollectedScreen, collected.theme == theme { return }
    let tasks = screen as? TasksScreen
    tasks?.rows.drop()
    do {
      let origin =
        tasks.map { CollectedScreen.Origin(list: $0.listID, task: $0.rows.selectedTask) }
        ?? (screen as? CollectedScreen)?.origin
      show(try CollectedScreen(context: context, theme, origin: origin), from: .above)
    } catch {
      context.say(error)
    }
  }
}
