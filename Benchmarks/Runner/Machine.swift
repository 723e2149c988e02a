import CSQLite
import Glibc

/// The machine of the figures.
struct Machine {
  let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
  let processorModel: String
  let kernel: String
  let sqlite = String(cString: sqlite3_libversion())
  /// The load of the machine before the run.
  let load: Double
  /// Seconds since 1970.
  let time: Int

  init() {
    processorModel =
      contents(of: "/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }
      .flatMap { $0.split(separator: ":").last }
      .map { String($0.drop { $0 == " " }) } ?? "unknown"
    kernel =
      contents(of: "/proc/sys/kernel/osrelease").split(separator: "\n").first.map(String.init) ?? "unknown"
    load = contents(of: "/proc/loadavg").split(separator: " ").first.flatMap { Double($0) } ?? 0
    time = Glibc.time(nil)
  }

  /// The day of the run, as in 2026-01-31.
  var day: String {
    var seconds = time
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(1900 + parts.tm_year)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
  }

  var description: String {
    "\(processors) × \(processorModel), Linux \(kernel), SQLite \(sqlite)"
  }
}

/// The text of a file of the kernel; empty if there is none.
package func contents(of path: String) -> String {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return "" }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = read(descriptor, &part, part.count)
    guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
    bytes += part.prefix(count)
  }
}
