import Dispatch
import FoundationEssentials
import Glibc
import LiveStore

/// Shows one request at a time to a person, and stores the answer.
@MainActor
final class Answerer {
  private let store: Store
  private let open: Results<Permission>
  private let keyboard = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
  private var shown: Permission?
  private var token: NotificationToken?

  init(_ store: Store) throws {
    self.store = store
    open = try store.objects(Permission.self).filter(#Predicate { $0.isGranted == nil })
    token = open.observe { _ in self.showNext() }
    keyboard.setEventHandler { MainActor.assumeIsolated { self.answer() } }
    keyboard.activate()
  }

  private func showNext() {
    guard let request = open.first else {
      shown = nil
      return print("nothing to answer")
    }
    guard shown == nil || shown?.isInvalidated == true || shown?.isGranted != nil else { return }
    shown = request
    print("\(request.subject)? (y/n)")
  }

  private func answer() {
    guard let line = readLine() else { exit(0) }
    do {
      try store.write {
        // The request was deleted, or answered elsewhere, since it was shown.
        guard let shown, !shown.isInvalidated, shown.isGranted == nil else { return }
        shown.isGranted = line == "y"
      }
    } catch {
      print(error)
    }
  }
}
