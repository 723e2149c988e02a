import Foundation

/// A request, once it has been received whole: as much of HTTP as the page needs.
struct Request {
  let method: String, path: String, body: String

  init?(_ received: Data) {
    guard let end = received.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
    let words = head.split(separator: " ").map(String.init)
    let length = head.firstMatch(of: /content-length: *(\d+)/.ignoresCase()).flatMap { Int($0.1) }
    guard words.count > 2, received.endIndex - end.upperBound >= length ?? 0 else { return nil }
    (method, path, body) = (words[0], words[1], String(decoding: received[end.upperBound...], as: UTF8.self))
  }
}

extension DispatchIO {
  func respond(_ status: String, _ body: String = "", type: String = "text/plain; charset=utf-8") async {
    await send("HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n\(body)")
  }

  /// Sends a text, and waits while the client does not read. One that has left gets none.
  func send(_ text: String) async {
    let data = Array(text.utf8).withUnsafeBytes { DispatchData(bytes: $0) }
    await withCheckedContinuation { continuation in
      write(offset: 0, data: data, queue: .main) { isLast, _, _ in
        if isLast { continuation.resume() }
      }
    }
  }
}

/// Answers a client's request, in a task that is cancelled when the client leaves.
@MainActor
func serve(_ descriptor: Int32, _ answer: @escaping @MainActor (Request, DispatchIO) async throws -> Void) {
  let client = DispatchIO(type: .stream, fileDescriptor: descriptor, queue: .main) { _ in close(descriptor) }
  var received = Data()
  var answering: Task<Void, Never>?
  // Each part is handed on when it arrives; the last call comes when the client leaves or has sent too much.
  client.setLimit(lowWater: 1)
  client.read(offset: 0, length: 1 << 14, queue: .main) { isLast, part, _ in
    received.append(contentsOf: part ?? .empty)
    if answering == nil, let request = Request(received) {
      answering = Task {
        do { try await answer(request, client) } catch {
          print(error)
          await client.respond("500 Internal Server Error", "\(error)")
        }
        client.close(flags: .stop)
      }
    }
    if isLast { answering?.cancel() }
  }
}

/// Listens on loopback at a port, or for 0 at one that is free, and returns the socket and the port.
func makeListener(port: UInt16) throws -> (socket: Int32, port: UInt16) {
  signal(SIGPIPE, SIG_IGN)  // Where a client has left, a write is to fail, and not to end the program.
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var (yes, size) = (Int32(1), socklen_t(MemoryLayout<sockaddr_in>.size))
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
  var found: UnsafeMutablePointer<addrinfo>?
  defer { freeaddrinfo(found) }
  guard getaddrinfo("127.0.0.1", String(port), nil, &found) == 0, let address = found?.pointee.ai_addr,
    bind(descriptor, address, size) == 0, listen(descriptor, SOMAXCONN) == 0,
    getsockname(descriptor, address, &size) == 0
  else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  return (descriptor, UInt16(bigEndian: UnsafeRawPointer(address).load(as: sockaddr_in.self).sin_port))
}
