import CSQLite
import FoundationEssentials
import Testing

@testable import LiveStore

/// SQLite's own value of one expression, with `?1` bound to a value.
private func sqlite(_ expression: String, _ value: SQLiteValue) -> SQLiteValue {
  let database = TestDatabase()
  return database.rows("select \(expression)", [value])[0][0]
}

private enum Priority: Int, SQLiteValueConvertible {
  case low = 1
  case high = 5
}
private enum Colour: String, SQLiteValueConvertible { case red, green }

@Suite("Values of columns")
struct SQLiteValueTests {
  @Test("Every type reads back what it stored")
  func roundTrip() {
    func check<T: SQLiteValueConvertible & Equatable>(_ values: T...) {
      for value in values {
        #expect(T(sqliteValue: value.sqliteValue) == value)
        #expect(T?(sqliteValue: value.sqliteValue) == .some(value))
        #expect(value.sqliteValue == sqlite("?1", value.sqliteValue))
      }
      #expect(T?(sqliteValue: .null) == .some(nil))
      #expect(T(sqliteValue: .null) == nil)
    }
    check(true, false)
    check(0, 1, -1, Int.max, .min, (1 << 53) + 1)
    check(Int8.min, 0, .max)
    check(Int32.min, 0, .max)
    check(UInt8.min, .max)
    check(UInt32.min, .max)
    check(0.0, 0.1, -1.5e300, .infinity, -.infinity, .leastNonzeroMagnitude, 0x1p53)
    check(Float(0.1), .greatestFiniteMagnitude, -.infinity)
    check("", "a", "Grüße\u{0}👩‍👩‍👧\r\n", "e\u{301}")
    check(Data(), Data([0, 1, 255]))
    check(UUID(), UUID())
    check(Priority.low, .high)
    check(Colour.red, .green)
    check(Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1_714_521_600.123))
    #expect(Optional<Int>.none.sqliteValue == .null)
    #expect(Double.nan.sqliteValue == .null)
    #expect(Colour.green.sqliteValue == .text("green"))
  }

  @Test("Bytes are a text exactly where they are UTF-8, and are kept as they are")
  func malformedTexts() {
    // Malformed parts of three bytes are as long as the U+FFFD that would stand for them.
    let parts: [[UInt8]] = [
      [0x61], [0], [0xC3, 0xBC], [0xE2, 0x82, 0xAC], [0xF0, 0x9F, 0x98, 0x80], [0xEF, 0xBF, 0xBD],
      [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xFF], [0x80],
    ]
    withSeededGenerator { generator in
      for _ in 0..<5_000 {
        // Texts in one half of the rounds.
        let known = Bool.random(using: &generator) ? parts.prefix(6) : parts[...]
        let bytes = (0..<Int.random(in: 0...8, using: &generator)).flatMap { _ in
          known.randomElement(using: &generator) ?? []
        }
        let expected = String(validating: bytes, as: UTF8.self).map { SQLiteValue.text($0) }
        #expect(SQLiteValue(utf8: bytes) == expected ?? .malformedText(bytes))
        #expect(SQLiteValue(utf8: bytes.lazy.map { $0 }) == expected ?? .malformedText(bytes))
      }
    }
  }

  @Test("An identifier is read as Foundation reads it, in either case, and any other character makes it none")
  func identifiers() {
    withSeededGenerator { generator in
      for _ in 0..<2_000 {
        let identifier = UUID(
          uuid: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }.withUnsafeBytes {
            $0.loadUnaligned(as: uuid_t.self)
          })
        let text = Bool.random(using: &generator) ? identifier.uuidString : identifier.uuidString.lowercased()
        #expect(UUID(sqliteValue: .text(text)) == identifier)
        var bytes = Array(text.utf8)
        bytes[Int.random(in: 0..<36, using: &generator)] = UInt8.random(in: 1..<128, using: &generator)
        let changed = String(decoding: bytes, as: UTF8.self)
        // Foundation reads some characters that are no digits.
        let isIdentifier = bytes.enumerated().allSatisfy { index, byte in
          [8, 13, 18, 23].contains(index) ? byte == 0x2D : Character(UnicodeScalar(byte)).isHexDigit
        }
        #expect(
          UUID(sqliteValue: .text(changed)) == (isIdentifier ? UUID(uuidString: changed) : nil), "\(changed)")
      }
    }
  }

  @Test("A date is read from the form in which it is written as from one that differs in a space")
  func dates() {
    withSeededGenerator { generator in
      for _ in 0..<2_000 {
        let milliseconds = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &generator)
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        guard case .text(let text) = date.sqliteValue else {
          Issue.record("A date is a text.")
          return
        }
        #expect(Date(sqliteValue: .text(text)) == date)
        var bytes = Array(text.utf8)
        bytes[Int.random(in: 0..<23, using: &generator)] = UInt8.random(in: 0x20..<0x3B, using: &generator)
        let changed = String(decoding: bytes, as: UTF8.self)
        #expect(Date(sqliteValue: .text(changed)) == Date(sqliteValue: .text(changed + " ")), "\(changed)")
      }
    }
  }

  @Test(
    "Numbers and text read one another as SQLite's columns do",
    arguments: [
      "0", "12", "-12", "+7", " 12", "12abc", "abc", "", "-", "+", ".", "1.5", "-1.5", ".5", "5.", "1e3",
      "1e",
      "1e+", "-2.5E-2x", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
      "-99999999999999999999", "0x10", "inf", "nan", "１", "1 2", "\t3", "--1", "1.2.3",
    ])
  func numericText(text: String) {
    let column = TestDatabase()
    // Read through the column functions, not by CAST: the two differ in corners such as '1e3'.
    let (integer, real) = column.columnReadings(ofText: text)
    #expect(SQLiteValue.text(text).integerReading == integer)
    #expect(SQLiteValue.text(text).realReading == real)
    #expect(SQLiteValue.blob(Array(text.utf8)).integerReading == integer)
    #expect(Bool(sqliteValue: .text(text)) == (sqlite("?1 is true", .text(text)) == .integer(1)))
  }

  @Test("A real is cut to an integer in range")
  func realToInteger() {
    for value in [0.0, 1.9, -1.9, 1e18, 9.3e18, -9.3e18, .infinity, -.infinity] {
      #expect(
        Int(sqliteValue: .real(value)).map { .integer(Int64($0)) }
          == sqlite("cast(?1 as integer)", .real(value)))
    }
    #expect(Int8(sqliteValue: .integer(128)) == nil)
    #expect(UInt8(sqliteValue: .integer(-1)) == nil)
    #expect(Priority(sqliteValue: .integer(2)) == nil)
    #expect(Bool(sqliteValue: .real(0.5)) == true)
  }

  @Test("A UUID is read in lower case and from 16 bytes")
  func uuid() {
    let uuid = UUID(uuidString: "0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9")
    #expect(UUID(sqliteValue: .text("0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9")) == uuid)
    let bytes: [UInt8] = [10, 27, 44, 61, 78, 95, 96, 113, 130, 147, 164, 181, 198, 215, 232, 249]
    #expect(UUID(sqliteValue: .blob(bytes)) == uuid)
    #expect(UUID(sqliteValue: .text("none")) == nil)
    #expect(UUID(sqliteValue: .integer(1)) == nil)
  }

  @Test("A date's text is the one that SQLite's strftime gives, and reads back")
  func dateAgainstSQLite() {
    var random = SeededGenerator()
    let database = TestDatabase()
    for _ in 0..<2000 {
      let milliseconds = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random)
      let text = CivilTime.text(ofMilliseconds: milliseconds)
      let days = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
      // The day and the rest apart, because strftime computes in doubles of days.
      let expected = database.rows(
        "select date(?1 * 86400, 'unixepoch')",
        [.integer(days.quotient - (days.remainder < 0 ? 1 : 0))])[0][0]
      #expect(.text(String(text.prefix(10))) == expected, "\(random.seed)")
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      #expect(date.sqliteValue == .text(text), "\(random.seed)")
      #expect(Date(sqliteValue: .text(text)) == date, "\(random.seed)")
      let parsed = Array(text.utf8).withUnsafeBufferPointer { CivilTime.milliseconds(parsing: $0) }
      #expect(parsed == milliseconds, "\(random.seed)")
    }
  }

  @Test("Dates are rounded to the nearest millisecond and held within the years 0000 to 9999")
  func dateRounding() {
    func text(_ seconds: Double) -> SQLiteValue { Date(timeIntervalSince1970: seconds).sqliteValue }
    #expect(text(0) == .text("1970-01-01 00:00:00.000"))
    #expect(text(0.0004) == .text("1970-01-01 00:00:00.000"))
    #expect(text(0.0006) == .text("1970-01-01 00:00:00.001"))
    #expect(text(-0.0006) == .text("1969-12-31 23:59:59.999"))
    #expect(text(951_827_696.9996) == .text("2000-02-29 12:34:57.000"))
    // 1 January 1 in the Julian calendar, which Foundation counts in before 1582.
    #expect(Date.distantPast.sqliteValue == .text("0000-12-30 00:00:00.000"))
    #expect(Date.distantFuture.sqliteValue == .text("4001-01-01 00:00:00.000"))
    #expect(text(-.infinity) == .text("0000-01-01 00:00:00.000"))
    #expect(text(.infinity) == .text("9999-12-31 23:59:59.999"))
    #expect(text(1e15) == .text("9999-12-31 23:59:59.999"))
  }

  @Test(
    "Dates are read leniently",
    arguments: [
      ("2024-05-01", 1_714_521_600), ("2024-05-01 12:30", 1_714_566_600),
      ("2024-05-01T12:30:15", 1_714_566_615), ("2024-05-01 12:30:15.5", 1_714_566_615.5),
      ("2024-05-01 12:30:15.12345678", 1_714_566_615.123), ("2024-05-01 12:30:15.9995", 1_714_566_616),
      ("2024-05-01T12:30:15Z", 1_714_566_615), ("2024-05-01T12:30:15.250+02:00", 1_714_559_415.25),
      ("2024-05-01 12:30:15 -0330", 1_714_579_215), ("2024-05-01T12:30+1", 1_714_563_000),
      ("  2024-05-01  ", 1_714_521_600), ("2024-5-1 7:05", 1_714_547_100), ("2023-02-29", 1_677_628_800),
      ("2023-12-31 24:00", 1_704_067_200), ("2016-12-31 23:59:60", 1_483_228_800),
      ("1714521600", 1_714_521_600),
      ("1714521600.5", 1_714_521_600.5), ("-1", -1), ("0", 0), ("1e3", 1000),
    ] as [(String, Double)])
  func dateParsing(text: String, seconds: Double) {
    #expect(Date(sqliteValue: .text(text)) == Date(timeIntervalSince1970: seconds))
    #expect(Date(sqliteValue: .blob(Array(text.utf8))) == Date(timeIntervalSince1970: seconds))
  }

  @Test(
    "What is no date has no reading",
    arguments: [
      "", " ", "tomorrow", "2024-13-01", "2024-00-01", "2024-01-32", "2024-01-01 25:00",
      "2024-01-01 1",
      "2024-01-01 12:60", "2024-01-01 12:00:61", "2024-01-01 12:00:00.", "2024-01-01 12:00 PM", "2024-01-01x",
      "2024-01-01 12:00+", "2024-01-01T", "nan", "inf", "0x10", "1 2", "-",
    ])
  func noDate(text: String) {
    #expect(Date(sqliteValue: .text(text)) == nil)
  }

  @Test("Numbers are seconds since 1970")
  func dateFromNumbers() {
    #expect(Date(sqliteValue: .integer(1_714_521_600)) == Date(timeIntervalSince1970: 1_714_521_600))
    #expect(Date(sqliteValue: .real(1.2345)) == Date(timeIntervalSince1970: 1.235))
    #expect(Date(sqliteValue: .integer(.max)) == Date(timeIntervalSince1970: 253_402_300_799.999))
    #expect(Date(sqliteValue: .null) == nil)
  }

  @Test("Times sort as their texts do")
  func order() {
    var random = SeededGenerator()
    for _ in 0..<1000 {
      let (a, b) = (
        Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random),
        Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random)
      )
      #expect(
        (a < b) == (CivilTime.text(ofMilliseconds: a) < CivilTime.text(ofMilliseconds: b)), "\(random.seed)")
    }
  }
}
