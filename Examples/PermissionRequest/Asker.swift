import Glibc
import LiveStore

/// Asks, waits for the answer, and deletes the request.
@MainActor
final class Asker {
  private let store: Store
  private var token: NotificationToken?

  init(_ store: Store, subject: String) throws {
    self.store = store
    // A program that was killed while it waited finds its request again, and perhaps the answer.
    let request = try store.write {
      try store.create(Permission.self, value: ["subject": subject], update: .modified)
    }
    token = request.observe { change in
      guard case .change(let request, _) = change else { return }
      self.receive(request)
    }
    receive(request)
  }

  private func receive(_ request: Permission) {
    guard let isGranted = request.isGranted else { return }
    print("\(request.subject): \(isGranted ? "granted" : "denied")")
    do { try store.write { store.delete(request) } } catch { print(error) }
    exit(isGranted ? 0 : 1)
  }
}
