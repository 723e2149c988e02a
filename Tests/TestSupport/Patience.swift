import LibC

/// The longest that a test waits for an event, far more than anything takes: a minute, or as many seconds as
/// TASKS_TEST_PATIENCE says, for a machine or a build that is slower than most.
public enum Patience {
  private static let seconds = getenv("TASKS_TEST_PATIENCE").flatMap { Int(String(cString: $0)) } ?? 60

  public static let duration = Duration.seconds(seconds)
  /// For `poll` and SQLite.
  public static let milliseconds = Int32(clamping: seconds * 1_000)
}
