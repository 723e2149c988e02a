import LiveStore

actor Librarian {
  private let store: Store

  init(_ configuration: Store.Configuration) throws {
    store = try Store(configuration, scheduler: .actor())
    store.confine(to: self)
  }

  func add(_ titles: [String]) throws {
    try store.write {
      for title in titles {
        let last = store.objects(Book.self).last?.id ?? 0
        try store.create(Book.self, value: ["id": last + 1, "title": title])
      }
    }
  }

  /// Values leave the actor; objects stay, because they belong to its store.
  func titles() -> [String] {
    store.objects(Book.self).map(\.title)
  }
}
