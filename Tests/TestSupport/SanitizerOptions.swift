import Glibc

/// The options of the sanitizer that the tests run under, which the programs built with it take as well.
package enum SanitizerOptions {
  /// The variables for a program that is started; none without a sanitizer. For ThreadSanitizer with the
  /// library that tells it of Swift's own lock.
  package static let environment =
    (["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"] + (getenv("TSAN_OPTIONS") == nil ? [] : ["LD_PRELOAD"]))
    .reduce(into: [String: String]()) { $0[$1] = getenv($1).map { String(cString: $0) } }
}
