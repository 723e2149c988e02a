/// The rows saved from a damaged file, and its losses.
public struct RescueReport: Sendable {
  /// The number of rows of each table in the new file.
  public internal(set) var rows: [(table: String, count: Int)] = []
  /// The parts that are damaged or lost, a sentence each; empty if there are none.
  public private(set) var losses: [String] = []

  mutating func add(_ sentence: String) {
    losses.append(sentence)
  }
}
