import TestRandomness

typealias SeededGenerator = TestRandomness.SeededGenerator
