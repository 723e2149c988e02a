import Glibc
import Testing

@testable import TasksTUI

@Suite("Themes")
struct ThemeTests {
  /// WCAG's, 1 to 21.
  private func contrast(_ a: RGB, _ b: RGB) -> Double {
    let (light, dark) = (max(a.luminance, b.luminance), min(a.luminance, b.luminance))
    return (light + 0.05) / (dark + 0.05)
  }

  @Test("Every word on the ground can be read in every theme, on dark and on light terminals")
  func contrastOnGround() {
    for theme in Theme.builtIn {
      for palette in [theme.dark, theme.light] {
        let least = theme == .highContrast ? 7 : 4.5
        for color in [palette.text, palette.faint, palette.message, palette.heading, palette.key] {
          // Solarized's own pairs are a little closer to each other.
          let isSolarized = theme == .solarizedDark || theme == .solarizedLight
          #expect(
            contrast(color, palette.ground) >= (isSolarized ? 4 : least),
            "\(theme.name): \(color) on \(palette.ground)")
        }
        #expect(contrast(palette.panelText, palette.panel) >= 4.5, "\(theme.name)")
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
            #expect(contrast(ground.contrastingText, ground) >= 4.5)
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
