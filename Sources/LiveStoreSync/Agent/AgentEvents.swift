import CLinux
import LibC
import LiveStore

/// The events that wake an agent, each by a descriptor of its own.
final class AgentEvents {
  struct Occurred: OptionSet {
    let rawValue: Int
    static let stop = Occurred(rawValue: 1)
    static let localChange = Occurred(rawValue: 2)
    static let networkChange = Occurred(rawValue: 4)
    /// The server has sent something.
    static let message = Occurred(rawValue: 8)
  }

  /// Signalled, from any thread, to end the agent. It stays so.
  let stop = NotificationSource()
  /// Signalled, from any thread, when a program may have changed the file.
  let localChange = NotificationSource()
  /// Readable when addresses or routes of this machine have changed; -1 where the kernel does not tell.
  private let networkChange: Int32

  /// - Parameter networkChange: A descriptor, which is closed with this.
  init(networkChange: Int32) {
    self.networkChange = networkChange
  }

  deinit {
    if networkChange >= 0 { close(networkChange) }
  }

  /// Sleeps until something happens, or a time by the monotonic clock.
  ///
  /// - Parameter socket: That of the server; -1 if it is not reached.
  /// - Returns: The events; none after the time, or where the system has ended the sleep early.
  func wait(until end: Int64, for socket: Int32) -> Occurred {
    var descriptors = [stop.fileDescriptor, localChange.fileDescriptor, networkChange, socket].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let rest = Int32(clamping: max(0, end - ServerConnection.monotonicMilliseconds()))
    guard poll(&descriptors, nfds_t(descriptors.count), rest) > 0 else { return [] }
    var occurred: Occurred = []
    for (index, descriptor) in descriptors.enumerated() where descriptor.revents != 0 {
      occurred.insert(Occurred(rawValue: 1 << index))
    }
    if occurred.contains(.localChange) { localChange.clear() }
    if occurred.contains(.networkChange) {
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
        while read(networkChange, buffer.baseAddress, buffer.count) > 0 {}
      }
    }
    return occurred
  }
}
