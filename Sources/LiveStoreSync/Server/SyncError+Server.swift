import CPostgreSQL

/// Sentences for what the server and libpq report.
extension SyncError {
  /// The error of a connection that could not be made.
  init(connecting connection: OpaquePointer, to url: ServerURL) {
    let report = String(cString: PQerrorMessage(connection))
    let name = PQuser(connection).map { String(cString: $0) } ?? ""
    let database = PQdb(connection).map { String(cString: $0) } ?? ""
    if PQconnectionNeedsPassword(connection) != 0 {
      self.init(
        .notAdmitted,
        "\(url) asks for the password of “\(name)”: put it into ~/.pgpass, "
          + "in a line server:port:database:name:password, which only you may read.", report: report)
    } else if report.contains(" 28P01:") {
      self.init(
        .notAdmitted, "\(url) does not accept the password of “\(name)”: look into ~/.pgpass.", report: report
      )
    } else if report.contains(" 28000:") {
      self.init(
        .notAdmitted, "\(url) does not let “\(name)” in: ask the person who looks after it.", report: report)
    } else if report.contains(" 3D000:") {
      self.init(
        .noDatabase,
        "There is no database “\(database)” on \(url.server): create it, or look at the address.",
        report: report)
    } else if report.contains(" 42501:") {
      self.init(.notAdmitted, "“\(name)” may not connect to the database “\(database)”.", report: report)
    } else if report.contains(" 57P03:") || report.contains(" 57P01:") {
      self.init(.noServer, "\(url) is starting or being stopped.", report: report)
    } else if report.contains(" 53300:") {
      self.init(.busy, "\(url) has as many connections as it takes.", report: report)
    } else if let part = Self.unusablePart(report) {
      self.init(.badAddress, "The address cannot be used: \(part).", report: report)
    } else if report.contains("received invalid response to") || report.contains("expected authentication") {
      self.init(
        .badAddress,
        "What answers at \(url.server) is no PostgreSQL server: look at the address and its port.",
        report: report)
    } else if report.contains("SSL SYSCALL error") {
      // The network has lost the connection; no other certificate was shown.
      self.init(.noServer, "\(url) cannot be reached: the connection was lost.", report: report)
    } else if report.contains("server does not support SSL") {
      self.init(
        .notTrusted,
        "\(url) does not encrypt connections, so nothing was sent: its owner turns TLS on, by ssl = on and a "
          + "certificate.", report: report)
    } else if report.contains("root certificate file") {
      self.init(
        .notTrusted,
        "It cannot be checked whether \(url) is the server that it says it is: "
          + "put the certificate of its authority into ~/.postgresql/root.crt, "
          + "or name it by sslrootcert=FILE in the address.", report: report)
    } else if report.contains("certificate") || report.contains("SSL") {
      self.init(
        .notTrusted,
        "\(url) does not prove that it is the server that it says it is, so nothing was sent: "
          + "check the name in the address, the server's certificate and ~/.postgresql/root.crt.",
        report: report)
    } else {
      self.init(.noServer, "\(url) cannot be reached\(Self.reason(report)).", report: report)
    }
  }

  /// The last words of libpq's message, which say why in the operating system's words.
  private static func reason(_ report: String) -> String {
    let first = report.split(separator: "\n").first {
      $0.contains("failed: ") || $0.hasPrefix("could not translate host name")
    }
    guard let words = first?.split(separator: ":").last, words.count < 80 else { return "" }
    return ":\(words)"
  }

  /// The words of libpq about an option of which it can make nothing, before it looks for a server.
  private static func unusablePart(_ report: String) -> Substring? {
    let first = report.split(separator: "\n").first ?? ""
    let beginnings = ["invalid ", "could not match ", "definition of service ", "service file "]
    return beginnings.contains { first.hasPrefix($0) } ? first : nil
  }

  /// The error of a statement.
  init(result: OpaquePointer, of connection: ServerConnection) {
    func field(_ letter: Character) -> String? {
      PQresultErrorField(result, Int32(letter.asciiValue!)).map { String(cString: $0) }
    }
    let report = String(cString: PQresultErrorMessage(result))
    let (url, space) = (connection.url, connection.entrance.map { "“\($0.name)”" } ?? "this space")
    let state = field("C") ?? ""
    let (code, sentence): (Code, String) =
      switch ServerSchema.Condition(rawValue: state) {
      case .noSuchSpace:
        (.noSpace, Self.noSpace(connection.entrance?.name).description)
      case .readOnly: (.readOnly, "You may only read \(space).")
      case .managersOnly: (.managersOnly, "Only the managers of \(space) may do that.")
      case .clockAhead:
        (
          .clockAhead,
          "Changes of this machine are dated ahead of the server's time: set the machine's clock."
        )
      case .identityTaken:
        (.identityTaken, "Another machine has joined \(space) with a copy of this file.")
      case .lastManager:
        (.lastManager, "\(space) keeps at least one manager: let somebody else manage it first.")
      case .noSuchRole: (.noSuchRole, field("M") ?? "There is no such role on \(url).")
      case .nameTaken: (.nameTaken, field("M") ?? "You already have a space of that name.")
      case .malformed: (.malformed, field("M") ?? Self.malformed(for: url))
      case nil: Self.sentence(state: state, url: url, space: space)
      }
    self.init(code, sentence, report: report)
  }

  /// The error where a space is gone, or the person is no member of it any more.
  static func noSpace(_ name: String?) -> SyncError {
    SyncError(
      .noSpace,
      "There is no \(name.map { "space “\($0)”" } ?? "such space"), or you are no member of it: ask who "
        + "manages it, or leave it by `tasks sync leave`.")
  }

  static func tooLarge(for url: ServerURL) -> String { "A change is larger than \(url) takes." }

  private static func malformed(for url: ServerURL) -> String {
    "\(url) does not take a change of this form."
  }

  private static func sentence(state: String, url: ServerURL, space: String) -> (Code, String) {
    switch state {
    case "":
      (.connectionLost, "The connection to \(url) was lost.")
    case "57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "25P04":
      (.connectionLost, "\(url) has ended the connection.")
    case "3F000", "42P01", "42883":
      (.noSchema, "\(url) is not prepared: ask its owner to run `tasks sync init` with this address first.")
    case "42501":
      (.noRights, "You do not have the right to do that on \(url): ask its owner.")
    case "26000", "42P05":
      (
        .server,
        "\(url) is a pooler that shares connections between transactions: use the server's own address."
      )
    case "25006":
      // Until the other server is gone and this one takes its place.
      (.busy, "\(url) can only be read now: it may be a copy of another server.")
    case "54000", "22001":
      (.tooLarge, Self.tooLarge(for: url))
    case "53100":
      (.diskFull, "The disk of \(url) is full: tell the person who looks after it.")
    case "53200":
      // Also for a small row: it is the state of the server, and no property of what was sent.
      (.busy, "\(url) has no memory left at the moment.")
    case "55006", "55P03", "57014":
      (.busy, "\(url) is too busy at the moment.")
    default:
      if state.hasPrefix("08") {
        (.connectionLost, "The connection to \(url) was lost.")
      } else if ["40", "53"].contains(state.prefix(2)) {
        // A transaction that others have come between, or something that the server has run out of.
        (.busy, "\(url) is too busy at the moment.")
      } else if ["22", "23", "54"].contains(state.prefix(2)) || state == "P0001" {
        // A value that PostgreSQL cannot store, or that a rule which its owner has added does not allow.
        (.malformed, Self.malformed(for: url))
      } else {
        (.server, "\(url) could not do it.")
      }
    }
  }
}
