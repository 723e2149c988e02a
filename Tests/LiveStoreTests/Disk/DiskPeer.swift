import LiveStoreFixtures
import Programs
import TestSupport

/// A `LiveStorePeer` on a disk that fails or is recorded, with what it says on its standard streams.
final class DiskPeer {
  private let process: RunningProgram
  private let pipe: PrivatePipe
  private let errorsPath: String
  private var output: OutputReader

  /// - Parameter folder: Where what it says on standard error is kept; not the folder of the disk.
  init(_ arguments: [String], environment: [String: String], folder: String) throws {
    errorsPath = folder + "/errors"
    pipe = try PrivatePipe()
    output = OutputReader(pipe.reading)
    process = try Program(
      [Peer.program()] + arguments, environment: environment,
      streams: [1: .descriptor(pipe.writing), 2: .file(errorsPath)]
    ).start()
    pipe.closeWriting()
  }

  /// The next line of standard output; `nil` at its end.
  func readLine() throws -> String? { try output.nextLine() }

  /// Waits for the end of the program, whose output has ended: its exit status, or the negative number of the
  /// signal that ended it, and what it said on standard error.
  func end() -> (status: Int32, errors: String) {
    let status = process.waitForEnd()
    let errors = FailingDisk.contents(errorsPath).map { String(decoding: $0, as: UTF8.self) }
    return (status, errors ?? "")
  }
}
