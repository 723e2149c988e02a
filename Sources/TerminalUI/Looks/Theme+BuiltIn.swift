/// The themes that come with the program.
extension Theme {
  package static let builtIn: [Theme] = [
    realmTasks, clear, solarizedDark, solarizedLight, highContrast, monochrome,
  ]

  package static func named(_ name: String) -> Theme? { builtIn.first { $0.name == name } }

  package static let realmTasks = Theme(
    "realmtasks", help: "RealmTasks' colours, from sand to night blue",
    dark: Palette(onDark: .tasks, .lists), light: Palette(onLight: .tasks, .lists))

  /// The heat map: the further down, the less urgent.
  static let clear = Theme(
    "clear", help: "Clear's heat map, from red to yellow",
    dark: Palette(onDark: .heat, .sky), light: Palette(onLight: .heat, .sky))

  static let solarizedDark = Theme(
    "solarized-dark", help: "Solarized on its dark ground",
    Palette(
      ground: Solarized.base03, text: Solarized.base2, faint: Solarized.base1, message: Solarized.yellow,
      heading: Solarized.cyan, key: Solarized.base1, tasks: Solarized.tasks, lists: Solarized.lists,
      selectionTint: 0.3, selection: Solarized.base3, completed: Solarized.base02, completedFaintness: 0.45,
      completing: Solarized.green, mark: Solarized.blue, overdue: Solarized.red, tags: Solarized.tags,
      highlight: Solarized.base3,
      panel: Solarized.base02, panelText: Solarized.base2, chosen: Solarized.cyan))

  static let solarizedLight = Theme(
    "solarized-light", help: "Solarized on its light ground",
    Palette(
      ground: Solarized.base3, text: Solarized.base02, faint: Solarized.base01,
      message: RGB(0xC8, 0x28, 0x26),
      heading: Solarized.base01, key: Solarized.base02, tasks: Solarized.tasks, lists: Solarized.lists,
      selectionTint: 0.3, selection: Solarized.base3, completed: Solarized.base2, completedFaintness: 0.45,
      completing: Solarized.green, mark: Solarized.blue, overdue: Solarized.red, tags: Solarized.tags,
      highlight: Solarized.base03,
      panel: Solarized.base2, panelText: Solarized.base02, chosen: Solarized.cyan))

  static let highContrast = Theme(
    "high-contrast", help: "Black and white, the row under the cursor yellow",
    dark: Palette(
      ground: .black, text: .white, faint: RGB(220, 220, 220), message: RGB(255, 255, 0), heading: .white,
      key: RGB(255, 255, 0), tasks: Gradient([.black]), lists: Gradient([.black]), selectionTint: 1,
      selection: RGB(255, 230, 0), completed: .black, completedFaintness: 0.3, completing: RGB(0, 140, 0),
      mark: RGB(0, 0, 200), markTint: 1, overdue: RGB(255, 80, 80), tags: [RGB(0, 255, 255), RGB(0, 255, 0)],
      highlight: RGB(0, 255, 255), panel: RGB(0, 0, 110), panelText: .white, chosen: RGB(255, 230, 0)),
    light: Palette(
      ground: .white, text: .black, faint: RGB(40, 40, 40), message: RGB(140, 0, 0), heading: .black,
      key: RGB(0, 0, 160), tasks: Gradient([.white]), lists: Gradient([.white]), selectionTint: 1,
      selection: RGB(0, 0, 140), completed: .white, completedFaintness: 0.3, completing: RGB(0, 140, 0),
      mark: RGB(255, 214, 0), markTint: 1, overdue: RGB(170, 0, 0), tags: [RGB(0, 60, 60), RGB(0, 60, 0)],
      highlight: RGB(0, 255, 255), panel: RGB(225, 225, 225), panelText: .black, chosen: RGB(255, 214, 0)))

  static let monochrome = Theme(
    "monochrome", help: "Greys only",
    dark: Palette(
      ground: .black, text: .white, faint: RGB(150, 150, 150), message: .white, heading: .white,
      key: RGB(220, 220, 220), tasks: .greys(from: 70, to: 34), lists: .greys(from: 70, to: 44),
      selectionTint: 0.18, selection: .white, completed: RGB(24, 24, 24), completedFaintness: 0.5,
      completing: RGB(170, 170, 170), mark: RGB(200, 200, 200), overdue: .white,
      tags: [RGB(16, 16, 16), RGB(44, 44, 44)], highlight: RGB(235, 235, 235),
      panel: RGB(38, 38, 38), panelText: RGB(220, 220, 220), chosen: RGB(200, 200, 200)),
    light: Palette(
      ground: .white, text: .black, faint: RGB(90, 90, 90), message: .black, heading: .black,
      key: RGB(40, 40, 40), tasks: .greys(from: 190, to: 235), lists: .greys(from: 180, to: 220),
      selection: .black, completed: RGB(248, 248, 248), completedFaintness: 0.5,
      completing: RGB(110, 110, 110), mark: RGB(80, 80, 80), overdue: .black,
      tags: [RGB(250, 250, 250), RGB(160, 160, 160)], highlight: RGB(40, 40, 40),
      panel: RGB(232, 232, 232), panelText: .black, chosen: RGB(150, 150, 150)))
}

extension Palette {
  fileprivate init(onDark tasks: Gradient, _ lists: Gradient) {
    self.init(
      ground: .black, text: .white, faint: RGB(140, 140, 140), message: RGB(255, 214, 102),
      heading: RGB(33, 180, 251), key: RGB(231, 167, 118), tasks: tasks, lists: lists,
      // RealmTasks' completed rows: a dark grey (20 % white).
      completed: RGB(51, 51, 51), panel: RGB(38, 38, 44), panelText: RGB(220, 220, 220))
  }

  fileprivate init(onLight tasks: Gradient, _ lists: Gradient) {
    self.init(
      ground: .white, text: RGB(20, 20, 20), faint: RGB(105, 105, 105), message: RGB(150, 80, 0),
      heading: RGB(0, 100, 190), key: RGB(160, 70, 20), tasks: tasks, lists: lists,
      completed: RGB(228, 228, 228), completedFaintness: 0.6, panel: RGB(232, 232, 238),
      panelText: RGB(30, 30, 30))
  }
}

extension Gradient {
  fileprivate static let heat = Gradient([
    RGB(222, 58, 60), RGB(224, 70, 40), RGB(226, 82, 28), RGB(231, 110, 28), RGB(235, 137, 30),
    RGB(238, 163, 35), RGB(240, 188, 44),
  ])
  fileprivate static let sky = Gradient([
    RGB(62, 120, 222), RGB(46, 122, 222), RGB(36, 130, 226), RGB(40, 144, 231), RGB(52, 163, 238),
    RGB(68, 181, 243), RGB(88, 198, 246),
  ])

  fileprivate static func greys(from first: UInt8, to last: UInt8) -> Gradient {
    Gradient([RGB(first, first, first), RGB(last, last, last)])
  }
}

/// The sixteen colors of Solarized, as far as they are used here; some rows a little lighter.
private enum Solarized {
  static let base03 = RGB(0x00, 0x2B, 0x36)
  static let base02 = RGB(0x07, 0x36, 0x42)
  static let base01 = RGB(0x58, 0x6E, 0x75)
  static let base1 = RGB(0x93, 0xA1, 0xA1)
  static let base2 = RGB(0xEE, 0xE8, 0xD5)
  static let base3 = RGB(0xFD, 0xF6, 0xE3)
  static let yellow = RGB(0xB5, 0x89, 0x00)
  static let red = RGB(0xDC, 0x32, 0x2F)
  static let blue = RGB(0x26, 0x8B, 0xD2)
  static let cyan = RGB(0x2A, 0xA1, 0x98)
  static let green = RGB(0x85, 0x99, 0x00)

  static let tasks = Gradient([
    yellow, RGB(0xD0, 0x56, 0x24), RGB(0xE0, 0x42, 0x3E), RGB(0xD8, 0x46, 0x8C), RGB(0x7A, 0x7E, 0xD0), blue,
    cyan,
  ])
  static let lists = Gradient([blue, cyan])
  static let tags = [base02, base01, RGB(0x5B, 0x4A, 0x9A), RGB(0x8A, 0x1F, 0x5A), RGB(0x0F, 0x5A, 0x5A)]
}
