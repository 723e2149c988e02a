import LiveStore

/// Commits with numbers, from 1 on, after each of which it is known what the file holds.
public struct NumberedCommits {
  /// The ids of the people, each with its age and the length of its name.
  public typealias Rows = [Int: [Int]]

  /// The rows after each commit, from none on.
  private var states: [Rows] = [[:]]

  public init() {}

  public mutating func rows(after number: Int) -> Rows {
    while states.count <= number {
      let next = states.count
      var rows = states[next - 1]
      rows[0] = [next, 0]
      rows[next] = [0, Self.nameLength(next)]
      if rows[next / 2] != nil { rows[next / 2]?[0] = next }
      if let leaving = Self.leaving(next) { rows[leaving] = nil }
      states.append(rows)
    }
    return states[number]
  }

  // From nothing to a few pages, so that the log comes to its greatest length and is begun anew.
  private static func nameLength(_ number: Int) -> Int { number * 37 % 50 * 200 }

  private static func leaving(_ number: Int) -> Int? { number > 4 && number % 3 == 0 ? number - 4 : nil }

  /// Makes the commit of a number; those before it have been made.
  public static func commit(_ number: Int, to store: Store) throws {
    try store.write {
      if number == 1 { store.add(Person(id: 0)) }
      store.object(ofType: Person.self, forPrimaryKey: 0)?.age = number
      store.add(Person(id: number, name: String(repeating: "x", count: nameLength(number))))
      store.object(ofType: Person.self, forPrimaryKey: number / 2)?.age = number
      if let leaving = leaving(number).flatMap({ store.object(ofType: Person.self, forPrimaryKey: $0) }) {
        store.delete(leaving)
      }
    }
  }

  /// The contents of a store.
  public static func rows(in store: Store) -> Rows {
    var rows: Rows = [:]
    for person in store.objects(Person.self) { rows[person.id] = [person.age, person.name.utf8.count] }
    return rows
  }

  /// The number of the last commit in a store.
  public static func last(in store: Store) -> Int {
    store.object(ofType: Person.self, forPrimaryKey: 0)?.age ?? 0
  }
}
