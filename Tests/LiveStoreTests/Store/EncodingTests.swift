import Foundation
import Testing

@testable import LiveStore

private enum Mood: String, PersistableEnum {
  case calm, wild
}

private struct Weight: CustomPersistable, Codable {
  var grams: Int

  static var initialValue: Weight { Weight(grams: 0) }
  var persistedValue: Int { grams }

  init(grams: Int) { self.grams = grams }
  init?(persistedValue: Int) { grams = persistedValue }
}

private final class Kennel: Object, Decodable {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var hounds: List<Greyhound>
}

private final class Greyhound: Object, Decodable {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var age = 0
  @Persisted var born: Date?
  @Persisted var picture = Data()
  @Persisted var mood = Mood.calm
  @Persisted var weight: Weight?
  @Persisted var mother: Greyhound?
  @Persisted(originProperty: "mother") var children: LinkingObjects<Greyhound>
}

// The links to an object, which cannot be decoded, are left out.
extension Greyhound {
  enum CodingKeys: String, CodingKey {
    case id, age, born, picture, mood, weight, mother
  }
}

@Suite("Encoding")
struct EncodingTests {
  private let test: TestStore
  private let file = TestFile()
  private var store: Store { test.store }

  init() throws {
    test = try TestStore(file.path, types: [Kennel.self, Greyhound.self], keeping: file)
  }

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("What is encoded is decoded as the same objects, in a store or in none")
  func random() throws {
    try withSeededGenerator { random in
      for round in 0..<20 {
        let kennel = Kennel()
        kennel.name = "\(round)"
        for age in 0..<Int.random(in: 0..<5, using: &random) {
          let hound = Greyhound()
          hound.age = age
          hound.born = Bool.random(using: &random) ? nil : Date(timeIntervalSince1970: Double(age))
          hound.picture = Data([UInt8(age)])
          hound.mood = Bool.random(using: &random) ? .wild : .calm
          hound.weight = Bool.random(using: &random) ? nil : Weight(grams: age)
          hound.mother = Bool.random(using: &random) ? nil : kennel.hounds.last
          kennel.hounds.append(hound)
        }
        let free = try json(kennel.encodable)
        try store.write { store.add(kennel) }
        let stored = try json(kennel.encodable)
        expectInLoop(free == stored, "\(free) \(stored)")
        let decoded = try JSONDecoder().decode(Kennel.self, from: Data(stored.utf8))
        expectInLoop(try json(decoded.encodable) == stored, stored)
        expectInLoop(decoded.hounds.map(\.mother?.id) == kennel.hounds.map(\.mother?.id))
      }
    }
    let all = try json(store.objects(Kennel.self))
    #expect(try JSONDecoder().decode([Kennel].self, from: Data(all.utf8)).count == 20)
  }

  @Test("Where links lead back, the primary key stands")
  func cycles() throws {
    let hound = Greyhound()
    hound.mother = hound
    let id = hound.id.uuidString
    let text = #"{"age":0,"id":"\#(id)","mood":"calm","mother":{"id":"\#(id)"},"picture":""}"#
    #expect(try json(hound.encodable) == text)
    try store.write { store.add(hound) }
    #expect(try json(hound.encodable) == text)
    #expect(try json(hound.children) == "[\(text)]")
  }

  @Test("A deleted object is refused")
  func deleted() throws {
    let hound = Greyhound()
    try store.write { store.add(hound) }
    try store.write { store.delete(hound) }
    #expect(throws: EncodingError.self) { try json(hound.encodable) }
  }
}
