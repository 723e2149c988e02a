import TasksModel
import TerminalUI

/// A setting as shown to people.
struct SettingDescription: Sendable {
  /// A value that a setting does not accept.
  struct Problem: Error, Equatable {
    /// A sentence without its full stop.
    var message: String
  }

  enum Kind: Sendable {
    case choice(WritableKeyPath<Settings, String> & Sendable, @Sendable (Settings) -> [String])
    case toggle(WritableKeyPath<Settings, Bool> & Sendable)
    case number(WritableKeyPath<Settings, Double> & Sendable, ClosedRange<Double>)
    case text(WritableKeyPath<Settings, String> & Sendable)
  }

  /// The name in the file and after `:set`, which is unique.
  let name: String
  /// The description, a sentence without its full stop.
  let help: String
  let kind: Kind

  /// The present value, as it would be typed.
  func value(in settings: Settings) -> String {
    switch kind {
    case .choice(let path, _), .text(let path): settings[keyPath: path]
    case .toggle(let path): settings[keyPath: path] ? "on" : "off"
    case .number(let path, _): Self.words(settings[keyPath: path])
    }
  }

  /// The present value, in a sentence.
  func valueInWords(_ settings: Settings) -> String {
    guard case .text(let path) = kind else { return value(in: settings) }
    return settings[keyPath: path].isEmpty ? "not set" : settings[keyPath: path].quoted
  }

  /// The values that can be listed.
  func values(in settings: Settings) -> [String] {
    switch kind {
    case .choice(_, let values): values(settings)
    case .toggle: ["on", "off"]
    case .number, .text: []
    }
  }

  func valuesInWords(_ settings: Settings) -> String {
    switch kind {
    case .choice, .toggle: values(in: settings).joined(separator: ", ")
    case .number(_, let range): "\(Self.words(range.lowerBound)) to \(Self.words(range.upperBound))"
    case .text: "any text"
    }
  }

  /// Sets the value from typed text.
  func set(_ value: String, in settings: inout Settings) throws(Problem) {
    switch kind {
    case .choice(let path, let values):
      guard values(settings).contains(value) else { throw refusal(settings) }
      settings[keyPath: path] = value
    case .toggle(let path):
      switch value {
      case "on", "true", "yes": settings[keyPath: path] = true
      case "off", "false", "no": settings[keyPath: path] = false
      default: throw refusal(settings)
      }
    case .number(let path, let range):
      guard let number = Double(value), range.contains(number) else { throw refusal(settings) }
      settings[keyPath: path] = number
    case .text(let path): settings[keyPath: path] = value
    }
  }

  /// Sets the value from the file, where it has to have the right type.
  func set(_ value: TOMLValue, in settings: inout Settings) throws(Problem) {
    switch (kind, value) {
    case (.choice, .string(let text)), (.text, .string(let text)): try set(text, in: &settings)
    case (.toggle, .boolean(let isOn)): try set(isOn ? "on" : "off", in: &settings)
    case (.number, .number(let number)): try set("\(number)", in: &settings)
    // As it is said after `:set`.
    case (.toggle, .string(let text)) where text == "on" || text == "off": try set(text, in: &settings)
    case (.toggle, _): throw Problem(message: "\(name) is true or false")
    case (.number, _): throw refusal(settings)
    case (.choice, _), (.text, _): throw Problem(message: "\(name) is a text in quotes")
    }
  }

  private func refusal(_ settings: Settings) -> Problem {
    if case .number = kind { return Problem(message: "\(name) is a number from \(valuesInWords(settings))") }
    return Problem(message: "\(name) is one of \(valuesInWords(settings))")
  }

  private static func words(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}

enum SettingTable {
  /// All settings, each once, in the order of the file and the help.
  static let all: [SettingDescription] = [
    .init(name: "theme", help: "Colours", kind: .choice(\.theme, { $0.themes.map(\.name) })),
    .init(
      name: "background", help: "The theme's dark or light side; auto asks the terminal",
      kind: .choice(\.background, { _ in ["auto", "dark", "light"] })),
    .init(
      name: "animation", help: "Whether rows travel, or pictures only fade, or nothing moves",
      kind: .choice(\.animation, { _ in Appearance.Movement.allCases.map(\.rawValue) })),
    .init(
      name: "speed", help: "How many times as fast as usual everything moves",
      kind: .number(\.speed, 0.25...4)),
    .init(
      name: "mouse", help: "Whether clicks, drags and the wheel are for the list", kind: .toggle(\.mouse)),
    .init(
      name: "glyphs", help: "What lines and marks are made of; auto goes by the terminal",
      kind: .choice(\.glyphs, { _ in ["auto", "unicode", "ascii"] })),
    .init(
      name: "bidi",
      help: "Who puts text in order that runs from right to left; auto goes by the terminal",
      kind: .choice(\.bidi, { _ in ["auto", "program", "terminal"] })),
    .init(
      name: "edit-on-top", help: "Whether a row that is edited goes to the top of the screen",
      kind: .toggle(\.editsOnTop)),
    .init(
      name: "lists-beside",
      help: "Whether the lists stand beside their tasks; auto from \(Settings.wideWidth) columns on",
      kind: .choice(\.listsBeside, { _ in ["auto", "on", "off"] })),
    .init(
      name: "presence", help: "Whether windows on the same file tell each other what they edit",
      kind: .toggle(\.presence)),
    .init(
      name: "list", help: "The list that is opened first; without it, the one that was open last",
      kind: .text(\.list)),
    .init(
      name: "completed", help: "Where a completed row goes: to the end, or on top of the completed ones",
      kind: .choice(\.completed, { _ in CompletedRows.allCases.map(\.rawValue) })),
    .init(
      name: "hide-completed", help: "Whether completed tasks are out of sight; :hide keeps a change",
      kind: .toggle(\.hideCompleted)),
  ]

  static func setting(named name: String) -> SettingDescription? { all.first { $0.name == name } }
}
