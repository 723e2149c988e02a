import FoundationEssentials
import Glibc
import Programs
import TerminalEmulator
import TestSupport
import Testing

@testable import TasksTUI
@testable import TerminalUI

/// A program in a terminal that this process emulates.
///
/// For the program it is a terminal like any other: the kernel's, with its line discipline, job control and
/// signals. Only the picture is made here instead of in tmux, so that what shows is known at the moment when
/// it is written, after each byte, and any bytes can be typed. `expectLikeTmux` checks that tmux makes the
/// same picture of the same bytes.
///
/// Waiting is for what the program writes, never for time.
final class PseudoWindow {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private(set) var screen: ScreenParser
  /// The program that was started; it leads the terminal's session.
  private let program: RunningProgram
  var process: pid_t { program.id }
  /// Whether the terminal answers what it is asked.
  var answers = true
  /// Nothing has the terminal open any more.
  private(set) var hasHungUp = false
  /// The bytes written since the screen was erased last, or got its size.
  private(set) var output: [UInt8] = []
  /// The output before that, since the erasure before it.
  private(set) var formerOutput: [UInt8] = []

  private let terminal: PseudoTerminal
  private let initialSettings: [UInt8]
  /// The bytes for which the terminal's queue had no room.
  private var unsent: [UInt8] = []
  /// The program that had the keys when the last ones were sent, and how often it had waited before them.
  private var waitsBeforeKeys: (process: pid_t, count: String?)?

  /// - Parameter environment: All variables; nil for the least that the app needs.
  init(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil, in folder: String,
    columns: Int = 80, lines: Int = 24
  ) throws {
    let least = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": folder]
    terminal = try PseudoTerminal(columns: columns, lines: lines)
    initialSettings = Self.settings(terminal)
    _ = fcntl(terminal.descriptor, F_SETFL, O_NONBLOCK)
    screen = ScreenParser(columns: columns, lines: lines)
    self.program = try terminal.start(
      "/usr/bin/env", ["-C", folder, program] + arguments, environment: environment ?? least)
  }

  deinit {
    if program.status == nil {
      // All that it has started in this terminal, stopped or not.
      for group in Set([process, foreground]) where group > 0 {
        kill(-group, SIGKILL)
      }
      program.kill()
    }
  }

  // MARK: In

  func send(_ bytes: some Collection<UInt8>) {
    unsent += bytes
    flush()
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Strikes keys, by the names that scripts have for them.
  func strike(_ keys: String...) throws {
    for name in keys { send(try Self.bytes(of: try #require(Key(name), "no key \(name)"))) }
  }

  private func flush() {
    while !unsent.isEmpty {
      let process = foreground
      waitsBeforeKeys = (process, Self.waits(of: process))
      let count = terminal.send(unsent.prefix(1024))
      if count == 0 { return }
      unsent.removeFirst(count)
    }
  }

  func resize(columns: Int, lines: Int) {
    while read(for: 0) {}
    // Nothing is painted anew for the size that it has.
    if columns == screen.columns, lines == screen.lines { return }
    screen.resize(columns: columns, lines: lines)
    output = []
    terminal.resize(columns: columns, lines: lines)
  }

  /// The bytes that xterm sends for a key.
  static func bytes(of key: Key) throws -> [UInt8] {
    let modifier =
      1 + (key.modifiers.contains(.shift) ? 1 : 0) + (key.modifiers.contains(.alt) ? 2 : 0)
      + (key.modifiers.contains(.control) ? 4 : 0)
    func cursor(_ letter: String) -> [UInt8] {
      Array((modifier == 1 ? "\u{1B}O\(letter)" : "\u{1B}[1;\(modifier)\(letter)").utf8)
    }
    func number(_ number: Int) -> [UInt8] {
      Array((modifier == 1 ? "\u{1B}[\(number)~" : "\u{1B}[\(number);\(modifier)~").utf8)
    }
    let escape: [UInt8] = key.modifiers.contains(.alt) ? [0x1B] : []
    switch key.symbol {
    case .character(let character):
      guard key.modifiers.contains(.control), let ascii = character.asciiValue else {
        return escape + Array(String(character).utf8)
      }
      return escape + [ascii & 0x1F]
    case .enter: return escape + [0x0D]
    case .escape: return escape + [0x1B]
    case .tab: return key.modifiers.contains(.shift) ? Array("\u{1B}[Z".utf8) : escape + [0x09]
    case .backspace: return escape + [0x7F]
    case .up: return cursor("A")
    case .down: return cursor("B")
    case .right: return cursor("C")
    case .left: return cursor("D")
    case .home: return cursor("H")
    case .end: return cursor("F")
    case .insert: return number(2)
    case .delete: return number(3)
    case .pageUp: return number(5)
    case .pageDown: return number(6)
    case .function(let function):
      guard function <= 4 else { throw Failure(description: "no bytes for \(key)") }
      return cursor(["P", "Q", "R", "S"][function - 1])
    }
  }

  // MARK: Out

  /// Reads what the program has written; returns whether there was anything within so many milliseconds.
  @discardableResult
  func read(for milliseconds: Int32) -> Bool {
    guard !hasHungUp else { return false }
    let events = unsent.isEmpty ? Int16(POLLIN) : Int16(POLLIN | POLLOUT)
    var descriptor = pollfd(fd: terminal.descriptor, events: events, revents: 0)
    guard poll(&descriptor, 1, milliseconds) > 0 else { return false }
    flush()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(terminal.descriptor, &buffer, buffer.count)
    guard count > 0 else {
      // EIO: the last program that had the terminal open has closed it.
      hasHungUp = count == 0 || errno == EIO
      return false
    }
    for byte in buffer[..<count] { take(byte) }
    if !screen.answers.isEmpty {
      if answers { send(screen.answers) }
      screen.answers = []
    }
    return true
  }

  /// Has the terminal read what the program has written before it heard of the last size.
  func readLate(_ text: String) { screen.feed(text.utf8) }

  private func take(_ byte: UInt8) {
    let erasures = screen.erasures
    screen.feed(CollectionOfOne(byte))
    output.append(byte)
    // Everything that follows paints the whole screen anew.
    guard screen.erasures != erasures else { return }
    (formerOutput, output) = (output, Array("\u{1B}[0m\u{1B}[H\u{1B}[2J".utf8))
  }

  /// Waits until the screen is as `condition` says.
  func wait(for what: @autoclosure () -> String, until condition: (PseudoWindow) throws -> Bool) throws {
    let deadline = ContinuousClock.now + Patience.duration
    while true {
      while read(for: 0) {}
      if try condition(self) { return }
      guard ContinuousClock.now < deadline, !hasHungUp else {
        throw Failure(
          description: "waited for \(what()) in vain, \(state):\n\(screen.text)")
      }
      // A condition that asks the system brings no byte when it changes.
      read(for: 20)
    }
  }

  func wait(forText text: String) throws { try wait(for: text) { $0.screen.text.contains(text) } }

  // MARK: The program

  /// The program that has the keys.
  var foreground: pid_t { tcgetpgrp(terminal.descriptor) }

  private var state: String {
    if hasHungUp { return "the terminal is closed" }
    let call = Self.contents(of: "/proc/\(foreground)/syscall") ?? "gone\n"
    return
      "process \(foreground) of session \(process) is in system call \(call.dropLast()), \(unsent.count) "
      + "bytes are unsent"
  }

  /// Whether the program in the foreground waits for events, with nothing due for the next second: it has
  /// painted all that there was to be painted, after having taken the keys that were sent to it.
  var isAtRest: Bool {
    while read(for: 0) {}
    let process = foreground
    if let waits = waitsBeforeKeys, waits.process == process, waits.count == Self.waits(of: process) {
      return false
    }
    guard unsent.isEmpty, let call = Self.contents(of: "/proc/\(process)/syscall") else { return false }
    // The number of the system call and its arguments. Of ppoll, only the address of the timeout is told.
    let words = call.split(separator: " ")
    #if arch(x86_64)
      guard words.count > 3, words[0] == "7", let timeout = UInt64(words[3].dropFirst(2), radix: 16) else {
        return false
      }
      let milliseconds = Int32(truncatingIfNeeded: timeout)
      let waits = milliseconds < 0 || milliseconds > 1000
    #else
      let waits = words.first == "73"
    #endif
    // The rest of a frame may have come since the beginning.
    return waits && !read(for: 0)
  }

  /// How often a process has waited for something; nil when it is gone.
  private static func waits(of process: pid_t) -> String? {
    let lines = contents(of: "/proc/\(process)/status")?.split(separator: "\n")
    return lines?.last { $0.hasPrefix("voluntary_") }.map(String.init)
  }

  func waitForRest() throws { try wait(for: "rest") { $0.isAtRest } }

  /// Whether the terminal's settings are those that the program has found.
  var hasInitialSettings: Bool { Self.settings(terminal) == initialSettings }

  private static func settings(_ terminal: PseudoTerminal) -> [UInt8] {
    var settings = termios()
    guard tcgetattr(terminal.descriptor, &settings) == 0 else { return [] }
    return withUnsafeBytes(of: &settings) { Array($0) }
  }

  /// Has the program paint, without reading what it writes, until the terminal takes no more.
  func fillQueue() throws {
    let deadline = ContinuousClock.now + Patience.duration
    let device = open(terminal.devicePath, O_WRONLY | O_NOCTTY | O_CLOEXEC)
    defer { close(device) }
    var isFull = false
    while !isFull {
      guard ContinuousClock.now < deadline else {
        throw Failure(description: "the terminal takes everything")
      }
      kill(process, SIGWINCH)
      var output = pollfd(fd: device, events: Int16(POLLOUT), revents: 0)
      isFull = poll(&output, 1, 0) == 0
    }
  }

  /// Waits for the end of the program that was started, and returns how it ended, as a shell says it.
  ///
  /// - Parameter isReading: Whether what it writes is read meanwhile, and not only then.
  func waitForEnd(isReading: Bool = true) throws -> Int32 {
    let deadline = ContinuousClock.now + Patience.duration
    while !program.hasEnded {
      guard ContinuousClock.now < deadline else {
        throw Failure(description: "the program does not end:\n\(screen.text)")
      }
      // There is no event when a process ends whose terminal others have open.
      if !isReading || !read(for: 10) { sched_yield() }
    }
    while read(for: 0) {}
    let status = program.waitForEnd()
    return status < 0 ? 128 - status : status
  }

  /// Quits the app, and expects the terminal to be given back.
  func quit() throws {
    send("q")
    #expect(try waitForEnd() == 0)
    #expect(screen.modes == ScreenParser.initialModes && hasInitialSettings)
  }

  private static func contents(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// Checks that tmux shows the same when it reads what the program has written.
  func expectLikeTmux(_ location: SourceLocation = #_sourceLocation) throws {
    let window = try TmuxWindow(width: screen.columns, height: screen.lines)
    let path = window.folder + "/bytes"
    try Data(output).write(to: URL(filePath: path))
    // In the alternate screen, as the program, and with nothing that answers what the program asked.
    try window.enter(
      "clear; stty raw -echo; printf '\\033[?1049h'; cat bytes; printf '\\033]2;shown\\007'; cat")
    try window.wait(for: "all bytes") { _ in try window.format("#{pane_title}") == "shown" }
    let shown = try window.screen().split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0).replacing("\u{A0}", with: " ")
    }
    let lines = (0..<screen.lines).map { screen.text(line: $0).replacing("\u{A0}", with: " ") }
    for (line, text) in lines.enumerated() {
      let other = line < shown.count ? shown[line] : ""
      #expect(text == other.trimmingTrailingSpaces, "line \(line)", sourceLocation: location)
    }
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
