import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import TasksModel

@Suite("Where the file is")
struct DatabaseLocationTests {
  @Test(
    "The option goes first, then the variables, then the home folder",
    arguments: [
      ("x.db", ["TASKS_FILE": "/v", "XDG_DATA_HOME": "/d", "HOME": "/h"], "x.db"),
      (nil, ["TASKS_FILE": "v.db", "XDG_DATA_HOME": "/d", "HOME": "/h"], "v.db"),
      (nil, ["TASKS_FILE": "", "XDG_DATA_HOME": "/d", "HOME": "/h"], "/d/tasks/tasks.db"),
      (nil, ["XDG_DATA_HOME": "d", "HOME": "/h"], "/h/.local/share/tasks/tasks.db"),
      (nil, ["XDG_DATA_HOME": "", "HOME": "/h"], "/h/.local/share/tasks/tasks.db"),
      (nil, ["HOME": ""], nil), (nil, [:], nil),
    ] as [(String?, [String: String], String?)])
  func path(file: String?, environment: [String: String], path: String?) {
    #expect(DatabaseLocation.path(file: file, environment: environment) == path)
  }

  @Test("Folders that are missing are made for their owner alone, those that are there stay as they are")
  func folders() throws {
    let temporary = TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.path
    chmod(folder, 0o755)
    try DatabaseLocation.makeFolders(for: folder + "/a//b/tasks.db")
    try DatabaseLocation.makeFolders(for: folder + "/a/b/tasks.db")
    #expect(fileStatus(folder)?.permissions == 0o755)
    #expect(fileStatus(folder + "/a")?.permissions == 0o700)
    #expect(fileStatus(folder + "/a/b")?.permissions == 0o700)
    #expect(access(folder + "/a/b/tasks.db", F_OK) != 0)
  }

  @Test("A name without a folder, a file in the root and a folder need none to be made")
  func noFolder() throws {
    for path in ["tasks.db", "/tasks.db", "nowhere/", ""] {
      try DatabaseLocation.makeFolders(for: path)
    }
    #expect(access("nowhere", F_OK) != 0)
  }
}
