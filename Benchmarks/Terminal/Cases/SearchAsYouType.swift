import BenchmarkRunner

/// A search for a word that one task in a thousand contains.
enum SearchAsYouType: Benchmark {
  static let name = "terminal-search"
  static let summary = "searching a list as one types, for part of a word in one of a thousand tasks"

  static func run(_ run: Run) throws {
    for rows in run.taskCounts {
      let file = try TasksFile(rows: rows)
      let window = try Window.settled(file)
      window.type("/")
      window.rest()
      let word = TasksFile.rareWord
      let (first, rest) = (String(word.prefix(1)), word.dropFirst())
      var answered = Samples()
      var found = Samples()
      var complete = Samples()
      var waited = Samples()
      func isComplete(_ window: Window) -> Bool {
        let title = window.screen.text(line: 0)
        return title.contains("\(grouped(rows / 1000)) matches") && !title.contains("%")
      }
      func clear() {
        window.type("\u{15}")
        window.rest()
      }
      for _ in 0..<run.samples(full: 20, quick: 5) {
        let frames = window.screen.frames
        let struck = window.type(first)
        answered.append(try window.waitForFrame(after: frames) - struck)
        found.append(try window.wait("a match") { $0.screen.text(line: 1).contains(word) } - struck)
        complete.append(try window.wait("all matches", until: isComplete) - struck)
        clear()
        // Keys typed during the search.
        window.type(first)
        for (place, letter) in rest.enumerated() {
          window.read(throughout: 15)
          let typed = word.prefix(place + 2)
          let struck = window.type(String(letter))
          let shown = try window.wait("what is typed") {
            $0.screen.text(line: $0.screen.lines - 1).drop { $0 == " " }.hasPrefix("/\(typed)")
          }
          waited.append(shown - struck)
        }
        try window.wait("all matches", until: isComplete)
        clear()
      }
      run.append(Measurement("key", rows: rows, times: answered))
      run.append(
        Measurement("key while searching", rows: rows, times: waited, targets: [.p99(atMost: 16_000_000)]))
      run.append(
        Measurement("first matches", rows: rows, times: found, targets: [.median(atMost: 50_000_000)]))
      run.append(
        Measurement("all matches", rows: rows, times: complete, targets: [.median(atMost: 300_000_000)]))
    }
  }
}
