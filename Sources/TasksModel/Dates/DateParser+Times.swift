/// Times of day, and timestamps.
extension DateParser {
  /// `2026-12-01 09:30:15`, `2026-12-01T09:30Z`, `2026-12-01 09:30:15 +0200`: of seconds, or in a zone. Due
  /// dates have minutes.
  func timestamp(at start: Int) -> Match<DatePhrase>? {
    guard word(start).utf8.count == 10, word(start + 1).first?.isNumber == true else { return nil }
    // “2026-12-01 09:30-10:00” is a span of time.
    let isJoined = text[words[start].range.upperBound...].hasPrefix("T")
    let zone = word(start + 2)
    let hasZone = zone.utf8.count == 5 && ["+", "-"].contains(zone.first) && !zone.contains(":")
    let moment = "\(word(start))T\(word(start + 1))\(hasZone ? zone : "")".uppercased()
    guard moment.utf8.count > 16, let stamp = Timestamp(moment), Self.years.contains(stamp.time.year),
      isJoined || hasZone || stamp.offset ?? 0 >= 0
    else { return nil }
    let (day, time) = (stamp.time, DatePhrase.Time(stamp.time.hour, stamp.time.minute))
    return Match(
      part: DatePhrase(
        day: .date(year: day.year, month: day.month, day: day.day), time: time, offset: stamp.offset),
      end: start + (hasZone ? 3 : 2), sureness: .anywhere)
  }

  /// - Parameters:
  ///   - besideDay: Whether a day is next to it, which helps to recognize a time.
  ///   - isBeforeDay: Whether that day follows it.
  mutating func time(
    at start: Int, besideDay: Bool, isBeforeDay: Bool = false
  ) -> Match<DatePhrase.Time>? {
    if let time = spokenTime(at: start) { return time }
    let first = word(start)
    if first == "noon" || first == "midday" || besideDay || isWhole,
      let time = DateVocabulary.timeOfWord[first]
    {
      return exactTime(within: Match(part: time, end: start + 1, sureness: .apart))
    }
    guard let begin = first.first, begin.isNumber else { return nil }
    var (from, to): (Substring, Substring?) = (first[...], nil)
    if let dash = first.firstIndex(where: { $0 == "-" || $0 == "–" }) {
      (from, to) = (first[..<dash], first[first.index(after: dash)...])
    }
    let isAnnounced = start > 0 && ["at", "@"].contains(word(start - 1))
    guard
      var clock = ClockWord(from, allowsDot: isWhole || besideDay && isAnnounced, allowsAllForms: true),
      isTime(clock, isAnnounced: isAnnounced, besideDay: besideDay && (isAnnounced || !isBeforeDay))
    else { return nil }
    var end = start + 1
    if let to {
      guard let last = ClockWord(to, allowsAllForms: clock.form != .usual),
        last.half != nil || last.hasMinutes
      else { return nil }
      if clock.half == nil, let half = last.half {
        clock.half = clock.hour % 12 > last.hour % 12 ? half.other : half
      }
    } else if clock.half == nil, let half = ClockWord.Half(word(end)) {
      clock.half = half
      end += 1
    }
    guard clock.half != nil || clock.hasMinutes || isHour(at: start, besideDay: besideDay) else { return nil }
    guard let time = clock.time else {
      impossible = impossible ?? "time of day"
      return nil
    }
    let sureness: Sureness =
      if clock.half != nil {
        .anywhere
      } else if clock.hasMinutes && (clock.hour >= 10 || besideDay) || isWhole { .apart } else {
        .announced
      }
    let match = Match(part: time, end: end, sureness: sureness)
    if clock.half == nil, word(end) == "at", word(end + 1) == "night" {
      return Match(
        part: self.clock(match, from: start, within: .tonight).onClock, end: end + 2, sureness: .anywhere)
    }
    // “At 9 in the evening”.
    if clock.half == nil, word(end) == "in", word(end + 1) == "the",
      let part = DateVocabulary.timeOfWord[word(end + 2)]
    {
      return Match(
        part: self.clock(match, from: start, within: part).onClock, end: end + 3, sureness: .anywhere)
    }
    return match
  }

  /// `half past 9`, `quarter to 9 am`.
  private func spokenTime(at start: Int) -> Match<DatePhrase.Time>? {
    let isHalf = word(start) == "half"
    guard isHalf || word(start) == "quarter", word(start + 1) == "past" || !isHalf && word(start + 1) == "to",
      var clock = ClockWord(word(start + 2)[...]), !clock.hasMinutes
    else { return nil }
    var end = start + 3
    if clock.half == nil, let half = ClockWord.Half(word(end)) {
      clock.half = half
      end += 1
    }
    guard let hour = clock.time?.hour else { return nil }
    let minutes = isHalf ? 30 : word(start + 1) == "past" ? 15 : -15
    let minute = (hour * 60 + minutes + 1440) % 1440
    return Match(part: DatePhrase.Time(minute / 60, minute % 60), end: end, sureness: .anywhere)
  }

  /// The time of a part of the day; the exact one if that follows, as in `evening at 7` and `evening 7:30`.
  mutating func exactTime(within part: Match<DatePhrase.Time>) -> Match<DatePhrase.Time> {
    let isAnnounced = ["at", "@"].contains(word(part.end))
    // “Tonight 9 people come”.
    let start = isAnnounced ? part.end + 1 : part.end
    guard let exact = clockTime(at: start), isAnnounced || isWhole || exact.sureness != .announced,
      part.part.hour < 12 || !saysMorning(exact, from: start, besides: part.part)
    else { return part }
    return Match(part: clock(exact, from: start, within: part.part), end: exact.end, sureness: .anywhere)
  }

  /// The time by a clock of twelve hours that lies in a part of the day. In the evening and at night the
  /// hours from twelve to four are those after midnight: “tonight at 1”.
  func clock(_ time: Match<DatePhrase.Time>, from start: Int, within part: DatePhrase.Time) -> DatePhrase.Time
  {
    let (hour, minute) = (time.part.hour, time.part.minute)
    let said = Int(word(start).prefix { $0.isASCII && $0.isNumber }) ?? 0
    // “Tonight at 22:00”.
    let isExact = (said > 99 ? said / 100 : said) > 12 || says(["pm", "p.m"], in: start..<time.end)
    if isExact || part.hour < 12 { return time.part }
    if Self.isEvening(part), hour % 12 < 5 { return DatePhrase.Time(hour % 12 + 24, minute) }
    return hour < 12 ? DatePhrase.Time(hour + 12, minute) : time.part
  }

  private static func isEvening(_ part: DatePhrase.Time) -> Bool { part.hour >= 18 }

  /// Whether a time says that it is before noon, and so in no other half of the day than a part that follows
  /// or precedes it.
  func saysMorning(
    _ time: Match<DatePhrase.Time>, from start: Int, besides part: DatePhrase.Time? = nil
  ) -> Bool {
    let isOfNight = part.map(Self.isEvening) ?? false && time.part.hour < 5
    return !isOfNight && says(["am", "a.m"], in: start..<time.end)
  }

  private func says(_ halves: [String], in time: Range<Int>) -> Bool {
    time.contains { index in halves.contains { word(index).hasSuffix($0) } }
  }

  mutating func clockTime(at start: Int) -> Match<DatePhrase.Time>? {
    word(start).first?.isNumber == true ? time(at: start, besideDay: true) : nil
  }

  /// Whether a word in the form of a time is one by the words around it: “fri 15h”, “at 0930”, and neither
  /// “drive 15h on friday”, “work fri 3h” nor “look at 2001”.
  private func isTime(_ clock: ClockWord, isAnnounced: Bool, besideDay: Bool) -> Bool {
    switch clock.form {
    case .usual: true
    case .hours:
      isAnnounced || besideDay && isWhole
        || (besideDay || isWhole) && (clock.hour > 12 || clock.hasLeadingZero)
    case .digits:
      clock.hasLeadingZero ? isAnnounced || besideDay || isWhole : besideDay && (isAnnounced || isWhole)
    }
  }

  /// Whether a bare number is an hour: `tomorrow at 9`.
  private func isHour(at index: Int, besideDay: Bool) -> Bool {
    let isAnnounced = index > 0 && ["at", "@"].contains(word(index - 1))
    return isWhole ? besideDay || isAnnounced : besideDay && isAnnounced
  }
}
