/// The mouse. Its requests take the same way as those of keys.
extension App {
  func handle(_ event: MouseEvent) -> Request? {
    guard wantsMouse, prompt == nil else { return nil }
    if event.action == .press { context.message = nil }
    context.needsFrame = true
    pendingCount = nil
    defer { leaveIfGone() }
    var event = event
    event.line -= titleLines
    if help != nil {
      // These screens have nothing to point at, and only scroll.
      switch event.action {
      case .wheelUp: return perform(CommandCall(.cursor(.up), count: 3))
      case .wheelDown: return perform(CommandCall(.cursor(.down), count: 3))
      case .press, .drag, .release: return nil
      }
    }
    if let search {
      leave(search, search.mouse(event))
      return nil
    }
    if event.action == .press, !front.isEditing {
      if event.line < 0 { return perform(CommandCall(.screen(.back))) }
      // The line of hints.
      if event.line >= rowLines { return nil }
    }
    return front.mouse(event).flatMap(perform)
  }
}
