import BenchmarkRunner
import Glibc
import Programs

/// The command line.
enum Commands: Benchmark {
  static let name = "terminal-commands"
  static let summary = "a command as a whole process, from its start to its end"

  private static let shortList = "Short"

  static func run(_ run: Run) throws {
    let floorProgram = try Program.built("TasksFloor")
    for rows in run.taskCounts {
      let file = try TasksFile(rows: rows)
      _ = try file.run(["list-add", shortList])
      for number in 1...20 { _ = try file.run(["add", "--list", shortList, "Short task \(number)"]) }
      let database = RawDatabase(file.path)
      let select = database.prepare("SELECT id FROM TaskList WHERE text = '\(shortList)'")
      let list = select.step() ? select.text(0) : ""
      select.reset()
      let rounds = run.samples(full: 50, quick: 10)
      // Open ones from all over the list.
      let ids = file.openTasks(count: 2 * (rounds + 2))
      let text = "A task from the command line"
      let commands: [(name: String, words: (Int) -> [String], floor: (Int) -> [String])] = [
        ("tasks add", { _ in ["add", text] }, { _ in ["add", file.path, TasksFile.list, text] }),
        ("tasks done", { ["done", ids[2 * $0]] }, { ["done", file.path, ids[2 * $0 + 1]] }),
        (
          "tasks list of 20", { _ in ["list", "--list", shortList] }, { _ in ["list", file.path, list] }
        ),
      ]
      for command in commands {
        var (times, floor, processor, floorProcessor) = (Samples(), Samples(), Samples(), Samples())
        for round in 0..<rounds + 2 {
          let cost = try file.measure(command.words(round))
          let other = try file.measure(floorProgram, command.floor(round))
          guard round >= 2 else { continue }
          times.append(cost.time)
          processor.append(cost.processor)
          floor.append(other.time)
          floorProcessor.append(other.processor)
        }
        let name = "a program in C that writes or reads the rows"
        run.append(
          Measurement(
            command.name, rows: rows, times: times, baseline: (name, floor),
            targets: [.ratio(atLeast: 1 / 1.3)]))
        run.append(
          Measurement(
            "\(command.name): CPU", rows: rows, times: processor, baseline: (name, floorProcessor)))
      }
    }
  }
}
