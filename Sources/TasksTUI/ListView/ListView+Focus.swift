/// Rows that are edited, and rows that are held.
extension ListView {
  /// Moves the cursor to a row to be edited, scrolls it to the top and dims the others to 30 %. Called again
  /// when the cursor of the text moves to another line.
  mutating func focus(_ index: Int, line: Int = 0, at time: Duration) {
    guard count > 0 else { return }
    setFocused(true, at: time)
    focusedLine = max(0, line)
    let before = scrollPosition
    if positionBeforeFocus == nil { positionBeforeFocus = before }
    focusedIndex = min(max(index, 0), count - 1)
    select(index)
    glide(from: before, at: time)
  }

  /// Ends `focus`, and scrolls back. No effect without a focus.
  mutating func unfocus(at time: Duration) {
    setFocused(false, at: time)
    focusedLine = 0
    focusedIndex = nil
    let before = scrollPosition
    if let positionBeforeFocus { scrollPosition = positionBeforeFocus }
    positionBeforeFocus = nil
    relayout()
    glide(from: before, at: time)
  }

  /// Whether the focused row is kept on top, which it is while the cursor is on it.
  var isFocusOnTop: Bool { isFocused && scrollsToFocus && focusedIndex == selectedIndex }

  private mutating func setFocused(_ focused: Bool, at time: Duration) {
    guard focused != isFocused else { return }
    isFocused = focused
    guard isAnimated else { return }
    let now = Motion.seconds(time)
    dimming.displace(by: focused ? -1 : 1, at: now, duration: movementDuration)
    extendMovement(to: dimming.end)
  }

  /// Lifts a row, which is then drawn above the others; `nil` drops it.
  mutating func hold(_ index: Int?) {
    heldIndex = index.flatMap { (0..<count).contains($0) ? $0 : nil }
  }
}
