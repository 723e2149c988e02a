import Foundation
import Testing

@testable import LiveStore

private struct Money: CustomPersistable, Equatable, Codable, Sendable {
  var cents: Int

  static var initialValue: Money { Money(cents: 5) }
  var persistedValue: Int { cents }

  init(cents: Int) { self.cents = cents }
  init?(persistedValue: Int) {
    if persistedValue < 0 { return nil }
    cents = persistedValue
  }
}

private struct Place: PersistableJSON, Equatable, Sendable {
  var town = "Uppsala"
  var streets: [String] = []
  var height: Double? = nil
}

private enum Payment: PersistableJSON, Equatable {
  case none
  case card(number: Int, name: String)

  init() { self = .none }
}

private final class Parcel: Object {
  @Persisted(primaryKey: true) var id: Int64 = 0
  @Persisted var i8: Int8 = -1
  @Persisted var i16: Int16
  @Persisted var i32: Int32
  @Persisted var u8: UInt8
  @Persisted var u16: UInt16
  @Persisted var u32: UInt32
  @Persisted var float: Float = 1.5
  @Persisted var url: URL?
  @Persisted var price = Money.initialValue
  @Persisted var rebate: Money?
  @Persisted var place = Place()
  @Persisted var former: Place?
  @Persisted var payment = Payment.none

  /// The values, to be compared with those of a model.
  var values: ParcelValues {
    ParcelValues(
      numbers: [Int(i8), Int(i16), Int(i32), Int(u8), Int(u16), Int(u32)], float: float, url: url,
      price: price,
      rebate: rebate, place: place, former: former, payment: payment)
  }
}

private struct ParcelValues: Equatable {
  var numbers = [-1, 0, 0, 0, 0, 0]
  var float: Float = 1.5
  var url: URL?
  var price = Money(cents: 5)
  var rebate: Money?
  var place = Place()
  var former: Place?
  var payment = Payment.none
}

@Suite("Kinds of values")
struct ValueKindTests {
  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    test = try TestStore(file.path, types: [Parcel.self], keeping: file)
  }

  @Test(
    "Numbers of every size, URLs, types of a program and JSON are stored, observed and sorted as in a model")
  func random() throws {
    let parcels = store.objects(Parcel.self)
    try store.write {
      for id in 0..<8 { try store.create(Parcel.self, value: ["id": id]) }
    }
    var model = [ParcelValues](repeating: ParcelValues(), count: 8)
    var told: [(id: Int, properties: Set<String>)] = []
    let tokens = parcels.map { parcel in
      let id = Int(parcel.id)
      return parcel.observe { change in
        if case .change(_, let properties) = change { told.append((id, Set(properties.map(\.name)))) }
      }
    }
    try store.refresh()
    let other = try TestStore(file.path, types: [Parcel.self])
    try withSeededGenerator { random in
      func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
      for _ in 0..<randomSteps(usually: 300) {
        let id = number(0...7)
        let old = model[id]
        let writer = number(0...1) == 0 ? store : other.store
        var name = ""
        try writer.refresh()
        try writer.write {
          let parcel = writer.objects(Parcel.self)[id]
          switch number(0...13) {
          case 0:
            (model[id].numbers[0], name) = (number(-128...127), "i8")
            parcel.i8 = Int8(model[id].numbers[0])
          case 1:
            (model[id].numbers[1], name) = (number(-32_768...32_767), "i16")
            parcel.i16 = Int16(model[id].numbers[1])
          case 2:
            (model[id].numbers[2], name) = (number(Int(Int32.min)...Int(Int32.max)), "i32")
            parcel.i32 = Int32(model[id].numbers[2])
          case 3:
            (model[id].numbers[3], name) = (number(0...255), "u8")
            parcel.u8 = UInt8(model[id].numbers[3])
          case 4:
            (model[id].numbers[4], name) = (number(0...65_535), "u16")
            parcel.u16 = UInt16(model[id].numbers[4])
          case 5:
            (model[id].numbers[5], name) = (number(0...Int(UInt32.max)), "u32")
            parcel.u32 = UInt32(model[id].numbers[5])
          case 6:
            (model[id].float, name) = (Float(number(0...9)) / 3, "float")
            parcel.float = model[id].float
          case 7:
            (model[id].url, name) = (
              number(0...2) == 0 ? nil : URL(string: "http://x/\(number(0...3))"), "url"
            )
            parcel.url = model[id].url
          case 8:
            (model[id].price, name) = (Money(cents: number(0...3)), "price")
            parcel.price = model[id].price
          case 9:
            (model[id].rebate, name) = (number(0...2) == 0 ? nil : Money(cents: 1), "rebate")
            parcel.rebate = model[id].rebate
          case 10:
            (model[id].place.streets, name) = (["a/b", "“ü”\n"].filter { _ in number(0...1) == 0 }, "place")
            parcel.place.streets = model[id].place.streets
          case 11:
            (model[id].place.height, name) = ([nil, 0, -1.5, .infinity][number(0...3)], "place")
            parcel.place = model[id].place
          case 12:
            (model[id].former, name) = (number(0...1) == 0 ? nil : Place(town: "\(number(0...2))"), "former")
            parcel.former = model[id].former
          default:
            (model[id].payment, name) = (number(0...1) == 0 ? .none : .card(number: 1, name: "A"), "payment")
            parcel.payment = model[id].payment
          }
        }
        try store.refresh()
        expectInLoop(parcels[id].values == model[id], "\(parcels[id].values) \(model[id])")
        if old == model[id] {
          expectInLoop(told.isEmpty, "\(told)")
        } else {
          expectInLoop(told.count == 1 && told[0].id == id && told[0].properties == [name], "\(told) \(name)")
        }
        told = []
        expectInLoop(
          parcels.sorted(by: \.u32).map(\.u32) == model.map { UInt32($0.numbers[5]) }.sorted()
            && parcels.sorted(by: \.price, ascending: false).map(\.price.cents)
              == model.map(\.price.cents).sorted(by: >)
        )
        expectInLoop(
          parcels.max(of: \.i16).map(Int.init) == model.map { $0.numbers[1] }.max()
            && parcels.min(of: \.float) == model.map(\.float).min())
      }
    }
    let last = model[5]
    let (price, place, small) = (last.price, last.place, Int8(last.numbers[0]))
    let found = try parcels.filter(#Predicate { $0.price == price && $0.place == place && $0.i8 <= small })
    #expect(
      found.map { Int($0.id) }
        == model.indices.filter {
          model[$0].price == price && model[$0].place == place && model[$0].numbers[0] <= Int(small)
        })
    for token in tokens { token.invalidate() }
  }

  @Test("What another program wrote and a type cannot have reads as the default")
  func foreign() throws {
    try store.write { try store.create(Parcel.self, value: ["id": 1]) }
    sqlite3(
      file.path,
      """
      UPDATE Parcel SET i8 = 128, u8 = -1, price = -3, place = 'no JSON', payment = '{"a":1}', url = '',
        former = '{ "town" : "Lund", "streets" : [] }'
      """)
    try store.refresh()
    let parcel = try #require(store.objects(Parcel.self).first)
    #expect(parcel.i8 == -1 && parcel.u8 == 0 && parcel.price == Money(cents: 5) && parcel.place == Place())
    #expect(parcel.payment == .none && parcel.former == Place(town: "Lund"))
  }

  @Test("Untyped values are converted where they have one meaning, and refused with a sentence where not")
  func untyped() throws {
    try store.write {
      let values: [String: Any] = [
        "id": 3, "i8": 7, "u32": 4_000_000_000, "float": 2, "url": "http://x", "price": 12, "i16": 3.0,
        "place": "{\"town\":\"Lund\",\"streets\":[\"a\"]}", "payment": Payment.card(number: 2, name: "B"),
      ]
      try store.create(Parcel.self, value: values)
    }
    let parcel = try #require(store.objects(Parcel.self).first)
    #expect(parcel.i8 == 7 && parcel.u32 == 4_000_000_000 && parcel.float == 2 && parcel.i16 == 3)
    #expect(parcel.price == Money(cents: 12) && parcel.url?.absoluteString == "http://x")
    #expect(
      parcel.place == Place(town: "Lund", streets: ["a"]) && parcel.payment == .card(number: 2, name: "B"))
    for (name, value) in [("i8", 128), ("u8", -1), ("price", -1), ("i16", 1.5), ("place", "x")]
      as [(String, Any)]
    {
      let error = #expect(throws: StoreError.self) {
        try store.write { try store.create(Parcel.self, value: ["id": 4, name: value]) }
      }
      #expect(error?.description.contains("Parcel.\(name)") == true)
    }
  }

  @Test("There is one zero: -0.0 reads as 0.0, also before it was written, and is no change")
  func zero() throws {
    let parcel = try store.write { try store.create(Parcel.self, value: ["id": 1, "float": 0.0]) }
    var told = 0
    let token = parcel.observe { _ in told += 1 }
    try store.write {
      parcel.float = -0.0
      #expect(parcel.float.sign == .plus)
    }
    try store.refresh()
    #expect(told == 0 && parcel.float.sign == .plus)
    #expect((-0.0).sqliteValue == .real(0) && [-0.0, 1].sqliteValue == [0.0, 1].sqliteValue)
    token.invalidate()
  }

  private enum Before {
    final class Parcel: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var price = 7
    }
  }

  @Test(
    "A migration gives new properties their defaults and keeps the values of those stored in the same way")
  func migration() throws {
    let file = TestFile()
    let old = try TestStore(file.path, types: [Before.Parcel.self])
    try old.store.write { try old.store.create(Before.Parcel.self, value: ["id": 1, "price": 9]) }
    old.store.close()
    let test = try TestStore(
      Store.Configuration(path: file.path, schemaVersion: 2, objectTypes: [Parcel.self]))
    let parcel = try #require(test.store.objects(Parcel.self).first)
    var values = ParcelValues()
    values.price = Money(cents: 9)
    #expect(parcel.values == values)
  }
}
