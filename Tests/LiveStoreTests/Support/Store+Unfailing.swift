@testable import LiveStore

extension Store {
  /// Runs SQL of a test's own on the version shown, which must not fail.
  func unfailing<R>(_ body: () throws(StoreError) -> R) -> R {
    requireSnapshot()
    do throws(StoreError) {
      return try body()
    } catch {
      fatalError("\(error)")
    }
  }
}
