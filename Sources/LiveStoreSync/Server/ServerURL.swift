import CPostgreSQL

/// The address of a database, as libpq takes it: `postgresql://anna@db.example.org/tasks`, or words such as
/// `host=… dbname=…`.
///
/// It has no password: addresses are stored, shown and passed as arguments. libpq finds passwords in
/// `~/.pgpass` and in services.
public struct ServerURL: Hashable, Sendable, CustomStringConvertible {
  /// The address as it was given.
  public let text: String
  /// The options that it gives, by libpq's names for them.
  let options: [String: String]

  /// Reads an address, without connecting.
  public init(_ text: String) throws(SyncError) {
    guard let parsed = PQconninfoParse(text, nil) else {
      // libpq's own message may quote a part of a password.
      throw SyncError(
        .badAddress,
        "That is no address of a PostgreSQL server: it looks like postgresql://name@server/database.")
    }
    defer { PQconninfoFree(parsed) }
    let options = Self.options(parsed)
    guard !Self.hasSecret(parsed) else {
      throw SyncError(
        .badAddress,
        "Leave the password out of the address, which is stored and shown: put it into ~/.pgpass, "
          + "in a line server:port:database:name:password.")
    }
    self.text = text
    self.options = options
  }

  /// The options that have a value.
  static func options(_ first: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
    var options: [String: String] = [:]
    var option = first
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val, value[0] != 0 {
        options[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    return options
  }

  /// Whether options have a value that is shown as stars, such as a password.
  private static func hasSecret(_ first: UnsafeMutablePointer<PQconninfoOption>) -> Bool {
    var option = first
    while option.pointee.keyword != nil {
      if option.pointee.dispchar[0] == UInt8(ascii: "*"), let value = option.pointee.val, value[0] != 0 {
        return true
      }
      option += 1
    }
    return false
  }

  /// The server and the database, for people.
  public var description: String {
    options["dbname"].map { "\(server)/\($0)" } ?? server
  }

  /// The server, for people; with its port if that is not the usual one.
  var server: String {
    let name = options["host"] ?? options["hostaddr"] ?? options["service"] ?? "this machine"
    let ports = (options["port"] ?? "").split(separator: ",")
    guard let last = ports.last, ports != ["5432"] else { return name }
    // Several servers may have a port each.
    return name.split(separator: ",").enumerated().map { index, name in
      let isAddress = name.contains(":") && !name.hasPrefix("/")
      return (isAddress ? "[\(name)]" : name) + ":" + (index < ports.count ? ports[index] : last)
    }.joined(separator: ",")
  }

  /// Whether all hosts of some options are this machine, which nobody can pretend to be.
  static func isLocal(_ options: [String: String]) -> Bool {
    func parts(_ name: String) -> [Substring] {
      options[name]?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    }
    let (addresses, names) = (parts("hostaddr"), parts("host"))
    return (0..<max(addresses.count, names.count)).allSatisfy { index in
      // Without an address, the name leads to the server.
      let address = index < addresses.count ? addresses[index] : ""
      let host = address.isEmpty && index < names.count ? names[index] : address
      return host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@")
        || host == "localhost" || host == "::1"
        || host.hasPrefix("127.") && host.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
    }
  }
}
