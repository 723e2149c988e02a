import FoundationEssentials
import Glibc
import LiveStore
import Testing

@testable import TasksModel

@Suite("Formats of text: todo.txt, Markdown, CSV")
struct TextFormatTests {
  @Test(
    "Lines of todo.txt come back with all that they say",
    arguments: [
      "Buy milk", "(A) Call mum", "(D) Low", "(A) 2026-01-02 With a date", "2026-01-02 With a date",
      "x Done", "x 2026-02-03 Done", "x 2026-02-03 2026-01-02 Done", "x 2026-02-03 Done pri:B",
      "x 2026-02-03 Done pri:E", "Buy milk +Groceries", "Call @phone mum @home +At_home",
      "Pay due:2026-12-01", "Meet +Work due:2026-12-01T09:30", "Water due:2026-12-01 rec:1w",
      "Water rec:+2m", "Water rec:every_monday_and_thursday", "Note note:two%0Alines_here",
      "+a Call +b", "Key http://x.y/z?a:b foo:bar", "email@work.example", "@123 @a.b + @", "xylophone",
      "Pay due:2026-01-01 soon due:2026-12-01T09:30", "See note:a note:b", "See of:5 in it nr:1",
      "See nr:5 nr:1", "See due\\:2026-01-01 and \\@home", "See pri:A completed\\:2026-01-01",
      "(a) lower", "(AB) two", "2026-13-01 no date", "due:soon", "rec:", "a  b", "100%_sure",
    ])
  func todoText(line: String) throws {
    let fixture = try FormatFixture()
    try fixture.take(line + "\r\n", .todoText)
    #expect(try fixture.export(.todoText) == line + "\n")
    #expect(fixture.store.allTasks.count == 1)
  }

  @Test("What the words of a line of todo.txt mean")
  func todoTextValues() throws {
    let fixture = try FormatFixture()
    try fixture.take(
      """
      x (B) 2026-02-03 2026-01-02 Call @phone mum +At_home +x due:2026-11-27 rec:+1w note:a_b
      (D) Low


      Party nr:1
      Cake of:1
      """, .todoText)
    #expect(
      fixture.lines == [
        "# My Tasks", "o Low | priority:D", "o Party", "  o Cake", "# At home",
        "x Call #phone mum +x due 2026-11-27 (B) <every week> done 2026-02-03 | a b\ncreated:2026-01-02",
      ])
    #expect(fixture.store.allTasks.first { $0.text.contains("mum") }?.tags == " phone ")
  }

  @Test(
    "A word nr: is the number of a task with subtasks only where it is the next one, or that of the next line"
  )
  func numbers() throws {
    let fixture = try FormatFixture()
    try fixture.take(
      "Pay invoice nr:4711 today\nt nr:1\ns of:1\nu nr:x7\nv of:x7\nPay nr:3\nw of:x7\nPay nr:5\n", .todoText)
    #expect(
      fixture.lines == [
        "# My Tasks", "o Pay invoice nr:4711 today", "o t", "  o s", "o u", "  o v", "  o w", "o Pay",
        "o Pay nr:5",
      ])
    let copy = try FormatFixture()
    try copy.take(try fixture.export(.todoText), .todoText, parts: 7)
    #expect(copy.lines == fixture.lines)
  }

  @Test(
    "A text that begins like another line of todo.txt is still that text",
    arguments: ["x y", "(A) b", "2026-01-02 c", "+d e"])
  func todoTextBeginnings(text: String) throws {
    let (fixture, copy) = (try FormatFixture(), try FormatFixture())
    try fixture.store.add([text], to: .tasks(inList: TaskList.firstListID))
    try copy.take(try fixture.export(.todoText), .todoText)
    #expect(copy.lines == ["# My Tasks", "o \(text)"])
  }

  @Test(
    "Headings are lists, items with boxes tasks, those below them subtasks and notes; the rest is left out")
  func markdown() throws {
    let fixture = try FormatFixture()
    try fixture.take(
      """
      Some words.
      - [ ] loose
      Home #
      # At home ##

      - no task
      * [x] done completed:2026-02-03
        > a note

        more of it
      + [ ] (A) open *x* due:2026-11-27 rec:+1w
          1. [X] sub due:
              - [ ] deeper (A)
                > > its note
      12) [ ] numbered \\# \\(A) \\
      - [y] no box
      ```
      - [ ] code
      ```
      ## Empty
      #NoHeading
      # ##
      """, .markdown)
    #expect(
      fixture.lines == [
        "# My Tasks", "o loose", "# At home", "o open *x* due 2026-11-27 (A) <every week>",
        "  o deeper (A) | > its note",
        "  x sub due:", "o numbered # (A) \\", "x done done 2026-02-03 | a note\nmore of it", "# Empty",
      ])
  }

  @Test(
    "Lines of = or - make a heading of the text above them, unless they go across the page",
    arguments: [
      ("Work\n====\n- [ ] a", "# Work o a"), ("Work\n-\n- [ ] a", "# Work o a"),
      ("Work\n   ---  \n- [ ] a", "# Work o a"), ("At\nwork\n---\n- [ ] a", "# At work o a"),
      ("- [ ] b\n\nWork\n-----\n- [ ] a", "o b # Work o a"), ("\\# Work\n=\n- [ ] a", "# # Work o a"),
      ("***\nWork\n===\n- [ ] a", "# Work o a"), ("- [ ] b\n***\nWork\n===\n- [ ] a", "o b # Work o a"),
      ("# Work\nAll of it.\n\n---\n- [ ] a", "# Work o a"), ("Work\n\n---\n- [ ] a", "o a"),
      ("- [ ] b\n---\n- [ ] a", "o b o a"), ("- [ ] b\nmore\n---\n- [ ] a", "o b o a"),
      ("- [ ] b\n  > note\n---\n- [ ] a", "o b | note o a"), ("- Work\n---\n- [ ] a", "o a"),
      ("> Work\n---\n- [ ] a", "o a"), ("Work\n- - -\n- [ ] a", "o a"), ("Work\n    ---\n- [ ] a", "o a"),
      ("Work\n=-=\n- [ ] a", "o a"), ("# Work\n---\n- [ ] a", "# Work o a"), ("===\n- [ ] a", "o a"),
      ("```\nWork\n===\n```\n- [ ] a", "o a"), ("    Work\n===\n- [ ] a", "o a"),
      ("# Work\n- [ ] a\n# \n- [ ] b", "o b # Work o a"),
      ("# Work\n- [ ] a\n  #\n- [ ] b", "# Work o a | # o b"),
      ("| Work |\n---\n- [ ] a", "o a"), ("---\ntitle: b\ntags: c\n---\n- [ ] a", "o a"),
      ("---\ntitle: b\n---\n\nWork\n---\n- [ ] a", "# Work o a"),
      ("\(String(repeating: "long words\n", count: 9_000))---\n- [ ] a", "o a"),
    ])
  func underlinedHeadings(text: String, lines: String) throws {
    let fixture = try FormatFixture()
    try fixture.take(text, .markdown)
    let shown = fixture.lines.drop { $0 == "# My Tasks" }
    #expect(shown.joined(separator: " ") == lines)
  }

  @Test(
    "A text with a line of its own belongs to the task below which it is indented",
    arguments: [
      ("- [ ] a\n  - [ ] b\n\n  of a\n  too", "o a | of a too   o b"),
      ("- [ ] a\n  - [ ] b\n  of b\n  too", "o a   o b | of b too"),
      ("- [ ] a\n  - [ ] b\n  > of a", "o a | of a   o b"),
      ("- [ ] a\n  - [ ] b\n    - [ ] c\n\n    of b\n\n  of a", "o a | of a   o b | of b   o c"),
      (
        "- [ ] a\n  - [ ] b\n    - [ ] c\n      of c\n  - [ ] d\n\n    of d",
        "o a   o b   o c | of c   o d | of d"
      ),
      ("- [ ] a\n  of a\n  - [ ] b\n    - no box\n  - no box", "o a | of a - no box   o b | - no box"),
    ])
  func notesByIndent(text: String, lines: String) throws {
    let fixture = try FormatFixture()
    try fixture.take(text, .markdown)
    let shown = fixture.lines.dropFirst().joined(separator: " ")
    #expect(shown.split(separator: "\n").joined(separator: " ") == lines)
  }

  @Test(
    "A mark that combines with what stands before it is kept, also at the start of a word",
    arguments: FileFormat.allCases)
  func combiningMarks(format: FileFormat) throws {
    let texts = [
      "\u{301}a", "(A) \u{301}b", "x \u{301}c", "d \u{301}#e", "f due:\u{301}g", "h note:\u{301}",
      "j #k \u{301}l", "+\u{301}m", "n +\u{301}o", "p \u{301}", "q rec:\u{301}_r",
    ]
    let (fixture, copy) = (try FormatFixture(), try FormatFixture())
    try fixture.store.store.write {
      for name in ["My Tasks", "\u{301}name"] {
        let list = name == "My Tasks" ? fixture.store.lists[0] : TaskList()
        list.text = name
        if name != "My Tasks" {
          fixture.store.store.add(list)
          fixture.store.lists.append(list)
        }
        for text in texts {
          let task = TaskItem()
          (task.text, task.notes) = (text, "\u{301}note\n\u{301}line")
          fixture.store.store.add(task)
          list.items.append(task)
        }
      }
    }
    try copy.take(try fixture.export(format), format)
    // Compared as bytes: texts may be equal, and their marks on other letters.
    #expect(copy.lines.map { Array($0.utf8) } == fixture.lines.map { Array($0.utf8) }, "\(copy.lines)")
  }

  @Test("A word !A before one that begins with a combining mark is the priority")
  func priorityBeforeMark() {
    let taken = TaskPriority.taken(from: "!A \u{301}a")
    #expect(taken?.priority == .a && taken.map { Array($0.text.utf8) } == Array("\u{301}a".utf8))
  }

  @Test(
    "The moment in which a task was completed goes before that of a note, which is older",
    arguments: [FileFormat.markdown, .csv, .todoText, .ical, .taskwarrior])
  func olderCompletion(format: FileFormat) throws {
    let (fixture, copy) = (try FormatFixture(), try FormatFixture())
    try fixture.store.store.write {
      let task = TaskItem()
      (task.text, task.notes, task.completed) = ("a", "words\ncompleted:2026-01-02", true)
      task.completedAt = FormatFixture.day
      fixture.store.store.add(task)
      fixture.store.lists[0].items.append(task)
    }
    try copy.take(try fixture.export(format), format)
    #expect(copy.lines == ["# My Tasks", "x a done 2026-11-27 | words\ncompleted:2026-01-02"])
  }

  @Test(
    "A moment comes back as it was, also one that clocks show twice, or that begins a day at one o'clock",
    arguments: [FileFormat.markdown, .csv, .todoText, .ical, .taskwarrior])
  func moments(format: FileFormat) async {
    await #expect(processExitsWith: .success) { [name = format.rawValue as String] in
      let format = try #require(FileFormat(rawValue: name))
      for (zone, month, day) in [
        ("Europe/Berlin", 10, 25), ("America/Havana", 3, 8), ("America/Havana", 11, 1),
      ] {
        setenv("TZ", zone, 1)
        tzset()
        let start = LocalCalendar.system.date(of: LocalTime(year: 2026, month: month, day: day))
        let dates =
          (0..<20).map { start.addingTimeInterval(Double($0) * 900) }
          + [15, 59, 3_615].map { start.addingTimeInterval($0) }
        let (fixture, copy) = (try FormatFixture(), try FormatFixture())
        try fixture.store.store.write {
          for date in dates {
            let task = TaskItem()
            (task.text, task.date, task.waitsUntil) = ("a", date, date)
            fixture.store.store.add(task)
            fixture.store.lists[0].items.append(task)
          }
        }
        let text = try fixture.export(format)
        try copy.take(text, format)
        #expect(copy.store.lists[0].items.map(\.date) == dates, "\(text)")
        #expect(copy.store.lists[0].items.map(\.waitsUntil) == dates, "\(text)")
        // A moment is a local time, to be read by people, where that is not at odds with it.
        if format == .csv { #expect(text.contains("T02:45,"), "\(text)") }
      }
    }
  }

  @Test("Every line ending of a note is one in iCalendar")
  func calendarLines() {
    let escaped = CalendarText.escaped("one\r\ntwo\rthree\nfour\u{1}")
    #expect(escaped == #"one\ntwo\nthree\nfour"# + "\u{FFFD}")
  }

  @Test(
    "A list without a name is none: its tasks go where those of no list go",
    arguments: [
      (FileFormat.markdown, "# \n- [ ] a"), (.csv, "text,list\na,\"\u{A0} \""),
      (.jsonl, #"{"text": "a", "list": " "}"#), (.todoText, "a +"),
      (.taskwarrior, #"[{"description": "a", "project": " "}]"#),
    ])
  func unnamedList(format: FileFormat, file: String) throws {
    let fixture = try FormatFixture()
    try fixture.take(file, format)
    #expect(fixture.lines.count == 2 && fixture.lines[0] == "# My Tasks", "\(fixture.lines)")
  }

  @Test("The first line of CSV names the columns, as other programs call them")
  func csv() throws {
    let fixture = try FormatFixture()
    try fixture.take(
      "\u{FEFF}Priority;Title;Status;Labels;Extra;Due Date;Notes\r\n"
        + "high;\"a \"\"b\"\"; c\";Completed;x y.z;1;2026-11-27;\"two\r\nlines\"\r\n\r\n"
        + ";plain\ttext;;;;;\r\nZ;p;2026-02-03;;;2026-11-27 09:30;", .csv)
    #expect(
      fixture.lines == [
        "# My Tasks", "o plain text", "x a \"b\"; c #x #y_z due 2026-11-27 (A) | two\r\nlines",
        "x p due 2026-11-27T09:30 done 2026-02-03 | priority:Z",
      ])
  }

  @Test(
    "Files that cannot be read say why",
    arguments: [
      (FileFormat.csv, "a,b\n1,2\n", 1, "the first line names no column for the text: "),
      (.csv, "text\n\"open\nquote\n", 2, "a quotation mark is not closed"),
      (.csv, "text,done\na,maybe\n", 2, "“maybe” does not say whether it is done; "),
      (.jsonl, "{\"text\":\"a\"}\n{\"text\":\"b\"", 2, "it is no JSON object, or not all of one"),
      (.jsonl, "\n{\"text\":1}\n", 2, "“text” has a value of another kind than it should have"),
      (.jsonl, "{\"text\":\"a\",\"date\":\"soon\"}", 1, "“date” has a value that it cannot have"),
      (.jsonl, "{\"text\":\"a\",\"priority\":\"D\"}", 1, "“priority” has a value that it cannot have"),
      (
        .jsonl, "{\"text\":\"a\",\"subtasks\":[{\"text\":null}]}", 1,
        "the task, or a subtask of it, has no “text”"
      ),
      (.jsonl, "{\"text\":\"a\"}\n{\"text\":\" \"}", 2, "the task, or a subtask of it, has no “text”"),
      (
        .jsonl, "{\"text\":\"a\",\"subtasks\":[{\"text\":\"\"}]}", 1,
        "the task, or a subtask of it, has no “text”"
      ),
      (.jsonl, "{\"type\":\"list\"}", 1, "the list has no “text”"),
      (
        .jsonl, "{\"type\":\"search\",\"name\":\"\",\"text\":\"a\"}", 1,
        "the search has no “name” or no “text”"
      ),
      (
        .jsonl, "{\"text\":\"a\",\"repeat\":\"now and then\"}", 1,
        "“now and then” is no repetition, such as “every week”"
      ),
      (
        .jsonl, "{\"text\":\"a\",\"subtasks\":[{\"text\":\"b\",\"repeat\":\"x\"}]}", 1,
        "“x” is no repetition, such as “every week”"
      ),
      (
        .jsonl, "{\"type\":\"list\",\"text\":\"a\",\"color\":\"reddish\"}", 1,
        "the list's “color” is not written as #rrggbb"
      ),
      (.taskwarrior, "[{\"description\":\"a\"},\n", 2, "the file ends in the middle of an array"),
      (.taskwarrior, "[[[[", 1, "there is a “[” where none can be"),
      (.taskwarrior, "]", 1, "there is a “]” where none can be"),
      (.taskwarrior, "[,,,]", 1, "there is a “,” where none can be"),
      (.taskwarrior, "[{\"description\":\"a\"}]\n]]", 2, "there is a “]” where none can be"),
      (.taskwarrior, "[{\"description\":\"a\"},,]", 1, "there is a “,” where none can be"),
      (
        .ical, "\nBEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:a\nEND:VTODO\n", 2,
        "the calendar has no END:VCALENDAR"
      ),
      (.ical, "BEGIN:VCALENDAR\nBEGIN:VCALENDAR\nEND:VCALENDAR\n", 1, "the calendar has no END:VCALENDAR"),
      (.ical, "anything\n", 1, "the file has no BEGIN:VCALENDAR, and is no calendar"),
      (.jsonl, "{\"type\":\"note\"}", 1, "“note” is no type of a record: tasks, list, task or search"),
      (.jsonl, String(repeating: "[", count: 100_000), 1, "it is no JSON object, or not all of one"),
      (.todoText, "a\n+only\n", 2, "the task has no text"),
      (.todoText, "a\nb\u{0}\n", 2, "it has a NUL character, as no text has"),
      (.jsonl, #"{"text":"\\u0000"}"# + "\n" + #"{"text":"a\\\u0000"}"#, 2, "it has a NUL character"),
      (.taskwarrior, #"[{"description":"a","tags":["\u0000"]}]"#, 1, "it has a NUL character"),
      (.markdown, "- [ ] a\n- [ ]\n", 2, "the task has no text"),
    ])
  func problems(format: FileFormat, text: String, line: Int, sentence: String) throws {
    let fixture = try FormatFixture()
    var problems: [RecordProblem] = []
    #expect(throws: ImportFailure.badRecords(1)) {
      try fixture.take(text, format, parts: 7) { problems.append($0) }
    }
    #expect(problems.map(\.line) == [line] && problems[0].sentence.hasPrefix(sentence), "\(problems)")
    #expect(fixture.lines == ["# My Tasks"])
  }

  @Test("In a line of todo.txt that consists of key words, these are the text, as in that of such a task")
  func keyWords() throws {
    let fixture = try FormatFixture()
    try fixture.take("x 2026-02-03 +Work due:2026-12-01 t:2026-11-30\n", .todoText)
    #expect(fixture.lines == ["# My Tasks", "# Work", "x due:2026-12-01 t:2026-11-30 done 2026-02-03"])
    let copy = try FormatFixture()
    try copy.take(try fixture.export(.todoText), .todoText)
    #expect(copy.lines == fixture.lines)
  }

  @Test(
    "Objects of Taskwarrior are read from arrays, and as older versions write them, without one",
    arguments: ["[\n1,\n2\n]\n", "1\n2\n", "1,\n2\n", "[1,2,]", "[1][2]", "[]1 2"])
  func objects(text: String) throws {
    let fixture = try FormatFixture()
    let objects = text.map { $0.isNumber ? "{\"description\":\"\($0)\"}" : "\($0)" }.joined()
    try fixture.take(objects, .taskwarrior)
    #expect(fixture.lines == ["# My Tasks", "o 1", "o 2"])
  }

  @Test(
    "A line that is not UTF-8, or too long to be one, is told; those around it are taken",
    arguments: [FileFormat.todoText, .jsonl])
  func unreadableLines(format: FileFormat) throws {
    let good = Array((format == .jsonl ? "{\"text\":\"good\"}\n" : "good\n").utf8)
    let long = [UInt8](repeating: 0x61, count: LineReader.longestLine + 100_000)
    let fixture = try FormatFixture()
    var problems: [RecordProblem] = []
    try fixture.take(
      bytes: good + [0x61, 0xFF, 0x0A] + good + long + [0x0A] + good + long, format, skippingBad: true
    ) { problems.append($0) }
    #expect(
      problems == [
        RecordProblem(2, "it is not UTF-8 text"), RecordProblem(4, "it is longer than 16 MB"),
        RecordProblem(6, "it is longer than 16 MB"),
      ])
    #expect(fixture.lines == ["# My Tasks", "o good", "o good", "o good"])
  }

  @Test("Items of any depth become subtasks")
  func depth() throws {
    let fixture = try FormatFixture()
    let text = (0..<300).map { String(repeating: " ", count: 2 * $0) + "- [ ] \($0)\n" }.joined()
    try fixture.take(text, .markdown)
    #expect(fixture.lines.count == 301 && fixture.lines[300] == "  o 299")
    let deep =
      (0..<200).map { "{\"text\":\"\($0)\",\"subtasks\":[" }.joined() + String(repeating: "]}", count: 200)
    try fixture.take(deep, .jsonl)
    #expect(fixture.store.allTasks.count == 500)
  }

  @Test("An open subtask of a completed task, as two machines may have made it, stays open")
  func openSubtask() throws {
    let fixture = try FormatFixture()
    try fixture.take(
      "{\"text\":\"Move\",\"completed\":true,\"subtasks\":[{\"text\":\"Boxes\"}]}", .jsonl)
    #expect(fixture.lines == ["# My Tasks", "x Move", "  o Boxes"])
  }

  @Test(
    "Dates in ISO 8601",
    arguments: [
      ("2026-12-01", "2026-12-01"), ("20261201", "2026-12-01"), ("2026-12-01T09:30", "2026-12-01T09:30"),
      ("2026-12-01 09:30", "2026-12-01T09:30"), ("20261201T093000", "2026-12-01T09:30"),
      ("2026-12-01T09:30:15Z", "Z2026-12-01T09:30:15Z"), ("20261201T093015Z", "Z2026-12-01T09:30:15Z"),
      ("2026-12-01T09:30:15+01:30", "Z2026-12-01T08:00:15Z"),
      ("2026-12-01T09:30:15.5-0100", "Z2026-12-01T10:30:15Z"),
      ("2026-02-29", nil), ("2026-12-1", nil), ("2026-12-01T", nil), ("2026-12-01T9:30", nil), ("", nil),
      ("2026-12-01x", nil), ("2026-12-01T24:00", nil), ("0000-01-01", nil), ("2026-1201", nil),
      ("١٢٣٤-01-01", nil),
    ] as [(String, String?)])
  func timestamps(text: String, meaning: String?) {
    let time = Timestamp(text)
    let date = time?.date(.system)
    let shown = date.map {
      time?.offset == nil ? LocalCalendar.system.text(of: $0) : "Z" + $0.greenwichText
    }
    #expect(shown == meaning)
  }
}
