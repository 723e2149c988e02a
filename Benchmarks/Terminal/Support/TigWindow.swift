import BenchmarkRunner
import Glibc
import Programs

/// `tig`, a program with ncurses and a list of rows: the floor for keys.
enum TigWindow {
  private static let program = "/usr/bin/tig"
  private static let commits = 200

  /// A window with the commits of a repository of its own, at rest; nil if `tig` is not installed.
  static func settled(columns: Int = 80, lines: Int = 24) throws -> Window? {
    guard access(program, X_OK) == 0 else { return nil }
    let folder = try ScratchFolder("tig-benchmark")
    let environment = [
      "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": folder.path, "PATH": "/usr/bin:/bin",
      "GIT_CONFIG_NOSYSTEM": "1", "GIT_DIR": folder.path,
    ]
    let stream = folder.path + "/commits"
    guard let file = fopen(stream, "w") else { throw Failure("“\(stream)” cannot be written.") }
    for number in 1...commits {
      let text = "Commit \(number): water the plants"
      fputs(
        """
        commit refs/heads/main
        committer Ann <ann@example.org> \(1_700_000_000 + number * 60) +0000
        data \(text.utf8.count)
        \(text)

        """, file)
    }
    guard fclose(file) == 0 else { throw Failure("“\(stream)” cannot be written.") }
    try run(["git", "init", "--quiet", "--bare", "--initial-branch=main"], environment)
    try run(["git", "fast-import", "--quiet"], environment, input: .file(stream))
    let window = try Window(
      program, ["main"], environment: environment, keeping: folder, columns: columns, lines: lines)
    try window.wait("the newest commits") { $0.screen.text(line: $0.screen.lines / 2).contains("Commit") }
    window.rest()
    return window
  }

  private static func run(
    _ words: [String], _ environment: [String: String], input: Program.Stream = .nothing
  ) throws {
    let streams: [Int32: Program.Stream] = [0: input, 1: .nothing]
    let status = try Program(words, environment: environment, streams: streams).start().waitForEnd()
    guard status == 0 else { throw Failure("“\(words.joined(separator: " "))” has failed.") }
  }
}
