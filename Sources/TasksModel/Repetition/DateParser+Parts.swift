/// Phrases that are understood only in part, such as `mon, wed, fri` or `every day except sunday`: a date
/// that is taken from these would be wrong, so none is.
extension DateParser {
  /// Whether a repetition in a text says more than was understood.
  func isPart(_ match: Match<Repetition>, from start: Int) -> Bool {
    let next = word(match.end)
    if isImpossible(timeAt: match.end) { return true }
    if Self.limiting.contains(next) || start > 0 && word(start - 1) == "of" { return true }
    // “Every month end”, “every friday night at 1”, which is on saturdays.
    if ["end", "night"].contains(next) { return true }
    if ["of", "in"].contains(next), DateVocabulary.monthOfWord[word(match.end + 1)] != nil { return true }
    // A shorter span may be how long the task takes.
    if next == "for", let span = words(ofSpanAt: match.end + 1), ![.minute, .hour].contains(span.unit) {
      return true
    }
    if ["and", "or", "&", "to", "through", "thru"].contains(next) {
      return isDateLike(match.end + 1) || match.part.time != nil && isHourAtEnd(match.end + 1)
    }
    switch match.part.pattern {
    case .months(_, on: let day) where day != nil: return isDateLike(match.end)
    case .days, .months, .years: return next == "on" && isWeekday(match.end + 1)
    // “Every friday the 13th”.
    case .weeks(_, on: let days) where !days.isEmpty: return isDayOfMonth(after: match.end)
    default: return false
    }
  }

  /// Whether what stands after a repetition looks like the day from which on it counts, as in `from 31 feb`,
  /// `from 2030` and `starting next june`.
  func isBeginning(at index: Int) -> Bool {
    guard ["from", "starting", "beginning"].contains(word(index)) else { return false }
    let small: Set<String> = ["from", "on", "in", "the", "next", "this"]
    var day = index + 1
    while small.contains(word(day)) { day += 1 }
    let isMonth = [day, day + 1].contains { DateVocabulary.monthOfWord[word($0)] != nil }
    let isYear = DateVocabulary.digits(word(day)[...]).map(Self.years.contains) ?? false
    return isMonth || isYear || isWeekday(day) || isOrdinal(word(day)) || impossible != nil
  }

  /// Whether a date in a text says more than was understood.
  ///
  /// - Parameter taken: The words of the repetition.
  mutating func isPart(_ match: Match<DatePhrase>, from start: Int, besides taken: Range<Int>) -> Bool {
    // Another day or time that does not exist.
    if impossible != nil || isImpossible(timeAt: match.end) { return true }
    let isSeparate = start == 0 || words[start - 1].endsPart || taken.contains(start - 1)
    let before = isSeparate ? "" : word(start - 1)
    let hasTime = match.part.time != nil
    if Self.changing.contains(before) || before == "and" && word(start - 3) == "between" { return true }
    if before == "after", !hasTime { return true }
    if before == "from" || ["before", "after", "from"].contains(word(start)),
      DateVocabulary.unitOfWord[before == "from" ? word(start - 2) : before] != nil
    {
      return true
    }
    if match.part.minutes != nil { return isMoreOfSpan(match.end) }
    if isEndOfSpan(from: start, before) { return true }
    if case .dayOfMonth? = match.part.day, isDateLike(match.end) { return true }
    if match.part.day != nil, isDay(besides: start..<match.end, before) { return true }
    guard case .weekday? = match.part.day else { return false }
    // “Buy 3 by friday” counts no Fridays.
    let isCounted =
      !DateVocabulary.beforeDays.contains(word(start))
      && (DateVocabulary.ordinals[before] != nil || ordinal(before) != nil || before == "other")
    return isCounted || Self.feasts.contains(before) || isInList(start..<match.end, hasTime: hasTime)
      || isDayOfMonth(after: match.end)
  }

  /// Words before a phrase that make another date of it.
  private static let changing: Set<String> = [
    "not", "except", "of", "since", "last", "past", "mid", "every", "each", "between",
  ]

  /// Words that make the name of a single day of a weekday, as in `good friday`.
  private static let feasts: Set<String> = [
    "good", "easter", "palm", "ash", "maundy", "shrove", "holy", "whit", "black", "cyber",
  ]

  /// Whether another day stands beside one, as in `tomorrow or friday`, `next month on the 5th` and
  /// `friday in 2 weeks`.
  private mutating func isDay(besides phrase: Range<Int>, _ before: String) -> Bool {
    let isSpan = word(phrase.lowerBound) == "in"
    let isMonth = word(phrase.lowerBound) == "next" && word(phrase.lowerBound + 1) == "month"
    if isSpan && DateVocabulary.weekdayOfWord[before] != nil || isMonth && isOrdinal(before) { return true }
    var next = phrase.upperBound
    guard words.indices.contains(next), !words[next - 1].endsPart, !words[next].beginsPart else {
      return false
    }
    let isJoined = ["and", "or", "&", "to", "till", "until", "through", "thru"].contains(word(next))
    if isJoined { next += 1 }
    guard isJoined || ["on", "in"].contains(word(next)) else { return false }
    // The words there need not be meant as a date.
    let present = impossible
    defer { impossible = present }
    return self.phrase(at: next).map { $0.part.day != nil && $0.sureness >= .apart } ?? false
  }

  /// Whether a day before a phrase is where a span of days begins that the phrase ends, as in `7 to 9 dec`.
  private func isEndOfSpan(from start: Int, _ before: String) -> Bool {
    let joining: Set<String> = ["to", "until", "till", "through", "thru"]
    let end = joining.contains(word(start)) ? start : joining.contains(before) ? start - 1 : -1
    return end > 0 && !words[end - 1].endsPart
      && (ordinal(word(end - 1)) != nil
        || DateVocabulary.monthOfWord[word(end - 1)] != nil)
  }

  /// Whether a weekday is one of a month that is not named, as in `friday the 13th`.
  private func isDayOfMonth(after end: Int) -> Bool {
    let next = word(end) == "the" ? end + 1 : end
    return isOrdinal(word(next))
      && DateVocabulary.monthOfWord[word(next + 1)] == nil
  }

  /// Whether a word that ends a part of the sentence may be an hour.
  private func isHourAtEnd(_ index: Int) -> Bool {
    words.indices.contains(index) && words[index].endsPart
      && ClockWord(words[index].text[...], allowsAllForms: true)?.time != nil
  }

  /// Whether a text has a dash before a word.
  func isRange(before index: Int) -> Bool {
    guard words.indices.contains(index), index > 0 else { return false }
    return text[words[index - 1].range.upperBound..<words[index].range.lowerBound]
      .contains { "-–—".contains($0) }
  }

  private static let limiting: Set<String> = ["except", "excluding", "but", "until", "till", "unless"]

  private func isWeekday(_ index: Int) -> Bool { DateVocabulary.weekdayOfWord[word(index)] != nil }

  /// Whether a word belongs to a day or a time.
  private func isDateLike(_ index: Int) -> Bool {
    let word = word(index)
    if isWeekday(index) || DateVocabulary.monthOfWord[word] != nil { return true }
    guard word.first?.isNumber == true else { return DateVocabulary.ordinals[word] != nil }
    if isOrdinal(word) { return true }
    if DateVocabulary.monthOfWord[self.word(index + 1)] != nil { return true }
    return ClockWord(word[...]).map { $0.hasMinutes || $0.half != nil } ?? false
  }

  /// Whether there is a time of day that does not exist, perhaps after `at`.
  private func isImpossible(timeAt index: Int) -> Bool {
    let next = ["at", "@"].contains(word(index)) ? index + 1 : index
    guard let clock = ClockWord(word(next)[...]), clock.hasMinutes || clock.half != nil else { return false }
    return clock.time == nil
  }

  /// Whether a span of time goes on, as in `1 hour and 30 minutes`.
  private func isMoreOfSpan(_ end: Int) -> Bool {
    let next = word(end) == "and" ? end + 1 : end
    if ["a", "half"].contains(word(next)), word(end) == "and" { return true }
    let digits = word(next).prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return false }
    let unit = String(word(next).dropFirst(digits.count))
    return DateVocabulary.unitOfWord[unit.isEmpty ? word(next + 1) : unit] != nil
  }

  /// Whether another weekday stands beside a phrase, as in `mon and wed`.
  private func isInList(_ phrase: Range<Int>, hasTime: Bool) -> Bool {
    let joining: Set<String> = ["and", "or", "&", "/", "on"]
    let spanning: Set<String> = hasTime ? [] : ["to", "through", "thru", "till", "until"]
    func isJoining(_ index: Int) -> Bool { joining.contains(word(index)) || spanning.contains(word(index)) }
    var next = phrase.upperBound
    while isJoining(next) { next += 1 }
    if isWeekday(next) { return true }
    // The phrase may begin with the word that joins.
    var previous = phrase.lowerBound - 1
    while previous >= 0, isJoining(previous) || word(previous) == "to" { previous -= 1 }
    // “Move it from mon to tue 9:00”.
    let isMove = hasTime && word(phrase.lowerBound - 1) == "to" && word(previous - 1) == "from"
    return previous >= 0 && isWeekday(previous) && !isMove
  }
}
