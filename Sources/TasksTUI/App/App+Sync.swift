import LiveStore
import SyncSigns
import TasksModel

/// The other machines with the same lists.
extension App {
  /// Follows the agent that carries the file.
  ///
  /// - Parameters:
  ///   - start: Starts an agent where one has ended, and returns whether that was possible.
  ///   - settle: Settles a lost change, and returns whether that was possible.
  func follow(
    _ sign: SyncSign, _ journal: SyncJournal?, start: @escaping () -> Bool,
    settle: @escaping (LostChange, SyncLauncher.Settlement) -> Bool
  ) {
    syncSign = sign
    context.syncJournal = journal
    context.noteArrivals()
    startSyncAgent = start
    settleLostChange = settle
  }

  /// Follows the agent of a file that has been joined since this window was opened.
  func followNewSync() {
    guard syncSign == nil || endsFollowing() else { return }
    refresh()
    followSync()
    context.needsFrame = true
  }

  /// Reads the status of the agent.
  func lookAtSync() {
    guard let syncSign else { return }
    let old = syncSign.status
    guard syncSign.look() else { return }
    context.needsFrame = true
    let new = syncSign.status
    (front as? SyncScreen)?.update(new)
    if new.phase == .stopped, old.phase != .stopped {
      guard !endsFollowing() else { return }
      startAgentAgain()
    }
    // The server lets the file in again, or says something else of it.
    if new.refusal != old.refusal, context.message == old.refusal { context.message = nil }
    // A command may have settled the change that was told.
    if new.lost < old.lost, let toldLoss, context.message == toldLoss.message { context.message = nil }
    if new.lost > old.lost {
      sayLost(Int(new.lost - old.lost))
    } else if new.setAside > old.setAside, let row = keptRows.last, !(front is SyncScreen) {
      context.say(row.sentence)
    } else if new.refusal != old.refusal, !new.refusal.isEmpty {
      context.say(new.refusal)
    }
  }

  /// The words about other machines on the bottom line.
  var syncSummary: String? {
    guard let status = syncSign?.status else { return nil }
    // Nor was it in the moment before the first agent was there.
    return status.words ?? (agentStartedAt != nil ? "not carried" : nil)
  }

  /// Starts an agent again that could not be started when the last one ended.
  func startMissingAgent() {
    guard agentStartedAt != nil, syncSign?.status.phase == .stopped, !endsFollowing() else { return }
    startAgentAgain()
  }

  /// Stops following the agent of a file that has left its space.
  ///
  /// - Returns: Whether it has.
  private func endsFollowing() -> Bool {
    guard (try? context.syncJournal?.hasLeft) == true else { return false }
    (syncSign, context.syncJournal, agentStartedAt) = (nil, nil, nil)
    context.needsFrame = true
    return true
  }

  /// Starts an agent in place of one that was killed, but not again and again one that ends at once.
  private func startAgentAgain() {
    let now = context.clock()
    if let agentStartedAt, now - agentStartedAt < .seconds(60) { return }
    agentStartedAt = now
    _ = startSyncAgent()
  }

  /// Says what was lost, and how to bring it back.
  private func sayLost(_ count: Int) {
    // The screen of machines shows them itself.
    guard !(front is SyncScreen) else { return }
    let change = count == 1 ? lostChanges.last : nil
    if let change {
      let way =
        change.canReturn && !context.isReadOnly ? " \(context.key(.app(.bringBack))) brings yours back." : ""
      context.say(change.sentence + way)
    } else {
      context.say(
        "\(count.grouped) of your changes lost to those of others; \(context.key(.app(.sync))) shows them.")
    }
    toldLoss = context.message.map { ($0, change?.number) }
  }

  private var keptRows: [KeptRow] { (try? context.syncJournal?.keptRows()) ?? [] }

  private var lostChanges: [LostChange] { (try? context.syncJournal?.lostChanges()) ?? [] }

  /// Shows how the file stands with other machines.
  func showSync() {
    followNewSync()
    guard let syncSign, let journal = context.syncJournal, let membership = try? journal.membership() else {
      return context.say("This file is on this machine alone; tasks sync join URL shares it with others.")
    }
    lookAtSync()
    startMissingAgent()
    let screen = SyncScreen(
      context: context, membership, syncSign.status, lostChanges: { [weak self] in self?.lostChanges ?? [] },
      keptRows: { [weak self] in self?.keptRows ?? [] })
    guard !readsLines else { return context.say(screen.spokenSentences.joined(separator: " ")) }
    push(screen)
  }

  /// Brings back what was lost, or leaves it so; by default what was told last, or else the last of it.
  func settleLost(_ number: Int?, by settlement: SyncLauncher.Settlement) {
    guard !context.refuses(.rows(.undo)) else { return }
    defer { (front as? SyncScreen)?.updateLostChanges() }
    let changes = lostChanges
    guard let last = changes.last else {
      return context.say("Nothing of yours lost to the change of another machine.")
    }
    let wanted = number.map(Int64.init) ?? toldLoss?.number
    toldLoss = nil
    let change = changes.last { change in
      wanted.map { change.number == $0 } ?? (change.canReturn || settlement == .forget)
    }
    // Another one is not meant.
    guard wanted == nil || change != nil else {
      return context.say(
        "That has been settled already; \(context.key(.app(.sync))) shows what else of yours lost.")
    }
    let settled = change ?? last
    guard settled.canReturn || settlement == .forget else {
      return context.say(settled.sentence + (settled.refuge == nil ? "" : " It stays there."))
    }
    let own = settled.properties == ["text"] && settlement == .restore ? settled.value : nil
    let text = own ?? settled.text
    let name = text.isEmpty ? "The row" : text.quoted
    switch (settleLostChange(settled, settlement), settlement) {
    case (true, .restore):
      let phase = syncSign?.status.phase ?? .stopped
      let isReached = phase != .stopped && phase != .offline && !phase.needsPerson
      context.say(
        isReached
          ? "\(name) is as you had it, on all machines."
          : "\(name) is as you had it here; the other machines get it later.")
    case (true, .forget): context.say("\(name) stays as it is.")
    case (false, _):
      context.say("That was not possible; tasks sync \(settlement.rawValue) \(settled.number) says why.")
    }
  }
}
