import FoundationEssentials
import LiveStore

/// Classes with a property of every kind.
enum Shop {
  enum Kind: String, PersistableEnum, Decodable {
    case plain, fancy
  }

  final class Order: Object, Decodable {
    @Persisted(primaryKey: true) var number: Int = 0
    @Persisted var title: String = "untitled"
    @Persisted var price: Double = 9.5
    @Persisted var isPaid: Bool = false
    @Persisted var made: Date?
    @Persisted var token: UUID?
    @Persisted var blob: Data?
    @Persisted var kind: Kind? = .plain
    @Persisted var customer: Customer?
    @Persisted var items: List<Item>
  }

  final class Customer: Object, Decodable {
    @Persisted(primaryKey: true) var name: String = ""
    @Persisted var city: String = "nowhere"
    @Persisted var favourite: Customer?
  }

  final class Item: Object, Decodable {
    @Persisted(primaryKey: true) var id: UUID = UUID()
    @Persisted var text: String = ""

    convenience init(_ number: Int, _ text: String = "") {
      self.init()
      id = Item.id(number)
      self.text = text
    }

    static func id(_ number: Int) -> UUID {
      UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number)))
    }
  }
}
