import TasksModel
import TerminalUI

extension App {
  /// Gives the lists that are meant, or the open one, a color of their own.
  func setColor(_ call: CommandCall) {
    guard !context.refuses(.app(.color)), let lists = listsForCommand(call) else { return }
    guard let name = call.argument else {
      var call = call
      call.rows = lists
      let prompt = Prompt(
        "Colour: ", isChoice: true, note: { Self.noColor($0) }, complete: Self.colorCompletions)
      ask(prompt, for: .argument(of: call))
      return
    }
    guard let color = ListColor.value(of: name) else { return context.refuse(Self.noColor(name)) }
    let own = lists.count == 1 ? "its own" : "their own"
    let unchanged = color.isEmpty ? "no colour of \(own)" : "this colour already"
    change(ifUnchanged: "\(subject(lists, "has", "have")) \(unchanged).") {
      try $0.setColor(lists, to: color, in: $1)
    }
  }

  /// Keeps the lists that are meant, or the open one, sorted, or leaves their order to the person.
  func keepSorted(_ call: CommandCall) {
    guard !context.refuses(.app(.keepSorted)), let lists = listsForCommand(call) else { return }
    guard let name = call.argument?.lowercased() else {
      var call = call
      call.rows = lists
      return askForKeptOrder(call)
    }
    let order = RowOrder(rawValue: name)
    guard order != nil || ["off", "none", ""].contains(name) else {
      return context.refuse(Self.noOrder(name))
    }
    let isOne = lists.count == 1
    let words =
      order.map { "\(subject(lists, "is", "are")) kept sorted by \($0.words)" }
      ?? "\(subject(lists, "keeps", "keep")) the order that you give \(isOne ? "it" : "them")"
    if change(ifUnchanged: "\(words) already.", { try $0.setOrder(lists, to: order, in: $1) }) {
      context.say(order == nil ? "\(words)." : "\(words) from now on.")
    }
  }

  private static func noColor(_ name: String) -> String {
    "\(name.quoted) is no colour: \(ListColor.choices)."
  }

  private static func noOrder(_ name: String) -> String {
    "\(name.quoted) is no order: \(RowOrder.choices), off."
  }

  private static func colorCompletions(of typed: String) -> [Prompt.Completion] {
    let own = RGB(typed).map { [$0.hexadecimal] } ?? []
    let named = (ListColor.names.map(\.name) + ["none"]).filter { $0.hasPrefix(typed.lowercased()) }
    return (own + named).map { Prompt.Completion(text: $0, title: $0) }
  }

  private func listsForCommand(_ call: CommandCall) -> [Identifier]? {
    let lists = screen.listsForCommand(call)
    if lists == nil { context.say("That is for a list; open one first.") }
    return lists?.isEmpty == true ? nil : lists
  }

  /// The subject and the verb of a sentence about lists.
  private func subject(_ lists: [Identifier], _ verb: String, _ pluralVerb: String) -> String {
    context.subject(lists, "lists", verb, pluralVerb) { context.store.list($0)?.text }
  }

  /// - Parameter unchanged: Said when the lists are as requested already.
  @discardableResult
  private func change(ifUnchanged unchanged: String, _ operation: (TasksStore, RowScope) throws -> Edit)
    -> Bool
  {
    do {
      let edit = try operation(context.store, RowScope(.lists))
      context.needsFrame = true
      if edit.noChange == .gone { context.sayRowIsGone() }
      if edit.noChange == .unchanged { context.say(unchanged) }
      return edit.noChange == nil
    } catch {
      context.say(error)
      return false
    }
  }

  private func askForKeptOrder(_ call: CommandCall) {
    let prompt = Prompt.choice("Keep sorted by: ", note: Self.noOrder) {
      RowOrder.allCases.map { ($0.rawValue, "by \($0.words)") } + [("off", "as you move them")]
    }
    ask(prompt, for: .argument(of: call))
  }
}

extension RowOrder {
  /// The order as a part of a sentence, after “by”.
  var words: String {
    switch self {
    case .due: "due date"
    case .priority: "priority"
    case .text: "text"
    }
  }
}
