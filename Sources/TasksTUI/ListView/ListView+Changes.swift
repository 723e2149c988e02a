import LiveStore
import TerminalUI

extension ListView {
  /// Takes over changed rows and animates the change. A deleted row slides out to the left and fades, and the
  /// others close the gap. A gap opens for a new row, which fades in. A modified row flashes; a moved row
  /// travels above the others; colors follow the rows' places. Movement in progress continues from its
  /// present place. Cursor, focus and held row stay with their rows; the cursor of a deleted row moves to the
  /// next one, otherwise to the previous one.
  ///
  /// A change of more than a screenful of visible rows fades from the old picture to the new one as a whole.
  ///
  /// - Parameters:
  ///   - changes: The changes from the present rows to `newRows`. If the counts do not match (an error of the
  ///     caller), the new rows are shown without movement.
  ///   - isLocal: Whether the person made this change here, by a key: later keys then mean the row that is
  ///     under the cursor.
  /// - Complexity: O(changes + visible rows · log changes), independent of the number of rows.
  mutating func apply(
    _ changes: ChangeSet, newRows: ListViewRows<RowID>, isLocal: Bool = false, at time: Duration
  ) {
    guard count - changes.deletions.count + changes.insertions.count == newRows.count else {
      assertionFailure("a change set that does not lead from \(count) to \(newRows.count) rows")
      return reload(newRows)
    }
    let now = Motion.seconds(time)
    let before = MovementBefore(of: self, at: now)
    let origins = RowOrigins(changes)
    let swiped = swiped
    replaceRows(with: newRows, after: changes)
    if isLocal { meanSelectedRow() }
    guard isAnimated, let lastFrame, width > 0, height > 0 else {
      painted = [:]
      return settle()
    }

    motions = [:]
    let pictures = painted
    painted = [:]
    var touched = 0
    for place in layout {
      if let old = origins.oldIndex(of: place.index) {
        let move = origins.moves[place.index]
        if move != nil { touched += 1 }
        keepMoving(old: old, to: place, move: move, changes: changes, from: before, at: now)
        painted[place.index] = pictures[old]
      } else {
        touched += 1
        var motion = RowMotion(target: Double(place.line), height: place.height)
        motion.absence = Motion(from: 1, at: now, duration: movementDuration)
        motions[place.index] = motion
      }
    }
    let shown = visibleRange
    for row in before.visible {
      if let index = changes.newIndex(ofOld: row.index) {
        guard !shown.contains(index) else { continue }
        let move = changes.move(ofOld: row.index)
        if move != nil { touched += 1 }
        leave(row, as: index, move: move, at: now, before: before)
        painted[index] = pictures[row.index]
      } else {
        touched += 1
        guard let picture = pictures[row.index] else { continue }
        ghosts.append(
          RowGhost(
            picture: picture, line: row.line,
            column: swiped?.index == row.index ? swiped?.columns(at: now) ?? 0 : 0,
            presence: Motion(from: 1, at: now, duration: movementDuration)))
      }
    }
    // A change of more rows ends in one movement instead.
    if fades || touched > height || ghosts.count + motions.count > 4 * height + 8 {
      motions = [:]
      ghosts = []
      replaced = (lastFrame, Motion(from: 1, at: now, duration: movementDuration))
      extendMovement(to: now + movementDuration)
    } else {
      for motion in motions.values { extendMovement(to: motion.end) }
      for ghost in ghosts { extendMovement(to: ghost.presence.end) }
    }
  }

  /// Animates a row that existed before and is visible now.
  private mutating func keepMoving(
    old: Int, to place: Placement, move: ChangeSet.Move?, changes: ChangeSet,
    from before: MovementBefore<RowID>, at now: Double
  ) {
    let target = Double(place.line)
    var motion: RowMotion
    let distance: Double
    if before.isVisible(old) {
      motion = before.motions[old] ?? RowMotion(target: before.line(of: old), height: place.height)
      distance = motion.target - target
    } else {
      // It comes from outside, and from no further than a screenful: a longer way would only be later and
      // faster.
      motion = RowMotion(target: target, height: place.height)
      let start =
        before.motions[old]?.line(at: now)
        ?? Double(Self.line(of: old, height: place.height, outside: before.layout) ?? 0)
      let most = Double(height + place.height)
      distance = min(max(start - target, -most), most)
    }
    if distance != 0 {
      motion.offset.displace(by: distance, at: now, duration: movementDuration)
      if move != nil { motion.isRaised = true }
    }
    motion.target = target
    motion.height = place.height
    recolor(&motion, old: old, new: place.index, from: before, at: now)
    if changes.isModified(old: old) {
      motion.flash = Motion(from: 1, at: now, duration: flashDuration)
    }
    if motion.isMoving(at: now) { motions[place.index] = motion }
  }

  /// Animates a remaining row that moves out of the view.
  private mutating func leave(
    _ row: MovementBefore<RowID>.Row, as index: Int, move: ChangeSet.Move?, at now: Double,
    before: MovementBefore<RowID>
  ) {
    guard let place = Self.line(of: index, height: row.height, outside: layout) else { return }
    var motion = before.motions[row.index] ?? RowMotion(target: row.line, height: row.height)
    let most = Double(height + row.height)
    let target = min(max(Double(place), row.line - most), row.line + most)
    if motion.target != target {
      motion.offset.displace(by: motion.target - target, at: now, duration: movementDuration)
      if move != nil { motion.isRaised = true }
    }
    motion.target = target
    recolor(&motion, old: row.index, new: index, from: before, at: now)
    if motion.isMoving(at: now) { motions[index] = motion }
  }

  /// The approximate line of a row outside of a layout: the rows between count one line each.
  private static func line(of index: Int, height: Int, outside layout: [Placement]) -> Int? {
    guard let first = layout.first, let last = layout.last else { return nil }
    if index < first.index { return first.line - (first.index - index - 1) - height }
    return last.lineAfter + max(0, index - last.index - 1)
  }

  private func recolor(
    _ motion: inout RowMotion, old: Int, new: Int, from before: MovementBefore<RowID>, at now: Double
  ) {
    guard before.isVisible(old) else { return }
    let target = gradient.color(row: new, of: count)
    guard target != gradient.color(row: old, of: before.count) else { return }
    motion.oldColor = before.color(of: old)
    motion.color = Motion(from: 1, at: now, duration: movementDuration)
  }

  /// The color of the row's place in the gradient, or in transition.
  func color(of index: Int, at time: Double) -> RGB {
    let color = gradient.color(row: index, of: count)
    guard let motion = motions[index] else { return color }
    return color.blended(with: motion.oldColor, amount: motion.color.value(at: time))
  }
}

extension RowMotion {
  /// The time at which all of its movement ends.
  fileprivate var end: Double { max(max(offset.end, color.end), max(absence.end, flash.end)) }
}

/// The places of everything in sight when a change arrived, by the indices before the change.
private struct MovementBefore<RowID: Hashable> {
  struct Row {
    let index: Int
    /// The line where it is drawn, moving or not.
    let line: Double
    let height: Int
  }

  let count: Int
  let motions: [Int: RowMotion]
  /// The rows of which a part is drawn, by index.
  let visible: [Row]
  let layout: [ListView<RowID>.Placement]
  private let colors: [Int: RGB]

  init(of list: ListView<RowID>, at now: Double) {
    count = list.count
    layout = list.layout
    motions = list.motions.filter { $0.value.isMoving(at: now) }
    var rows: [Row] = []
    for place in layout where motions[place.index] == nil {
      rows.append(Row(index: place.index, line: Double(place.line), height: place.height))
    }
    for (index, motion) in motions where motion.isVisible(at: now, height: list.height) {
      rows.append(Row(index: index, line: motion.line(at: now), height: motion.height))
    }
    rows.sort { $0.index < $1.index }
    visible = rows
    colors = Dictionary(uniqueKeysWithValues: rows.map { ($0.index, list.color(of: $0.index, at: now)) })
  }

  func isVisible(_ index: Int) -> Bool { colors[index] != nil }
  func color(of index: Int) -> RGB { colors[index] ?? .black }

  /// The line of a row of the layout at rest.
  func line(of index: Int) -> Double {
    guard let first = layout.first, layout.indices.contains(index - first.index) else { return 0 }
    return Double(layout[index - first.index].line)
  }
}

/// The former indices of rows, by their indices after a change set.
private struct RowOrigins {
  let changes: ChangeSet
  let moves: [Int: ChangeSet.Move]

  init(_ changes: ChangeSet) {
    self.changes = changes
    moves = Dictionary(changes.moves.map { ($0.to, $0) }) { $1 }
  }

  /// The index before; `nil` for a new row.
  func oldIndex(of new: Int) -> Int? {
    guard changes.stays(new: new) else { return moves[new]?.from }
    return changes.oldIndex(ofStaying: changes.stayingCount(beforeNew: new))
  }
}
