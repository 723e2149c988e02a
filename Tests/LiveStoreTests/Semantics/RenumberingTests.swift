import Testing

@testable import LiveStore

@Suite("Another program gives the entries of a list other positions")
struct RenumberingTests {
  private let fixture: KeeperFixture
  private let test: TestStore

  init() throws {
    fixture = try KeeperFixture()
    test = try fixture.open()
  }

  /// Ten thousand hounds of the first keeper, by SQL, with room between their positions.
  private func fill() {
    sqlite3(
      fixture.file.path,
      """
      BEGIN;
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 10000)
      INSERT INTO Hound (id) SELECT 1000 + n FROM number;
      INSERT INTO Keeper_hounds (owner, position, target)
      SELECT 1, printf('%06d', id), id FROM Hound WHERE id > 1000;
      COMMIT;
      """)
  }

  @Test("R105: the same order by other positions is no change of the list; one element further up is one")
  func wholeList() throws {
    fill()
    try test.store.refresh()
    let keeper = ObjectObservation(try test.keeper(1))
    sqlite3(
      fixture.file.path,
      "UPDATE Keeper_hounds SET position = 'V' || position; UPDATE Keeper SET age = 1 WHERE id = 1;")
    try test.store.refresh()
    #expect(keeper.events == ["age: 0 > 1"])
    // Every other one only, between those that stay.
    sqlite3(
      fixture.file.path,
      """
      UPDATE Keeper_hounds SET position = position || '5' WHERE target % 2 = 0;
      UPDATE Keeper SET age = 2 WHERE id = 1;
      """)
    try test.store.refresh()
    #expect(keeper.events.count == 2 && keeper.events.last == "age: 1 > 2")
    sqlite3(
      fixture.file.path,
      """
      UPDATE Keeper_hounds SET position = position || '7' WHERE target % 2 = 0 AND target > 6000;
      UPDATE Keeper_hounds SET position = (SELECT position FROM Keeper_hounds WHERE target = 1500) || '1' WHERE target = 9001;
      """)
    try test.store.refresh()
    #expect(keeper.events.count == 3 && keeper.events.last?.contains("hounds") == true, "\(keeper.events)")
  }
}
