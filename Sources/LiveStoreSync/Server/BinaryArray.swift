import CPostgreSQL

/// A one-dimensional array in PostgreSQL's binary format, which needs no escaping.
struct BinaryArray {
  /// The types of elements, by PostgreSQL's numbers of them and of their arrays.
  enum Element {
    case integer
    case text
    case json

    var type: Int32 { [.integer: 20, .text: 25, .json: 3802][self]! }
    var arrayType: Oid { [.integer: 1016, .text: 1009, .json: 3807][self]! }
  }

  private let element: Element
  private var count: Int32 = 0
  private var elements: [UInt8] = []

  init(of element: Element) {
    self.element = element
  }

  /// The bytes of the elements with their lengths.
  var size: Int { elements.count }

  mutating func append(_ value: Int64?) {
    count += 1
    guard let value else { return appendNumber(Int32(-1)) }
    appendNumber(Int32(8))
    appendNumber(value)
  }

  /// Appends an element whose bytes a closure writes.
  mutating func append(_ write: (inout [UInt8]) -> Void) {
    count += 1
    let start = elements.count
    appendNumber(Int32(0))
    // The version of the binary format of JSON.
    if element == .json { elements.append(1) }
    write(&elements)
    withUnsafeBytes(of: Int32(elements.count - start - 4).bigEndian) { length in
      for index in 0..<4 { elements[start + index] = length[index] }
    }
  }

  private mutating func appendNumber(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { elements.append(contentsOf: $0) }
  }

  /// The array as a parameter of a statement.
  var parameter: ServerConnection.Parameter {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(elements.count + 20)
    // Dimensions, whether there may be NULLs, the type; of the one dimension the length and the first index.
    let head: [Int32] = count == 0 ? [0, 0, element.type] : [1, 1, element.type, count, 1]
    for number in head {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
    bytes.append(contentsOf: elements)
    return .array(bytes, type: element.arrayType)
  }
}
