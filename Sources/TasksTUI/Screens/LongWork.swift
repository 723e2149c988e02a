import LiveStore
import TasksModel

/// Work on many rows that is done in parts: no key and no other program waits for the whole.
final class LongWork: Equatable {
  enum Kind {
    /// An action, each part of which is a transaction of its own.
    case changing
    /// The search for the rows of an action.
    case finding
    /// The wait for rows that are being read in the background.
    case reading

    /// The time between two parts. Other programs may write between those of an action.
    var pause: Duration {
      switch self {
      case .changing: .milliseconds(8)
      case .finding: .zero
      case .reading: .milliseconds(4)
      }
    }

    fileprivate var mostRows: Int { self == .changing ? 1000 : 4000 }
  }

  enum Ending {
    case done
    /// The person has stopped it; what was done stays, and can be undone.
    case stopped
    case failed(any Error)
  }

  /// The number of rows; nil if it is not known.
  let count: Int?
  /// The number of rows dealt with.
  private(set) var doneCount: Int
  /// Whether another program has been holding the file for too long.
  private(set) var isWaiting = false
  let kind: Kind
  /// The command for which it was done, to be performed at the end.
  var makeNext: (() -> CommandCall)?
  /// Deals with the next rows, about as many as given; returns their number, or nil when none are left.
  private let advance: (Int) throws -> Int?
  private let finish: (Ending) -> Void
  private var size = leastSize

  init(
    count: Int?, doneCount: Int = 0, kind: Kind = .changing, advance: @escaping (Int) throws -> Int?,
    finish: @escaping (Ending) -> Void
  ) {
    self.count = count
    self.doneCount = doneCount
    self.kind = kind
    self.advance = advance
    self.finish = finish
  }

  static func == (one: LongWork, other: LongWork) -> Bool { one === other }

  /// The time that a part should take: a key waits for it, and so does another program that writes.
  private static let longestPart = Duration.milliseconds(20)

  /// The number of rows below which a part costs more than its rows.
  private static let leastSize = 50

  /// Carries out the next part; returns how the action has ended, or nil while it goes on.
  func carryOutPart(_ clock: () -> Duration) -> Ending? {
    let start = clock()
    do {
      guard let count = try advance(size) else {
        return end(.done)
      }
      doneCount += count
      isWaiting = false
    } catch let error as StoreError where error.code == .busy {
      isWaiting = true
      return nil
    } catch {
      return end(.failed(error))
    }
    let time = clock() - start
    if time > Self.longestPart { size = max(Self.leastSize, size / 2) }
    if time < Self.longestPart / 2 { size = min(kind.mostRows, size + size / 2) }
    return nil
  }

  func stop() { _ = end(.stopped) }

  private func end(_ ending: Ending) -> Ending {
    finish(ending)
    return ending
  }
}
