import Glibc
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Themes")
struct ThemeTests {
  @Test("Every word on the ground can be read in every theme, on dark and on light terminals")
  func contrastOnGround() {
    for theme in Theme.builtIn {
      for palette in [theme.dark, theme.light] {
        let least = theme == .highContrast ? 7 : 4.5
        for color in [palette.text, palette.faint, palette.message, palette.heading, palette.key] {
          #expect(
            color.contrast(with: palette.ground) >= least, "\(theme.name): \(color) on \(palette.ground)")
        }
        #expect(palette.panelText.contrast(with: palette.panel) >= 4.5, "\(theme.name)")
      }
    }
  }

  @Test("The row under the cursor differs from the others, and its text can be read")
  func selection() {
    for theme in Theme.builtIn {
      for palette in [theme.dark, theme.light] {
        for color in palette.tasks.stops + palette.lists.stops {
          let selected = color.blended(with: palette.selection, amount: palette.selectionTint)
          #expect(selected != color)
          for ground in [color, selected, palette.completed, palette.highlight, palette.chosen] {
            #expect(ground.contrastingText.contrast(with: ground) >= 4.5)
          }
        }
      }
    }
  }

  @Test("All rows of a theme have text of one colour, and in long lists each row differs from the next")
  func rows() {
    for theme in Theme.builtIn {
      for palette in [theme.dark, theme.light] {
        for gradient in [palette.tasks, palette.lists] {
          let grounds = (0..<200).map { gradient.color(row: $0, of: 200) }
          #expect(Set(grounds.map(\.contrastingText)).count == 1, "\(theme.name)")
          guard gradient.stops.count > 1 else { continue }
          for (a, b) in zip(grounds, grounds.dropFirst()) {
            let difference =
              abs(Int(a.red) - Int(b.red)) + abs(Int(a.green) - Int(b.green)) + abs(Int(a.blue) - Int(b.blue))
            #expect(difference >= 12, "\(theme.name): \(a), \(b)")
          }
        }
      }
    }
  }

  /// The keys to screens of a list with everything that a row can show, and the least contrast there.
  private static let screens: [(keys: [String], contrast: Double)] = [
    ([], 3), (["j", "v", "j", "j"], 3), (["Esc", "Esc", "e"], 3), (["Esc", "?"], 4.5),
    (["Esc", "/", "o"], 3),
    (["Esc", "Esc", "h"], 3), (["a"], 3), (["Esc", ":", "t", "h", "e", "Tab"], 3),
  ]

  @Test(
    "Every text that is drawn can be read, in every theme and with any number of colours",
    arguments: Theme.builtIn.map(\.name), [ColorDepth.direct, .twoHundredFiftySix, .sixteen, .eight])
  func contrastOfScreens(name: String, depth: ColorDepth) throws {
    for background in ["dark", "light"] {
      let app = try AppHarness(
        [
          "one #home", "Two fri at 9", "THREE", "four !A", "Five 林檎",
        ] + (0..<20).map { "o \($0)" }, width: 120, height: 40,
        appearance: Appearance(isAnimated: false, depth: depth), hasListsBeside: true)
      _ = app.app.run(line: "theme \(name)")
      _ = app.app.run(line: "set background \(background)")
      for task in ["Pay yesterday 9:00", "Call fri at 9 every week", "!A Write"] {
        _ = app.app.run(line: "add \(task)")
      }
      for (keys, least) in Self.screens {
        for key in keys { try app.press(key) }
        app.draw()
        for line in 0..<app.frame.height {
          for column in 0..<app.frame.width {
            let cell = app.frame[column, line]
            guard cell.text != " ", let text = cell.style.foreground, let ground = cell.style.background,
              let shown = depth.indices(foreground: text, background: ground)
            else { continue }
            let contrast = depth.color(at: shown.foreground).contrast(with: depth.color(at: shown.background))
            // Text that is not dimmed in the theme's own colours has to be read in the nearest ones, too.
            // Black on the magenta of eight colours has 4.47, and white less.
            let isToBeRead = text.contrast(with: ground) >= 4.5
            #expect(
              contrast >= (isToBeRead ? depth == .eight ? 4.4 : 4.5 : least),
              "\(name), \(background), \(depth), \(keys): “\(cell.text)” at \(column), \(line): \(text) on \(ground)"
            )
          }
        }
      }
    }
  }

  @Test("A terminal that says its background is light gets the light side, without anything else being asked")
  func background() throws {
    let app = try AppHarness(["one"])
    #expect(app.frame[0, 0].style.background == .black)
    #expect(app.app.handle(.reply(.background(RGB(0xFD, 0xF6, 0xE3)))) == nil)
    #expect(app.app.nextFrame(after: app.now) == app.now)
    app.draw()
    #expect(app.frame[0, 0].style == Theme.realmTasks.light.plain)
    #expect(app.frame[0, 0].style.background == .white)
    _ = app.app.run(line: "set background dark")
    app.draw()
    #expect(app.frame[0, 0].style.background == .black)
  }

  @Test("An answer that changes nothing draws nothing")
  func sameBackground() throws {
    let app = try AppHarness(["one"])
    _ = app.app.handle(.reply(.background(RGB(20, 20, 30))))
    #expect(app.app.nextFrame(after: app.now) == nil)
    app.app.guessBackground("15;0")
    #expect(app.app.nextFrame(after: app.now) == nil)
    app.app.guessBackground("nonsense")
    app.app.guessBackground("0;default;15")
    #expect(app.app.nextFrame(after: app.now) != nil)
  }

  @Test("A theme is changed by its name, which is completed; any other is refused with the names there are")
  func command() throws {
    let app = try AppHarness(["one"], width: 100)
    try app.press(":")
    app.type("theme solarized-l")
    try app.press("Tab", "Enter")
    #expect(app.status == "theme is solarized-light now.")
    #expect(app.frame[0, 0].style.background == Theme.solarizedLight.dark.ground)
    _ = app.app.run(line: "theme pink")
    app.draw()
    #expect(app.status.hasPrefix("theme is one of realmtasks, clear, solarized-dark"))
    _ = app.app.run(line: "theme")
    app.draw()
    #expect(app.status.hasPrefix("theme is solarized-light, of realmtasks, clear"))
  }

  @Test("With ASCII glyphs nothing but ASCII is drawn, on any screen")
  func ascii() throws {
    let app = try AppHarness(["one", "two " + String(repeating: "word ", count: 300), "THREE"])
    _ = app.app.run(line: "set glyphs ascii")
    for keys in [
      [], ["v", "j"], ["Esc", "m"], ["Esc", "?"], ["Esc", "/"], ["Esc", ":"], ["Esc", "h"], ["k"],
    ] {
      for key in keys { try app.press(key) }
      app.draw()
      let strange = app.frame.text.filter { !$0.isASCII }
      #expect(strange == "")
    }
  }
}
