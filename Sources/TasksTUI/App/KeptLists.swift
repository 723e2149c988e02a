import FoundationEssentials
import LiveStore
import TasksModel

/// The lists that are kept sorted. This window puts them in order after a change of a task by itself, another
/// window or the worker that reads dates. The list on the screen is sorted there.
///
/// Only the lists of changed tasks are looked at. Two windows that sort one make the same of it: the first
/// writes, and the other finds it in order.
final class KeptLists {
  private let context: ScreenContext
  private var token: NotificationToken?
  /// Whether the lists are followed, which begins after the first frame.
  private var isFollowing = false
  /// Those that have changed, or were found, since they were sorted.
  private var unsorted: Set<Identifier> = []

  init(_ context: ScreenContext) {
    self.context = context
  }

  deinit { token?.invalidate() }

  /// Follows the lists, also again after a failure.
  func follow() {
    isFollowing = true
    token?.invalidate()
    token = nil
    guard !context.isReadOnly else { return }
    do {
      token = try context.store.lists.filter(#Predicate { $0.sorting != "" })
        .observe(keyPaths: ["sorting", "items.text", "items.date", "items.priority", "items.completed"]) {
          [weak self] in self?.receive($0)
        }
    } catch {
      context.say(error)
    }
  }

  private func receive(_ change: CollectionChange<Results<TaskList>>) {
    switch change {
    case .initial(let lists): unsorted.formUnion(lists.map(\.id))
    case .update(let lists, let changes):
      unsorted.formUnion((changes.insertions + changes.modificationsInNew).map { lists[$0].id })
    case .error(let failure): context.endOfObservation = failure
    }
  }

  /// Sorts those that may not be in order, except for the place on the screen.
  func sort(except shown: Place?) {
    if !isFollowing { follow() }
    guard !unsorted.isEmpty, context.loss == nil else { return }
    for id in unsorted where .tasks(inList: id) != shown {
      unsorted.remove(id)
      guard let items = context.store.list(id)?.items,
        items.limit(TasksStore.mostToSortAtOnce + 1).count <= TasksStore.mostToSortAtOnce
      else { continue }
      do {
        _ = try context.store.keepSorted(id)
      } catch let error as StoreError where error.code == .busy {
        // The next change sorts it, and those after it.
        unsorted.insert(id)
        return
      } catch {
        // Said once, until the list changes again.
        context.say(error)
      }
    }
  }
}
