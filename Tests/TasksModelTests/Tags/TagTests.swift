import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

@Suite("Tags")
struct TagTests {
  @Test(
    "A tag is a word that begins with # and has a letter in it",
    arguments: [
      ("Buy milk #shop", ["shop"]), ("#Home #home #HOME-office", ["home", "home-office"]), ("fix #123", []),
      ("v#2", []), ("a#b", []), ("(#x)", ["x"]), ("#", []), ("# a", []), ("##a", []), ("#a#b", ["a"]),
      ("#a, #b. #c!", ["a", "b", "c"]), ("#café", ["café"]), ("#日本", ["日本"]), ("#1a", ["1a"]), ("", []),
      ("#-", []), ("#a_b", ["a_b"]), ("🗓#x #y🗓", ["y"]),
    ])
  func names(text: String, names: [String]) {
    #expect(TaskTags.names(in: text) == names)
    let characters = Array(text)
    #expect(TaskTags.ranges(in: text).allSatisfy { characters[$0.lowerBound] == "#" && $0.count > 1 })
  }

  @Test("A name is typed with or without its #")
  func name() {
    #expect(TaskTags.name("Home") == "home" && TaskTags.name("#home") == "home")
    for text in ["", "#", "a b", "12", "a,", "##a"] { #expect(TaskTags.name(text) == nil) }
  }

  @Test("The tasks with a tag are found, whoever has written them, and no others")
  func query() throws {
    let fixture = try TasksStoreFixture()
    let (store, place) = (fixture.store, fixture.place)
    let tagged = try store.tasks(withTag: "home")
    try store.add("b #home", to: place)
    try store.add("c #homes", to: place)
    let a = try #require(try store.add("a #Home #x", to: place).rowID)
    #expect(tagged.map(\.text) == ["a #Home #x", "b #home"])
    #expect(try store.taggedTasks().count == 3)
    try store.toggleCompleted([a], in: RowScope(place))
    #expect(tagged.map(\.text) == ["b #home", "a #Home #x"])
    _ = try store.undo(showing: RowScope(place))
    try store.edit(a, in: RowScope(place), text: "a #x")
    #expect(tagged.map(\.text) == ["b #home"])
    _ = try store.undo(showing: RowScope(place))
    #expect(tagged.count == 2)
    try store.delete([a], in: RowScope(place))
    _ = try store.undo(showing: RowScope(place))
    #expect(tagged.count == 2)
    // Another program changes a text; the worker looks through it.
    try store.store.write { store.task(a)?.text = "a #y" }
    try DateWorker.readAll(DateWorker.unread(in: store), store.dates)
    #expect(tagged.count == 1 && store.task(a)?.tags == " y ")
  }

  @Test("A text in ASCII has the same tags byte by byte as character by character")
  func ascii() {
    var generator = SeededGenerator()
    let comment = Comment(rawValue: generator.comment)
    let signs = Array("##aZ9_-( [{\"'.,\t\r\n\u{1C}\u{7F}")
    for _ in 0..<5_000 {
      let length = Int.random(in: 0...12, using: &generator)
      let text = String((0..<length).map { _ in signs[Int.random(in: signs.indices, using: &generator)] })
      #expect(TaskTags.namesInASCII(text) == TaskTags.namesInCharacters(of: text), comment)
    }
    #expect(TaskTags.namesInASCII("#ä") == nil && TaskTags.namesInASCII("ä") == [])
  }
}
