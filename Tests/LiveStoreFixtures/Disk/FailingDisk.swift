import LibC
import Programs
import TestSupport

/// A disk that fails for programs that a test starts: the library of `failing-disk.c`, preloaded, which has
/// some of their calls for the files of one folder fail, or records what they write there.
package struct FailingDisk {
  /// How a call fails.
  package enum Failure: String, CaseIterable, Sendable {
    /// The disk is full: nothing can be written, made or made longer; reading works.
    case full = "ENOSPC"
    /// The disk reports an error, whatever it is asked for.
    case error = "EIO"
    /// Half of the bytes are moved; if the next call fails too, the disk is full.
    case part = "PART"

    /// The calls that can fail so, by their names in the library.
    fileprivate var calls: String {
      switch self {
      case .full: "write,sync,open,truncate,map"
      case .error: "write,read,sync,open,truncate,map,unlink"
      case .part: "write,read"
      }
    }
  }

  /// Which calls fail.
  package struct Plan: Sendable, CustomStringConvertible {
    package var failure: Failure
    /// The number of the first call that fails, from 1 on; `nil` when none does, and the calls are only
    /// counted.
    package var first: Int?
    /// Whether all calls after it fail too, as long as the program runs.
    package var goesOn: Bool

    package init(_ failure: Failure, first: Int? = nil, goesOn: Bool) {
      self.failure = failure
      self.first = first
      self.goesOn = goesOn
    }

    package var description: String {
      "\(failure.rawValue) at call \(first ?? 0)\(goesOn ? " and from then on" : "")"
    }

    /// All kinds of plans, without the call.
    package static let kinds = Failure.allCases.flatMap { failure in
      [false, true].map { Plan(failure, goesOn: $0) }
    }

    /// The same kind of plan, at a call.
    package func at(_ call: Int) -> Plan { Plan(failure, first: call, goesOn: goesOn) }
  }

  /// The failures that a program met.
  package struct Report: Sendable {
    /// How many calls there were that could have failed.
    package let calls: Int
    /// How many did.
    package let failures: Int
    /// The first of them, as in "write of tasks.db-wal".
    package let first: String
  }

  private let library: String
  private let folder: String

  /// - Parameter folder: The folder whose files are concerned, as an absolute path.
  package init(folder: String) throws(Program.Failure) {
    library = try Self.library.get()
    self.folder = folder
  }

  /// The variables of the environment by which a program's calls fail.
  ///
  /// - Parameter report: The path of a new file, outside of the folder.
  package func environment(_ plan: Plan, report: String) -> [String: String] {
    var variables = environment
    variables["FAILING_DISK_REPORT"] = report
    variables["FAILING_DISK_ERROR"] = plan.failure.rawValue
    variables["FAILING_DISK_CALLS"] = plan.failure.calls
    if let first = plan.first {
      variables["FAILING_DISK_FIRST"] = String(first)
      variables["FAILING_DISK_LAST"] = plan.goesOn ? "0" : String(first)
    }
    return variables
  }

  /// The variables of the environment by which a program's writes are recorded; see ``DiskRecording``.
  ///
  /// - Parameter record: The path of a file, outside of the folder, to which the record is appended.
  package func environment(record: String) -> [String: String] {
    environment.merging(["FAILING_DISK_RECORD": record]) { $1 }
  }

  private var environment: [String: String] {
    SanitizerOptions.environment(preloading: library, findsLeaks: false)
      .merging(["FAILING_DISK_FOLDER": folder]) { $1 }
  }

  /// The failures that the program met which was told to write its report there; `nil` before it was started.
  package static func report(_ path: String) -> Report? {
    guard let bytes = contents(path), bytes.count >= 16 else { return nil }
    let (calls, failures) = bytes.withUnsafeBytes {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    let first = String(decoding: bytes[16...].prefix { $0 != 0 }, as: UTF8.self)
    return Report(calls: Int(calls), failures: Int(failures), first: first)
  }

  /// The bytes of a file, which must not be a database that this process has open; `nil` when it cannot be
  /// read.
  package static func contents(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  private static let library = Result { () throws(Program.Failure) in
    let tests = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    return try PreloadedLibrary.compile(tests + "/FailingDisk/failing-disk.c")
  }
}
