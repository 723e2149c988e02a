import FoundationEssentials
import LiveStore

public enum Mood: String, PersistableEnum {
  case calm, eager
}

public final class Person: Object {
  @Persisted(primaryKey: true) public var id: Int = 0
  @Persisted public var name: String = ""
  @Persisted public var age: Int = 0
  @Persisted public var weight: Double = 0
  @Persisted public var isAdmin: Bool = false
  @Persisted public var born: Date?
  @Persisted public var photo: Data?
  @Persisted public var badge: UUID?
  @Persisted public var mood: Mood = .calm
  @Persisted public var nickname: String?
  @Persisted public var friend: Person?
  @Persisted public var dogs: List<Dog>

  public convenience init(id: Int, name: String = "", age: Int = 0) {
    self.init()
    self.id = id
    self.name = name
    self.age = age
  }
}

public final class Dog: Object {
  @Persisted(primaryKey: true) public var id: UUID = UUID()
  @Persisted public var name: String = ""

  public convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}
