import Glibc

/// A socket of this machine to which programs connect as they would to a server.
struct LocalListener {
  let socket: Int32
  let port: UInt16

  init() {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = bind(socket, address, length)
        _ = listen(socket, 1)
        _ = getsockname(socket, address, &length)
      }
    }
    self.socket = socket
    port = UInt16(bigEndian: address.sin_port)
  }
}
