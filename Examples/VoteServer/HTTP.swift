import Dispatch
import Foundation

/// A socket on loopback that hands each request on.
@MainActor
final class Listener {
  let port: UInt16
  private let source: any DispatchSourceRead

  init(port: UInt16, handle: @escaping (Request, Connection) -> Void) throws {
    signal(SIGPIPE, SIG_IGN)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var (yes, address, size) = (Int32(1), sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    try withUnsafeMutablePointer(to: &address) {
      try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        guard bind(descriptor, $0, size) == 0, listen(descriptor, 64) == 0,
          getsockname(descriptor, $0, &size) == 0
        else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      }
    }
    self.port = UInt16(bigEndian: address.sin_port)
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler {
      let client = accept(descriptor, nil, nil)
      if client >= 0 { _ = Connection(client, handle: handle) }
    }
    source.activate()
  }
}

struct Request {
  let method: String, path: String, body: String

  /// A request that has been received whole; nil before that.
  init?(_ received: Data) {
    guard let end = received.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let length = head.first { $0.lowercased().hasPrefix("content-length: ") }.flatMap {
      Int($0.dropFirst(16))
    }
    let words = head[0].split(separator: " ").map(String.init)
    guard received.distance(from: end.upperBound, to: received.endIndex) >= length ?? 0, words.count == 3
    else {
      return nil
    }
    (method, path) = (words[0], words[1])
    body = String(decoding: received[end.upperBound...], as: UTF8.self)
  }
}

/// One request and its response. A response of events goes on until the browser leaves.
@MainActor
final class Connection {
  var onEnd: () -> Void = {}
  private let descriptor: Int32
  private let source: any DispatchSourceRead
  private var received = Data()

  init(_ descriptor: Int32, handle: @escaping (Request, Connection) -> Void) {
    self.descriptor = descriptor
    // A browser that does not read for a second is let go. It connects again by itself, and gets all rows.
    var patience = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    // Until it is cancelled, the source keeps the connection.
    source.setEventHandler { [self] in read(handle) }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  private func read(_ handle: (Request, Connection) -> Void) {
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0, received.count < 1 << 20 else { return end() }
    received += bytes.prefix(count)
    guard let request = Request(received) else { return }
    received = Data()
    handle(request, self)
  }

  func respond(_ status: String, _ type: String = "text/plain", _ body: String = "") {
    send(
      "HTTP/1.1 \(status)\r\nContent-Type: \(type); charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\n"
        + "Connection: close\r\n\r\n\(body)")
    end()
  }

  func beginEvents() {
    send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\r\n")
  }

  func send(_ name: String, _ event: some Encodable) throws {
    send("event: \(name)\ndata: \(String(decoding: try JSONEncoder().encode(event), as: UTF8.self))\n\n")
  }

  private func send(_ text: String) {
    let bytes = Array(text.utf8)
    if Glibc.send(descriptor, bytes, bytes.count, 0) != bytes.count { end() }
  }

  func end() {
    guard !source.isCancelled else { return }
    source.cancel()
    onEnd()
  }
}
