// A cache of images. The interface requests an image by adding an object without data, and shows it when the
// data is there. Interface and worker do not know each other. Type addresses:
//
//   swift run ImageCache images.db
//   file:///usr/share/pixmaps/debian-logo.png

import Dispatch
import Foundation
import LiveStore

final class Image: Object {
  @Persisted(primaryKey: true) var url = ""
  @Persisted var data: Data?
}

let configuration = Store.Configuration(
  path: CommandLine.arguments.dropFirst().first ?? "images.db", objectTypes: [Image.self])
let store = try Store(configuration)
let images = store.objects(Image.self)

let token = images.observe { change in
  guard case .update(let images, let changes) = change else { return }
  for index in changes.insertions + changes.modificationsInNew {
    print("\(images[index].url): \(images[index].data.map { "\($0.count) bytes" } ?? "waiting")")
  }
}

startImageCache(configuration)

let keyboard = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
keyboard.setEventHandler {
  guard let url = readLine() else { exit(0) }
  do {
    try store.write { try store.create(Image.self, value: ["url": url], update: .modified) }
  } catch {
    print(error)
  }
}
keyboard.activate()
dispatchMain()
