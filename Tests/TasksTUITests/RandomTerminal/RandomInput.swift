import Glibc
import TestSupport

@testable import TasksTUI

/// Random input from a keyboard, a mouse, a terminal, a paste or a broken line, at random.
struct RandomInput {
  /// Something that happens at the terminal.
  enum Event {
    case bytes([UInt8])
    case size(columns: Int, lines: Int)
    /// A signal that somebody sends to the program.
    case signal(Int32)
  }

  private static let keys = Array("jjjkkkgGaAoOeidxxJKmvVu.nNhlTUFscPDy#/?:>+-HML<0123 \t\r\r\u{7F}\u{1B}")
  private static let words = [
    "milk", "bread #home", "call tomorrow", "x", "the quick brown fox", "pay #home #rent", "1 2 3", "  ", "q",
  ]
  private static let symbols = [
    "é", "e\u{301}", "会", "漢字かな", "🚀", "👩‍👩‍👧", "🇫🇷", "❤️", "👍🏽", "한", "ß", "\u{202E}abc", "\u{200B}", "كتاب",
    "\u{1F3FB}",
    "\u{A0}", "\u{FEFF}", "Z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}", "�",
  ]
  private static let commands = [
    "add one more", "add-on-top first", "set mouse off", "set mouse on", "set animation off",
    "set animation full",
    "set animation fade", "set speed 4", "set glyphs ascii", "set glyphs unicode", "theme clear",
    "theme monochrome", "theme realmtasks", "theme solarized-light", "today", "tag home", "due tomorrow",
    "due none", "due 2026-02-30",
    "priority a", "edit again", "move-to-list Work", "search milk", "3", "undo", "redo", "clear", "mark-all",
    "12 down", "nonsense", "", "editor", "upcoming", "waiting", "done", "archive", "sort due", "sort text",
    "sort priority", "keep-sorted text", "keep-sorted off", "color green", "color none", "hide",
    "repeat every day", "repeat none", "save-search milk", "filter", "copy",
  ]
  private static let pieces = [
    "\u{1B}", "\u{1B}[", "\u{1B}[1;", "\u{1B}]", "\u{1B}P", "\u{1B}O", "\u{1B}[<", "\u{1B}[<0;1", "\u{1B}[M",
    "\u{1B}[200~", "\u{1B}[201~", "\u{1B}[I", "\u{1B}[O", "\u{1B}[0n", "\u{1B}[?2026;2$y", "\u{1B}[?1;2c",
    "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}\\",
    "\u{1B}[27;5;106~",
    "\u{1B}[106;5u", "\u{1B}[999999999999999999;5~", "\u{1B}[;;;;;;;;;;;;;;;;A",
  ]

  /// The next event.
  static func event(_ random: inout SeededGenerator) -> Event {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<45: .bytes(Array(String(keys.randomElement(using: &random)!).utf8))
    case ..<53: .bytes(Array(words.randomElement(using: &random)!.utf8))
    case ..<58: .bytes(Array(symbols.randomElement(using: &random)!.utf8))
    case ..<63: .bytes(controls(&random))
    case ..<70: .bytes(sequence(&random))
    case ..<74: .bytes(Array(pieces.randomElement(using: &random)!.utf8))
    case ..<82: .bytes(mouse(&random))
    case ..<86: .bytes(paste(&random))
    case ..<89:
      .bytes(
        (0..<Int.random(in: 1...6, using: &random)).map { _ in UInt8.random(in: 0x80...0xFF, using: &random) }
      )
    case ..<94: .bytes(Array(":\(commands.randomElement(using: &random)!)\r".utf8))
    case ..<98: size(&random)
    case 98: .bytes([0x1A])
    default: .signal([SIGTSTP, SIGCONT, SIGWINCH].randomElement(using: &random)!)
    }
  }

  /// Control bytes, but for those that the terminal itself turns into the end of the program: Ctrl-C and
  /// Ctrl-\.
  private static func controls(_ random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in
      let byte = UInt8.random(in: 0..<0x20, using: &random)
      return [0x03, 0x1A, 0x1C].contains(byte) ? 0x07 : byte
    }
  }

  /// A control sequence, of a key or of none.
  private static func sequence(_ random: inout SeededGenerator) -> [UInt8] {
    let finals = Array("ABCDEFHPQRSZ~~~~umyhlc@".utf8)
    let numbers = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      "\(Int.random(in: 0...34, using: &random))"
    }
    let introducer = ["\u{1B}[", "\u{1B}[", "\u{1B}O", "\u{1B}\u{1B}[", "\u{1B}[?"].randomElement(
      using: &random)!
    return Array((introducer + numbers.joined(separator: ";")).utf8) + [finals.randomElement(using: &random)!]
  }

  private static func mouse(_ random: inout SeededGenerator) -> [UInt8] {
    let button = [0, 0, 0, 32, 32, 64, 65, 1, 2, 35, 66, 200].randomElement(using: &random)!
    let column = Int.random(in: 0...90, using: &random)
    let line = Int.random(in: 0...30, using: &random)
    let final = Bool.random(using: &random) ? "M" : "m"
    if Int.random(in: 0..<12, using: &random) == 0 { return Array("\u{1B}[M !!".utf8) }
    return Array("\u{1B}[<\(button);\(column);\(line)\(final)".utf8)
  }

  private static func paste(_ random: inout SeededGenerator) -> [UInt8] {
    var text = ""
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      text += [
        words.randomElement(using: &random)!, symbols.randomElement(using: &random)!, "\n", "\r\n", "\t",
        "\u{1B}[31m", "\u{7}", "\0",
      ]
      .randomElement(using: &random)!
    }
    return Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)
  }

  private static func size(_ random: inout SeededGenerator) -> Event {
    let sizes = [
      (80, 24), (80, 24), (1, 1), (2, 1), (1, 9), (3, 2), (20, 5), (40, 10), (132, 43), (200, 3), (9, 60),
    ]
    let (columns, lines) = sizes.randomElement(using: &random)!
    return .size(columns: columns, lines: lines)
  }
}
