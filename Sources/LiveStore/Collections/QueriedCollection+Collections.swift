// Written out for each type: in a generic function a key path would lead to the properties of the protocol,
// not to those of the type.

extension List: QueriedCollection {
  static func member(_ keyPath: AnyKeyPath) -> ObjectSetMember? {
    switch keyPath {
    case \List<Element>.count: .count
    case \List<Element>.isEmpty: .isEmpty
    case \List<Element>.first: .first
    case \List<Element>.last: .last
    default: nil
    }
  }
}

extension LinkingObjects: QueriedCollection {
  static func member(_ keyPath: AnyKeyPath) -> ObjectSetMember? {
    switch keyPath {
    case \LinkingObjects<Element>.count: .count
    case \LinkingObjects<Element>.isEmpty: .isEmpty
    case \LinkingObjects<Element>.first: .first
    case \LinkingObjects<Element>.last: .last
    default: nil
    }
  }
}
