import Foundation
import Glibc
import PostgreSQLCluster
import Testing

@testable import LiveStoreSync

/// The sentences about what is wrong on the way to the server, and what is tried again.
@Suite("The way to the server")
struct ConnectingTests {
  private struct Failed: Error {}

  private func failure(_ url: String) throws -> SyncError {
    do {
      _ = try ServerConnection(url: ServerURL(url), within: 5)
    } catch {
      return error
    }
    throw Failed()
  }

  /// Listens, on this machine, for one connection, and answers its first message with some bytes.
  ///
  /// - Parameter isReset: Whether the connection then ends as when a machine on the way has lost it.
  /// - Returns: The port.
  private func answer(_ answer: String, thenReset isReset: Bool) -> UInt16 {
    let listener = LocalListener()
    Thread.detachNewThread {
      let connection = accept(listener.socket, nil, nil)
      var buffer = [UInt8](repeating: 0, count: 4096)
      _ = read(connection, &buffer, buffer.count)
      _ = write(connection, answer, answer.utf8.count)
      if isReset {
        // All of the first message of TLS, so that its end is no reset but what comes with it.
        _ = read(connection, &buffer, buffer.count)
        var lingering = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
      }
      close(connection)
      close(listener.socket)
    }
    return listener.port
  }

  @Test("A connection that is lost while it is being secured is tried again, and is no false server")
  func lostWhileSecuring() throws {
    for isReset in [true, false] {
      let port = answer("S", thenReset: isReset)
      let error = try failure("postgresql://anna@127.0.0.1:\(port)/tasks?sslmode=require")
      #expect(error.code == .noServer && error.isRetryable, "\(error)")
      #expect(error.description.hasPrefix("127.0.0.1:\(port)/tasks cannot be reached: "), "\(error)")
    }
  }

  @Test("Another service at the port is told as that, and not as a server with a wrong certificate")
  func otherService() throws {
    for mode in ["require", "disable"] {
      let port = answer("HTTP/1.1 400 Bad Request\r\n\r\n", thenReset: false)
      let error = try failure("postgresql://anna@127.0.0.1:\(port)/tasks?sslmode=\(mode)")
      #expect(error.code == .badAddress && !error.isRetryable, "\(error)")
      #expect(
        error.description == "What answers at 127.0.0.1:\(port) is no PostgreSQL server: look at the address "
          + "and its port.", "\(error)")
    }
  }

  @Test("A server without TLS is told from one that another pretends to be")
  func withoutTLS() throws {
    let port = answer("N", thenReset: false)
    let error = try failure("postgresql://anna@127.0.0.1:\(port)/tasks?sslmode=require")
    #expect(error.code == .notTrusted && !error.isRetryable)
    #expect(error.description.hasPrefix("127.0.0.1:\(port)/tasks does not encrypt connections"), "\(error)")
  }

  @Test(
    "An address with a part of which nothing can be made is not tried for ever, and the part is said",
    arguments: [
      ("postgresql://anna@127.0.0.1:99999/tasks", "invalid port number: \"99999\""),
      ("postgresql://anna@127.0.0.1/tasks?sslmode=bad", "invalid sslmode value: \"bad\""),
      ("service=nowhere", "definition of service \"nowhere\" not found"),
      ("host=a,b port=1,2,3", "could not match 3 port numbers to 2 hosts"),
    ])
  func unusablePart(_ url: String, _ words: String) throws {
    let error = try failure(url)
    #expect(error.code == .badAddress && !error.isRetryable)
    #expect(error.description == "The address cannot be used: \(words).")
  }

  @Test(
    "Only hosts that are all this machine need not prove who they are",
    arguments: [
      (["host": "localhost,/run/postgresql"], true), ([:], true), (["hostaddr": "127.0.0.1,::1"], true),
      (["host": "db.example.org", "hostaddr": "127.0.0.1"], true),
      (["host": "localhost,db.example.org"], false),
      (["host": "localhost,db.example.org", "hostaddr": "127.0.0.1,"], false),
      (["host": "localhost", "hostaddr": "10.0.0.1"], false),
    ] as [([String: String], Bool)])
  func localHosts(options: [String: String], isLocal: Bool) {
    #expect(ServerURL.isLocal(options) == isLocal)
  }

  @Test("A name of a server that is not known is said with the reason, and tried again")
  func unknownName() throws {
    let error = try failure("postgresql://anna@nowhere.invalid/tasks")
    #expect(error.code == .noServer && error.isRetryable)
    #expect(error.description.hasPrefix("nowhere.invalid/tasks cannot be reached: "), "\(error)")
  }
}
