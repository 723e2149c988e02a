import Foundation
import Testing

@testable import LiveStore

@Suite("JSON in columns")
struct JSONScannerTests {
  private func elements(_ text: String) -> [SQLiteValue]? {
    var values: [SQLiteValue] = []
    let isArray = SQLiteValue.text(text).withTextBytes { bytes in
      var scanner = JSONScanner(bytes)
      return scanner.elements { value, _ in
        values.append(value)
        return true
      }
    }
    return isArray ? values : nil
  }

  /// The elements of an array as SQLite reads them; `nil` if it finds no array.
  private func elementsOfSQLite(_ text: String, _ database: TestDatabase) -> [SQLiteValue]? {
    let isArray = database.rows(
      "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) = 'array' END", [.text(text)])
    guard isArray == [[.integer(1)]] else { return nil }
    return database.rows("SELECT value FROM json_each(?1)", [.text(text)]).map { $0[0] }
  }

  @Test("An array is read as SQLite reads it")
  func likeSQLite() {
    let database = TestDatabase()
    for text in [
      "[]", " [ ] ", "[1,-2,0]", "[1.5,-0.0,1e3,2E-2,9e999]", "[9223372036854775807,-9223372036854775808]",
      "[9223372036854775808]", "[true,false,null]", #"["a","","ü","\u00fc\n\"\\\/\b\f\r\t"]"#,
      #"["\ud83d\ude00"]"#, #"[[1,[2]],{"a":[]},"x"]"#, "[1,]", "[,1]", "[1 2]", "[1", "1", "{}", "", "[01]",
      "[1.]", "[.5]", "[+1]", "[-]", "[1e]", "[tru]", "[nul]", #"["a]"#, #"["\x"]"#, "[1]x", "[[1]",
      "[{\"a\"}]",
      "[{\"a\":}]", "[{1:2}]", "[1}", "[\"a\nb\"]", "[\"\\u12\"]",
    ] {
      #expect(elements(text) == elementsOfSQLite(text, database), "\(text)")
    }
  }

  @Test("What SQLite is lenient with is no JSON: half of a surrogate pair, and a depth beyond all use")
  func strict() {
    for text in [
      #"["\ud83d"]"#, #"["\ude00"]"#, #"["\ud83dx"]"#, "[\(String(repeating: "[", count: 100_000))",
    ] {
      #expect(elements(text) == nil, "\(text.prefix(20))")
    }
  }

  @Test("Random arrays, whole and with one byte changed, are read as SQLite reads them")
  func random() {
    let database = TestDatabase()
    withSeededGenerator { random in
      // SQLite takes spaces out of what is inside.
      func text(_ depth: Int) -> String {
        switch Int.random(in: 0..<(depth < 3 ? 8 : 5), using: &random) {
        case 0: return "\(Int.random(in: -1000...1000, using: &random))"
        case 1: return "\(Double.random(in: -10...10, using: &random))"
        case 2: return ["true", "false", "null"].randomElement(using: &random)!
        case 3, 4:
          let parts = ["a", "\\n", "ü", "\\\"", "\\u0041", " "]
          let count = Int.random(in: 0...3, using: &random)
          return "\"\((0..<count).map { _ in parts.randomElement(using: &random)! }.joined())\""
        case 5: return "{\"a\":\(text(depth + 1)),\"b\":\(text(depth + 1))}"
        default:
          let count = Int.random(in: 0...3, using: &random)
          return "[\((0..<count).map { _ in text(depth + 1) }.joined(separator: ","))]"
        }
      }
      for _ in 0..<2_000 {
        var bytes = Array(" [\(text(0)), \(text(0)) ]".utf8)
        if Bool.random(using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
            in: 0x21...0x7E, using: &random)
        }
        // Where a byte of a letter was changed, nothing is left of it that SQLite would have to read.
        guard let text = String(validating: bytes, as: UTF8.self) else { continue }
        expectInLoop(elements(text) == elementsOfSQLite(text, database), "\(text)")
      }
    }
  }
}
