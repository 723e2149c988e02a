// Written out for each type: in a generic function a key path would lead to the properties of the protocol,
// not to those of the type.

extension List: QueriedCollection {
  static var members: [AnyKeyPath: ObjectSetMember] {
    [
      \List<Element>.count: .count, \List<Element>.isEmpty: .isEmpty,
      \List<Element>.first: .first, \List<Element>.last: .last,
    ]
  }
}

extension LinkingObjects: QueriedCollection {
  static var members: [AnyKeyPath: ObjectSetMember] {
    [
      \LinkingObjects<Element>.count: .count, \LinkingObjects<Element>.isEmpty: .isEmpty,
      \LinkingObjects<Element>.first: .first, \LinkingObjects<Element>.last: .last,
    ]
  }
}
