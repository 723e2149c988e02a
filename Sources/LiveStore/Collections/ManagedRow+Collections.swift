/// The properties of a row that are collections.
extension _ManagedRow {
  /// The list in a slot, the same instance as long as it is referenced.
  func list<Element: Object>(_ slot: Int, of type: Element.Type) -> List<Element> {
    if let tracing {
      trace?.note(tracing.lists[slot], of: self)
      return List()
    }
    return store.exclusively {
      if let list = shownList(slot) as? List<Element> { return list }
      let list = List<Element>(row: self, slot: slot)
      setList(list, slot)
      store.keepInWrite(list)
      return list
    }
  }

  /// The objects that lead here through the property in a slot.
  func linkingObjects<Origin: Object>(_ slot: Int) -> LinkingObjects<Origin> {
    if let tracing {
      trace?.note(tracing.linkingObjects[slot], of: self)
      return LinkingObjects()
    }
    return LinkingObjects(row: self, backlink: store.schema.backlinks[table.index][slot])
  }
}
