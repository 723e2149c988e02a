/// What differs from country to country in the way that dates are written. The words are English everywhere.
public struct DateLocale: Equatable, Sendable {
  /// Whether `3/4` is the fourth of March, and not the third of April.
  public var isMonthFirst: Bool
  /// The day that a week begins with: 0 for Sunday, 1 for Monday.
  public var firstWeekday: Int

  public init(isMonthFirst: Bool = false, firstWeekday: Int = 1) {
    self.isMonthFirst = isMonthFirst
    self.firstWeekday = firstWeekday
  }

  /// - Parameter identifier: As in `LC_TIME`, such as `en_US.UTF-8`; where it names no country, the day
  ///   stands first and weeks begin on Monday.
  public init(identifier: String) {
    let country = identifier.split(separator: "_").dropFirst().first?.prefix { $0.isLetter } ?? ""
    isMonthFirst = ["US", "PH"].contains(country)
    firstWeekday =
      ["US", "CA", "MX", "BR", "JP", "KR", "TW", "HK", "IN", "IL", "PH", "ZA"].contains(country) ? 0 : 1
  }

  /// The locale that the variables of a process ask for, as `setlocale` looks them up.
  public init(environment: [String: String]) {
    let names = ["LC_ALL", "LC_TIME", "LANG"].compactMap { environment[$0] }
    self.init(identifier: names.first { !$0.isEmpty } ?? "")
  }
}
