import Glibc
import LiveStore

/// Prints the number of books whenever it changes, until there are as many.
func followBooks(_ configuration: Store.Configuration, until count: Int) throws {
  let source = NotificationSource()
  let store = try Store(configuration, scheduler: .fileDescriptor(source))
  let books = store.objects(Book.self)
  var shown = 0
  let token = books.observe { _ in
    shown = books.count
    print(shown, "books")
  }
  while shown < count {
    var descriptor = pollfd(fd: source.fileDescriptor, events: Int16(POLLIN), revents: 0)
    if poll(&descriptor, 1, -1) > 0 { store.processNotifications() }
  }
  token.invalidate()
}
