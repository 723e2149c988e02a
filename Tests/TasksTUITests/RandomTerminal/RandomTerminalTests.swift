import Foundation
import Glibc
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI

/// The program in a terminal that sends anything at all, while other processes write.
///
/// A round is a storm of random input, a calm in which everything is compared, and a few keys that are aimed
/// at rows. It goes on for some seconds; TASKS_SOAK_SECONDS says for how many, and TEST_SEED repeats the
/// input of a run. After a fault, what the program has written since it cleared the screen the last but one
/// time goes into the file that TASKS_SOAK_OUTPUT names.
@Suite("Anything at all, in a terminal", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct RandomTerminalTests {
  private static let seconds =
    ProcessInfo.processInfo.environment["TASKS_SOAK_SECONDS"].flatMap { Double($0) } ?? 6

  @Test("It never ends or hangs, shows what the file holds, and changes no row that is not meant")
  func anything() throws {
    let end = ContinuousClock.now + .seconds(Self.seconds)
    var rounds = 0
    repeat {
      let random = SeededGenerator()
      do {
        rounds += try RandomDrive(random).run(until: end)
      } catch {
        Issue.record("\(error)\n\(random.comment), after \(rounds) rounds")
        return
      }
    } while ContinuousClock.now < end
    print("\(rounds) rounds of anything at all")
  }
}
