import BenchmarkRunner
import Glibc

/// The least that a program in C does for many rows in other places.
enum OrderFloor {
  /// The time to sort as many keys as there are rows: a rank and a primary key in the bytes by which they
  /// are ordered, in an order as good as random.
  static func sorting(_ rows: Int) -> Int64 {
    var keys = (0..<rows).map { row in
      (UInt64(row &* 10).bigEndian, UInt64(row).bigEndian)
    }.shuffled()
    let used = threadNanoseconds()
    keys.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      qsort(start, rows, 16) { a, b in
        guard let a, let b else { return 0 }
        return memcmp(a, b, 16)
      }
    }
    return threadNanoseconds() - used
  }

  /// A program that knows the keys of a version in order: it reads those of the next and merges.
  final class Merging {
    private let read: RawStatement
    private var keys: [(rank: Int, id: Int)] = []

    init(_ path: String) {
      read = RawDatabase(path).prepare("SELECT rank, id FROM Record ORDER BY rank, id")
    }

    private func fetch() -> [(rank: Int, id: Int)] {
      var keys: [(rank: Int, id: Int)] = []
      keys.reserveCapacity(self.keys.count)
      while read.step() { keys.append((read.integer(0), read.integer(1))) }
      read.reset()
      return keys
    }

    /// Reads the keys of the version before the change.
    func readOld() {
      keys = fetch()
    }

    /// Reads the keys of the version after it and merges both; returns the indices of those that came or
    /// went.
    func merge() -> (deletions: [Int], insertions: [Int]) {
      let new = fetch()
      var deletions: [Int] = []
      var insertions: [Int] = []
      var old = 0
      var next = 0
      while old < keys.count || next < new.count {
        if next == new.count || old < keys.count && keys[old] < new[next] {
          deletions.append(old)
          old += 1
        } else if old == keys.count || new[next] < keys[old] {
          insertions.append(next)
          next += 1
        } else {
          old += 1
          next += 1
        }
      }
      keys = new
      return (deletions, insertions)
    }
  }
}
