import LiveStoreSync
import VisibleText

/// `tasks sync machines`.
struct MachineReport {
  private let file: SyncedFile

  init(_ file: SyncedFile) {
    self.file = file
  }

  /// Prints a line for each machine of the space, the last seen first.
  func write() throws {
    let machines = try file.machines()
    let own = try file.replica()
    let newest = machines.map(\.version).max() ?? 0
    for machine in machines {
      // A machine tells twice a minute how far it is, and may have had these changes since.
      let count = Int(newest - machine.version)
      let since = count == 0 ? "" : ", \(count.counted("change")) since"
      let place =
        machine.replica == own ? "this machine" : "last seen \(StatusReport.ago(machine.seen))\(since)"
      print("\(machine.replica)  \(machine.name) (\(machine.role)), \(place)".withControlsMadeVisible)
    }
  }

  /// Has the server forget a machine, by its name or number.
  func forget(_ name: String) throws {
    let machines = try file.machines()
    let named = machines.filter { $0.name == name || String($0.replica) == name }
    guard let machine = named.first else {
      throw SyncError(.noSpace, "There is no machine “\(name)”: tasks sync machines prints which there are.")
    }
    guard named.count == 1 else {
      throw SyncError(
        .ambiguousSpace,
        "\(named.count) machines are named “\(name)”: say the number that tasks sync machines prints.")
    }
    try file.forget(machine)
    let words = "\(machine.name) (\(machine.role)) is forgotten. If it comes again, it goes on."
    print(words.withControlsMadeVisible)
  }
}
