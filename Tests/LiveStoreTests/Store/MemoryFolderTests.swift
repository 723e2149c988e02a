import Glibc
import LiveStoreFixtures
import Programs
import TestSupport
import Testing

@testable import LiveStore

/// A process with a store in memory, and where the file of that store lies.
private struct MemoryProcess {
  let peer: RunningProgram
  let file: String

  init() throws {
    let pipe = try PrivatePipe()
    defer { pipe.closeReading() }
    peer = try Peer.start(["memory"], output: pipe.writing)
    pipe.closeWriting()
    var output = OutputReader(pipe.reading)
    file = try #require(try output.nextLine())
    try #require(access(file, F_OK) == 0, "“\(file)” is no file")
  }
}

private func exists(_ file: String) -> Bool {
  access(file, F_OK) == 0
}

@Suite("The files of stores in memory")
struct MemoryFolderTests {
  @Test("The file of a process that was killed is removed by the next one; that of a living one is not")
  func killed() throws {
    let living = try MemoryProcess()
    let killed = try MemoryProcess()
    killed.peer.kill()
    #expect(exists(killed.file))
    let next = try MemoryProcess()
    #expect(!exists(killed.file) && exists(living.file) && exists(next.file))
    #expect(Set([living.file, killed.file, next.file]).count == 3)
  }

  @Test("A process that exits with an open store leaves no file")
  func exits() throws {
    let process = try MemoryProcess()
    process.peer.signal(SIGUSR1)
    #expect(process.peer.waitForEnd() == 0)
    #expect(!exists(process.file))
  }

  @Test("Without a descriptor for its lock a store in memory cannot be opened, and says why")
  func noDescriptor() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let usual = limit.rlim_cur
      limit.rlim_cur = 0
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let error = #expect(throws: StoreError.self) { try MemoryFolder.acquire("none") }
      // A sanitizer opens files when the process ends.
      limit.rlim_cur = usual
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      #expect(error?.description.contains("A store in memory cannot have a folder in") == true)
    }
  }

  @Test("Stores of one identifier share a file, which goes with the last of them")
  func shared() throws {
    let identifier = "shared \(UInt64.random(in: 0 ... .max))"
    var first: TestStore? = try TestStore(memory: identifier)
    let path = try #require(first?.store.file.path)
    var second: TestStore? = try TestStore(memory: identifier)
    let other: TestStore? = try TestStore(memory: identifier + "…")
    #expect(second?.store.file.path == path && other?.store.file.path != path)
    try first?.write { $0.add(Person(id: 1)) }
    first = nil
    #expect(exists(path))
    try second?.store.refresh()
    #expect(second?.people.count == 1 && other?.people.isEmpty == true)
    second = nil
    #expect(!exists(path))
    let third = try TestStore(memory: identifier)
    #expect(third.people.isEmpty)
  }
}
