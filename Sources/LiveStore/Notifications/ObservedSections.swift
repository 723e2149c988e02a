/// A collection in sections, or one section of it, as one callback observes it.
///
/// The section of an element is known only where the store is used; the worker finds the elements to examine.
struct ObservedSections: Observed {
  let collection: LiveQuery
  let id: ObjectIdentifier
  let filter: PropertyFilter

  init(_ sections: SectionedCollection, _ filter: PropertyFilter) {
    collection = sections.ranked.live
    id = ObjectIdentifier(sections)
    self.filter = filter
  }

  var identity: ObservedIdentity { .sections(id) }
  var live: LiveQuery? { collection }
  var sections: ObjectIdentifier? { id }

  func event(
    since base: Subscription.Base, _ changes: ChangesSinceBase, tree: CollectionTree?
  ) throws(StoreError) -> Subscription.Event? {
    guard let old = base.tree, let new = tree else { return nil }
    var members = try changes.members(of: collection, filter, from: old, to: new)
    if let sectionFilter = collection.sectionFilter, sectionFilter != filter {
      // An element may be in another section because of a property that the callback does not observe.
      var known = Set(members.compactMap(\.oldKey))
      known.formUnion(members.compactMap(\.newKey))
      for var member in try changes.members(of: collection, sectionFilter, from: old, to: new) {
        if [member.oldKey, member.newKey].contains(where: { $0.map { known.contains($0) } ?? false }) {
          continue
        }
        member.isModified = false
        members.append(member)
      }
    }
    return members.isEmpty ? nil : .members(members)
  }
}
