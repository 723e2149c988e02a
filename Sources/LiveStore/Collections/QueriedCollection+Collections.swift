// Each by itself: in a generic function of them all a key path would lead to the protocol's properties, not
// to theirs.

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
