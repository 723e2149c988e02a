import Testing

/// Texts with the date and the repetition that a person expects, if it is Saturday, 21 November 2026, 10:00;
/// without a year the date is in 2026. A text with neither is left alone: it means something else, or more
/// than the program understands.
enum DatePhraseTable {
  struct Phrase: Sendable, CustomTestStringConvertible {
    let text: String
    let date: String
    let repetition: String

    var testDescription: String { text }
  }

  static let phrases: [Phrase] = table.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
    let parts = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingSpaces }
    return Phrase(text: parts[0], date: parts[1], repetition: parts[2])
  }

  private static let table = """
    # Days of which only a part would be understood
    pay next month on the 5th | |
    pay next month on 5 jan | |
    pay 5th next month | |
    pay friday in 2 weeks | |
    pay in 2 weeks on friday | |
    pay tomorrow or friday | |
    pay 2 feb or 3 feb | |
    open mon to wed 9am | |
    meet between 3 and 5pm tomorrow | |
    good friday | |
    eggs for easter monday | |
    shop on black friday | |
    call tomorrow and ask about monday's plan | 11-22 |
    call tomorrow to talk about it | 11-22 |
    # A day
    call Anna tomorrow | 11-22 |
    tomorrow call Anna | 11-22 |
    Tomorrow: call Anna | 11-22 |
    call Anna tmr | 11-22 |
    call Anna tmrw about it | 11-22 |
    pay today | 11-21 |
    pay the bill today, please | 11-21 |
    report fri | 11-27 |
    report friday | 11-27 |
    report by friday | 11-27 |
    report until friday | 11-27 |
    report till friday noon | 11-27 12:00 |
    report due friday | 11-27 |
    report before friday | 11-27 |
    report on friday with Eva | 11-27 |
    movie on friday the 13th | |
    movie on friday 13th | |
    meet Eva on monday the 7th of december | 12-07 |
    meet Eva 9am - 10am friday | 11-27 09:00 |
    meet Eva 9am to 10am on friday | 11-27 09:00 |
    meet Eva 14:00 until 15:00 tomorrow | 11-22 14:00 |
    meet Eva tomorrow at 11 at night | 11-22 23:00 |
    meet Eva tomorrow at 9.30 | 11-22 09:30 |
    meet Eva at 9.30 tomorrow in town | 11-22 09:30 |
    look at 9.30 | |
    meet tomorrow at half past 9 | 11-22 09:30 |
    meet quarter to 9 tomorrow | 11-22 08:45 |
    meet Eva at half past 5 on friday | 11-27 17:30 |
    meet at quarter past 11 pm | 11-21 23:15 |
    eat half the cake tomorrow | 11-22 |
    pay on the 24th every month | 11-24 | every month
    trip 7 to 9 december | |
    vacation dec 24 to jan 2 | |
    vacation from dec 24 until jan 2 | |
    fly to Rome 9 december | 12-09 |
    walk 5 km until 9 december | 12-09 |
    buy 3 by friday | 11-27 |
    read chapters 1 to 5 by friday | 11-27 |
    order 12 before monday, please | 11-23 |
    meet Eva on friday 11 december | 12-11 |
    meet Eva on friday 11 december at 9 | 12-11 09:00 |
    meet Eva this friday 11 december | 12-11 |
    meet Eva next friday, 11 december | 12-11 |
    meet Eva at 9 on friday 11 december | 12-11 09:00 |
    meet Eva on friday 2026-12-11 | 12-11 |
    Friday, 11 December 2026: dentist | 12-11 |
    Fri, Dec 11, 9:00 dentist | 12-11 09:00 |
    dentist dec 11 (fri) | 12-11 |
    dentist 11.12.2026, friday, 9:00 | 12-11 09:00 |
    meet on friday 5 may come | 11-27 |
    dentist on thursday 11 december | |
    dentist dec 11 (thu) | |
    dentist friday 30 february | |
    watch friday the 3rd time | |
    report this friday | 11-27 |
    report next friday | 11-27 |
    report next week | 11-23 |
    see them next week about it | 11-23 |
    rent next month | 12-01 |
    taxes next year | 2027-01-01 |
    party next weekend | 11-28 |
    party this weekend | 11-21 |
    on sunday | 11-22 |
    walk on sun | 11-22 |
    walk on sat | 11-28 |
    day after tomorrow | 11-23 |
    dentist day after tomorrow | 11-23 |
    dentist the day after tomorrow at 9 | 11-23 09:00 |
    dentist the day after tomorrow | 11-23 |
    the day after tomorrow call Bob | 11-23 |
    report end of month | 11-30 |
    report by end of month | 11-30 |
    report by the end of the month | 11-30 |
    report at the end of the month | 11-30 |
    end of this month report | 11-30 |
    report end of next month | 12-31 |
    report by the end of next month | 12-31 |
    report end of week | 11-22 |
    report by the end of the week | 11-22 |
    report end of year | 12-31 |
    report by the end of the year | 12-31 |
    report end of day | 11-21 |
    report by end of day | 11-21 |
    finish by midnight | 11-21 |
    finish before midnight | 11-21 |
    finish until 12am | 11-21 |
    at midnight feed the cat | 11-22 |
    at 12am feed the cat | 11-22 |
    feed the cat at midnight | 11-22 |
    midnight | 11-22 |
    12am | 11-22 |
    feed the cat friday midnight | 11-27 |
    feed the cat friday at midnight | 11-27 |
    feed the cat tomorrow at midnight | 11-22 |
    feed the cat tomorrow at 12am | 11-22 |
    # A number of days, weeks, hours
    call in 3 days | 11-24 |
    call in three days | 11-24 |
    call in 2 weeks | 12-05 |
    call in two weeks about it | 12-05 |
    call in a week | 11-28 |
    call in a month | 12-21 |
    call in 6 months | 2027-05-21 |
    call in a year | 2027-11-21 |
    call in 2 hours | 11-21 12:00 |
    call in two hours | 11-21 12:00 |
    call in 30 minutes | 11-21 10:30 |
    call in 2h | 11-21 12:00 |
    call in 2hrs | 11-21 12:00 |
    in 2h call Bob | 11-21 12:00 |
    call in 1h, then go | 11-21 11:00 |
    call in 30min | 11-21 10:30 |
    call in 45mins | 11-21 10:45 |
    call in 90min about it | 11-21 11:30 |
    call in 3d | 11-24 |
    call in 2w | 12-05 |
    call in 1wk | 11-28 |
    water +3d | 11-24 |
    water +2w | 12-05 |
    # A day of a month
    party 1 dec | 12-01 |
    party 1st dec | 12-01 |
    party on the 1st of december | 12-01 |
    party 1st of December at 18:00 | 12-01 18:00 |
    party Dec 24 | 12-24 |
    party on Dec 24 with all | 12-24 |
    party 24 december 2027 | 2027-12-24 |
    party Dec 24, 2027 | 2027-12-24 |
    party 2026-12-24 | 12-24 |
    party 2026-12-24 18:00 | 12-24 18:00 |
    party 2026-12-24T18:00 | 12-24 18:00 |
    party 2026-12-24 18:00:30 with all | 12-24 18:00 |
    party 2026-12-24T18:00:30.250 with all | 12-24 18:00 |
    party 2026-12-24T18:00Z with all | 12-24 18:00 |
    party 2026-12-24T18:00:00+02:00 with all | 12-24 16:00 |
    party 2026-12-24T18:00-05:00, with all | 12-24 23:00 |
    deployed 2026-12-24 18:00:30 +0100 by Ben | 12-24 17:00 |
    party 2026-12-24 18:00-23:00 with all | 12-24 18:00 |
    party 2026-12-24 25:00:00 | 12-24 |
    born 1985-03-03T09:00:00Z |  |
    party 24.12.2026 | 12-24 |
    party 24/12/2026 at 8pm | 12-24 20:00 |
    party 3 jan | 2027-01-03 |
    party 21 nov | 11-21 |
    party 20 nov | 2027-11-20 |
    leap 29 feb | 2028-02-29 |
    # A day of the next month that has it
    pay by the 24th | 11-24 |
    pay by the 24th, please | 11-24 |
    pay on the 24th #home | 11-24 |
    pay on the 21st | 11-21 |
    pay on the 20th | 12-20 |
    pay due 1st | 12-01 |
    pay until the 31st | 12-31 |
    pay before the 15th of the month | 12-15 |
    meet on the 24th at 9 with Anna | 11-24 09:00 |
    meet on the 24th with Anna | 11-24 |
    meet the 24th at 9 | 11-24 09:00 |
    meet on the 24th 9:00 | 11-24 09:00 |
    meet on the 24th 9:00 in town | 11-24 09:00 |
    meet at 9:00 on the 24th | 11-24 09:00 |
    on the 24th of december | 12-24 |
    meet the 24th of december | 12-24 |
    meet on the 24th floor | |
    fetch it from the 24th | |
    read the 24th | |
    read chapter 24th | |
    by the 32nd | |
    pay on the 1st and 15th | |
    pay on the 1st, 15th | |
    trip on the 24th to 26th | |
    trip on the 24th - 26th | |
    trip on the 24th or the 25th | |
    pay on the 1st of next month | |
    not on the 24th | |
    due now | |
    call now | |
    # A day of a past year is no day for a task
    born 3 march 1985 | |
    born 3 march 1965 | |
    born on March 3, 1985 | |
    born 3.3.1985 | |
    born 1985-03-03 at 9:00 | |
    Anna (3 march 1985) | |
    photos of friday 13 march 2020 | |
    taxes of 31 december 2025 | |
    call Anna, born 3 march 1985, tomorrow | 11-22 |
    renew the passport from 2016-03-03 by fri at 9 | 11-27 09:00 |
    lived 1 may 1990 - 2 june 1999 | |
    call Anna, born 3 march 1985, on mon, wed | |
    fetch the letter of 3 march 1985 | |
    gifts for 3 march 1985 every year | |
    report 2 january 2026 | 01-02 |
    party 24 december 2027, as on 24 december 2025 | 2027-12-24 |
    # A time
    dinner at 6pm | 11-21 18:00 |
    dinner 6pm | 11-21 18:00 |
    dinner 6 pm with Eva | 11-21 18:00 |
    dinner at 18:00 | 11-21 18:00 |
    dinner at 18:30 with Eva | 11-21 18:30 |
    dinner at 6:30pm | 11-21 18:30 |
    run at 9am | 11-22 09:00 |
    meeting at 15h | 11-21 15:00 |
    meeting at 9h30 with Eva | 11-22 09:30 |
    meeting at 0930 with Eva | 11-22 09:30 |
    meeting @ 0930 | 11-22 09:30 |
    look at 2001 | |
    meet at 1600 Main Street | |
    call 0930 | |
    call 0800 123456 | |
    paint 15h | |
    lunch at noon | 11-21 12:00 |
    lunch noon | 11-21 12:00 |
    dance tonight | 11-21 20:00 |
    call this evening | 11-21 18:00 |
    call this afternoon | 11-21 15:00 |
    # A day with a time
    lunch fri at 9 | 11-27 09:00 |
    lunch fri at 9 with Anna | 11-27 09:00 |
    lunch fri at 1 with Anna | 11-27 13:00 |
    lunch friday at 12 with Anna and Bob | 11-27 12:00 |
    fri at 9 with Anna | 11-27 09:00 |
    fri at 9, with Anna | 11-27 09:00 |
    fri @ 9 with Anna | 11-27 09:00 |
    meet tomorrow at 10 | 11-22 10:00 |
    meeting fri 15h | 11-27 15:00 |
    meeting fri 15h with Eva | 11-27 15:00 |
    meeting fri 15h30 with Eva | 11-27 15:30 |
    meeting fri 15h-16h with Eva | 11-27 15:00 |
    meeting fri at 9h | 11-27 09:00 |
    meeting fri at 3h | 11-27 03:00 |
    meeting fri 09h30 | 11-27 09:30 |
    meeting at 15h on friday with Eva | 11-27 15:00 |
    meeting fri 25h | |
    meeting fri 15h75 | |
    work fri 3h | |
    work fri 8h on the shelf | |
    drive 15h on friday | 11-27 |
    meeting tomorrow 0930 | 11-22 09:30 |
    meeting tomorrow 0930 with Eva | 11-22 09:30 |
    meeting fri 0930-1030 with Eva | 11-27 09:30 |
    meeting tomorrow at 1530 | 11-22 15:30 |
    meeting at 1530 tomorrow | 11-22 15:30 |
    meeting 1 dec 0930 | 12-01 09:30 |
    dance tonight 0930 | 11-21 21:30 |
    order tomorrow 1500 bricks | 11-22 |
    budget fri 2030 | |
    dial 0800 today | 11-21 |
    meeting fri at 0999 | |
    meet tomorrow at 10 in room 5 | 11-22 10:00 |
    tomorrow at 10 in room 5 | 11-22 10:00 |
    tomorrow at 10 meet Bob | 11-22 10:00 |
    tomorrow at 9 #tag | 11-22 09:00 |
    call tomorrow at 9 #home #phone | 11-22 09:00 |
    call tomorrow at 9 !A | 11-22 09:00 |
    call tomorrow at 9 (Bob) | 11-22 09:00 |
    call tomorrow 9:00 | 11-22 09:00 |
    call tomorrow 9:00 about it | 11-22 09:00 |
    call tomorrow 9am about it | 11-22 09:00 |
    call tomorrow at 9am | 11-22 09:00 |
    call tomorrow morning | 11-22 09:00 |
    call tomorrow evening 7pm | 11-22 19:00 |
    call tomorrow evening 7:30 about it | 11-22 19:30 |
    call tomorrow morning 8:30, then go | 11-22 08:30 |
    call tomorrow morning 8:30am | 11-22 08:30 |
    call at 8am tomorrow morning | 11-22 08:00 |
    call friday night 22:00 | 11-27 22:00 |
    call at 8 tomorrow evening | 11-22 20:00 |
    call this evening 19:30 | 11-21 19:30 |
    dance tonight 9pm | 11-21 21:00 |
    dance tonight 9:30 with Eva | 11-21 21:30 |
    dance 9pm tonight | 11-21 21:00 |
    dance at 9 tonight | 11-21 21:00 |
    tonight 9 people come | 11-21 20:00 |
    call tomorrow evening about it | 11-22 18:00 |
    call tomorrow night | 11-22 20:00 |
    call tomorrow noon | 11-22 12:00 |
    call friday morning about it | 11-27 09:00 |
    call friday afternoon | 11-27 15:00 |
    call mon 14:00 in town | 11-23 14:00 |
    call monday at 14:00 in town | 11-23 14:00 |
    call on monday at 2pm in town | 11-23 14:00 |
    call on monday at 2 in town | 11-23 14:00 |
    call next monday at 11 in town | 11-23 11:00 |
    at 3 tomorrow | 11-22 15:00 |
    call at 3 tomorrow about it | 11-22 15:00 |
    call at 9:00 on friday | 11-27 09:00 |
    call at 9am on friday about it | 11-27 09:00 |
    9:00 tomorrow call | 11-22 09:00 |
    6pm friday dinner | 11-27 18:00 |
    dinner today at 7 with Eva | 11-21 07:00 |
    dinner today at 6 with Eva | 11-21 18:00 |
    in 3 days at 9 with Bob | 11-24 09:00 |
    meet in 2 weeks at 14:00 | 12-05 14:00 |
    meet 1 dec at 9 with Bob | 12-01 09:00 |
    meet Dec 1 at 9 with Bob | 12-01 09:00 |
    meet 2026-12-01 at 9 in room 3 | 12-01 09:00 |
    # A repetition
    water every day | 11-21 | every day
    water each day | 11-21 | every day
    water every 2 days | 11-21 | every 2 days
    water every other day | 11-21 | every 2 days
    water every second day | 11-21 | every 2 days
    water every third day | 11-21 | every 3 days
    water every 3rd day | 11-21 | every 3 days
    water every week | 11-21 | every week
    water every 2 weeks | 11-21 | every 2 weeks
    water every other week | 11-21 | every 2 weeks
    water every fortnight | 11-21 | every 2 weeks
    pay every month | 11-21 | every month
    pay friday every month | 11-27 | every month
    pay monday, every week | 11-23 | every week
    gym every friday from 1 december | 12-04 | every friday
    gym every friday starting 1 december at 9 | 12-04 09:00 | every friday
    gym every friday at 18:00 from tomorrow | 11-27 18:00 | every friday at 18:00
    gym every monday in 2 weeks | 12-07 | every monday
    rent every month end | |
    rent every end of month | |
    meet Eva friday every 2 weeks in town | 11-27 | every 2 weeks
    look at the sun every day | 11-21 | every day
    pay every 3 months | 11-21 | every 3 months
    pay every quarter | 11-21 | every 3 months
    pay every year | 11-21 | every year
    stand up every weekday | 11-23 | every weekday
    stand up every weekday at 9 | 11-23 09:00 | every weekday at 9:00
    stand up every weekday at 9:00 with all | 11-23 09:00 | every weekday at 9:00
    stand up every day at 0930 with all | 11-22 09:30 | every day at 9:30
    stand up every monday 15h with all | 11-23 15:00 | every monday at 15:00
    gym every monday at 0930 and 1700 | |
    stand up every day at 9 with all | 11-22 09:00 | every day at 9:00
    gym every monday | 11-23 | every monday
    gym every mon | 11-23 | every monday
    every monday gym | 11-23 | every monday
    gym every mon and thu | 11-23 | every monday and thursday
    gym every mon, wed, fri | 11-23 | every monday, wednesday and friday
    gym every mon, wed and fri at 7:00 | 11-23 07:00 | every monday, wednesday and friday at 7:00
    gym every mon,wed,fri | 11-23 | every monday, wednesday and friday
    gym every monday at 18:00 with Eva | 11-23 18:00 | every monday at 18:00
    gym every monday at 9 with Eva | 11-23 09:00 | every monday at 9:00
    gym every monday at 9 and 17 | |
    gym every monday at 9 and 2 apples | 11-23 09:00 | every monday at 9:00
    gym every monday morning | 11-23 09:00 | every monday at 9:00
    gym every other monday | 11-23 | every 2 weeks on monday
    gym every other mon at 9 | 11-23 09:00 | every 2 weeks on monday at 9:00
    gym every 2 weeks on monday | 11-23 | every 2 weeks on monday
    gym every weekend | 11-21 | every saturday
    standup every 2nd tuesday | 12-08 | every 2nd tuesday
    standup every second tuesday | 12-08 | every 2nd tuesday
    standup every 2nd tuesday of the month | 12-08 | every 2nd tuesday
    standup every 2nd tuesday of each month at 9 | 12-08 09:00 | every 2nd tuesday at 9:00
    standup every first monday | 12-07 | every 1st monday
    standup every 1st mon of the month with all | 12-07 | every 1st monday
    standup every third thursday | 12-17 | every 3rd thursday
    standup every 4th fri | 11-27 | every 4th friday
    drinks every last friday | 11-27 | every last friday
    drinks every last friday of the month | 11-27 | every last friday
    drinks every last fri at 18:00 with all | 11-27 18:00 | every last friday at 18:00
    every last friday drinks | 11-27 | every last friday
    review every month on the 2nd tuesday | 12-08 | every 2nd tuesday
    review every 3 months on the last friday | 11-27 | every 3 months on the last friday
    pay every 15th | 12-15 | every 15th
    pay on the 1st of every month | 12-01 | every 1st
    pay 15th of every month | 12-15 | every 15th
    pay 15th of each month at 9 | 12-15 09:00 | every 15th at 9:00
    pay 15th every month | 12-15 | every 15th
    report by the 5th of every month | 12-05 | every 5th
    report on the last day of every month | 11-30 | every 31st
    call on the last friday of every month | 11-27 | every last friday
    pay on the first monday of each month | 12-07 | every 1st monday
    pay on the 3rd working day of every month |  |
    gym at 18:00 every monday | 11-23 18:00 | every monday
    gym at 9 every monday | 11-23 09:00 | every monday
    backup at 9 every day | 11-22 09:00 | every day
    standup at 9:30 every weekday | 11-23 09:30 | every weekday
    dinner 7pm every friday | 11-27 19:00 | every friday
    review at 16:00 every last friday | 11-27 16:00 | every last friday
    rent at 9:00 every 1st | 12-01 09:00 | every 1st
    gifts at 9:00 every 25 dec | 12-25 09:00 | every 25 december
    meet 5 people at 9 every monday | 11-23 09:00 | every monday
    at 18:00 gym every monday | 11-23 18:00 | every monday
    arrive at 5 every child gets one |  |
    party 3 may every year | 2027-05-03 | every year
    holiday 1st of may every year | 2027-05-01 | every year
    call every first monday of january |  |
    party every last friday of november |  |
    swim every friday in december |  |
    meds every day for 3 weeks |  |
    walk every day for 30 minutes | 11-21 | every day
    pay every 15th of the month | 12-15 | every 15th
    pay every 31st | 11-30 | every 31st
    pay every last day of the month | 11-30 | every 31st
    pay every month on the 3rd | 12-03 | every 3rd
    gifts every 25 dec | 12-25 | every 25 december
    gifts every Dec 25 | 12-25 | every 25 december
    pay every month from 1 dec | 12-01 | every month
    1 dec pay every month | 12-01 | every month
    tea every morning | 11-22 09:00 | every day at 9:00
    tea every morning at 8 | 11-22 08:00 | every day at 8:00
    tea every evening 7:30 with milk | 11-21 19:30 | every day at 19:30
    tea every monday evening at 7 | 11-23 19:00 | every monday at 19:00
    tea every evening with milk | 11-21 18:00 | every day at 18:00
    wash every 3 days after completion | 11-21 | after 3 days
    wash rec:1w | 11-21 | after 1 week
    wash rec:+1w | 11-21 | every week
    water every week until it rains |  |
    # Understood in part only: nothing is taken
    gym mon, wed, fri |  |
    gym mon, wed and fri |  |
    gym mon wed fri |  |
    gym mon/wed/fri |  |
    gym mon & wed |  |
    gym mon, wed at 9:00 |  |
    gym on mon and wed |  |
    friday or saturday |  |
    call on friday or saturday |  |
    trip mon - fri |  |
    trip mon-fri |  |
    trip mon to fri |  |
    trip monday through friday |  |
    gym every monday to friday |  |
    gym every monday - friday |  |
    gym every mon-fri |  |
    gym every day except sunday |  |
    gym every day but sunday |  |
    gym every weekday except monday |  |
    gym every day until friday |  |
    gym every day until 1 dec |  |
    gym every day till friday |  |
    gym every monday until the end of the year |  |
    gym every week unless it rains |  |
    pay every 1st and 15th |  |
    pay every 1st, 15th |  |
    pay every 1 jan and 1 jul |  |
    standup every 5th friday |  |
    standup every 2nd and 4th tuesday |  |
    standup every first and third monday |  |
    standup every first workday |  |
    standup every other month on friday |  |
    standup first monday |  |
    standup first monday of the month |  |
    standup on the 2nd tuesday |  |
    standup last friday of the month |  |
    standup every few days |  |
    standup every 2 to 3 days |  |
    standup every 2-3 days |  |
    standup every 2 or 3 days |  |
    standup every two hours |  |
    standup every 30 min |  |
    standup every tuesday at 25:00 |  |
    standup every tuesday at 9 and 15:00 |  |
    ring every hour |  |
    waiting since friday |  |
    waiting since last friday |  |
    talk about last friday |  |
    saw him last monday |  |
    last week report |  |
    after friday |  |
    call after tomorrow |  |
    call the week after next |  |
    call week after next |  |
    call after next week |  |
    call after 6pm | 11-21 18:00 |
    1st of next month |  |
    the 1st of next month pay |  |
    beginning of next month |  |
    start of next week |  |
    middle of next week |  |
    mid next week |  |
    end of next week |  |
    end of next year |  |
    not tomorrow |  |
    not on friday |  |
    a week from friday |  |
    two weeks from tomorrow |  |
    three days before friday |  |
    the day before tomorrow |  |
    tomorrow at 25:00 |  |
    call tomorrow at 9:75 |  |
    call friday 13pm |  |
    call friday at 25:00 about it |  |
    1 dec at 24:30 |  |
    party 30 feb |  |
    party 31 apr at 9 |  |
    party 2026-02-30 |  |
    party 2026-13-01 |  |
    in 3 to 5 days |  |
    in 3-5 days |  |
    in 3 or 4 days |  |
    in a few days |  |
    in two or three weeks |  |
    in half an hour |  |
    in 2 and a half hours |  |
    in 1 hour and 30 minutes |  |
    in 1h 30min |  |
    in 2h30 |  |
    # None
    buy milk |  |
    buy 3 eggs |  |
    at home |  |
    call Tom |  |
    call tom at home |  |
    lunch with Tom |  |
    look at 3 |  |
    at 6 Main Street |  |
    version 2.0 |  |
    room 5 |  |
    Sunday roast |  |
    Friday newspaper to buy |  |
    the cat sat there |  |
    sit in the sun all day |  |
    we may 5 times |  |
    march 3 miles |  |
    read John 3:16 |  |
    screen 16:9 wide |  |
    24/7 support |  |
    9/11 memorial |  |
    3/4 cup flour |  |
    iPhone 12 |  |
    Ocean's 11 |  |
    call 555 1234 |  |
    the 90s |  |
    7-Eleven |  |
    5-10 apples |  |
    in 3 parts |  |
    in a minute |  |
    today's paper |  |
    everyone |  |
    every book |  |
    every second counts |  |
    every time |  |
    everyday life |  |
    all week |  |
    a daily paper |  |
    weekly report |  |
    end of story |  |
    the end of the book |  |
    end of the line at 3 |  |
    Midnight Oil record |  |
    midnight snack |  |
    the midnight train |  |
    day after day |  |
    in 2hundred years |  |
    in 2 hands |  |
    next door |  |
    the next one |  |
    last day of school |  |
    last minute gift |  |
    until then |  |
    until it rains |  |
    read 1984 |  |
    #fri tag |  |
    monitor |  |
    second hand car |  |
    first aid |  |
    on the sun |  |
    # More
    monday next week | 11-23 |
    call friday next week about it | 11-27 |
    call next week on friday | 11-27 |
    call next week friday at 9 with Bob | 11-27 09:00 |
    dance tonight at 9 | 11-21 21:00 |
    dance tonight at 9 with Eva | 11-21 21:00 |
    call this evening at 7 with Eva | 11-21 19:00 |
    call tomorrow evening at 7 | 11-22 19:00 |
    call tomorrow at 9 in the evening | 11-22 21:00 |
    call tomorrow at 9 in the morning with Bob | 11-22 09:00 |
    """
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
