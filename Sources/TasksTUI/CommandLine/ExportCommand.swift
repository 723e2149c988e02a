import Glibc
import TasksModel
import VisibleText

/// `tasks export`: writes the lists and tasks in another format.
struct ExportCommand {
  struct Request: Equatable {
    /// The new file; nil for standard output.
    var path: String?
    var format: FileFormat
    /// Whether the first list is written, and not all, if none is named.
    var isOfOneList = false
    /// Whether a file of this name is replaced.
    var replaces = false
  }

  let store: TasksStore
  /// The name of the only list to write; nil for all.
  let list: String?

  /// - Returns: What was done, as a line; nothing if the tasks went to standard output.
  func run(_ request: Request) throws -> String {
    try store.requireReadable()
    let list = self.list == nil && !request.isOfOneList ? nil : try store.list(named: self.list).id
    guard let path = request.path, path != "-" else {
      // Nothing in a text may control the terminal.
      let isTerminal = isatty(STDOUT_FILENO) == 1
      try store.exportRecords(
        request.format, ofList: list,
        to: { try StandardOutput.write(isTerminal ? $0.linesWithControlsMadeVisible : $0) })
      return ""
    }
    let file = try OutputFile(path, replacing: request.replaces)
    var progress = ProgressLine()
    defer { progress.erase() }
    let count = try store.exportRecords(
      request.format, ofList: list, to: file.write, progress: { progress.show("Exporting tasks", $0) })
    try file.finish()
    progress.erase()
    return "Exported \(count.counted("task")) to “\(path)”.\n"
  }
}

extension String {
  fileprivate var linesWithControlsMadeVisible: String {
    // The lines of some formats end in CR LF, which is one character.
    split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .map { String($0).withControlsMadeVisible }.joined(separator: "\n")
  }
}
