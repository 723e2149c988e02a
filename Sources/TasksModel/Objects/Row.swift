import FoundationEssentials
import LiveStore

/// A list or a task, which a line on a screen shows. The rules for the positions of rows are the same for
/// both.
public protocol Row: Object {
  var id: Identifier { get set }
  var text: String { get set }
  var date: Date? { get set }
  var completed: Bool { get set }
}
