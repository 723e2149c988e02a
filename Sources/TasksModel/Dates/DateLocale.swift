/// The conventions for dates that differ between countries. The words are English everywhere.
public struct DateLocale: Equatable, Sendable {
  /// Whether `3/4` is the fourth of March, instead of the third of April.
  public var isMonthFirst = false
  /// The first day of a week: 0 for Sunday, 1 for Monday.
  public var firstWeekday = 1

  public init() {}

  /// - Parameter identifier: A value of `LC_TIME`, such as `en_US.UTF-8`; if it names no country, the day
  ///   comes first and weeks begin on Monday.
  public init(identifier: String) {
    let country = identifier.split(separator: "_").dropFirst().first?.prefix { $0.isLetter } ?? ""
    isMonthFirst = ["US", "PH"].contains(country)
    firstWeekday =
      ["US", "CA", "MX", "BR", "JP", "KR", "TW", "HK", "IN", "IL", "PH", "ZA"].contains(country) ? 0 : 1
  }

  /// The locale that the environment variables of a process specify, by the rules of `setlocale`.
  public init(environment: [String: String]) {
    let names = ["LC_ALL", "LC_TIME", "LANG"].compactMap { environment[$0] }
    self.init(identifier: names.first { !$0.isEmpty } ?? "")
  }
}
