import FoundationEssentials
import Glibc
import TasksModel

/// `tasks add`: adds tasks after the open ones of a list and prints their ids, one a line.
struct AddCommand {
  let store: TasksStore
  /// The name of the list, or nil for the first.
  let list: String?

  /// - Parameters:
  ///   - texts: One a task; empty ones are left out.
  ///   - options: What is left out there, the texts may say.
  func run(_ texts: [String], _ options: NewTaskOptions) throws {
    let date = try options.due.map(date)
    let repetition = try options.repetition.map(repetition)
    let list = try store.list(named: list)
    let text = list.text
    let place = Place.tasks(inList: list.id)
    guard
      let ids = try store.add(
        texts, to: place, date: date, repetition: repetition, readingDates: true)
    else {
      throw RuntimeError("the list “\(text)” has just been deleted")
    }
    try StandardOutput.write(ids.map { $0.uuidString + "\n" }.joined())
  }

  private func date(_ words: String) throws(RuntimeError) -> Date {
    do throws(DateProblem) {
      return try store.dates.read(words)
    } catch {
      throw RuntimeError("“\(words)” is no date: \(error)")
    }
  }

  private func repetition(_ words: String) throws(RuntimeError) -> Repetition {
    do throws(RepetitionProblem) {
      return try store.dates.readRepetition(words)
    } catch {
      throw RuntimeError("“\(words)”: \(error)")
    }
  }

  /// All lines of standard input.
  ///
  /// - Throws: `RuntimeError` when it cannot be read or is not UTF-8.
  static func linesOfStandardInput() throws(RuntimeError) -> [String] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 {
        break
      } else if errno != EINTR {
        throw RuntimeError("cannot read standard input: \(String(cString: strerror(errno)))")
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw RuntimeError("standard input is not UTF-8 text")
    }
    // By any line break, so that none gets into a text; "\r\n" is one Character.
    return text.split(whereSeparator: \.isNewline).map(String.init)
  }
}
