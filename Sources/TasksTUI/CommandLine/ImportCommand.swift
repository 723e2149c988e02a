import TasksModel

/// `tasks import`: adds the lists and tasks of a file of another format.
struct ImportCommand {
  struct Request: Equatable {
    /// The file, or `-` for standard input.
    var path: String
    var format: FileFormat
    var skipsBad = false
    var isTrial = false
  }

  let store: TasksStore
  /// The name of the list for tasks without one; nil for the first list.
  let list: String?
  /// Prints a sentence on standard error.
  let complain: (String) -> Void

  /// - Returns: What was done, as a line, and whether all records could be taken.
  func run(_ request: Request, _ input: InputFile) throws -> (line: String, isComplete: Bool) {
    try store.requireReadable()
    let list = try self.list.map(store.list(named:))?.id
    var progress = ProgressLine()
    defer { progress.erase() }
    let result = try store.importRecords(
      request.format, from: { try input.next() }, toList: list, skippingBad: request.skipsBad,
      isTrial: request.isTrial,
      problem: { problem in
        progress.erase()
        complain("\(input.name):\(problem.line): \(problem.sentence)")
      },
      progress: { progress.show("Importing tasks", $0, part: input.part) })
    progress.erase()
    return (Self.sentence(result, isTrial: request.isTrial) + "\n", result.problems == 0)
  }

  private static func sentence(_ result: ImportResult, isTrial: Bool) -> String {
    var what = result.tasks.counted("task")
    if result.lists > 0 { what += " and \(result.lists.counted("new list"))" }
    let rest = result.problems > 0 ? " \(result.problems.counted("record")) could not be taken." : ""
    if isTrial { return "Would import \(what); nothing was changed.\(rest)" }
    if result.tasks == 0, result.lists == 0 { return "There was nothing to import.\(rest)" }
    let them = result.tasks + result.lists == 1 ? "it" : "them"
    return "Imported \(what); tasks undo takes \(them) back.\(rest)"
  }
}
