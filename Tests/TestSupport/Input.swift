import LibC

/// Waits until a descriptor has something to be read, or its end; returns whether it came in time.
@discardableResult
public func waitForInput(_ descriptor: Int32, milliseconds: Int32 = Patience.milliseconds) -> Bool {
  var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&waiting, 1, milliseconds) > 0
}
