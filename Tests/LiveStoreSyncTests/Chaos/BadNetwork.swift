import Foundation
import Glibc

/// The network between one machine and the server, as bad as a test wants it: a port on loopback that passes
/// on what comes to another one, late, in part or not at all.
final class BadNetwork: @unchecked Sendable {
  // `lock` protects the conditions; all else is used on the network's own thread only.
  struct Conditions {
    /// Connections are refused, and those that there are end.
    var isCut = false
    /// Nothing comes through, and neither side is told.
    var isSilent = false
    /// The milliseconds that everything is on its way.
    var delay: Int64 = 0
    /// The bytes to and from the server after which a connection ends, once.
    var bytesUp: Int?
    var bytesDown: Int?
    /// Whether the answer to the next push is lost, and the connection with it.
    var losesAnswer = false
  }

  /// The port to connect to.
  let port: Int
  private let serverPort: Int
  private let lock = NSLock()
  private var conditions = Conditions()
  private var hasEnded = false
  private let listener: Int32
  private let wake: [Int32]
  private var links: [Link] = []

  struct Failure: Error {}

  init(to serverPort: Int) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = Self.loopback(port: 0)
    guard Self.call(listener, &address, bind) == 0, listen(listener, 64) == 0 else { throw Failure() }
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
    }
    self.serverPort = serverPort
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wake = ends
    Thread.detachNewThread { [self] in run() }
  }

  /// Changes what the network is like.
  func change(_ change: (inout Conditions) -> Void) {
    lock.withLock { change(&conditions) }
    _ = write(wake[1], [0], 1)
  }

  /// Ends every connection once, which then can be made anew.
  func interrupt() {
    change { $0.bytesDown = 0 }
  }

  func end() {
    lock.withLock { hasEnded = true }
    _ = write(wake[1], [0], 1)
  }

  // MARK: Passing on

  /// A connection of the machine, and that to the server which belongs to it.
  private struct Link {
    var client: Int32
    var server: Int32
    /// The bytes on their way, in the order in which they arrive.
    var onTheWay: [(due: Int64, isUp: Bool, bytes: [UInt8])] = []
    var isLosingAnswer = false
  }

  private func run() {
    while true {
      let (conditions, hasEnded) = lock.withLock { (self.conditions, self.hasEnded) }
      if hasEnded || conditions.isCut || conditions.bytesDown == 0 || conditions.bytesUp == 0 {
        for index in links.indices.reversed() { drop(index) }
        lock.withLock {
          if self.conditions.bytesDown == 0 { self.conditions.bytesDown = nil }
          if self.conditions.bytesUp == 0 { self.conditions.bytesUp = nil }
        }
      }
      if hasEnded {
        for descriptor in wake + [listener] { close(descriptor) }
        return
      }
      var descriptors = [wake[0], listener].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      for link in links {
        for end in [link.client, link.server] {
          descriptors.append(pollfd(fd: conditions.isSilent ? -1 : end, events: Int16(POLLIN), revents: 0))
        }
      }
      let next = conditions.isSilent ? nil : links.compactMap(\.onTheWay.first?.due).min()
      let timeout = next.map { Int32(max(0, $0 - Self.now)) } ?? -1
      guard poll(&descriptors, nfds_t(descriptors.count), timeout) >= 0 else { continue }
      if descriptors[0].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(wake[0], &bytes, 64)
        continue
      }
      for index in links.indices.reversed() where !conditions.isSilent {
        pass(index, client: descriptors[2 + 2 * index].revents, server: descriptors[3 + 2 * index].revents)
      }
      if descriptors[1].revents != 0 { admit(conditions) }
    }
  }

  private func admit(_ conditions: Conditions) {
    let client = accept(listener, nil, nil)
    guard client >= 0 else { return }
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = Self.loopback(port: serverPort)
    guard !conditions.isCut, Self.call(server, &address, connect) == 0 else {
      for descriptor in [client, server] { Self.reset(descriptor) }
      return
    }
    for descriptor in [client, server] {
      var one: Int32 = 1
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    }
    links.append(Link(client: client, server: server))
  }

  /// Reads what a link brings, and hands over what has arrived.
  private func pass(_ index: Int, client: Int16, server: Int16) {
    for (isUp, events) in [(true, client), (false, server)] where events != 0 {
      var bytes = [UInt8](repeating: 0, count: 16_384)
      let count = recv(isUp ? links[index].client : links[index].server, &bytes, bytes.count, 0)
      guard count > 0 else { return drop(index) }
      if !isUp, links[index].isLosingAnswer { return drop(index) }
      let isLast: Bool
      (bytes, isLast) = lock.withLock { () -> ([UInt8], Bool) in
        var taken = Array(bytes[..<count])
        if isUp, conditions.losesAnswer, Self.push.isPart(of: taken) {
          conditions.losesAnswer = false
          links[index].isLosingAnswer = true
        }
        let limit = isUp ? \Conditions.bytesUp : \Conditions.bytesDown
        guard let left = conditions[keyPath: limit] else { return (taken, false) }
        taken = Array(taken.prefix(left))
        conditions[keyPath: limit] = left > count ? left - count : nil
        return (taken, left <= count)
      }
      let delay = lock.withLock { conditions.delay }
      links[index].onTheWay.append((Self.now + delay, isUp, bytes))
      if isLast {
        _ = deliver(index, until: .max)
        return drop(index)
      }
    }
    if !deliver(index, until: Self.now) { drop(index) }
  }

  /// - Returns: False if one of the two is gone.
  private func deliver(_ index: Int, until time: Int64) -> Bool {
    while let first = links[index].onTheWay.first, first.due <= time {
      links[index].onTheWay.removeFirst()
      var rest = first.bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          send(
            first.isUp ? links[index].server : links[index].client, $0.baseAddress, $0.count,
            Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
    }
    return true
  }

  private func drop(_ index: Int) {
    Self.reset(links[index].client)
    Self.reset(links[index].server)
    links.remove(at: index)
  }

  // MARK: Sockets

  /// The text by which a push is known.
  private static let push = Array("livestore.push(".utf8)

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Closes a socket so that the other side notices at once.
  private static func reset(_ descriptor: Int32) {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
  }

  private static func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }

  private static func call(
    _ descriptor: Int32, _ address: inout sockaddr_in,
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

extension [UInt8] {
  /// Whether the bytes stand somewhere in others.
  fileprivate func isPart(of bytes: [UInt8]) -> Bool {
    guard bytes.count >= count else { return false }
    return (0...(bytes.count - count)).contains { bytes[$0..<($0 + count)].elementsEqual(self) }
  }
}
