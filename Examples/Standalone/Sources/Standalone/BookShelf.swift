import LiveStore
import Observation

@MainActor
@Observable
final class BookShelf {
  private(set) var titles: [String] = []
  private(set) var failure: StoreError?
  @ObservationIgnored private var tokens = NotificationTokenSet()

  init(_ configuration: Store.Configuration) throws {
    let store = try Store(configuration)
    store.objects(Book.self).sorted(by: \.title).observe { [weak self] change in
      switch change {
      case .initial(let books), .update(let books, _): self?.titles = books.map(\.title)
      case .error(let error): self?.failure = error
      }
    }.store(in: &tokens)
  }
}
