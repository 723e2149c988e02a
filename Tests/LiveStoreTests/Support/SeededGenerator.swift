import Glibc
import TestSupport
import Testing

typealias SeededGenerator = TestSupport.SeededGenerator

/// Runs a random test and prints its seed.
func withSeededGenerator(_ body: (inout SeededGenerator) throws -> Void) rethrows {
  var generator = SeededGenerator()
  print("\(Test.current?.name ?? "random test"): \(generator.comment)")
  try body(&generator)
}

/// How many steps a random test takes: as many as the environment variable `LIVESTORE_STEPS` says, else as
/// usual, or a sixth as many if the tests take a sample.
func randomSteps(usually steps: Int) -> Int {
  getenv("LIVESTORE_STEPS").flatMap { Int(String(cString: $0)) }
    ?? cases(steps, sample: steps / 6)
}
