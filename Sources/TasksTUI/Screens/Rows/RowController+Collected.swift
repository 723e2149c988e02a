import FoundationEssentials
import LiveStore
import TasksModel

/// Tasks of any lists that a screen has collected.
struct CollectedTasks {
  let results: Results<TaskItem>
  /// The date that a task shows.
  var date: @Sendable (TaskItem) -> Date? = { $0.date }
  /// Whether they are due at that date.
  var isDue = true
  /// Whether those of a day follow one another, below a heading.
  var isByDay = false
  /// Returns the text and the date that make a new task one of these; nil where none is made one by that.
  let adopt: ((_ text: String) -> (text: String, date: Date?))?
}

/// Tasks of any lists: an operation on one is performed in the list that contains it.
extension RowController {
  var isCollected: Bool { collected != nil }

  /// Whether a row that is added here is among the rows.
  var takesNewRows: Bool { place != .archive && (!isCollected || collected?.adopt != nil) }

  /// The object with the cursor; nil if there is none, or only a draft, or the cursor is where the view had
  /// rows before a part of a damaged file could no longer be read.
  var selectedTask: Identifier? {
    guard let index = list.selectedIndex, index < makeRows().count else { return nil }
    return if case .object(let id)? = list.selectedID { id } else { nil }
  }

  /// The place, text and date of a new row.
  func newRow(_ text: String) -> (place: Place, text: String, date: Date?)? {
    if let place { return (place, text, nil) }
    guard let home = context.store.lists.first else { return context.say("There is no list to add it to.") }
    let adopted = text.isEmpty ? (text, nil) : collected?.adopt?(text)
    return (.tasks(inList: home.id), adopted?.0 ?? text, adopted?.1)
  }

  /// Tells why an operation is not possible here, where the rows have an order of their own.
  func refusesInCollection(_ sentence: String) -> Bool {
    if isCollected { context.say(sentence) }
    return isCollected
  }

  /// Tells why rows cannot be moved here: they are of several lists, or the list is kept sorted.
  func refusesMoving() -> Bool {
    if refusesInCollection(Self.orderSentence) { return true }
    guard let order = keptOrder() else { return false }
    context.say(
      "This list is kept sorted by \(order.words); \(context.key(.app(.keepSorted))) off ends that.")
    return true
  }

  static var orderSentence: String { "Tasks of several lists cannot be moved here; go to their list." }

  /// Tells the place of an added task that is not among those shown.
  func sayWhere(_ place: Place) {
    guard isCollected, case .tasks(let id) = place, let name = context.store.list(id)?.text else {
      return
    }
    context.say("Added to \(name.quoted).")
  }
}
