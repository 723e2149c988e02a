import Foundation
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

/// Whole screens, with their colours, compared with files that were looked at.
@Suite("Golden screens")
struct GoldenScreenTests {
  static let sizes = ["80x24", "200x60", "40x10"]
  static let depths = ["truecolor", "256", "16", "none"]

  /// Plays a script on a file of its own and compares every picture that it takes with the golden one of that
  /// name.
  private func compare(_ script: String, variant: String) throws {
    let output = TemporaryFolder()
    let store = try TasksStore(path: output("tasks.db"), scheduler: .fileDescriptor(NotificationSource()))
    defer { store.close() }
    _ = try ScriptPlayer(
      script.replacing("@/", with: output.path + "/picture-"), name: variant, store: store
    ).run()
    let pictures = try FileManager.default.contentsOfDirectory(atPath: output.path)
      .filter { $0.hasPrefix("picture-") }
    #expect(!pictures.isEmpty)
    for name in pictures.sorted() {
      try GoldenScreen("\(variant)/\(name.dropFirst("picture-".count))").compare(
        String(contentsOfFile: output(name), encoding: .utf8))
    }
  }

  private func screens() throws -> String {
    try String(contentsOf: GoldenScreen.folder.appending(path: "screens.script"), encoding: .utf8)
  }

  @Test("Every main screen in every size, with all, 256, 16 and no colours", arguments: sizes, depths)
  func screens(size: String, depth: String) throws {
    try compare("size \(size)\ncolors \(depth)\n" + screens(), variant: "\(size)-\(depth)")
  }

  @Test("On a light terminal", arguments: depths)
  func light(depth: String) throws {
    let script = try screens().replacing("9:00\n", with: "9:00\nbackground light\n")
    try compare("size 80x24\ncolors \(depth)\n" + script, variant: "light-\(depth)")
  }

  @Test(
    "Every theme, on dark and on light terminals", arguments: Theme.builtIn.map(\.name), ["dark", "light"])
  func themes(theme: String, background: String) throws {
    let settings = "9:00\n:set theme \(theme)\n:set background \(background)\n"
    // Those screens that show every colour.
    let script = try screens().replacing("9:00\n", with: settings)
      .split(separator: "\n").filter { !$0.hasPrefix("picture @/help") && !$0.hasPrefix("picture @/editing") }
    try compare("size 64x18\n" + script.joined(separator: "\n"), variant: "\(theme)-\(background)")
  }
}
