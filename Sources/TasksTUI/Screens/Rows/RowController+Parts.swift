import LiveStore
import TasksModel

/// An operation on some rows, which may be a part of a long action.
typealias RowsOperation = PartOperation<Identifier>
/// An operation on some items, rows or the texts of new ones.
typealias PartOperation<Item> = (TasksStore, [Item], LongAction?) throws -> Edit

/// Actions on many rows, in parts.
extension RowController {
  /// The number of rows up to which an action is one transaction.
  static var mostRowsAtOnce: Int { 100 }

  /// An operation on many rows, in parts. Rows that are deleted meanwhile are left out.
  ///
  /// - Parameters:
  ///   - unchanged: Said when all rows are as requested already.
  ///   - report: Called at the end with the edit of all parts, unless nothing has changed.
  func work<Item>(
    on ids: [Item], ifUnchanged unchanged: String? = nil, _ operation: @escaping PartOperation<Item>,
    then report: @escaping (Edit) -> Void
  ) -> LongWork {
    var left = ids[...]
    var whole = Edit()
    // The last reason not to change a row.
    var refusal: Refusal?
    var hasUnchangedRows = false
    let long = LongAction()
    let advance = { [self] (size: Int) -> Int? in
      if left.isEmpty { return nil }
      let part = Array(left.prefix(size))
      do {
        let edit = try operation(context.store, part, long)
        if edit.noChange == .unchanged { hasUnchangedRows = true }
        showWithoutMotion { show(edit.changes) }
        whole.before += edit.before
        whole.after += edit.after
      } catch let error as Refusal where error != .undoneMeanwhile {
        refusal = error
      }
      left = left.dropFirst(part.count)
      return part.count
    }
    return LongWork(count: ids.count, advance: advance) { [self] ending in
      let isUnchanged = whole.before.isEmpty && whole.after.isEmpty
      let undo = isUnchanged ? "" : " \(context.key(.rows(.undo))) takes back what was done."
      switch ending {
      case .done where isUnchanged:
        if let refusal {
          context.say(refusal)
        } else if !hasUnchangedRows {
          explain(.gone)
        } else if let unchanged {
          context.say(unchanged)
        }
      case .done: report(whole)
      case .stopped:
        context.say("Stopped after \((ids.count - left.count).grouped) of \(ids.count.grouped) rows.\(undo)")
      case .failed(let refusal as Refusal): context.say(refusal)
      case .failed(let error):
        context.say(error)
        if let message = context.message { context.say(message + undo) }
      }
    }
  }

  /// Shows a part of a long action: its rows would only flicker if they moved.
  func showWithoutMotion(_ show: () -> Void) {
    let isAnimated = list.isAnimated
    list.isAnimated = false
    show()
    list.isAnimated = isAnimated
  }
}
