import LibC

/// Whether each test takes all of its cases, as CI does by setting the environment variable `TEST_CASES` to
/// `all`. Otherwise those with very many of one kind take a sample, other ones each time.
public let takesAllCases = getenv("TEST_CASES").map { String(cString: $0) } == "all"

/// The number of cases of a test that takes many of one kind.
///
/// - Parameters:
///   - count: The number in CI.
///   - sample: The number in `make test`.
public func cases(_ count: Int, sample: Int) -> Int { takesAllCases ? count : sample }
