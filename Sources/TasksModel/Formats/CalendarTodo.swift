import CCalendar
import Glibc

/// A VTODO of iCalendar, held by libical.
final class CalendarTodo {
  private let todo: OpaquePointer

  /// The task in lines from `BEGIN:VTODO` to `END:VTODO`; nil if there is none.
  init?(_ text: String) {
    guard let todo = ccalendar_parse(text) else { return nil }
    self.todo = todo
  }

  /// Creates an empty task; nil without memory for it.
  init?() {
    guard let todo = ccalendar_new() else { return nil }
    self.todo = todo
  }

  deinit { ccalendar_free(todo) }

  /// The value of a property in iCalendar's form; nil if there is none of this number.
  func value(_ name: String, _ number: Int32 = 0) -> String? {
    Self.text(ccalendar_value(todo, name, number))
  }

  /// The text of a property without its codes.
  func text(_ name: String, _ number: Int32 = 0) -> String? {
    value(name, number).map(CalendarText.unescaped)
  }

  func parameter(_ parameter: String, of name: String) -> String? {
    Self.text(ccalendar_parameter(todo, name, 0, parameter))
  }

  func add(_ line: String) {
    _ = ccalendar_add(todo, line)
  }

  var lines: String { Self.text(ccalendar_text(todo)) ?? "" }

  private static func text(_ memory: UnsafeMutablePointer<CChar>?) -> String? {
    defer { free(memory) }
    return memory.map { String(cString: $0) }
  }

  /// The moment of a local time in a zone such as `Europe/Berlin`, which may be the end of a longer name; nil
  /// for another.
  static func secondsFromGreenwich(at time: LocalTime, in zone: String) -> Int? {
    var parts = zone.split(separator: "/")[...]
    while !parts.isEmpty {
      var seconds: Int32 = 0
      let isKnown = ccalendar_offset(
        parts.joined(separator: "/"), Int32(time.year), Int32(time.month), Int32(time.day), Int32(time.hour),
        Int32(time.minute), &seconds)
      if isKnown { return Int(seconds) }
      parts.removeFirst()
    }
    return nil
  }
}

/// The codes in texts of iCalendar.
enum CalendarText {
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x5C || $0 == 0x2C || $0 == 0x3B || $0 == 0x7F })
    else { return text }
    var escaped = ""
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      defer { isAfterReturn = scalar == "\r" }
      switch scalar {
      case "\\", ",", ";": escaped += "\\" + String(scalar)
      // One line ending, whichever it is.
      case "\n" where isAfterReturn: break
      case "\n", "\r": escaped += "\\n"
      // Other control characters are not allowed there.
      case "\u{0}"..<"\u{9}", "\u{A}"..<"\u{20}", "\u{7F}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(0x5C) else { return text }
    var plain = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", let next = rest.popFirst() {
        plain.unicodeScalars.append(next == "n" || next == "N" ? "\n" : next)
      } else {
        plain.unicodeScalars.append(scalar)
      }
    }
    return plain
  }
}

/// The error that libical is missing, which the program loads when it is needed. Its description is a
/// sentence without capital and full stop.
public struct CalendarLibraryMissing: Error, CustomStringConvertible {
  public var description: String {
    ccalendar_loads_libraries()
      ? "iCalendar needs the library libical, which is not installed; on Debian: apt install libical3"
      : "iCalendar needs the library libical, which a program without shared libraries cannot load; use the "
        + "one that “make run” builds"
  }

  /// Throws the error if the library is missing.
  static func check() throws(CalendarLibraryMissing) {
    if !ccalendar_is_available() { throw CalendarLibraryMissing() }
  }
}
