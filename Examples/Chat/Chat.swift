import Foundation
import LiveStore

/// One person's view of the rooms: prints what comes into the open one, and how much is unread in the others.
@MainActor
final class Chat {
  private let store: Store
  private let person: String
  private var room: Room?
  private var messages: NotificationToken?
  /// The number of unread messages in each room by its name, kept up to date without reading one.
  private var unread: [String?: Int] = [:]
  private var unreadToken: NotificationToken?

  init(_ configuration: Store.Configuration, person: String) throws {
    store = try Store(configuration)
    self.person = person
    let messages = try store.objects(Message.self).filter(#Predicate { $0.author != person && !$0.isRead })
    unreadToken = messages.liveCount(by: \.room?.name).observe { [unowned self] change in
      if let unread = change.value { tell(unread) }
    }
  }

  func take(_ line: String) throws {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    switch words.first {
    case "/open" where words.count == 2: try open(words[1])
    case "/find" where words.count == 2: try find(words[1])
    case nil: break
    default: try send(line)
    }
  }

  private func open(_ name: String) throws {
    let room = try store.write { try store.create(Room.self, value: ["name": name], update: .modified) }
    self.room = room
    let messages = try store.objects(Message.self)
      .filter(#Predicate { $0.room?.name == name }).sorted(by: \.sent)
    self.messages = messages.observe { [unowned self] change in
      switch change {
      case .initial(let messages): show(messages, Array(messages.indices))
      case .update(let messages, let changes): show(messages, changes.insertions)
      case .error(let error): print(error)
      }
    }
  }

  private func show(_ messages: Results<Message>, _ indices: [Int]) {
    for index in indices { print("\(messages[index].author): \(messages[index].text)") }
    let person = person
    do {
      // One statement, whatever the number; those that have been read are not written.
      let others = try messages.filter(#Predicate { $0.author != person })
      if !indices.isEmpty { try write { _ = others.update(.set(\.isRead, to: true)) } }
    } catch {
      print(error)
    }
  }

  /// Writes, as part of the write whose beginning has called the callback, if one has.
  private func write(_ body: () -> Void) throws {
    if store.isInWriteTransaction { body() } else { try store.write(body) }
  }

  private func send(_ text: String) throws {
    guard let room else { return print("/open a room first") }
    let message = Message()
    (message.room, message.author, message.text) = (room, person, text)
    try store.write { store.add(message) }
  }

  private func find(_ text: String) throws {
    let found = try store.search(Message.self, for: text, matching: .prefixes, limit: 10)
    for match in found { print("found in \(match.object.room?.name ?? ""): \(match.snippet)") }
    if found.isEmpty { print("found nothing") }
  }

  private func tell(_ unread: [String?: Int]) {
    for (name, count) in unread.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
      if self.unread[name] != count, room?.name != name { print("* \(name ?? ""): \(count) unread") }
    }
    self.unread = unread
  }
}
