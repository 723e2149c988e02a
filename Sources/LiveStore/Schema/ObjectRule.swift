/// A rule that the file keeps for the objects of a class, regardless of which program writes them.
///
/// ```swift
/// final class Member: Object {
///   @Persisted(primaryKey: true) var id = UUID()
///   @Persisted var email = ""
///   @Persisted var age = 0
///   @Persisted var team: Team?
///
///   override class var rules: [ObjectRule] {
///     [
///       .unique(\Member.email),
///       .check("age >= 0", "the age of a member is not negative"),
///       .references(\Member.team, onDelete: .cascade),
///     ]
///   }
/// }
/// ```
///
/// A write that breaks a rule fails as a whole: `write` throws a ``StoreError`` that names the rule, and the
/// file stays as it was.
///
/// Uniqueness, indexes and ownership may change without a higher schema version. Checks and
/// ``references(_:onDelete:)`` are part of the table, and need a higher one.
public struct ObjectRule {
  enum Kind {
    case unique([AnyKeyPath])
    case index([AnyKeyPath], descending: [AnyKeyPath], condition: String?)
    case check(condition: String, sentence: String)
    case references(AnyKeyPath, DeletionRule)
    case owns(AnyKeyPath, isEmbedding: Bool)
    case searchable([AnyKeyPath])
  }

  let kind: Kind

  /// No two objects have the same values of all the properties. Objects in which one of them is `nil` are not
  /// compared.
  ///
  /// `store.add(_:update:)` with ``Store/UpdatePolicy/modified`` takes an object with the same values for the
  /// same object: the existing one keeps its primary key and gets the other values. A file that holds such
  /// objects already cannot be opened until a migration has changed or deleted them.
  public static func unique(_ properties: AnyKeyPath...) -> ObjectRule {
    ObjectRule(kind: .unique(properties))
  }

  /// An index for collections that are often filtered or sorted by the properties.
  ///
  /// - Parameters:
  ///   - properties: The properties, in the order in which they decide.
  ///   - descending: Those of them that are sorted from the greatest to the smallest.
  ///   - condition: SQL over the class's columns. Only objects for which it holds are indexed: a query uses
  ///     the index if it has the condition too, such as `completed = 0`.
  public static func index(
    _ properties: AnyKeyPath..., descending: [AnyKeyPath] = [], where condition: String? = nil
  ) -> ObjectRule {
    ObjectRule(kind: .index(properties, descending: descending, condition: condition))
  }

  /// A condition that every object satisfies.
  ///
  /// - Parameters:
  ///   - condition: SQL over the class's columns, which every program can evaluate. It must not be false: an
  ///     object for which it is NULL passes.
  ///   - sentence: The rule for people, as it ends the sentence of the error, such as “the age of a member is
  ///     not negative”.
  public static func check(_ condition: String, _ sentence: String) -> ObjectRule {
    ObjectRule(kind: .check(condition: condition, sentence: sentence))
  }

  /// The fate of an object when the one that its link leads to is deleted; without a rule the link becomes
  /// `nil`.
  public static func references(_ link: AnyKeyPath, onDelete rule: DeletionRule) -> ObjectRule {
    ObjectRule(kind: .references(link, rule))
  }

  /// The objects that a link or a list leads to are deleted with the object that it belongs to.
  ///
  /// Objects that are only taken out of the link or list stay; see ``embeds(_:)``.
  public static func owns(_ property: AnyKeyPath) -> ObjectRule {
    ObjectRule(kind: .owns(property, isEmbedding: false))
  }

  /// The objects that a link or a list leads to are parts of the object that it belongs to: they are deleted
  /// with it, and also when they are taken out of the link or list, whether by removal, by another value or
  /// because their entry is deleted.
  ///
  /// Such an object has one parent. A write that leads to it from a second place, be it in the same list, in
  /// another one or in another property with this rule, is refused. Moving it within its list is no removal,
  /// nor is a value that `add` or `create` writes as an update, and that names it in another place.
  /// An object of the class that was never in such a place is an ordinary one.
  ///
  /// - Complexity: O(log n) for each object that comes or leaves.
  public static func embeds(_ property: AnyKeyPath) -> ObjectRule {
    ObjectRule(kind: .owns(property, isEmbedding: true))
  }

  /// A full-text index over texts of the class, for `store.search(_:for:)`.
  ///
  /// Words are found in any case and without their accents. Several such rules make one index. No text of it
  /// may be called `rank` or `rowid`, which FTS5 keeps for itself.
  ///
  /// The index is a table of FTS5, which holds the texts once more. Each write of a store updates it in the
  /// same transaction, also with what other programs have written before; no trigger does, so that programs
  /// without FTS5 can write to the file. Objects that they have written since are found too, after the
  /// others.
  public static func searchable(_ texts: AnyKeyPath...) -> ObjectRule {
    ObjectRule(kind: .searchable(texts))
  }
}

/// The fate of an object when the one that its link leads to is deleted.
public enum DeletionRule: String, Sendable {
  /// The link becomes `nil`.
  case nullify = "SET NULL"
  /// The object is deleted too, and so on along further links with this rule.
  case cascade = "CASCADE"
  /// The deletion is refused as long as the object leads there: delete it, or change its link, before.
  case deny = "RESTRICT"
}

/// The rules of a class as its table has them.
struct TableRules: Sendable {
  struct Index: Sendable {
    let columns: [Int]
    var descending: [Int] = []
    var condition: String?
    var isUnique = false
  }

  struct Check: Sendable {
    let condition: String
    let sentence: String

    /// The constraint in `CREATE TABLE`; SQLite reports it by its name.
    var constraint: String { "CONSTRAINT \(quoted(sentence)) CHECK (\(condition))" }
  }

  /// The property through which an object owns others.
  struct Owner: Sendable {
    enum OwningProperty: Equatable, Sendable {
      case column(Int)
      case list(Int)
    }

    let property: OwningProperty
    /// Whether what leaves the property is deleted too.
    let isEmbedding: Bool
  }

  private(set) var indexes: [Index] = []
  private(set) var checks: [Check] = []
  private(set) var owners: [Owner] = []
  /// The columns of the full-text index.
  private(set) var searchColumns: [Int] = []
  /// The rules of links, by column.
  private(set) var deletions: [Int: DeletionRule] = [:]

  /// The columns of each unique rule.
  var uniqueKeys: [[Int]] { indexes.filter(\.isUnique).map(\.columns) }

  init() {}

  /// - Throws: ``StoreError`` if a rule names what is no property of the class, or none of its kind.
  init(of schema: ObjectSchema) throws(StoreError) {
    func failure(_ rule: String, _ keyPath: AnyKeyPath, _ kind: String) -> StoreError {
      StoreError(
        .schema,
        "\(schema.name).rules has \(rule) with \(keyPath), which is no persisted \(kind) of the class.")
    }
    func columns(_ keyPaths: [AnyKeyPath], _ rule: String) throws(StoreError) -> [Int] {
      var columns: [Int] = []
      for keyPath in keyPaths {
        guard let column = schema.column(for: keyPath) else { throw failure(rule, keyPath, "value") }
        columns.append(column)
      }
      guard !columns.isEmpty else {
        throw StoreError(.schema, "\(schema.name).rules has \(rule) without a property; name at least one.")
      }
      return columns
    }
    for rule in schema.type.rules {
      switch rule.kind {
      case .unique(let keyPaths):
        indexes.append(Index(columns: try columns(keyPaths, ".unique"), isUnique: true))
      case .index(let keyPaths, let descending, let condition):
        indexes.append(
          Index(
            columns: try columns(keyPaths, ".index"),
            descending: try descending.isEmpty ? [] : columns(descending, ".index"), condition: condition))
      case .check(let condition, let sentence):
        checks.append(Check(condition: condition, sentence: sentence))
      case .references(let keyPath, let rule):
        guard let column = schema.column(for: keyPath), case .link = schema.columns[column].kind else {
          throw failure(".references", keyPath, "link")
        }
        deletions[column] = rule
      case .searchable(let keyPaths):
        for (keyPath, column) in zip(keyPaths, try columns(keyPaths, ".searchable"))
        where !searchColumns.contains(column) {
          guard case .value(.text, _) = schema.columns[column].kind else {
            throw failure(".searchable", keyPath, "text")
          }
          guard !SearchIndex.reserved.contains(schema.columns[column].name.lowercased()) else {
            throw StoreError(
              .schema,
              "\(schema.name).\(schema.columns[column].name) has a name that full-text indexes keep for "
                + "themselves; rename the property.")
          }
          searchColumns.append(column)
        }
      case .owns(let keyPath, let isEmbedding):
        guard let property = schema.property(for: keyPath), property.kind.isLeading else {
          throw failure(isEmbedding ? ".embeds" : ".owns", keyPath, "link or list")
        }
        let owner = Owner(
          property: property.isList ? .list(property.slot) : .column(property.slot), isEmbedding: isEmbedding)
        // Said twice, it is one rule: a part has one place.
        if let known = owners.firstIndex(where: { $0.property == owner.property }) {
          if isEmbedding { owners[known] = owner }
        } else {
          owners.append(owner)
        }
      }
    }
  }
}

extension PropertyKind {
  fileprivate var isLeading: Bool {
    switch self {
    case .link, .list: true
    case .value, .linkingObjects: false
    }
  }
}
