import Testing

@testable import LiveStore

@Suite("FNV-1a")
struct FNV1aTests {
  @Test("Hashes are those of its authors, whatever holds the bytes")
  func values() {
    let known: KeyValuePairs<String, UInt64> = [
      "": 0xCBF2_9CE4_8422_2325, "a": 0xAF63_DC4C_8601_EC8C, "foobar": 0x8594_4171_F739_67E8,
    ]
    for (text, hash) in known {
      #expect(FNV1a.hash(text.utf8) == hash && FNV1a.hash(Array(text.utf8)) == hash)
      #expect(FNV1a.hash(text.utf8.lazy.map { $0 }) == hash)
      #expect(text.utf8.reduce(FNV1a.start) { FNV1a.hash($1, from: $0) } == hash)
    }
  }
}
