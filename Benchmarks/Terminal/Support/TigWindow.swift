import BenchmarkRunner
import Glibc

/// `tig`, a program with ncurses and a list of rows: the floor for keys.
enum TigWindow {
  private static let program = "/usr/bin/tig"
  private static let commits = 200

  /// A window with the commits of a repository of its own, at rest; nil if `tig` is not installed.
  static func settled(columns: Int = 80, lines: Int = 24) throws -> Window? {
    guard access(program, X_OK) == 0 else { return nil }
    let folder = try ScratchFolder("tig-benchmark")
    let environment = [
      "TERM=xterm-256color", "LC_ALL=C.UTF-8", "HOME=\(folder.path)", "PATH=/usr/bin:/bin",
      "GIT_CONFIG_NOSYSTEM=1", "GIT_DIR=\(folder.path)",
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
    try run("/usr/bin/git", ["init", "--quiet", "--bare", "--initial-branch=main"], environment)
    try run("/usr/bin/git", ["fast-import", "--quiet"], environment, input: stream)
    let window = try Window(
      program, ["main"], environment: environment, keeping: folder, columns: columns, lines: lines)
    try window.wait("the newest commits") { $0.screen.text(line: $0.screen.lines / 2).contains("Commit") }
    window.rest()
    return window
  }

  private static func run(
    _ program: String, _ arguments: [String], _ environment: [String], input: String = "/dev/null"
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    let process = try spawn(program, arguments, environment: environment, &actions)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    guard status == 0 else { throw Failure("“\(program) \(arguments.joined(separator: " "))” has failed.") }
  }
}
