/// A decoder from the bytes of a terminal to keys and pastes; pure, so that it is tested without a terminal.
///
/// Two sources define the meaning of a sequence: the terminal's description (`sequences`), and the grammar
/// that xterm and nearly every later terminal follow (`ESC [ 1 ; 5 C` and the like), which covers the
/// modifiers that descriptions leave out. A sequence unknown to both is consumed completely and produces
/// nothing, so that none of its bytes is taken for typing.
struct InputDecoder: Sendable {
  /// The keys by their bytes in the terminal's description.
  private let sequences: [[UInt8]: Key]
  /// Every proper prefix of a sequence.
  private let prefixes: Set<[UInt8]>
  /// The key of the terminal's erase character: some terminals send Ctrl-H for Backspace.
  private let backspace: UInt8

  /// The bytes of an incomplete event.
  private var pending: [UInt8] = []
  /// The text of a paste so far, while it is in progress.
  private var pasted: [UInt8]?

  init(sequences: [[UInt8]: Key] = [:], backspace: UInt8 = 0x7F) {
    self.sequences = sequences.filter { $0.key.first == 0x1B && $0.key.count > 1 }
    var prefixes: Set<[UInt8]> = []
    for sequence in self.sequences.keys {
      for length in 1..<sequence.count { prefixes.insert(Array(sequence[..<length])) }
    }
    self.prefixes = prefixes
    self.backspace = backspace
  }

  /// Whether bytes are held back because more may follow, such as the ESC of a key that may also be Esc
  /// itself. If nothing follows within the escape delay, call `flush`.
  var isWaiting: Bool { !pending.isEmpty && pasted == nil }

  /// Complexity: O(n) in the bytes, also for a paste that arrives in many parts.
  mutating func decode(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    pending.append(contentsOf: bytes)
    return decodePending(isComplete: false)
  }

  /// Decodes the held-back bytes as they are, because nothing followed.
  mutating func flush() -> [InputEvent] {
    guard isWaiting else { return [] }
    return decodePending(isComplete: true)
  }

  enum Step {
    /// A number of bytes produced this event, or none.
    case took(Int, InputEvent?)
    case beganPaste(Int)
    /// More bytes are needed to decide.
    case incomplete
  }

  private mutating func decodePending(isComplete: Bool) -> [InputEvent] {
    var events: [InputEvent] = []
    var position = 0
    while position < pending.count {
      if pasted != nil {
        guard let next = takePaste(from: position, into: &events) else { return events }
        position = next
        continue
      }
      switch step(pending[position...], isComplete: isComplete) {
      case .took(let count, let event):
        position += count
        if let event { events.append(event) }
      case .beganPaste(let count):
        position += count
        pasted = []
      case .incomplete:
        pending.removeFirst(position)
        return events
      }
    }
    pending.removeFirst(min(position, pending.count))
    return events
  }

  private func step(_ bytes: ArraySlice<UInt8>, isComplete: Bool) -> Step {
    guard let first = bytes.first else { return .incomplete }
    if first == 0x1B { return escape(bytes, isComplete: isComplete) }
    if first < 0x20 || first == 0x7F { return .took(1, .key(controlKey(first))) }
    return character(bytes, isComplete: isComplete)
  }

  // MARK: Characters

  private func controlKey(_ byte: UInt8, _ modifiers: Key.Modifiers = []) -> Key {
    if let symbol = byte == backspace ? .backspace : Self.controlKeys[Int(byte)] {
      return Key(symbol, modifiers)
    }
    // 0x01 is Ctrl-A and so on; after the letters come @ [ \ ] ^ _.
    return Key(.character(Character(Unicode.Scalar(byte | 0x40))), modifiers.union(.control))
  }

  /// One scalar of UTF-8. Bytes that are not UTF-8 produce nothing.
  private func character(_ bytes: ArraySlice<UInt8>, isComplete: Bool, _ modifiers: Key.Modifiers = [])
    -> Step
  {
    let first = bytes[bytes.startIndex]
    let length: Int
    switch first {
    case 0..<0x80: length = 1
    case 0xC2..<0xE0: length = 2
    case 0xE0..<0xF0: length = 3
    case 0xF0..<0xF5: length = 4
    default: return .took(1, nil)
    }
    let encoded = bytes.prefix(length)
    for (offset, byte) in encoded.enumerated().dropFirst() where byte & 0xC0 != 0x80 {
      return .took(offset, nil)
    }
    if encoded.count < length { return isComplete ? .took(encoded.count, nil) : .incomplete }
    guard let text = String(validating: encoded, as: UTF8.self), let scalar = text.unicodeScalars.first else {
      return .took(length, nil)
    }
    // C1 controls are not typed.
    if scalar.properties.generalCategory == .control { return .took(length, nil) }
    return .took(length, .key(Key(.character(Character(scalar)), modifiers)))
  }

  // MARK: Escape sequences

  private func escape(_ bytes: ArraySlice<UInt8>, isComplete: Bool) -> Step {
    if let step = describedSequence(bytes, isComplete: isComplete) { return step }
    let rest = bytes.dropFirst()
    guard let second = rest.first else {
      return isComplete ? .took(1, .key(Key(.escape))) : .incomplete
    }
    switch second {
    case 0x5B: return controlSequence(bytes, isComplete: isComplete)
    case 0x4F: return singleShift(bytes, isComplete: isComplete)
    case 0x5D: return systemCommand(bytes, isComplete: isComplete)
    case 0x1B:
      // Alt with a key that is a sequence itself, as rxvt sends it; otherwise Esc, and another ESC after it.
      guard let third = rest.dropFirst().first else {
        return isComplete ? .took(1, .key(Key(.escape))) : .incomplete
      }
      guard third == 0x5B || third == 0x4F else { return .took(1, .key(Key(.escape))) }
      switch escape(rest, isComplete: isComplete) {
      case .incomplete: return .incomplete
      case .took(let count, .key(let key)?):
        return .took(count + 1, .key(Key(key.symbol, key.modifiers.union(.alt))))
      default: return .took(1, .key(Key(.escape)))
      }
    default:
      if second < 0x20 || second == 0x7F { return .took(2, .key(controlKey(second, .alt))) }
      switch character(rest, isComplete: isComplete, .alt) {
      case .took(let count, let event): return .took(count + 1, event)
      case let step: return step
      }
    }
  }

  /// The longest sequence of the terminal's description that `bytes` begin with.
  private func describedSequence(_ bytes: ArraySlice<UInt8>, isComplete: Bool) -> Step? {
    var found: (Int, Key)?
    var length = 1
    while length <= bytes.count {
      let candidate = Array(bytes.prefix(length))
      if let key = sequences[candidate] { found = (length, key) }
      guard prefixes.contains(candidate) else { break }
      length += 1
    }
    if length > bytes.count && !isComplete && found == nil { return .incomplete }
    return found.map { .took($0.0, .key($0.1)) }
  }

  /// `ESC O x`, with the modifier that some terminals insert.
  private func singleShift(_ bytes: ArraySlice<UInt8>, isComplete: Bool) -> Step {
    var index = bytes.startIndex + 2
    var parameter = 0
    while index < bytes.endIndex, (0x30...0x39).contains(bytes[index]) {
      parameter = min(1000, parameter * 10 + Int(bytes[index] - 0x30))
      index += 1
    }
    guard index < bytes.endIndex else {
      // Alt-O is the same two bytes.
      return isComplete ? .took(2, .key(Key(.character("O"), .alt))) : .incomplete
    }
    let count = index - bytes.startIndex + 1
    let modifiers = Self.modifiers(parameter)
    let symbol =
      Self.letterKeys[bytes[index]] ?? Self.keypadCharacters[bytes[index]].map(Key.Symbol.character)
      ?? (bytes[index] == 0x4D ? .enter : nil)
    return .took(count, symbol.map { .key(Key($0, modifiers)) })
  }

  /// `ESC [ parameters intermediates final`.
  private func controlSequence(_ bytes: ArraySlice<UInt8>, isComplete: Bool) -> Step {
    var index = bytes.startIndex + 2
    // The Linux console sends ESC [ [ A to ESC [ [ E for F1 to F5.
    if index < bytes.endIndex, bytes[index] == 0x5B {
      guard index + 1 < bytes.endIndex else { return isComplete ? .took(3, nil) : .incomplete }
      let letter = bytes[index + 1]
      let key = (0x41...0x45).contains(letter) ? Key(.function(Int(letter) - 0x40)) : nil
      return .took(4, key.map(InputEvent.key))
    }
    var parameters: [Int] = []
    var number: Int?
    var marker: UInt8?
    while index < bytes.endIndex {
      let byte = bytes[index]
      switch byte {
      case 0x30...0x39: number = min(1_000_000, (number ?? 0) * 10 + Int(byte - 0x30))
      case 0x3B, 0x3A:
        parameters.append(number ?? 0)
        number = nil
      case 0x3C...0x3F: marker = byte
      case 0x24 where number != nil && marker == nil:
        // rxvt terminates Shift with a key by `$`, which is no final byte elsewhere.
        if let symbol = Self.numberKeys[number ?? 0] {
          return .took(index - bytes.startIndex + 1, .key(Key(symbol, .shift)))
        }
      case 0x20...0x2F: break
      case 0x40...0x7E:
        if let number { parameters.append(number) }
        let count = index - bytes.startIndex + 1
        if byte == 0x7E && parameters.first == 200 { return .beganPaste(count) }
        if byte == 0x6E && parameters == [0] && marker == nil { return .took(count, .statusReport) }
        if let marker { return .took(count, Self.privateEvent(marker, final: byte, parameters)) }
        if byte == 0x4D && count == 3 { return olderMouseReport(bytes, isComplete: isComplete) }
        return .took(count, Self.key(final: byte, parameters).map(InputEvent.key))
      default:
        // No control sequence after all: its start is dropped, and the rest examined again.
        return .took(
          index - bytes.startIndex, index == bytes.startIndex + 2 ? .key(Key(.character("["), .alt)) : nil)
      }
      index += 1
    }
    guard isComplete else { return .incomplete }
    return .took(bytes.count, bytes.count == 2 ? .key(Key(.character("["), .alt)) : nil)
  }

  private static func key(final: UInt8, _ parameters: [Int]) -> Key? {
    let modifiers = modifiers(parameters.count > 1 ? parameters[1] : 0)
    switch final {
    case 0x7E:
      if parameters.first == 27, parameters.count > 2 { return key(codePoint: parameters[2], modifiers) }
      return parameters.first.flatMap { numberKeys[$0] }.map { Key($0, modifiers) }
    case 0x75: return parameters.first.flatMap { key(codePoint: $0, modifiers) }
    case 0x5A: return Key(.tab, modifiers.union(.shift))
    // rxvt: Control with a key ends in `^`, with Shift too in `@`; Shift with an arrow is a lower-case
    // letter.
    case 0x5E: return parameters.first.flatMap { numberKeys[$0] }.map { Key($0, .control) }
    case 0x40: return parameters.first.flatMap { numberKeys[$0] }.map { Key($0, [.control, .shift]) }
    case 0x61...0x64: return letterKeys[final - 0x20].map { Key($0, .shift) }
    default: return letterKeys[final].map { Key($0, modifiers) }
    }
  }

  private static func key(codePoint: Int, _ modifiers: Key.Modifiers) -> Key? {
    if let symbol = codePoint == 0x08 ? .backspace : controlKeys[codePoint] { return Key(symbol, modifiers) }
    guard codePoint >= 0x20, let value = UInt32(exactly: codePoint), let scalar = Unicode.Scalar(value)
    else { return nil }
    return Key(.character(Character(scalar)), modifiers)
  }

  /// xterm's parameter: one more than the sum of Shift 1, Alt 2, Control 4, as in `Key.Modifiers`, Meta 8.
  private static func modifiers(_ parameter: Int) -> Key.Modifiers {
    let bits = UInt8(truncatingIfNeeded: max(0, parameter - 1))
    let modifiers = Key.Modifiers(rawValue: bits & 7)
    return bits & 8 == 0 ? modifiers : modifiers.union(.alt)
  }

  private static let controlKeys: [Int: Key.Symbol] = [
    0x09: .tab, 0x0D: .enter, 0x1B: .escape, 0x7F: .backspace,
  ]

  private static let letterKeys: [UInt8: Key.Symbol] = [
    0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x46: .end, 0x48: .home, 0x50: .function(1),
    0x51: .function(2), 0x52: .function(3), 0x53: .function(4),
  ]

  private static let numberKeys: [Int: Key.Symbol] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6),
    18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11),
    24: .function(12),
  ]

  /// The numeric keypad in application mode.
  private static let keypadCharacters: [UInt8: Character] = [
    0x6A: "*", 0x6B: "+", 0x6C: ",", 0x6D: "-", 0x6E: ".", 0x6F: "/", 0x70: "0", 0x71: "1", 0x72: "2",
    0x73: "3", 0x74: "4", 0x75: "5", 0x76: "6", 0x77: "7", 0x78: "8", 0x79: "9",
  ]

  // MARK: Paste

  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

  /// Moves bytes to the paste until its end; returns where to continue, or `nil` if more bytes are needed and
  /// `pending` contains only a possible beginning of the end.
  private mutating func takePaste(from start: Int, into events: inout [InputEvent]) -> Int? {
    var index = start
    while index < pending.count {
      let next = pending[index...].firstIndex(of: 0x1B) ?? pending.count
      pasted?.append(contentsOf: pending[index..<next])
      guard next < pending.count else { break }
      let candidate = pending[next...].prefix(Self.pasteEnd.count)
      if candidate.elementsEqual(Self.pasteEnd) {
        events.append(.paste(Self.text(of: pasted ?? [])))
        pasted = nil
        return next + Self.pasteEnd.count
      }
      if Self.pasteEnd.starts(with: candidate) {
        pending.removeFirst(next)
        return nil
      }
      pasted?.append(0x1B)
      index = next + 1
    }
    pending.removeAll(keepingCapacity: true)
    return nil
  }

  /// The text of a paste. Terminals send a carriage return for the end of a line.
  private static func text(of bytes: [UInt8]) -> String {
    var text = ""
    for character in String(decoding: bytes, as: UTF8.self) {
      text.append(character == "\r\n" || character == "\r" ? "\n" : character)
    }
    return text
  }
}
