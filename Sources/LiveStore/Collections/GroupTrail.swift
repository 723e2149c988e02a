/// The groups that have changed in the last steps of an aggregate's state: two states that lie few steps
/// apart are compared without a look at the groups that are the same.
struct GroupTrail: Sendable {
  /// The identity of a state, which those that are made of it know.
  private final class Mark: Sendable {}

  private struct Step: Sendable {
    let from: Mark
    var groups: Set<SQLiteValue> = []
  }

  /// The number of steps that a trail leads back. A base lags by more only while its observer may not be
  /// called.
  private static let limit = 16

  private var mark = Mark()
  private var steps: [Step] = []

  /// Begins the step to another state. `count` is the number of all groups, beyond which a trail saves
  /// nothing.
  mutating func beginStep(of count: Int) {
    var noted = steps.reduce(0) { $0 + $1.groups.count }
    while let first = steps.first, steps.count == Self.limit || noted > count {
      noted -= first.groups.count
      steps.removeFirst()
    }
    steps.append(Step(from: mark))
    mark = Mark()
  }

  /// Notes that a group may differ after the step that was begun last.
  mutating func note(_ group: SQLiteValue) {
    guard !steps.isEmpty else { return }
    steps[steps.count - 1].groups.insert(group)
  }

  func isSame(as other: GroupTrail) -> Bool { mark === other.mark }

  /// The groups that may differ from those of an earlier state; `nil` if the trail does not lead to it.
  ///
  /// - Complexity: O(k) for the k groups that have changed since.
  func groups(since earlier: GroupTrail) -> Set<SQLiteValue>? {
    if isSame(as: earlier) { return [] }
    guard let first = steps.firstIndex(where: { $0.from === earlier.mark }) else { return nil }
    return steps[first...].dropFirst().reduce(into: steps[first].groups) { $0.formUnion($1.groups) }
  }
}
