import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("The layout of a joined file that another program has changed")
struct ChangedLayoutTests {
  private let folder = TemporaryFolder()

  @Test("Links that name a table in another case, and rules behind a computed column, are read as they are")
  func remade() throws {
    let machine = try Machine(unjoined: "anna", in: folder.path)
    let triggers = try machine.rows(
      "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'Note'")
    try machine.program.execute(
      """
      PRAGMA legacy_alter_table = ON;
      CREATE TABLE New (length INT AS (length(text)) STORED, id TEXT PRIMARY KEY NOT NULL,
        text TEXT NOT NULL DEFAULT '', count INTEGER DEFAULT 0,
        related TEXT REFERENCES nOTE (id) ON DELETE SET NULL, UNIQUE (text, count));
      DROP TABLE Note;
      ALTER TABLE New RENAME TO Note
      """)
    for case .text(let sql) in triggers.joined() { try machine.program.execute(sql) }
    let layout = try SyncedLayout(machine.program, excluding: [], places: [])
    let notes = try #require(layout.classes["Note"])
    #expect(notes.links == ["related": "Note"] && layout.linksByTarget["Note"]?.map(\.column) == ["related"])
    let rule = try #require(notes.uniqueRules.first)
    #expect(rule.columns == ["text", "count"] && rule.yielding == "text" && !rule.isYieldingOptional)
  }
}
