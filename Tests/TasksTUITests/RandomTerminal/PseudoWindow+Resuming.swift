@testable import TasksTUI

extension PseudoWindow {
  /// The program under a shell that lets it go on at once whenever it is stopped.
  static func resuming(_ tasks: String, in folder: TemporaryFolder) throws -> PseudoWindow {
    let script = """
      # Without noflsh, a Ctrl-Z that comes when the program has ended makes the system drop what the program has written.
      stty -ixon noflsh
      trap : INT QUIT TSTP
      set -m
      '\(tasks)' --file tasks.db 2>>errors
      status=$?
      # By SIGTSTP; or by SIGSTOP, as it stops with an editor.
      # Not a loop, which bash leaves when a job is stopped in it.
      resume() { if [ $status = 148 ] || [ $status = 147 ]; then fg >/dev/null; status=$?; resume; fi; }
      resume
      exit $status
      """
    return try PseudoWindow(
      "/bin/bash", ["--norc", "--noprofile", "-c", script],
      environment: [
        "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": folder.path, "XDG_STATE_HOME": folder.path,
        "XDG_CONFIG_HOME": folder.path, "PATH": "/usr/bin:/bin", "EDITOR": "printf edited >>",
        "SWIFT_BACKTRACE": "enable=no",
      ], in: folder.path)
  }
}
