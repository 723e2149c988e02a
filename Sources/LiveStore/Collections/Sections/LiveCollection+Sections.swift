extension LiveCollection {
  /// The results in sections by a property: ordered by it, while those with equal values keep their former
  /// order.
  ///
  /// ```swift
  /// let byCity = store.objects(Person.self).sorted(by: \.name).sectioned(by: \.city)
  /// ```
  ///
  /// The property may be computed. If its value is that of one persisted property, the results are ordered by
  /// that; if not, they keep their order. To find out, it is read once of an object that has default values
  /// only; a computed property that does not allow this has to be passed to ``sectioned(by:)``.
  ///
  /// - Parameters:
  ///   - keyPath: The property whose value is the key of an element's section. A link or a list cannot be
  ///     one.
  ///   - ascending: Whether the section with the least key comes first.
  public func sectioned<Key: Persistable & Hashable & SendableMetatype>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    _elements("put into sections").ranked.sectioned(by: keyPath, ascending: ascending)
  }

  /// Throws: a link cannot be the key of a section, because it implies no order and the object that it leads
  /// to changes while the link stays the same. Use a value of the linked object: `sectioned {
  /// $0.employer?.name }`.
  ///
  /// - Throws: ``StoreError/Code/misuse``, always.
  public func sectioned<Linked: Object>(
    by keyPath: KeyPath<Element, Linked?>, ascending: Bool = true
  ) throws(StoreError) -> Never {
    throw RankedCollection.linkAsKey
  }

  /// The results, in their order, in sections by a computed key.
  ///
  /// ```swift
  /// let byInitial = store.objects(Person.self).sorted(by: \.name).sectioned { $0.name.first }
  /// ```
  ///
  /// - Parameter key: The key of an element's section. It may read the element, and the objects that it leads
  ///   to, but must not write. ``SectionedResults`` documents what it may depend on and when it is called.
  @_disfavoredOverload
  public func sectioned<Key: Hashable>(
    by key: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    _elements("put into sections").ranked.sectioned(by: key)
  }

  /// The results, in a new order, in sections by a computed key.
  ///
  /// ```swift
  /// let byInitial = people.sectioned(by: { $0.name.first }, sortedBy: [SortProperty(\.name)])
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of an element's section, or a key path to it; see ``LiveCollection/sectioned(by:)``.
  ///   - properties: The new order, the first property being the most significant.
  public func sectioned<Key: Hashable>(
    by key: @escaping (Element) -> Key, sortedBy properties: [SortProperty<Element>]
  ) -> SectionedResults<Key, Element> {
    sorted(by: properties).sectioned(by: key)
  }
}

extension RankedCollection {
  fileprivate func sectioned<Key: Hashable, Element: Object>(
    by key: @escaping (Element) -> Key, sorting sort: (inout CollectionQuery) -> Void = { _ in }
  ) -> SectionedResults<Key, Element> {
    RankedCollection.requireKey(Key.self)
    let sectioned = derived(sectionFilter: .any, sort)
    let keys = SectionKeys { [store, query = sectioned.query] rankKey in
      key(store.object(Element.self, listed: query.element(of: rankKey)))
    }
    return SectionedResults(sectioned, keys)
  }

  fileprivate func sectioned<Key: Persistable & Hashable & SendableMetatype, Element: Object>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool
  ) -> SectionedResults<Key, Element> {
    RankedCollection.requireKey(Key.self)
    guard case .objects(let schema) = query.elements.role else {
      fatalError("Entries of lists have no properties.")
    }
    if let column = schema.column(for: keyPath) {
      let filter = PropertyFilter.properties(PropertyTree(table: query.elements.index))
      return derived(sectionFilter: filter) { $0.sort(by: [(keyPath, ascending)]) }
        .sectionedByFirstSortValue(column: column)
    }
    let isValueOfLinked = QueryValue(keyPath, of: query.elements, schema: query.schema) != nil
    guard let source: AnyKeyPath = isValueOfLinked ? keyPath : schema.source(ofComputed: keyPath) else {
      return sectioned { $0[keyPath: keyPath] }
    }
    return sectioned(
      by: { $0[keyPath: keyPath] }, sorting: { $0.sort(by: [(source, ascending)]) })
  }

  /// Sections by the first property of the elements' order. The key is the first value of every rank key, so
  /// that no object has to be read, and other properties do not matter.
  private func sectionedByFirstSortValue<
    Key: Persistable & Hashable & SendableMetatype, Element: Object
  >(
    column: Int
  ) -> SectionedResults<Key, Element> {
    let keys = SectionKeys(keyLength: query.lengthOfFirstSortValue(in:)) { [store, query] rankKey in
      let row = _ManagedRow(store: store, table: query.elements, key: .null)
      row.adopt(query.firstSortValue(of: rankKey), at: column)
      return Key._read(row, column)
    }
    return SectionedResults(self, keys) { $0.sectionedByFirstSortValue(column: column) }
  }

  fileprivate static var linkAsKey: StoreError {
    StoreError(.misuse, "A link cannot be the key of a section; use a value of the object that it leads to.")
  }

  /// Stops the program if a link is the key, which the compiler cannot exclude in generic code and closures.
  private static func requireKey(_ key: Any.Type) {
    let isObject = ((key as? any AnyOptional.Type)?.wrappedType ?? key) is Object.Type
    if isObject { fatalError(linkAsKey.description) }
  }
}
