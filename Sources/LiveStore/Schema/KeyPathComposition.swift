import CLinux

extension AnyKeyPath {
  /// Whether the key path leads exactly through some properties, each a key path of one step from its class.
  func isMade(of steps: [AnyKeyPath]) -> Bool {
    guard steps.count > 1, let first = steps.first else { return steps.first == self }
    // Swift compares only whole key paths, and cannot join two over an optional link. Its description
    // contains each step by its getter.
    let joined = first.debugDescription + steps.dropFirst().map(\.steps).joined()
    return KeyPathDescription(debugDescription).isSame(as: KeyPathDescription(joined))
  }

  /// The description without the root type.
  private var steps: Substring {
    func name<Root>(_ root: Root.Type) -> Substring { (\Root.self).debugDescription.dropLast(".self".count) }
    return debugDescription.dropFirst(_openExistential(Swift.type(of: self).rootType, do: name).count)
  }
}

/// The steps of a key path, each identified by the name or the address of its getter, regardless of how
/// optionals are unwrapped.
private struct KeyPathDescription {
  private var text = ""
  private var addresses: [UInt] = []

  init(_ description: String) {
    var rest = description.filter { $0 != "?" && $0 != "!" }[...]
    while let start = rest.firstRange(of: "0x") {
      text += rest[..<start.lowerBound]
      let digits = rest[start.upperBound...].prefix(while: \.isHexDigit)
      addresses.append(UInt(digits, radix: 16) ?? 0)
      rest = rest[digits.endIndex...]
    }
    text += rest
  }

  /// A getter in two libraries has two addresses, so that only different addresses of the same library prove
  /// a difference.
  func isSame(as other: KeyPathDescription) -> Bool {
    text == other.text && addresses.count == other.addresses.count
      && zip(addresses, other.addresses).allSatisfy {
        $0 == $1 || Self.library(of: $0) != Self.library(of: $1)
      }
  }

  private static func library(of address: UInt) -> UnsafeRawPointer? {
    clinux_library(UnsafeRawPointer(bitPattern: address))
  }
}
