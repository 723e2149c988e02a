import Testing

@testable import TasksTUI

@Suite("What is searched for")
struct SearchPatternTests {
  @Test(
    "Case and accents make no difference, whichever side has them",
    arguments: [
      ("creme", "Crème brûlée"), ("CRÈME", "creme"), ("brulee", "Cre\u{300}me bru\u{302}le\u{301}e"),
      ("zolw", "Żółw"), ("άλφα", "ΑΛΦΑ"), ("елка", "Ёлка"), ("tieng viet", "Tiếng Việt"), ("会議", "会議の資料"),
      ("o", "Ø"), ("naïve", "NAIVE"), ("ß", "Straße"), ("👩‍👩‍👧", "x👩‍👩‍👧y"),
    ])
  func folding(words: String, text: String) {
    #expect(SearchPattern(words).matches(text))
    #expect(!SearchPattern(words).ranges(in: text).isEmpty)
    #expect(!SearchPattern(words + "q").matches(text))
  }

  @Test(
    "Bytes as they lie in the file are matched as texts are",
    arguments: [
      "", "Buy oat milk", "BUY MILK", "mil", "xmilk buy", "Crème MILK buy", "milk[buy]@{Z", "Sweep #Home",
      "#homework", "été #home",
    ])
  func bytes(text: String) {
    for words in ["milk", "buy milk", "MIL", "z", "[", "@{", "crème", "creme", "", "#home", "#home sw"] {
      let pattern = SearchPattern(words)
      let bytes = Array(text.utf8)
      #expect(bytes.withUnsafeBufferPointer { pattern.matches($0) } == pattern.matches(text))
    }
  }

  @Test("All words must be there, in any order; nothing finds nothing")
  func words() {
    #expect(SearchPattern("milk buy").matches("Buy oat milk"))
    #expect(!SearchPattern("milk bread").matches("Buy oat milk"))
    #expect(!SearchPattern("  ").matches("anything") && SearchPattern(" ").isEmpty)
    #expect(!SearchPattern("a").matches(""))
  }

  @Test("The places are those of the characters")
  func ranges() {
    #expect(SearchPattern("a").ranges(in: "banana") == [1..<2, 3..<4, 5..<6])
    #expect(SearchPattern("ele").ranges(in: "e\u{301}le\u{301}phant") == [0..<3])
    #expect(SearchPattern("y").ranges(in: "👩‍👩‍👧y") == [1..<2])
    #expect(SearchPattern("milk x").ranges(in: "milk").isEmpty)
  }

  @Test("A tag is found by its whole name, in any case, beside other words")
  func tags() {
    #expect(SearchPattern("#home").matches("Sweep #Home, then rest"))
    #expect(!SearchPattern("#home").matches("Do #homework") && !SearchPattern("#home").matches("go home"))
    #expect(!SearchPattern("#home").matches("x#home"))
    #expect(SearchPattern("SWEEP #HOME").matches("sweep #home"))
    #expect(!SearchPattern("#home mop").matches("sweep #home"))
    #expect(
      SearchPattern("#home #two").matches("#two sweep #home") && !SearchPattern("#home #two").matches("#home")
    )
    #expect(SearchPattern("#Küche").matches("putzen #küche") && !SearchPattern("#kuche").matches("#küche"))
    // A text that is no tag is a word like any other.
    #expect(SearchPattern("#").matches("a # b") && SearchPattern("#12").matches("no #123"))
    #expect(SearchPattern("#home").ranges(in: "#homework #home") == [10..<15])
    #expect(SearchPattern("sw #home").ranges(in: "sweep #home") == [0..<2, 6..<11])
    #expect(SearchPattern("#home").ranges(in: "#homework").isEmpty)
  }

  @Test("A pattern that finds less is known to")
  func narrowing() {
    #expect(SearchPattern("#home sw").narrows(SearchPattern("#home")))
    #expect(SearchPattern("#home").narrows(SearchPattern("hom")))
    #expect(!SearchPattern("#home").narrows(SearchPattern("#hom")))
    #expect(!SearchPattern("home").narrows(SearchPattern("#home")))
    #expect(SearchPattern("milk").narrows(SearchPattern("mil")))
    #expect(SearchPattern("oat milk").narrows(SearchPattern("ilk")))
    #expect(!SearchPattern("mi").narrows(SearchPattern("mil")))
    #expect(!SearchPattern("mi").narrows(SearchPattern("")))
  }
}
