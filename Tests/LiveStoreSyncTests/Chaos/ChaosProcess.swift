import Foundation
import Glibc

/// A program that may be killed at any moment.
final class ChaosProcess {
  let id: pid_t
  private let output: FileHandle
  private var end: Outcome?

  struct Outcome {
    /// The exit status; that of a signal is negative.
    var status: Int32
    /// The text that it has written, errors too.
    var output: String
  }

  struct NotStarted: Error {
    var program: String
  }

  init(_ words: [String], environment: [String: String]) throws {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer {
      for text in arguments + variables { free(text) }
      posix_spawn_file_actions_destroy(&actions)
      close(ends[1])
    }
    output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    var process: pid_t = 0
    guard posix_spawn(&process, words[0], &actions, nil, arguments, variables) == 0 else {
      throw NotStarted(program: words[0])
    }
    id = process
  }

  deinit { kill() }

  /// Kills it, if it has not ended, and waits for its end.
  @discardableResult
  func kill() -> Outcome {
    if end == nil { Glibc.kill(id, SIGKILL) }
    return finish()
  }

  /// Whether it has ended by itself.
  var hasEnded: Bool {
    if end == nil { take(WNOHANG) }
    return end != nil
  }

  /// Waits for its end.
  @discardableResult
  func finish() -> Outcome {
    if end == nil { take(0) }
    return end!
  }

  /// Its output is little, so that a pipe holds all of it until then.
  private func take(_ options: Int32) {
    var status: Int32 = 0
    guard waitpid(id, &status, options) == id else { return }
    let text = (try? output.readToEnd()).flatMap { $0 } ?? Data()
    let signal = status & 0x7f
    end = Outcome(
      status: signal == 0 ? (status >> 8) & 0xff : -signal, output: String(decoding: text, as: UTF8.self))
  }
}
