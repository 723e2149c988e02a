import LibC
import LiveStore
import LiveStoreFixtures

/// Watches what everybody changes, until it is killed: applies each change set to what it knows, which has to
/// be what the store then shows.
struct LedgerObserver {
  let path: String

  func run() throws {
    let source = NotificationSource()
    let store = try Store(
      Store.Configuration(path: path, objectTypes: Ledger.types), scheduler: .fileDescriptor(source))
    var tokens: [NotificationToken] = []
    let members = store.objects(Member.self)
    for results in [members.sorted(by: \.rank), members.sorted(by: \.name)] {
      var known: [Int] = []
      tokens.append(
        results.observe { change in
          switch change {
          case .initial(let members):
            known = members.map(\.id)
            announce("0")
          case .update(let members, let changes):
            known.follow(changes) { members[$0].id }
            if known != members.map(\.id) {
              fail("\(changes) leads to \(known) and not \(members.map(\.id))")
            }
          case .error(let error): fail(error.description)
          }
        })
    }
    while true {
      var descriptors = [
        pollfd(fd: source.fileDescriptor, events: Int16(POLLIN), revents: 0),
        // Without events: tells only that nobody reads any more what is said here.
        pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
      ]
      poll(&descriptors, 2, -1)
      if descriptors[1].revents != 0 { exit(0) }
      store.processNotifications()
    }
  }
}
