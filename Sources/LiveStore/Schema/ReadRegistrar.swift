import Observation
import Synchronization

/// Who reads the values of something, as Swift's Observation knows them; a value is known by a number.
final class ReadRegistrar: Observable {
  private let registrar = ObservationRegistrar()

  /// Stands for a value in key paths. The registrar does not ask for values, whose types therefore do not
  /// matter.
  private subscript(number: Int) -> Void { () }

  /// Notes a read with whoever tracks reads on this thread.
  func access(_ number: Int) {
    registrar.access(self, keyPath: ReadRegistrar.keyPath(number))
  }

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

  // Making one allocates memory.
  private static let known: [KeyPath<ReadRegistrar, Void> & Sendable] = (0..<64).map(makeKeyPath)
}

/// Who reads a row: column by column, and whether there is one.
struct RowReads {
  let registrar = ReadRegistrar()
  /// The columns that were read since they were last told of, bit by bit; the highest bit for whether there
  /// is a row.
  var columns: UInt64 = 0

  static let existence: UInt64 = 1 << 63
}

/// Finds out whether somebody tracks reads on this thread, which Observation does not say.
///
/// A read that is tracked is put into a set of key paths, and so its key path is hashed; one that is not
/// tracked costs the look at a variable of the thread. The objects that are read may be gone before they
/// change, `results[0].name` being enough to read one, and those who read must be known after that. To keep a
/// registrar for every row that was ever read, on the chance that somebody tracks it, would cost more than
/// the rows.
final class TrackingProbe {
  private let registrar = ObservationRegistrar()
  private let mark: Mark
  private let keyPath: KeyPath<Subject, Void>

  /// What is read, as far as Observation is concerned. No object, whose references would be counted at every
  /// read.
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

  /// Whether reads are tracked. Once it has said so the probe is used up: it goes on saying so, and whoever
  /// tracks is registered with it for as long as it lives.
  func isTracked() -> Bool {
    registrar.access(Subject(), keyPath: keyPath)
    return mark.isHashed.load(ordering: .relaxed)
  }
}
