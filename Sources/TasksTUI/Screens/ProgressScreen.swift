import TasksModel
import TerminalUI

/// The last line during an action on many rows: how far it is. Esc stops it.
final class ProgressScreen: Screen {
  private let work: LongWork
  private let context: ScreenContext
  private var isOver = false
  private var nextPartAt = Duration.zero
  private var shownAt: Duration

  init(_ work: LongWork, _ context: ScreenContext) {
    self.work = work
    self.context = context
    shownAt = context.clock()
  }

  /// The time between two frames, which cost as much as some rows.
  private static let frameInterval = Duration.milliseconds(100)

  var isEditing: Bool { true }
  var isCarryingOut: Bool { true }
  var fillsTerminal: Bool { false }
  var needsFile: Bool { true }
  var spokenPosition: String? { title }

  var title: String {
    if work.kind == .reading { return "Reading all rows…" }
    let done = work.doneCount.grouped
    let rows = work.count.map { "\(done) of \($0.grouped) rows" } ?? "\(done) rows"
    return work.isWaiting ? "\(rows); another program is writing…" : "\(rows)…"
  }

  func type(_ key: Key) -> ScreenRequest? {
    guard context.editingKeys[key] == .cancel else { return nil }
    isOver = true
    work.stop()
    return .breakOff
  }

  /// The work belongs to rows that are there no more.
  func renewed(above rows: any RowsScreen) -> any Screen {
    isOver = true
    return self
  }

  var hasWork: Bool { true }
  var workDelay: Duration { max(.zero, nextPartAt - context.clock()) }

  func work(for duration: Duration) -> ScreenRequest? {
    if isOver { return .breakOff }
    let ending = work.carryOutPart(context.clock)
    isOver = ending != nil
    let now = context.clock()
    nextPartAt = now + work.kind.pause
    context.needsFrame = isOver || now >= shownAt + Self.frameInterval
    if context.needsFrame { shownAt = now }
    switch ending {
    case nil: return nil
    case .done?: return work.makeNext.map { .goOn($0()) } ?? .close
    case .stopped?, .failed?: return .breakOff
    }
  }

  func drawBottomLine(into canvas: inout Canvas) {
    canvas.putPrompt(
      title, LineEditor(), hints: "\(context.editingKey(.cancel)) stops", context.palette)
  }
}
