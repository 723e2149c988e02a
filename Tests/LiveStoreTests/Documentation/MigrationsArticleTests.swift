import Testing

@testable import LiveStore

@Suite("Migrations.md")
struct MigrationsArticleTests {
  final class Member: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var fullName = ""
    @Persisted var nickname: String?
  }

  enum First {
    final class Member: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var alias: String?
    }
  }

  private let file = TestFile()

  @Test("A property is renamed, and two become one, for files of any older version")
  func steps() throws {
    let path = file.path
    let old = try TestStore(Store.Configuration(path: path, objectTypes: [First.Member.self]))
    try old.store.write {
      let values: [String: Any] = ["id": 1, "firstName": "Michael", "lastName": "Ende", "alias": "M."]
      try old.store.create(First.Member.self, value: values)
    }
    old.store.close()
    var configuration = Store.Configuration(path: path, schemaVersion: 3, objectTypes: [Member.self])
    configuration.migration = { migration, oldVersion in
      if oldVersion < 2 {
        try migration.renameProperty(onType: "Member", from: "alias", to: "nickname")
      }
      if oldVersion < 3 {
        try migration.enumerateObjects(ofType: "Member") { old, new in
          new?["fullName"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
        }
      }
    }
    let member = try #require(try TestStore(configuration).store.objects(Member.self).first)
    #expect(member.fullName == "Michael Ende" && member.nickname == "M.")
  }

  enum Second {
    final class Member: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var fullName = 0
      @Persisted var alias = ""
    }
  }

  @Test("What needs a closure, and what needs a version, is refused without")
  func refusals() throws {
    try TestStore(Store.Configuration(path: file.path, objectTypes: [Member.self])).store.close()
    for version in [1, 2] {
      let error = #expect(throws: StoreError.self) {
        try TestStore(
          Store.Configuration(path: file.path, schemaVersion: version, objectTypes: [Second.Member.self]))
      }
      #expect(error?.code == .schema)
      #expect(error?.description.contains("Member.fullName") == true)
    }
  }
}
