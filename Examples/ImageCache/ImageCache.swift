import Foundation
import LiveStore
import LiveStoreFoundation

/// Starts a worker that loads the data of every image without data, on its own thread and run loop.
func startImageCache(_ configuration: Store.Configuration) {
  Thread.detachNewThread {
    do {
      let store = try Store(configuration, scheduler: .runLoop)
      let requests = try store.objects(Image.self).filter(#Predicate { $0.data == nil })
      let token = requests.observe { _ in fill(requests, of: store) }
      runForever()
      token.invalidate()
    } catch {
      print(error)
    }
  }
}

private func fill(_ requests: Results<Image>, of store: Store) {
  let urls = requests.map(\.url)
  guard !urls.isEmpty else { return }
  // Before the write begins, so that others can write while this waits for the network.
  let images = urls.map { (url: $0, data: data(at: $0)) }
  do {
    try store.write {
      for image in images { store.object(ofType: Image.self, forPrimaryKey: image.url)?.data = image.data }
    }
  } catch {
    print(error)
  }
}

/// The bytes at an address; empty if there are none, so that it is not requested again and again.
private func data(at url: String) -> Data {
  URL(string: url).flatMap { try? Data(contentsOf: $0) } ?? Data()
}

/// A run loop without a timer or a port ends at once.
private func runForever() {
  RunLoop.current.add(Timer(timeInterval: 1e9, repeats: true) { _ in }, forMode: .common)
  RunLoop.current.run()
}
