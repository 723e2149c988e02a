import ExampleProcesses
import Foundation
import PostgreSQLCluster
import TestSupport
import Testing

@Suite("The example of requests between two machines", .enabled(if: TestCluster.isInstalled), .serialized)
struct CourierTests {
  private let folder = TemporaryFolder()

  @Test("A permission that is asked for on one machine is granted on another, though the courier is killed")
  func permission() throws {
    let database = try TestDatabase()
    let url = try database.url(as: "anna").text
    let (here, there) = (folder("here.db"), folder("there.db"))
    /// Carries a file, and is in step when this returns.
    func carry(_ file: String) throws -> ExampleProcess {
      let courier = try ExampleProcess("RequestCourier", file, url)
      while let line = try courier.line(), line != "in-step" {
        try #require(line == "connecting", "\(line)")
      }
      return courier
    }
    // Makes the file, for a program that carries it makes none.
    let first = try ExampleProcess("PermissionRequest", "answer", here)
    #expect(try first.line() == "nothing to answer")
    first.kill()
    let answerer = try ExampleProcess("PermissionRequest", "answer", there)
    #expect(try answerer.line() == "nothing to answer")

    let courier = try carry(here)
    let other = try carry(there)
    let asker = try ExampleProcess("PermissionRequest", "ask", here, "camera")
    #expect(try answerer.line() == "camera? (y/n)")
    courier.kill()
    answerer.type("y")
    #expect(try answerer.line() == "nothing to answer")
    let again = try carry(here)
    #expect(try asker.line() == "camera: granted")
    #expect(asker.waitForEnd() == 0)

    let second = try ExampleProcess("PermissionRequest", "ask", here, "microphone")
    #expect(try answerer.line() == "microphone? (y/n)")
    answerer.type("n")
    #expect(try second.line() == "microphone: denied")
    #expect(second.waitForEnd() == 1)
    withExtendedLifetime((again, other)) {}
  }
}
