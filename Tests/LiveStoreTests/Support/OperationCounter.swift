import CSQLite
import Synchronization

@testable import LiveStore

/// Counts the virtual machine's operations on both connections of a store.
final class OperationCounter {
  private let box = Box()
  private let handles: [OpaquePointer]

  private final class Box: Sendable {
    let count = Atomic(0)
  }

  var count: Int { box.count.load(ordering: .sequentiallyConsistent) }

  init(_ store: Store) {
    handles = [store.coordinator.front, store.coordinator.openedBack].compactMap { $0?.connection.handle }
    for handle in handles {
      sqlite3_progress_handler(
        handle, 1,
        { context in
          if let context {
            Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().count.add(
              1, ordering: .sequentiallyConsistent)
          }
          return 0
        }, Unmanaged.passUnretained(box).toOpaque())
    }
  }

  deinit {
    for handle in handles { sqlite3_progress_handler(handle, 0, nil, nil) }
  }
}
