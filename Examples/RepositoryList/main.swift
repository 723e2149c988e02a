// Repositories, the last pushed first, from a JSON file that is read again at every Return. Rows whose stars
// changed flash, rows that others overtook slide, and no list is compared by hand.
//
//   swift run RepositoryList repositories.json
//
//   [{ "id": 1, "name": "swift", "stars": 67000, "pushedAt": "2025-03-01T12:00:00Z" }]

import Dispatch
import LiveStore

guard let path = CommandLine.arguments.dropFirst().first else {
  fatalError("usage: RepositoryList FILE.json")
}
let configuration = Store.Configuration(inMemory: "repositories", objectTypes: [Repository.self])
let store = try Store(configuration)
let repositories = store.objects(Repository.self).sorted(by: \.pushedAt, ascending: false)

var table = Table()
let token = repositories.observe(keyPaths: [\.stars]) { change in
  switch change {
  case .initial(let repositories): table.show(repositories)
  case .update(let repositories, let changes): table.apply(changes, of: repositories)
  case .error(let error): print(error)
  }
}

// The file is read in the background, by the queue's own store.
let queue = DispatchQueue(label: "loading")
queue.async {
  do {
    let store = try Store(configuration, scheduler: .queue(queue))
    while readLine() != nil {
      do { try Repository.load(path, into: store) } catch { print(error) }
    }
  } catch {
    print(error)
  }
}

dispatchMain()
