import Observation
import Synchronization

/// The readers of some values, as Swift's Observation knows them; a value is identified by a number.
final class ReadRegistrar: Observable {
  private let registrar = ObservationRegistrar()
  /// A key path that Observation keeps with each read: it is gone when every reader has been notified, of
  /// this or of something else that it read, because Observation then forgets all that it read.
  private weak var mark: KeyPath<ReadRegistrar, Void>?

  /// The member that identifies a value in key paths. The registrar does not read values, so that their types
  /// do not matter.
  private subscript(number: Int) -> Void { () }

  /// Records a read if reads are tracked on this thread.
  func access(_ number: Int) {
    registrar.access(self, keyPath: ReadRegistrar.keyPath(number))
  }

  /// Records a read like ``access(_:)``, and that there are readers, if reads are tracked on this thread.
  func accessMarked(_ number: Int) {
    access(number)
    let mark = mark ?? ReadRegistrar.makeKeyPath(-1)
    registrar.access(self, keyPath: mark)
    self.mark = mark
  }

  /// Whether there are readers that have yet to be notified, as far as ``accessMarked(_:)`` recorded them.
  var hasReaders: Bool { mark != nil }

  func willChange(_ number: Int) {
    registrar.willSet(self, keyPath: ReadRegistrar.keyPath(number))
  }

  func didChange(_ number: Int) {
    registrar.didSet(self, keyPath: ReadRegistrar.keyPath(number))
  }

  private static func keyPath(_ number: Int) -> KeyPath<ReadRegistrar, Void> {
    if number < known.count { return known[number] }
    return makeKeyPath(number)
  }

  private static func makeKeyPath(_ number: Int) -> KeyPath<ReadRegistrar, Void> & Sendable {
    \ReadRegistrar[number]
  }

  // Kept, because creating one allocates memory.
  private static let known: [KeyPath<ReadRegistrar, Void> & Sendable] = (0..<64).map(makeKeyPath)
}

/// The readers of a row, by column and of its existence.
struct RowReads {
  let registrar = ReadRegistrar()
  /// The columns that were read since their readers were last notified, bit by bit; the highest bit stands
  /// for the existence of the row.
  var columns: UInt64 = 0

  static let existence: UInt64 = 1 << 63
}

/// A probe that detects whether reads are tracked on this thread, which Observation does not tell.
///
/// Observation puts the key path of a tracked read into a set, and therefore hashes it; an untracked read
/// only checks a thread-local variable. The objects that are read may be released before they change,
/// `results[0].name` being enough to read one, and their readers must still be known then. A registrar for
/// every row that was ever read, in case reads are tracked, would cost more than the rows.
final class TrackingProbe {
  private let registrar = ObservationRegistrar()
  private let mark: Mark
  private let keyPath: KeyPath<Subject, Void>

  /// The subject of the read, for Observation. A structure, because the references of an object would be
  /// counted at every read.
  private struct Subject: Observable {
    subscript(mark: Mark) -> Void { () }
  }

  private final class Mark: Hashable, Sendable {
    let isHashed = Atomic(false)

    static func == (a: Mark, b: Mark) -> Bool { a === b }

    func hash(into hasher: inout Hasher) {
      isHashed.store(true, ordering: .relaxed)
      hasher.combine(ObjectIdentifier(self))
    }
  }

  init() {
    let mark = Mark()
    self.mark = mark
    keyPath = \Subject[mark]
  }

  /// Whether reads are tracked. After the first true result the probe always returns true, and the tracking
  /// closure stays registered with it as long as it lives.
  func isTracked() -> Bool {
    registrar.access(Subject(), keyPath: keyPath)
    return mark.isHashed.load(ordering: .relaxed)
  }
}
