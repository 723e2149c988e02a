import LiveStore

/// The state of the carrying of a file.
public struct SyncStatus: Equatable, Sendable {
  /// A state of the connection to the server.
  public enum Phase: String, Sendable {
    /// No agent carries the file at the moment, as far as that can be seen.
    case stopped
    /// The agent is about to reach the server.
    case connecting
    /// The agent sends many objects; ``SyncStatus/done`` says how far it is, and so for the next two.
    case sending
    /// The agent fetches many objects; how many there are is not known yet.
    case fetching
    /// The agent writes into the file what it has fetched.
    case writing
    /// The server is reached, and everything known has been exchanged.
    case inStep = "in-step"
    /// The server cannot be reached; changes wait.
    case offline
    /// The disk of this machine or of the server is full: nothing is exchanged until a person makes room.
    case diskFull = "disk-full"
    /// The server has refused this machine, or its disk fails; a person has to do something.
    case refused

    /// Whether a person has to do something before anything is exchanged.
    package var needsPerson: Bool { self == .diskFull || self == .refused }
  }

  /// The state of the connection.
  public var phase = Phase.stopped
  /// Milliseconds since 1970 of the last exchange with the server; 0 if there was none.
  public var exchanged: Int64 = 0
  /// Milliseconds since 1970 at which the phase began.
  public var since: Int64 = 0
  /// The number of objects whose changes wait to be sent.
  public var waiting: Int64 = 0
  /// The number of changes made here that lost against others' and have not been brought back.
  public var lost: Int64 = 0
  /// The number of objects that are not carried, or not all of them, because a machine has written them in
  /// no form that this program, or the file, takes.
  public var leftOut: Int64 = 0
  /// The number of objects whose changes stay on this machine because the server does not take them, or takes
  /// nothing of what was changed with them; ``SyncedFile/changesSetAside()`` says why.
  public var setAside: Int64 = 0
  /// The number of versions of the space that this machine lacks, as the server last told; 0 when in step.
  public var behind: Int64 = 0
  /// Whether the person may only read the space: what is changed here is taken back.
  public var mayOnlyRead = false
  /// The number of objects that are sent, fetched or written already, while the phase is one of these.
  public var done: Int64 = 0
  /// The number of all that are sent or written; 0 where that is not known.
  public var total: Int64 = 0
  /// The sentence that says why the agent is not in step, or, where the phase is ``Phase/stopped``, why it
  /// cannot be seen whether there is one.
  public var reason = ""
  /// The other machines of the space, those that were there last first, as the server last told.
  public var machines: [SpaceMachine] = []
  /// The version of the space when the machines were asked for: by it one sees how far each is behind.
  public var version: Int64 = 0

  /// Creates the status of a file that no agent carries.
  public init() {}

  /// Takes in that another phase begins, or the same goes on for another reason.
  package mutating func enter(_ phase: Phase, _ reason: String = "") {
    if self.phase != phase { since = WallClock.milliseconds }
    self.phase = phase
    self.reason = reason
  }

  /// The number of machines of which the agent tells other programs.
  private static let mostMachines = 50

  /// The numbers, by their names in ``text``.
  private static let numbers: [(name: Substring, path: any WritableKeyPath<SyncStatus, Int64> & Sendable)] = [
    ("exchanged", \.exchanged), ("since", \.since), ("waiting", \.waiting), ("behind", \.behind),
    ("lost", \.lost), ("left-out", \.leftOut), ("set-aside", \.setAside), ("done", \.done),
    ("total", \.total), ("version", \.version), ("may-only-read", \.readOnlyNumber),
  ]

  private var readOnlyNumber: Int64 {
    get { mayOnlyRead ? 1 : 0 }
    set { mayOnlyRead = newValue != 0 }
  }

  /// The status as the agent writes it for other programs: a name and a value on each line.
  package var text: String {
    var text = "phase \(phase.rawValue)\n"
    for number in Self.numbers { text += "\(number.name) \(self[keyPath: number.path])\n" }
    text += "reason \(reason.onOneLine)\n"
    for machine in machines.prefix(Self.mostMachines) {
      let behind = version > machine.version ? version - max(0, machine.version) : 0
      text += "machine \(machine.seen)\t\(behind)\t\(machine.role.onOneLine)\t\(machine.name.onOneLine)\n"
    }
    return text + "end\n"
  }

  package init(text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      let value = parts.count > 1 ? String(parts[1]) : ""
      switch parts.first {
      case "phase": phase = Phase(rawValue: value) ?? .stopped
      case "reason": reason = value
      case "machine":
        let fields = value.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 4 else { continue }
        machines.append(
          SpaceMachine(
            replica: 0, role: fields[2], name: fields[3], seen: Int64(fields[0]) ?? 0,
            version: version - min(version, max(0, Int64(fields[1]) ?? 0))))
      // Text behind it is the rest of a longer status.
      case "end": return
      default:
        guard let number = Self.numbers.first(where: { $0.name == parts.first }) else { continue }
        self[keyPath: number.path] = Int64(value) ?? 0
      }
    }
  }
}

/// A machine that has entered a space.
public struct SpaceMachine: Hashable, Sendable {
  /// The number of the machine in the space.
  public var replica: Int64
  /// The role of the person at the machine.
  public var role: String
  /// The name of the machine, as the machine gives it.
  public var name: String
  /// Milliseconds since 1970 by the server's clock; a minute late while it is there.
  public var seen: Int64
  /// The version that it knew then.
  public var version: Int64

  package init(replica: Int64, role: String, name: String, seen: Int64, version: Int64) {
    (self.replica, self.role, self.name, self.seen, self.version) = (replica, role, name, seen, version)
  }
}

extension String {
  fileprivate var onOneLine: String { String(map { $0.isNewline || $0 == "\t" ? " " : $0 }) }
}
