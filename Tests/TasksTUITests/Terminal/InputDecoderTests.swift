import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Input decoder")
struct InputDecoderTests {
  /// The events for `input` and, as though nothing followed, for what is left of it.
  static func names(_ input: String, sequences: [[UInt8]: Key] = [:], backspace: UInt8 = 0x7F) -> [String] {
    var decoder = InputDecoder(sequences: sequences, backspace: backspace)
    return (decoder.decode(Array(input.utf8)) + decoder.flush()).map(name)
  }

  static func name(_ event: InputEvent) -> String {
    switch event {
    case .key(let key): key.description
    case .paste(let text): "paste(\(text))"
    default: "\(event)"
    }
  }

  @Test("Characters and control characters are keys")
  func characters() {
    #expect(Self.names("aé会🚀 ") == ["a", "é", "会", "🚀", "Space"])
    #expect(
      Self.names("\u{0}\u{1}\u{4}\t\n\r\u{1F}\u{1C}\u{7F}")
        == ["C-Space", "C-a", "C-d", "Tab", "C-j", "Enter", "C-_", "C-\\", "Backspace"])
    #expect(Self.names("\u{8}") == ["C-h"])
    #expect(Self.names("\u{8}", backspace: 0x08) == ["Backspace"])
  }

  @Test(
    "Sequences of xterm and its kind, with modifiers",
    arguments: [
      ("[A", "Up"), ("OB", "Down"), ("[1;2A", "S-Up"), ("[1;3B", "M-Down"), ("[1;5C", "C-Right"),
      ("[1;6D", "C-S-Left"), ("[1;7H", "C-M-Home"), ("[F", "End"), ("[1~", "Home"), ("[4~", "End"),
      ("[3~", "Delete"),
      ("[3;5~", "C-Delete"), ("[5~", "PgUp"), ("[6;2~", "S-PgDn"), ("OP", "F1"), ("[15~", "F5"),
      ("[24;5~", "C-F12"),
      ("[Z", "S-Tab"), ("[[A", "F1"), ("[[E", "F5"), ("[a", "S-Up"), ("[7^", "C-Home"), ("[8$", "S-End"),
      ("[3@", "C-S-Delete"), ("O5A", "C-Up"), ("[106;5u", "C-j"), ("[27;5;13~", "C-Enter"), ("OM", "Enter"),
      ("Ok", "+"), ("x", "M-x"), ("X", "M-X"), ("\u{7F}", "M-Backspace"), ("\r", "M-Enter"),
      ("\u{1B}[A", "M-Up"),
      ("é", "M-é"), ("[", "M-["), ("O", "M-O"), ("\u{2}", "C-M-b"),
    ] as [(String, String)])
  func sequences(rest: String, name: String) {
    #expect(Self.names("\u{1B}" + rest) == [name])
    #expect(Self.names("a\u{1B}" + rest) == ["a", name])
  }

  @Test("Esc alone is Esc, once nothing has followed")
  func escape() {
    var decoder = InputDecoder()
    #expect(decoder.decode([0x1B]).isEmpty)
    #expect(decoder.isWaiting)
    #expect(decoder.flush().map(Self.name) == ["Esc"])
    #expect(!decoder.isWaiting)
    #expect(Self.names("\u{1B}\u{1B}") == ["Esc", "Esc"])
    #expect(Self.names("\u{1B}\u{1B}\u{1B}[A") == ["Esc", "M-Up"])
  }

  @Test(
    "A sequence that means nothing gives nothing",
    arguments: ["[?1;2x", "[99~", "[I", "[>0;1;2M", "OZ", "[1;5"])
  func unknown(rest: String) {
    #expect(Self.names("\u{1B}" + rest) == [])
  }

  @Test("A key from the terminal's description goes before the common grammar")
  func described() {
    let sequences = [Array("\u{1B}[A".utf8): Key(.home), Array("\u{1B}|x".utf8): Key(.function(7))]
    #expect(Self.names("\u{1B}[A\u{1B}|x\u{1B}|y", sequences: sequences) == ["Home", "F7", "M-|", "y"])
  }

  @Test("A paste is one event whatever is in it, and its lines end in newlines")
  func paste() {
    #expect(
      Self.names("a\u{1B}[200~one\rtwo\r\nthree\u{1B}[A\u{3}é\u{1B}[201~b")
        == ["a", "paste(one\ntwo\nthree\u{1B}[A\u{3}é)", "b"])
    #expect(Self.names("\u{1B}[200~\u{1B}[201~") == ["paste()"])
  }

  @Test("Bytes that are not UTF-8 are left out")
  func invalid() {
    var decoder = InputDecoder()
    let bytes: [UInt8] = [
      0x61, 0xFF, 0x62, 0xC3, 0x63, 0xE4, 0xBC, 0x64, 0xED, 0xA0, 0x80, 0x65, 0xC2, 0x9B, 0x66,
    ]
    #expect((decoder.decode(bytes) + decoder.flush()).map(Self.name) == ["a", "b", "c", "d", "e", "f"])
  }

  @Test("Where the bytes are cut into reads makes no difference")
  func anyCut() {
    var random = SeededGenerator()
    let pieces = [
      "a", "é", "会", "🚀", "\u{1B}[A", "\u{1B}OB", "\u{1B}[1;5C", "\u{1B}x", "\u{1B}\u{1B}[A", "\r",
      "\u{1B}[?1;2c",
      "\u{1B}[200~x\ry\u{1B}[20\u{1B}\u{1B}[201~", "\u{1B}[200~\u{1B}[201~", "\u{1B}[3~", "\u{1B}[[A",
      "\u{1F}",
    ]
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 1...8, using: &random))
        .flatMap { _ in Array(pieces.randomElement(using: &random)!.utf8) }
      var whole = InputDecoder()
      let expected = whole.decode(bytes)
      var parts = InputDecoder()
      var events: [InputEvent] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...min(4, rest.count), using: &random)
        events += parts.decode(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(events == expected, "\(random.comment)")
    }
  }

  @Test("No bytes whatever stop it")
  func anyBytes() {
    var random = SeededGenerator()
    let likely: [UInt8] = [
      0x1B, 0x5B, 0x4F, 0x32, 0x30, 0x31, 0x7E, 0x3B, 0x24, 0x41, 0xE4, 0xBC, 0x9A, 0xF0, 0x80,
    ]
    for _ in 0..<5000 {
      var decoder = InputDecoder(sequences: [Array("\u{1B}[1".utf8): Key(.up)])
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let bytes = (0..<Int.random(in: 0...9, using: &random)).map { _ in
          Bool.random(using: &random)
            ? likely.randomElement(using: &random)! : UInt8.random(in: 0...255, using: &random)
        }
        _ = decoder.decode(bytes)
        if Bool.random(using: &random) { _ = decoder.flush() }
      }
    }
  }

  // MARK: What nobody types

  @Test(
    "The terminal's background is understood, in one piece or in any two",
    arguments: [
      ("\u{1B}]11;rgb:fdfd/f6f6/e3e3\u{1B}\\", RGB(0xFD, 0xF6, 0xE3)),
      ("\u{1B}]11;rgb:00/2b/36\u{7}", RGB(0x00, 0x2B, 0x36)),
      ("\u{1B}]11;rgba:0/f/8/f\u{7}", RGB(0, 255, 136)),
    ])
  func background(text: String, color: RGB) {
    let bytes = Array(text.utf8)
    for place in 0...bytes.count {
      var decoder = InputDecoder()
      var events = decoder.decode(bytes[..<place])
      events += decoder.decode(bytes[place...])
      events += decoder.decode(Array("x".utf8))
      #expect(events == [.reply(.background(color)), .key(Key(.character("x")))], "cut at \(place)")
    }
  }

  @Test("An answer that is cut off or makes no sense gives no keys; Alt-] is a key as before")
  func strangeReplies() {
    for text in [
      "\u{1B}]11;rgb:zz/00/00\u{7}", "\u{1B}]11;nothing\u{1B}\\", "\u{1B}]11;rgb:1/2", "\u{1B}]11;\u{7}",
    ] {
      var decoder = InputDecoder()
      #expect(decoder.decode(Array(text.utf8)) + decoder.flush() == [])
    }
    var decoder = InputDecoder()
    #expect(decoder.decode(Array("\u{1B}]".utf8)) == [] && decoder.isWaiting)
    #expect(decoder.flush() == [.key(Key(.character("]"), .alt))])
    #expect(
      decoder.decode(Array("\u{1B}]x".utf8)) == [
        .key(Key(.character("]"), .alt)), .key(Key(.character("x"))),
      ])
    let long = Array(("\u{1B}]11;" + String(repeating: "1", count: 500)).utf8)
    _ = decoder.decode(long)
    #expect(!decoder.isWaiting)
  }

  @Test("Whether frames can be held back is told; other modes are nobody's business")
  func modes() {
    var decoder = InputDecoder()
    #expect(decoder.decode(Array("\u{1B}[?2026;2$y".utf8)) == [.reply(.synchronizedOutput(true))])
    #expect(decoder.decode(Array("\u{1B}[?62;22c".utf8)) == [.reply(.attributes)])
    #expect(decoder.decode(Array("\u{1B}[?6c".utf8)) == [.reply(.attributes)])
    #expect(decoder.decode(Array("\u{1B}[?2026;0$y".utf8)) == [.reply(.synchronizedOutput(false))])
    #expect(
      decoder.decode(Array("\u{1B}[?2026;4$y\u{1B}[?25;1$y".utf8)) == [.reply(.synchronizedOutput(false))])
  }

  @Test("The mouse: left button, drag and wheel, far to the right too, and nothing else")
  func mouse() {
    var decoder = InputDecoder()
    let events = decoder.decode(
      Array(
        "\u{1B}[<0;1;2M\u{1B}[<32;3;4M\u{1B}[<0;300;200m\u{1B}[<64;1;1M\u{1B}[<65;1;1M\u{1B}[<20;5;6M".utf8))
    let expected: [(MouseEvent.Action, Int, Int)] = [
      (.press, 0, 1), (.drag, 2, 3), (.release, 299, 199), (.wheelUp, 0, 0), (.wheelDown, 0, 0),
      (.press, 4, 5),
    ]
    let mice = expected.map { InputEvent.mouse(MouseEvent(action: $0.0, column: $0.1, line: $0.2)) }
    #expect(events == mice)
    #expect(decoder.decode(Array("\u{1B}[<2;1;1M\u{1B}[<35;1;1M\u{1B}[<0;0;1M\u{1B}[<0;1M".utf8)) == [])
  }

  @Test("The mouse of a terminal that knows only the older reports, in one piece or in any two")
  func olderMouse() {
    let reports: [([UInt8], MouseEvent?)] = [
      ([0x20, 0x64, 0x22], MouseEvent(action: .press, column: 67, line: 1)),
      ([0x40, 0x21, 0x21], MouseEvent(action: .drag, column: 0, line: 0)),
      ([0x23, 0xE4, 0xFF], MouseEvent(action: .release, column: 195, line: 222)),
      ([0x60, 0x22, 0x23], MouseEvent(action: .wheelUp, column: 1, line: 2)),
      ([0x61, 0x22, 0x23], MouseEvent(action: .wheelDown, column: 1, line: 2)),
      ([0x34, 0x22, 0x23], MouseEvent(action: .press, column: 1, line: 2)),
      // Another button; a column further to the right than the report can say; the rest of a key.
      ([0x22, 0x22, 0x23], nil), ([0x20, 0x00, 0x23], nil), ([0x1B, 0x5B, 0x41], nil),
    ]
    for (rest, event) in reports {
      let bytes = Array("\u{1B}[M".utf8) + rest + [0x78]
      let expected = (event.map { [.mouse($0)] } ?? []) + [InputEvent.key(Key(.character("x")))]
      for place in 0...bytes.count {
        var decoder = InputDecoder()
        #expect(
          decoder.decode(bytes[..<place]) + decoder.decode(bytes[place...]) == expected,
          "\(rest), cut at \(place)")
      }
      // One of which nothing more comes is none.
      var decoder = InputDecoder()
      #expect(decoder.decode(bytes.prefix(4)) + decoder.flush() == [] && !decoder.isWaiting)
    }
  }
}
