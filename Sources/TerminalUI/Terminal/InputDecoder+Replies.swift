/// Input that was not typed: the mouse, and replies of the terminal.
extension InputDecoder {
  /// `ESC [ marker parameters final`.
  static func privateEvent(_ marker: UInt8, final: UInt8, _ parameters: [Int]) -> InputEvent? {
    switch (marker, final) {
    case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
      return mouseEvent(parameters, isRelease: final == UInt8(ascii: "m")).map(InputEvent.mouse)
    case (UInt8(ascii: "?"), UInt8(ascii: "y")) where parameters.count == 2 && parameters[0] == 2026:
      // 1 and 2: the mode exists, and is on or off; 0 and 4: it is unknown, or permanently off.
      return .reply(.synchronizedOutput((1...2).contains(parameters[1])))
    case (UInt8(ascii: "?"), UInt8(ascii: "c")): return .reply(.attributes)
    default: return nil
    }
  }

  /// SGR coordinates: button with modifiers, column and line from 1.
  private static func mouseEvent(_ parameters: [Int], isRelease: Bool) -> MouseEvent? {
    guard parameters.count == 3, parameters[1] > 0, parameters[2] > 0 else { return nil }
    let button = parameters[0]
    // Shift, Alt and Control are ignored.
    let action: MouseEvent.Action? =
      switch button & ~0b11100 {
      case 0: isRelease ? .release : .press
      case 32: .drag
      case 64: .wheelUp
      case 65: .wheelDown
      default: nil
      }
    return action.map { MouseEvent(action: $0, column: parameters[1] - 1, line: parameters[2] - 1) }
  }

  /// `ESC [ M` and three bytes, by which terminals report the mouse that do not know SGR coordinates: button,
  /// column and line, each with 32 added, so that none of them is taken for typing.
  func olderMouseReport(_ bytes: ArraySlice<UInt8>, isComplete: Bool) -> Step {
    let report = bytes.dropFirst(3).prefix(3).map { Int($0) - 32 }
    guard report.count == 3 else { return isComplete ? .took(bytes.count, nil) : .incomplete }
    // The release of any button is that of a fourth.
    let isRelease = report[0] & ~0b11100 == 3
    let button = isRelease ? report[0] & ~0b11 : report[0]
    return .took(
      6, Self.mouseEvent([button, report[1], report[2]], isRelease: isRelease).map(InputEvent.mouse))
  }

  /// Longer than any known reply.
  private static let longestSystemCommand = 64

  /// `ESC ] text`, terminated by BEL or `ESC \`, if it can be a reply: otherwise it is Alt-] and the keys
  /// typed after it.
  func systemCommand(_ bytes: ArraySlice<UInt8>, isComplete: Bool) -> Step {
    let alt = Step.took(2, .key(Key(.character("]"), .alt)))
    let text = bytes.dropFirst(2).prefix(Self.longestSystemCommand)
    let beginning = Array("11;".utf8)
    guard text.prefix(3).elementsEqual(beginning.prefix(text.count)) else { return alt }
    if text.isEmpty { return isComplete ? alt : .incomplete }
    guard let end = text.firstIndex(where: { $0 == 0x07 || $0 == 0x1B }) else {
      // It began as a reply: none of it is taken for keys. Its end does not depend on the parts in which it
      // arrived.
      let isTaken = isComplete || text.count == Self.longestSystemCommand
      return isTaken ? .took(text.count + 2, nil) : .incomplete
    }
    guard text[end] == 0x07 || end + 1 < bytes.endIndex else {
      return isComplete ? .took(bytes.count, nil) : .incomplete
    }
    let isEnded = text[end] == 0x07 || bytes[end + 1] == UInt8(ascii: "\\")
    let count = end - bytes.startIndex + (text[end] == 0x07 ? 1 : isEnded ? 2 : 0)
    let color = isEnded ? Self.color(String(decoding: text[..<end].dropFirst(3), as: UTF8.self)) : nil
    return .took(count, color.map { .reply(.background($0)) })
  }

  /// `rgb:RRRR/GGGG/BBBB` or `rgba:…`, of one to four hexadecimal digits each.
  private static func color(_ text: String) -> RGB? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "rgb" || parts[0] == "rgba" else { return nil }
    let components = parts[1].split(separator: "/", omittingEmptySubsequences: false).map { digits in
      UInt32(digits, radix: 16).flatMap { value -> UInt8? in
        guard (1...4).contains(digits.count) else { return nil }
        let greatest = (UInt32(1) << (4 * UInt32(digits.count))) - 1
        return UInt8((value * 255 + greatest / 2) / greatest)
      }
    }
    guard components.count >= 3, let red = components[0], let green = components[1], let blue = components[2]
    else { return nil }
    return RGB(red, green, blue)
  }
}
