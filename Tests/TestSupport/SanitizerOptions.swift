import LibC

/// The options of the sanitizer that the tests run under, which the programs built with it take as well.
public enum SanitizerOptions {
  /// The variables for a program that is started; none without a sanitizer. For ThreadSanitizer with the
  /// library that tells it of Swift's own lock.
  public static let environment =
    (["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"] + (getenv("TSAN_OPTIONS") == nil ? [] : ["LD_PRELOAD"]))
    .reduce(into: [String: String]()) { $0[$1] = getenv($1).map { String(cString: $0) } }

  /// The variables for a program that has a library preloaded.
  ///
  /// - Parameter findsLeaks: Whether a sanitizer looks for leaks when the program ends; it reads and writes
  ///   files and pipes then.
  public static func environment(preloading library: String, findsLeaks: Bool = true) -> [String: String] {
    var variables = environment
    variables["LD_PRELOAD"] = variables["LD_PRELOAD"].map { "\($0):\(library)" } ?? library
    if !findsLeaks, let options = variables["ASAN_OPTIONS"] {
      variables["ASAN_OPTIONS"] = "\(options):detect_leaks=0"
    }
    return variables
  }
}
