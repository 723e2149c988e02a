/// What could be saved of a damaged file, and what is lost.
public struct RescueReport: Sendable {
  /// How many rows each table of the new file has.
  public internal(set) var rows: [(table: String, count: Int)] = []
  /// What was found to be damaged or lost, a sentence each; empty when nothing was.
  public private(set) var losses: [String] = []

  mutating func add(_ sentence: String) {
    losses.append(sentence)
  }
}
