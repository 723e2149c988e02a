import FoundationEssentials
import SyncSigns
import TasksModel
import TerminalUI

/// The state of a joined file: whether it is in step, the other machines, and the changes made here that were
/// lost, which can be brought back.
final class SyncScreen: Screen {
  private let context: ScreenContext
  private let membership: SyncJournal.Membership
  private var status: SyncStatus
  private let readLostChanges: () -> [LostChange]
  private let readKeptRows: () -> [KeptRow]
  private var lost: [LostChange]
  /// The selected lost change.
  private var selected = 0
  /// Whether the lines have to show the selected change: not after they alone have moved.
  private var followsSelection = true
  private var firstLine = 0
  private var visibleLines = 1
  private var lineCount = 0

  /// - Parameters:
  ///   - lostChanges: Reads the changes that were lost, the oldest first.
  ///   - keptRows: Reads the rows that the server does not take.
  init(
    context: ScreenContext, _ membership: SyncJournal.Membership, _ status: SyncStatus,
    lostChanges: @escaping () -> [LostChange], keptRows: @escaping () -> [KeptRow]
  ) {
    self.context = context
    self.membership = membership
    self.status = status
    readLostChanges = lostChanges
    readKeptRows = keptRows
    lost = lostChanges()
  }

  var title: String { "Other machines" }
  var summary: String { status.words ?? "not carried" }
  var hints: [Hint] {
    [Hint(.screen(.escape), "close")]
      + (lost.indices.contains(selected) && lost[selected].canReturn && !context.isReadOnly
        ? [Hint(.app(.bringBack), "bring back")] : [])
      + (lost.isEmpty || context.isReadOnly ? [] : [Hint(.rows(.delete), "forget")])
      + (lineCount > visibleLines || lost.count > 1 ? [Hint([.cursor(.down), .cursor(.up)], "move")] : [])
  }
  var isEditing: Bool { false }
  var isAboutRows: Bool { false }

  func update(_ status: SyncStatus) {
    self.status = status
    updateLostChanges()
  }

  func updateLostChanges() {
    lost = readLostChanges()
    selected = min(selected, max(0, lost.count - 1))
    context.needsFrame = true
  }

  // MARK: Commands

  func perform(_ call: CommandCall) -> ScreenRequest? {
    context.needsFrame = true
    switch call.command {
    case .cursor(let command): move(command, times: call.times)
    case .screen(.back), .screen(.escape), .app(.sync), .app(.quit): return .close
    // With the number of the change, these are the app's.
    case .app(.bringBack) where call.count != nil, .app(.forgetLost) where call.count != nil: return .passOn
    case .screen(.activate), .app(.bringBack): return settle(.app(.bringBack))
    case .rows(.delete), .app(.forgetLost): return settle(.app(.forgetLost))
    case .app(let command):
      switch command {
      case .help, .commandLine, .set, .theme, .windows, .repaint, .suspend: return .passOn
      case .search, .today, .upcoming, .waiting, .done, .hide, .archive, .tag, .repeatChange, .color,
        .keepSorted, .filter, .saveSearch:
        break
      // Answered above.
      case .sync, .bringBack, .forgetLost, .quit: break
      }
    case .screen, .rows, .tasks: break
    }
    return nil
  }

  private func settle(_ command: Command) -> ScreenRequest? {
    guard lost.indices.contains(selected) else { return nil }
    guard followsSelection else {
      // It may be out of sight.
      followsSelection = true
      return nil
    }
    return .perform(CommandCall(command, count: Int(lost[selected].number)))
  }

  private func move(_ command: CursorCommand, times: Int) {
    let times = min(times, lineCount)
    let page = times * max(1, visibleLines - 1)
    let offset =
      switch command {
      case .down, .scrollDown: times
      case .up, .scrollUp: -times
      case .pageDown, .halfPageDown: page
      case .pageUp, .halfPageUp: -page
      case .first, .top: -lineCount
      case .last, .bottom: lineCount
      case .middle: 0
      }
    // The cursor moves over what was lost, and beyond that the lines move.
    let target = min(max(0, selected + offset), max(0, lost.count - 1))
    followsSelection = target != selected
    if followsSelection { selected = target } else { firstLine += offset }
  }

  func mouse(_ event: MouseEvent) -> ScreenRequest? { .scroll(by: event) }

  func type(_ key: Key) -> ScreenRequest? { nil }

  // MARK: Words

  private var state: String {
    let waiting =
      switch status.waiting {
      // Without an agent it is not known, and one that sends says it with its progress.
      case _ where status.phase == .stopped && status.waiting == 0 || status.phase == .sending: ""
      case 0: status.phase == .inStep ? "" : " Nothing waits to be sent."
      default: " " + status.waitingSentence
      }
    let behind = status.behind > 0 ? " \(Int(status.behind).grouped) changes of others are to come." : ""
    let sentence =
      switch status.phase {
      case .stopped where status.reason.isEmpty:
        context.isReadOnly
          ? "No process carries this file now, and a window that only reads it starts none."
          : "No process carries this file now: tasks-sync is not installed, or it was ended."
      case .offline: "Offline since \(moment(status.since)): \(status.reason)"
      default: status.sentence
      }
    let exchanged = status.exchanged > 0 ? " Last exchange: \(moment(status.exchanged))." : ""
    let leftOut = status.leftOut == 0 ? "" : " " + status.leftOutSentence
    return sentence + waiting + behind + leftOut + exchanged
  }

  /// The sentences about what stays on this machine.
  private var kept: [String] {
    guard status.setAside > 0 else { return [] }
    let rows = readKeptRows()
    return (rows.map(\.sentence) + [KeptRow.sentence(others: Int(status.setAside) - rows.count)])
      .filter { !$0.isEmpty }
  }

  private var place: String {
    "“\(membership.space)” on \(membership.server); this machine is \(membership.machine)."
      + (status.mayOnlyRead ? " \(SyncStatus.readOnlySentence)" : "")
  }

  private func words(_ machine: SpaceMachine) -> String {
    // A machine tells twice a minute how far it is, and may have had these changes since.
    let count = Int(status.version - machine.version)
    let since = count == 0 ? "" : ", \(count.counted("change")) since"
    return "\(machine.name) (\(machine.role)), last seen \(moment(machine.seen))\(since)"
  }

  /// All of it in sentences, for sessions of lines.
  var spokenSentences: [String] {
    [state, place] + kept + status.machines.map { words($0) + "." }
      + lost.map { "\($0.number): \($0.sentence)" }
  }

  /// A moment in words, from milliseconds since 1970.
  private func moment(_ milliseconds: Int64) -> String {
    context.calendar.momentWords(for: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
  }

  // MARK: Drawing

  private enum Line {
    case heading(String)
    case text(String)
    /// A line of the lost change of this index.
    case lost(Int, String)
  }

  private func lines(width: Int) -> [Line] {
    func wrapped(_ text: String) -> [String] { DisplayText.lines(of: text, wrappedTo: width) }
    var lines: [Line] = [.text("")] + wrapped(state).map(Line.text) + wrapped(place).map(Line.text)
    let kept = kept
    if !kept.isEmpty {
      lines += [.text(""), .heading("Kept on this machine")] + kept.flatMap(wrapped).map(Line.text)
    }
    if status.phase != .stopped {
      lines += [.text(""), .heading("Also there")]
      lines += status.machines.flatMap { wrapped(words($0)) }.map(Line.text)
      if status.machines.isEmpty {
        lines.append(.text(status.phase == .inStep ? "No other machine yet." : "Not known now."))
      }
    }
    guard !lost.isEmpty else { return lines }
    lines += [.text(""), .heading("Lost to changes of others")]
    for (index, change) in lost.enumerated() {
      lines += wrapped(change.sentence).map { .lost(index, $0) }
    }
    return lines
  }

  private static let margin = 2

  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration) {
    let lines = lines(width: rect.width - 2 * Self.margin - 2)
    (lineCount, visibleLines) = (lines.count, rect.height)
    // The selected one stays in sight.
    let selection = lines.indices.filter {
      if case .lost(selected, _) = lines[$0] { true } else { false }
    }
    if followsSelection, let first = selection.first, let last = selection.last {
      firstLine = min(max(firstLine, last - rect.height + 1), max(0, first - 2))
    }
    firstLine = min(max(0, firstLine), max(0, lineCount - visibleLines))
    let palette = context.palette
    var page = Canvas(width: rect.width, height: rect.height)
    page.fill(style: palette.plain)
    for (line, content) in lines.dropFirst(firstLine).prefix(rect.height).enumerated() {
      switch content {
      case .heading(let text):
        page.put(text, column: Self.margin, line: line, style: palette.onGround(palette.heading, .bold))
      case .text(let text): page.put(text, column: Self.margin, line: line, style: palette.plain)
      case .lost(let index, let text):
        let isFirst = selection.first.map { $0 == firstLine + line } ?? false
        if isFirst { page.put("›", column: Self.margin, line: line, style: palette.onGround(palette.key)) }
        page.put(
          text, column: Self.margin + 2, line: line,
          style: index == selected ? palette.onGround(palette.text, .bold) : palette.plain)
      }
    }
    canvas.draw(page, column: rect.column, line: rect.line)
  }
}
