import FoundationEssentials
import TasksModel

/// The values that the options of `add` and `edit` say in words.
extension TasksStore {
  func date(_ words: String) throws(RuntimeError) -> Date {
    do throws(DateProblem) {
      return try dates.read(words)
    } catch {
      throw RuntimeError(error.description(of: words))
    }
  }

  /// The moment until which a task waits that an option says in words.
  func waitingDate(_ words: String) throws(RuntimeError) -> Date {
    let date = try date(words)
    guard date > dates.now() else {
      throw RuntimeError("“\(words)” is not later than now, so that nothing would wait")
    }
    return date
  }

  func repetition(_ words: String) throws(RuntimeError) -> Repetition {
    do throws(RepetitionProblem) {
      return try dates.readRepetition(words)
    } catch {
      throw RuntimeError("“\(words)”: \(error)")
    }
  }

  func priority(_ name: String) throws(RuntimeError) -> TaskPriority {
    guard let priority = TaskPriority(named: name) else {
      throw RuntimeError("“\(name)” is no priority: A, B, C or none")
    }
    return priority
  }
}
