import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Configuration")
struct ConfigurationTests {
  private func messages(_ text: String) -> [String] {
    AppConfiguration(text).problems.map { "\($0.line): \($0.message)" }
  }

  @Test("Settings, keys and a theme of one's own are read")
  func reading() {
    let configuration = AppConfiguration(
      """
      theme = "mine"
      mouse = false
      speed = 2
      animation = "fade"
      [keys]
      down = ["s", "Down"]
      delete = "C-k"
      again = []
      [themes.mine]
      base = "clear"
      ground = "#102030"
      tasks = ["#000000", "#ffffff"]
      """)
    #expect(configuration.problems.isEmpty)
    let settings = configuration.settings
    #expect(
      settings.theme == "mine" && !settings.mouse && settings.speed == 2 && settings.animation == "fade")
    let palette = settings.appearance(on: Appearance(), background: nil).palette
    #expect(palette.ground == RGB(0x10, 0x20, 0x30) && palette.tasks == Gradient([.black, .white]))
    #expect(palette.lists == Theme.clear.dark.lists)
    let keys = KeyMap(changing: configuration.keys)
    #expect(keys[Key(.character("s"))] == .cursor(.down) && keys[Key(.character("j"))] == nil)
    #expect(keys[Key(.character("k"), .control)] == .rows(.delete) && keys[Key(.character("d"))] == nil)
    #expect(keys.label(for: .app(.repeatChange)) == ":again")
  }

  @Test("A key is taken from the command that has it in the table, and help and hints show it where it is")
  func rebinding() throws {
    let app = try AppHarness(
      ["one", "two", "three"], width: 80, height: 100,
      configuration: AppConfiguration("[keys]\ndelete = [\"x\"]\nadd = [\"+\"]\nquit = [\"Q\"]"))
    #expect(app.status.contains("+ add") && app.status.contains("Q quit"))
    try app.press("x", "q")
    #expect(app.rows == ["two", "three"])
    try app.press("?")
    #expect(app.texts.contains { $0.contains("x") && $0.contains("Delete the row") })
    #expect(
      app.texts.contains {
        $0.contains("Space ") && $0.contains("Complete, or open again") && !$0.contains(" x ")
      })
    try app.press("Esc")
    _ = app.app.run(line: "undo")
    try app.settle()
    #expect(app.rows == ["one", "two", "three"])
    #expect(try app.press("Q") == .quit(status: 0))
  }

  @Test("Everything that is wrong is told by its line")
  func problems() {
    #expect(
      messages(
        """
        colour = "red"
        theme = "pink"
        mouse = "maybe"
        speed = 9
        list = 3
        [keys]
        dance = "x"
        down = ["j", "Nokey"]
        delete = ["x", "u"]
        undo = "u"
        edit = 5
        first = "1"
        last = "C-c"
        page-up = "C-z"
        [themes.mine]
        base = "nothing"
        ground = "red"
        tasks = []
        wings = "#000000"
        [nonsense]
        a = 1
        """) == [
          "1: there is no setting “colour”",
          "2: theme is one of realmtasks, clear, solarized-dark, solarized-light, high-contrast, monochrome",
          "3: mouse is true or false", "4: speed is a number from 0.25 to 4", "5: list is a text in quotes",
          "7: there is no command “dance”", "8: there is no key “Nokey”",
          "10: u is the key of delete already, on line 9", "11: the keys of edit are texts in quotes",
          "12: digits are for counts, such as 3j",
          "13: Ctrl-C always ends what goes on, or leaves the program",
          "14: Ctrl-Z always suspends the program",
          "16: base is one of realmtasks, clear, solarized-dark, solarized-light, high-contrast, monochrome",
          "17: ground is a colour such as \"#e7a776\"",
          "18: tasks is a list of colours such as [\"#e7a776\", \"#38477e\"]",
          "19: a theme has no “wings”, only base, lists, tasks, tags, chosen, completed, completing, "
            + "faint, ground, "
            + "heading, highlight, key, mark, message, overdue, panel, panel-text, selection, text",
          "21: there is no table nonsense",
        ])
    #expect(
      messages("[keys]\ncommand = []") == [
        "2: command needs a key, because every other command is reached by it"
      ])
  }

  @Test("The file that is printed says what none says, also without its comments")
  func defaultFile() {
    #expect(AppConfiguration(AppConfiguration.defaultText) == AppConfiguration(""))
    let lines = AppConfiguration.defaultText.split(separator: "\n").map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? String(line.dropFirst()) : String(line)
    }
    let configuration = AppConfiguration(lines.joined(separator: "\n"))
    #expect(configuration.problems.isEmpty, "\(configuration.problems)")
    var settings = configuration.settings
    #expect(settings.ownThemes.first?.dark == Theme.realmTasks.dark)
    settings.ownThemes = []
    #expect(settings == Settings())
    for description in CommandTable.all {
      #expect(configuration.keys[description.command] == description.keys)
    }
  }

  @Test("A saved change is taken over and told; what was set by hand stays; a mistake changes nothing")
  func reload() throws {
    let app = try AppHarness(["one"], width: 100, configuration: AppConfiguration("theme = \"clear\""))
    _ = app.app.run(line: "set speed 2")
    app.app.reload("theme = \"monochrome\"\n[keys]\nquit = \"Q\"")
    app.draw()
    #expect(app.status == "Reloaded config.toml.")
    #expect(app.app.context.settings.theme == "monochrome" && app.app.context.settings.speed == 2)
    app.app.reload("theme = \"clear\"\nspeed = 3\nspeeed = 4")
    app.draw()
    #expect(app.status == "config.toml:3: there is no setting “speeed”. The settings stay as they were.")
    #expect(app.app.context.settings.theme == "monochrome" && app.app.context.settings.speed == 2)
    #expect(app.app.context.keys.label(for: .app(.quit)) == "Q")
    app.app.reload("theme = \"own\"\n[themes.own]\nground = \"#112233\"")
    #expect(app.draw()[0, 0].style.background == RGB(0x11, 0x22, 0x33))
    _ = app.app.run(line: "theme own")
    app.app.reload("")
    #expect(app.draw()[0, 0].style.background == .black)
  }

  private static let noList = "config.toml: there is no list “Nowhere”; there are “My Tasks” and “Work”."

  @Test("The list that is named is opened first; one that is not there is said")
  func firstList() throws {
    let app = try AppHarness(["one"])
    try app.store.add("Work", to: .lists)
    for (name, title) in [("Work", "Work"), ("Nowhere", "My Tasks"), ("", "My Tasks")] {
      let configuration = AppConfiguration("list = \"\(name)\"")
      let other = App(
        store: app.store, appearance: Appearance(), configuration: configuration, clock: { .zero })
      #expect(other.screen.title == title)
      #expect(other.message == (name == "Nowhere" ? Self.noList : nil))
    }
    app.app.reload("list = \"Nowhere\"")
    #expect(app.app.message == Self.noList)
    app.app.reload("list = \"work\"")
    #expect(app.app.message == "Reloaded config.toml.")
  }
}

@Suite("Configuration file")
struct ConfigurationFileTests {
  private let folder = TemporaryFolder()
  private let file: ConfigurationFile

  init() throws {
    file = try #require(ConfigurationFile(environment: ["XDG_CONFIG_HOME": folder.path]))
  }

  private func save(_ text: String) throws {
    try FileManager.default.createDirectory(atPath: folder("tasks"), withIntermediateDirectories: true)
    // As editors do: another file, renamed.
    try Data(text.utf8).write(to: URL(filePath: file.path), options: .atomic)
  }

  private func wait(_ watch: ConfigurationWatch) -> Bool {
    waitForInput(watch.fileDescriptor)
  }

  @Test("It lies in the folder for configuration; no file is an empty one; a strange one is told")
  func reading() throws {
    #expect(file.path == folder("tasks/config.toml"))
    #expect(
      ConfigurationFile(environment: ["HOME": "/home/me"])?.path == "/home/me/.config/tasks/config.toml")
    #expect(ConfigurationFile(environment: ["HOME": "relative"]) == nil)
    #expect(try file.text() == "")
    try save("speed = 2\n")
    #expect(try file.text() == "speed = 2\n")
    #expect(throws: RuntimeError.self) { try ConfigurationFile(path: folder.path).text() }
    try Data([0xFF, 0xFE]).write(to: URL(filePath: file.path))
    #expect(throws: RuntimeError("“\(file.path)” is not in UTF-8")) { try file.text() }
  }

  @Test("Saving wakes once the folder is there, and only what is new is told")
  func watching() throws {
    let watch = ConfigurationWatch(file, text: "")
    try save("speed = 2\n")
    #expect(wait(watch))
    // The folder may be seen before the file is.
    var text = try watch.change()
    while text == nil {
      #expect(wait(watch))
      text = try watch.change()
    }
    #expect(text == "speed = 2\n")
    for number in 3..<6 {
      try save("speed = \(number)\n")
      repeat {
        #expect(wait(watch))
        text = try watch.change()
      } while text == nil
      #expect(text == "speed = \(number)\n")
    }
    #expect(try watch.change() == nil)
    try FileManager.default.removeItem(atPath: folder("tasks"))
    repeat {
      #expect(wait(watch))
      text = try watch.change()
    } while text == nil
    #expect(text == "")
  }
}
