import CLinux
import Glibc
import Testing

@testable import TasksTUI

@Suite("The sign of the agent that carries the file")
struct SyncSignTests {
  /// The file of an agent, as `tasks-sync` writes it.
  private struct Agent {
    let descriptor: Int32

    init(_ path: String) throws {
      descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      try #require(descriptor >= 0 && clinux_lock_byte(descriptor, 1 << 30) == 0)
    }

    func write(_ text: String) {
      var text = text
      text.withUTF8 { bytes in
        #expect(pwrite(descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count)
        #expect(ftruncate(descriptor, off_t(bytes.count)) == 0)
      }
    }
  }

  @Test("The bottom line says how the file stands; what lost, and why the server refuses, is said once")
  func words() throws {
    let app = try AppHarness(["one"], width: 120)
    let database = app.folder("tasks.db")
    let sign = try #require(SyncSign(database: database))
    app.app.syncSign = sign
    #expect(sign.words == nil)
    let agent = try Agent(database + "-sync")
    defer { close(agent.descriptor) }

    func look(_ text: String) -> String {
      agent.write(text)
      app.app.lookAtSync()
      app.draw()
      return app.status
    }
    #expect(look("phase in-step\nwaiting 0\nlost 0\nreason \n").hasSuffix("in step"))
    #expect(look("phase in-step\nwaiting 3\nlost 0\nreason \n").hasSuffix("3 to send"))
    #expect(
      look("phase in-step\nwaiting 0\nlost 1\nreason \n")
        .hasPrefix("A change of yours lost: see tasks sync conflicts."))
    _ = look("phase offline\nwaiting 2\nlost 1\nreason No network.\n")
    #expect(sign.words == "offline, 2 to send")
    #expect(look("phase refused\nwaiting 2\nlost 1\nreason Set the clock.\n").hasPrefix("Set the clock."))
    #expect(sign.words == "not in step, 2 to send")
  }
}
