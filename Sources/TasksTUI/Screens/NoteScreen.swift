import FoundationEssentials
import LiveStore
import TasksModel
import TerminalUI

/// The note of a task, being read and written.
///
/// The text exists only in the editor until it is stored: the file is neither locked nor changed. What
/// another person writes meanwhile is shown at once where nothing has been typed; otherwise the person is
/// told, before theirs is stored.
final class NoteScreen: Screen {
  let task: Identifier
  private let context: ScreenContext
  /// Writes the note, and shows the change in the rows beneath.
  private let write: (_ text: String, _ original: String) throws -> Edit
  private var editor: TextEditor
  /// The note as last known to the person.
  private var original: String
  let title: String
  /// Whether another person has changed the note since: the text typed here is then kept in any case.
  private var isContested = false
  /// The topmost line on the screen: a line of the note, and the part of it after wrapping.
  private var top = (line: 0, part: 0)
  private var (width, height) = (80, 10)
  private var token: NotificationToken?

  /// - Parameters:
  ///   - text: The text being written; nil begins with the note in the file.
  ///   - original: The note with which the person began, if that was not here.
  ///   - write: Writes the note, and shows the change in the rows beneath.
  init(
    context: ScreenContext, task: TaskItem, text: String? = nil, original: String? = nil,
    write: @escaping (_ text: String, _ original: String) throws -> Edit
  ) {
    self.context = context
    self.task = task.id
    self.write = write
    self.original = original ?? task.notes
    title = task.text
    editor = TextEditor(text ?? task.notes, killRing: context.killRing)
    token = task.observe(keyPaths: ["notes"]) { [weak self] in self?.receive($0) }
  }

  deinit { token?.invalidate() }

  private func receive(_ change: ObjectChange<TaskItem>) {
    switch change {
    case .change(let task, _):
      guard task.notes != original else { return }
      if isChanged { return contest(task.notes) }
      original = task.notes
      editor.show(original)
      context.say("The note has just been changed elsewhere.")
    case .deleted: context.say("The task has just been deleted elsewhere.")
    case .error: break
    }
  }

  /// Tells of a note that another person has written in place of the one with which the person began.
  private func contest(_ text: String) {
    let part = text.part(differingFrom: original)
    original = text
    isContested = true
    context.say(
      "Changed elsewhere to “\(part)”. \(context.editingKey(.keepNote)) keeps yours, "
        + "\(context.editingKey(.cancel)) theirs.")
  }

  var summary: String { "note" }
  var editingHints: [Hint] { context.isReadOnly ? [Hint(EditingCommand.cancel, "close")] : Hint.note }
  var isEditing: Bool { true }
  var activity: WindowState.Activity? { .writingNote(task) }

  var unsaved: UnsavedText? {
    guard isChanged else { return nil }
    return UnsavedText(place: nil, row: task, isNote: true, text: editor.text, original: original)
  }

  /// Whether the person has changed the note, in which the editor has each line break as a line feed.
  private var isChanged: Bool { editor.text != TextEditor(original).text }

  func type(_ key: Key) -> ScreenRequest? {
    var outcome = LineEditor.Outcome.ignored
    change { outcome = $0.handle(key, context.editingKeys, width: width, height: height) }
    switch outcome {
    case .commit: return keep()
    case .cancel: return giveUp()
    case .handled, .ignored: return nil
    }
  }

  func paste(_ text: String) -> ScreenRequest? {
    change { $0.paste(text) }
    return nil
  }

  /// Moves the cursor or changes the text, which a read-only window shows as it is in the file.
  private func change(_ body: (inout TextEditor) -> Void) {
    context.needsFrame = true
    guard context.isReadOnly else { return body(&editor) }
    var changed = editor
    body(&changed)
    if changed.text == editor.text { editor = changed } else { _ = context.refusesWriting() }
  }

  func keep() -> ScreenRequest? {
    // A read-only window must not change anything.
    guard !context.isReadOnly else { return context.say("This window is read-only.") }
    guard isChanged else { return giveUp() }
    do {
      let edit = try write(editor.text, original)
      switch edit.noChange {
      case .textChanged(let text)?: contest(text)
      case .gone?:
        var killRing = editor.killRing
        killRing.push(editor.text)
        context.killRing = killRing
        context.say(
          "The task has been deleted elsewhere; "
            + "\(context.editingKey(.paste)) in a row brings back what you wrote."
        )
        return .close
      default:
        context.killRing = editor.killRing
        return .close
      }
    } catch {
      context.say(error)
    }
    return nil
  }

  func makeWay() -> Bool { context.isReadOnly || keep() != nil }

  private func giveUp() -> ScreenRequest {
    let text = editor.text
    context.killRing = editor.killRing
    if isChanged, !text.isEmpty {
      context.killRing.push(text)
      let kept = isContested ? "Theirs is kept" : "The note is as it was"
      context.say("\(kept); \(context.editingKey(.paste)) brings back what you wrote.")
    }
    return .close
  }

  private static let margin = 2

  var standsBesideLists: Bool { true }

  func draw(into canvas: inout Canvas, rect: CellRect, at time: Duration) {
    (width, height) = (max(1, rect.width - 2 * Self.margin), rect.height)
    var page = Canvas(width: rect.width, height: rect.height)
    page.fill(style: context.palette.plain)
    var pictures: [(layout: LineEditor.Layout, line: Int, part: Int)] = []
    var cursor = (column: 0, line: 0)
    // Each line of the note takes at least one of the screen, so that no others are in sight.
    let near =
      max(0, editor.current - rect.height)..<min(editor.lines.count, editor.current + rect.height + 1)
    var firstLine = top.line < near.lowerBound ? 0 : Int.max
    for index in near {
      let layout = editor.lines[index].layout(width: width)
      if index == editor.current { cursor = (layout.cursorColumn, pictures.count + layout.cursorLine) }
      if index == top.line { firstLine = pictures.count + min(top.part, layout.lines.count - 1) }
      pictures += layout.lines.indices.map { (layout, index, $0) }
    }
    // No line stays empty that could show one of the note.
    firstLine = min(firstLine, max(0, pictures.count - rect.height))
    firstLine = min(max(firstLine, cursor.line - rect.height + 1), cursor.line)
    top = (pictures[firstLine].line, pictures[firstLine].part)
    for (line, picture) in pictures.dropFirst(firstLine).prefix(rect.height).enumerated() {
      page.put(
        picture.layout, line: picture.part, column: Self.margin, at: line, style: context.palette.plain)
    }
    canvas.draw(page, column: rect.column, line: rect.line)
    canvas.cursor = (
      min(rect.column + Self.margin + cursor.column, max(0, canvas.width - 1)),
      rect.line + cursor.line - firstLine
    )
  }
}
