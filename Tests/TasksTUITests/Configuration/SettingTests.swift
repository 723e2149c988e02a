import Testing

@testable import TasksTUI

@Suite("Settings")
struct SettingTests {
  @Test("Every setting is told, takes every value that it lists, and refuses another one in a sentence")
  func table() throws {
    #expect(Set(SettingTable.all.map(\.name)).count == SettingTable.all.count)
    for setting in SettingTable.all {
      var settings = Settings()
      for value in setting.values(in: settings) {
        try setting.set(value, in: &settings)
        #expect(setting.value(in: settings) == value)
      }
      if case .text = setting.kind { continue }
      let before = settings
      #expect(throws: SettingDescription.Problem.self) { try setting.set("nonsense", in: &settings) }
      #expect(settings == before)
    }
  }

  @Test("The command line sets, tells and completes every setting")
  func commandLine() throws {
    let app = try AppHarness(["one"], width: 120)
    for setting in SettingTable.all {
      for value in setting.values(in: Settings()) {
        _ = app.app.run(line: "set \(setting.name) \(value)")
        #expect(app.app.message == "\(setting.name) is \(value) now.")
        _ = app.app.run(line: "set \(setting.name)")
        #expect(app.app.message?.hasPrefix("\(setting.name) is \(value), of") == true)
      }
    }
    _ = app.app.run(line: "set speed=2")
    #expect(app.app.message == "speed is 2 now.")
    _ = app.app.run(line: "set speed 99")
    #expect(app.app.message == "speed is a number from 0.25 to 4.")
    _ = app.app.run(line: "set list")
    #expect(app.app.message == "list is not set; it may be any text.")
    _ = app.app.run(line: "set list At home")
    #expect(app.app.message == "list is “At home” now.")
    _ = app.app.run(line: "set list")
    #expect(app.app.message == "list is “At home”; it may be any text.")
    _ = app.app.run(line: "set nothing on")
    #expect(app.app.message == "There is no setting “nothing”.")
    _ = app.app.run(line: "set")
    app.draw()
    let page = app.texts.joined(separator: "\n")
    #expect(page.contains("Settings") && page.contains("now 2") && page.contains("off; now off"), "\(page)")
    let names = CommandLineParser.completions(of: "set ").map(\.text)
    let settings = SettingTable.all.map { "set \($0.name) " }
    #expect(names == settings)
    #expect(
      CommandLineParser.completions(of: "set mouse o").map(\.text) == ["set mouse on", "set mouse off"])
    #expect(
      CommandLineParser.completions(of: "2 the so").map(\.title) == ["solarized-dark", "solarized-light"])
    #expect(CommandLineParser.completions(of: "set nothing ").isEmpty)
  }

  @Test("Where completed rows go follows the setting at once")
  func completedRows() throws {
    let app = try AppHarness(["a", "b", "c"], configuration: AppConfiguration("completed = \"top\""))
    try app.press("Space", "Space")
    #expect(app.line == "c [b] [a]")
    _ = app.app.run(line: "set completed end")
    try app.press("g", "Space")
    #expect(app.line == "[b] [a] [c]")
    app.app.reload("")
    app.app.reload("completed = \"top\"")
    try app.press("u", "Space")
    #expect(app.line == "[c] [b] [a]")
    #expect(
      AppConfiguration("completed = \"middle\"").problems.map(\.message) == ["completed is one of end, top"])
  }

  @Test("Help lists every setting with what it takes")
  func help() throws {
    let app = try AppHarness(["one"], width: 114, height: 150)
    try app.press("?")
    for setting in SettingTable.all {
      #expect(app.texts.contains { $0.contains(setting.name) && $0.contains(setting.help) })
    }
  }
}
