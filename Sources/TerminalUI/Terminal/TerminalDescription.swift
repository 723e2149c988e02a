import CNcurses
import Glibc

/// The terminfo description of the terminal that TERM names, and a private variant of it for ncurses.
///
/// ncurses has no attribute for strikethrough, and sends 24-bit colors only if the description says so. In
/// the variant, italics, which are not used here, are the strikethrough sequence, and colors are direct;
/// capabilities that ncurses should not use are absent. It is passed to `newterm` in the environment, in the
/// compiled form that terminfo allows there, so that no file is needed; the rest is that of the person's own
/// description.
package struct TerminalDescription {
  /// The description that was found: TERM's own, or that of a similar terminal.
  let type: String

  /// Reads the description that TERM names, or one of `relatives(of:)` if this machine has none of that name,
  /// for the terminal on `descriptor`.
  package init(type: String?, descriptor: Int32) throws(TerminalError) {
    guard let type, !type.isEmpty else { throw .typeNotSet }
    let names = [type] + Self.relatives(of: type)
    var found: (type: String, result: Int32)?
    for name in names where found == nil {
      var status: Int32 = 0
      // With a status, `setupterm` returns where it would otherwise print a message and exit.
      let result = setupterm(name, descriptor, &status)
      if result != ERR || status == 1 { found = (name, result) }
    }
    guard let found else { throw .unknownType(type) }
    self.type = found.type
    guard found.result != ERR, string("cup") != nil, string("clear") != nil else {
      throw .incapable(type: type)
    }
  }

  /// The descriptions to use for a terminal whose own is not installed, the best first: on a machine that is
  /// reached by ssh, a new terminal's is often missing.
  ///
  /// - Returns: Empty for a name that does not tell the kind of the terminal.
  static func relatives(of type: String) -> [String] {
    let name = type.lowercased()
    if ["tmux", "screen"].contains(where: name.hasPrefix) { return ["screen-256color", "screen"] }
    if name.hasPrefix("rxvt") { return ["rxvt", "xterm"] }
    if name.hasPrefix("linux") { return ["linux"] }
    // They accept the sequences of xterm, and are documented to.
    let like = [
      "xterm", "kitty", "alacritty", "foot", "wezterm", "ghostty", "konsole", "contour", "iterm", "gnome",
      "vte", "mintty", "ms-terminal", "mlterm", "putty", "rio", "st-", "vscode",
    ]
    return name == "st" || like.contains(where: name.hasPrefix) ? ["xterm-256color", "xterm"] : []
  }

  /// A capability by its terminfo name, without the padding that only hardware needed; `nil` if it is absent.
  func string(_ name: String) -> [UInt8]? {
    guard let value = tigetstr(name), value != UnsafeMutablePointer(bitPattern: -1) else { return nil }
    let raw = Self.bytes(value)
    var bytes: [UInt8] = []
    var index = raw.startIndex
    while index < raw.endIndex {
      if raw[index] == UInt8(ascii: "$"), raw[index...].dropFirst().first == UInt8(ascii: "<"),
        let end = raw[index...].firstIndex(of: UInt8(ascii: ">"))
      {
        index = end + 1
      } else {
        bytes.append(raw[index])
        index += 1
      }
    }
    return bytes
  }

  /// The sequence that has all lines scroll again, and leaves the cursor where it is; empty for a terminal of
  /// which it is not known.
  var scrollRegionReset: [UInt8] {
    guard let region = string("csr"), region.starts(with: "\u{1B}[".utf8), region.last == UInt8(ascii: "r"),
      let save = string("sc"), let restore = string("rc")
    else { return [] }
    return save + "\u{1B}[r".utf8 + restore
  }

  func flag(_ name: String) -> Bool { tigetflag(name) == 1 }

  /// A number by its terminfo name; `nil` if it is absent.
  func number(_ name: String) -> Int? {
    let value = tigetnum(name)
    return value < 0 ? nil : Int(value)
  }

  private static func bytes(_ string: UnsafePointer<CChar>) -> [UInt8] {
    UnsafeRawBufferPointer(start: string, count: strlen(string)).map { $0 }
  }

  /// The keys in the description, by the bytes the terminal sends for them.
  func keySequences() -> [[UInt8]: Key] {
    var sequences: [[UInt8]: Key] = [:]
    for (name, key) in Self.keyNames {
      if let bytes = string(name) { sequences[bytes] = key }
    }
    for number in 1...12 {
      if let bytes = string("kf\(number)") { sequences[bytes] = Key(.function(number)) }
    }
    // Extended names contain xterm's modifier: kUP5 is Ctrl-Up.
    for (name, symbol) in Self.extendedKeyNames {
      for (suffix, modifiers) in Self.extendedModifiers {
        if let bytes = string(name + suffix) { sequences[bytes] = Key(symbol, modifiers) }
      }
    }
    return sequences
  }

  private static let keyNames: [(String, Key)] = [
    ("kcuu1", Key(.up)), ("kcud1", Key(.down)), ("kcub1", Key(.left)), ("kcuf1", Key(.right)),
    ("khome", Key(.home)), ("kend", Key(.end)), ("kpp", Key(.pageUp)), ("knp", Key(.pageDown)),
    ("kich1", Key(.insert)), ("kdch1", Key(.delete)), ("kent", Key(.enter)), ("kcbt", Key(.tab, .shift)),
    ("kri", Key(.up, .shift)), ("kind", Key(.down, .shift)), ("kLFT", Key(.left, .shift)),
    ("kRIT", Key(.right, .shift)), ("kHOM", Key(.home, .shift)), ("kEND", Key(.end, .shift)),
    ("kPRV", Key(.pageUp, .shift)), ("kNXT", Key(.pageDown, .shift)), ("kDC", Key(.delete, .shift)),
  ]

  private static let extendedKeyNames: [(String, Key.Symbol)] = [
    ("kUP", .up), ("kDN", .down), ("kLFT", .left), ("kRIT", .right), ("kHOM", .home), ("kEND", .end),
    ("kPRV", .pageUp), ("kNXT", .pageDown), ("kDC", .delete),
  ]

  private static let extendedModifiers: [(String, Key.Modifiers)] = [
    ("3", .alt), ("4", [.alt, .shift]), ("5", .control), ("6", [.control, .shift]), ("7", [.alt, .control]),
  ]

  /// The compiled description, with `strings` and `colors` replaced, in the form that `TERMINFO` accepts.
  ///
  /// The layout is that of term(5) with 32-bit numbers: header, names, flags, numbers, string offsets,
  /// strings, and the same again for the extended capabilities that ncurses itself uses.
  func variant(directColor: Bool, strikethrough: Bool) -> String {
    var strings: [String: [UInt8]] = [:]
    if strikethrough {
      strings["sitm"] = Array("\u{1B}[9m".utf8)
      strings["ritm"] = Array("\u{1B}[29m".utf8)
    }
    if directColor {
      strings["setaf"] = Array("\u{1B}[38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%dm".utf8)
      strings["setab"] = Array("\u{1B}[48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%dm".utf8)
      strings["op"] = Array("\u{1B}[39;49m".utf8)
    }
    // The person's palette is never changed. Nothing is inserted: ncurses would reach the lower right corner
    // in that way if it cannot disable wrapping, and would break a wide cluster beside it.
    let absent: Set<String> = ["initc", "initp", "oc", "ich", "ich1", "smir", "rmir"]

    var entry = CompiledDescription(names: type)
    entry.flags = Self.standardNames(cncurses_boolean_name).map { name in
      switch name {
      case "ccc": false
      // After the last column the cursor of most terminals waits there, whatever their description says, as
      // under the name of ansi: ncurses is not to move it from where it would be on the next line.
      case "xenl": flag(name) || flag("am")
      default: flag(name)
      }
    }
    entry.numbers = Self.standardNames(cncurses_number_name).map { name in
      switch name {
      case "colors" where directColor: 0x1000000
      case "pairs" where directColor: 0x10000
      // The attributes that cannot be used together with colors.
      case "ncv" where directColor: nil
      default: number(name)
      }
    }
    entry.strings = Self.standardNames(cncurses_string_name).enumerated().map { index, name in
      absent.contains(name) ? nil : strings[name] ?? cncurses_string(Int32(index)).map(Self.bytes)
    }
    var flags = ["AX", "XT"].filter(flag)
    if directColor { flags.append("RGB") }
    entry.extendedFlags = flags
    entry.extendedNumbers = number("U8").map { [("U8", $0)] } ?? []
    let digits = Array("0123456789abcdef".utf8)
    var text = Array("hex:".utf8)
    for byte in entry.bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func standardNames(_ name: (Int32) -> UnsafePointer<CChar>?) -> [String] {
    var names: [String] = []
    while let next = name(Int32(names.count)) { names.append(String(cString: next)) }
    return names
  }
}

/// A terminal description in the compiled form of term(5).
private struct CompiledDescription {
  var names: String
  var flags: [Bool] = []
  var numbers: [Int?] = []
  var strings: [[UInt8]?] = []
  var extendedFlags: [String] = []
  var extendedNumbers: [(String, Int)] = []

  var bytes: [UInt8] {
    var output: [UInt8] = []
    let nameBytes = Array((names + "|private").utf8) + [0]
    let (offsets, table) = Self.layOut(strings)

    // 0x021E: numbers have 32 bits.
    for value in [0x021E, nameBytes.count, flags.count, numbers.count, strings.count, table.count] {
      Self.append16(value, to: &output)
    }
    output += nameBytes
    output += flags.map { $0 ? 1 : 0 }
    Self.align(&output)
    for number in numbers { Self.append32(number ?? -1, to: &output) }
    for offset in offsets { Self.append16(offset, to: &output) }
    output += table
    Self.align(&output)

    let extendedNames = (extendedFlags + extendedNumbers.map(\.0)).map { Array($0.utf8) }
    let (nameOffsets, nameTable) = Self.layOut(extendedNames)
    for value in [extendedFlags.count, extendedNumbers.count, 0, extendedNames.count, nameTable.count] {
      Self.append16(value, to: &output)
    }
    output += extendedFlags.map { _ in 1 }
    Self.align(&output)
    for number in extendedNumbers { Self.append32(number.1, to: &output) }
    for offset in nameOffsets { Self.append16(offset, to: &output) }
    output += nameTable
    return output
  }

  private static func layOut(_ strings: [[UInt8]?]) -> (offsets: [Int], table: [UInt8]) {
    var offsets: [Int] = []
    var table: [UInt8] = []
    for string in strings {
      offsets.append(string == nil ? -1 : table.count)
      if let string { table += string + [0] }
    }
    return (offsets, table)
  }

  private static func append16(_ value: Int, to output: inout [UInt8]) {
    let bits = UInt16(truncatingIfNeeded: value)
    output += [UInt8(bits & 0xFF), UInt8(bits >> 8)]
  }

  private static func append32(_ value: Int, to output: inout [UInt8]) {
    append16(value, to: &output)
    append16(value >> 16, to: &output)
  }

  private static func align(_ output: inout [UInt8]) {
    if output.count % 2 != 0 { output.append(0) }
  }
}
