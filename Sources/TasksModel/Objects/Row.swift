import FoundationEssentials
import LiveStore

/// What a line on a screen stands for: a list or a task. The rules on where a row goes are the same for both.
public protocol Row: Object {
  var id: Identifier { get set }
  var text: String { get set }
  var date: Date? { get set }
  var completed: Bool { get set }
}
