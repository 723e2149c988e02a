import FoundationEssentials
import Glibc
import LiveStore
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI

@Suite("Searching a long list on other threads")
struct ScanningSearchTests {
  private let folder = TemporaryFolder()
  private let store: TasksStore
  private let notifications = NotificationSource()
  private let inbox: SearchInbox
  private let search: TaskSearch

  /// Some thousands of tasks, of which every seventh has the word.
  init() throws {
    let store = try TasksStore(path: folder("tasks.db"), scheduler: .fileDescriptor(notifications))
    self.store = store
    inbox = try #require(SearchInbox())
    let list = try #require(store.list(TaskList.firstListID))
    try store.store.write {
      for number in 0..<4500 {
        let task = TaskItem()
        task.text = "Task \(number)" + (number % 7 == 0 ? " Crème" : "")
        store.store.add(task)
        list.items.append(task)
      }
    }
    search = TaskSearch(.list(list.items), inbox: inbox)
  }

  /// Takes turns until the search has come to its end.
  private func finish() throws {
    while search.isSearching {
      var descriptors = [notifications.fileDescriptor, inbox.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      try #require(poll(&descriptors, 2, Patience.milliseconds) > 0, "neither rows nor findings come")
      if descriptors[0].revents != 0 { store.store.processNotifications() }
      if descriptors[1].revents != 0, let finding = inbox.take() { search.take(finding) }
    }
  }

  private func expected(_ words: String) throws -> [Int] {
    let list = try #require(store.list(TaskList.firstListID))
    return list.items.indices.filter { SearchPattern(words).matches(list.items[$0].text) }
  }

  @Test("It finds what is found row by row, also what an earlier search has not left room for")
  func finding() throws {
    for words in ["creme", "task", "9", "99", "999 creme", "nothing"] {
      search.search(for: SearchPattern(words))
      try finish()
      #expect(try search.matches.indices == expected(words))
    }
  }

  @Test("The result of a later search stays when that of an earlier one comes after it")
  func late() throws {
    let (first, second) = (inbox.makeNumber(), inbox.makeNumber())
    inbox.post(.init(number: second, indices: .success([2])))
    inbox.post(.init(number: first, indices: .success([1])))
    #expect(inbox.take()?.number == second && inbox.take() == nil)
  }

  @Test("Rows that are changed meanwhile are found as they are then")
  func changes() throws {
    try finish()
    let other = try TasksStore(
      path: folder("tasks.db"), scheduler: .fileDescriptor(NotificationSource()), author: "another person")
    defer { other.close() }
    for step in 0..<5 {
      search.search(for: SearchPattern(step % 2 == 0 ? "creme" : "task 1"))
      let list = try #require(other.list(TaskList.firstListID))
      try other.store.write {
        list.items[step].text = "Crème of task 1\(step)"
        other.store.delete(list.items[3000])
        list.items.move(from: 4000, to: 10)
      }
      try finish()
      while store.store.count(of: list) != list.items.count {
        try #require(waitForInput(notifications.fileDescriptor))
        store.store.processNotifications()
      }
      try finish()
      #expect(try search.matches.indices == expected(step % 2 == 0 ? "creme" : "task 1"))
    }
  }
}

extension Store {
  fileprivate func count(of list: TaskList) -> Int? {
    object(ofType: TaskList.self, forPrimaryKey: list.id)?.items.count
  }
}
