import LiveStore
import TasksModel
import VisibleText

/// `tasks doctor`: reports the faults of a file, and saves everything that can be read of it.
struct DoctorCommand {
  let path: String

  /// - Parameter newFile: The path to save to; nil only to look for faults.
  /// - Returns: Whether there are no faults; when saving, no losses.
  func run(savingTo newFile: String?) throws -> Bool {
    if let newFile { return try save(to: newFile) }
    let faults = try TasksStore.faults(inFile: path)
    if faults.isEmpty {
      try say("“\(path)” is sound.")
    } else {
      for fault in faults { try say(fault) }
      try say("The file was not changed. tasks doctor --save NEWFILE saves what can be read into a new one.")
    }
    return faults.isEmpty
  }

  private func save(to newFile: String) throws -> Bool {
    let report = try TasksStore.rescue(path, to: newFile)
    for loss in report.losses { try say(loss) }
    try say(
      "Saved \(report.lists.counted("list")) and \(report.tasks.counted("task")) in “\(newFile)”; "
        + "“\(path)” was not changed."
    )
    return report.losses.isEmpty
  }

  private func say(_ sentence: String) throws {
    try StandardOutput.write(sentence.withControlsMadeVisible + "\n")
  }
}
