import Testing

@Suite("Programs that tests start")
struct ChildProcessTests {
  @Test("One that is not installed fails its own test, and ends no other program")
  func missing() throws {
    withKnownIssue { _ = try ChildProcess(["no-program-of-this-name"]) }
    #expect(try ChildProcess.run(["sh", "-c", "echo on"]).output == "on\n")
  }
}
