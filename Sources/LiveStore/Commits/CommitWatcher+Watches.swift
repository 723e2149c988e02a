import Glibc

extension CommitWatcher {
  /// What one watch of the kernel is there for.
  struct Use: Equatable {
    let database: String
    let role: Role
  }

  enum Role: CaseIterable {
    case signal
    case wal
    case directory
  }
}

/// The watches, and what their events mean.
extension CommitWatcher.State {
  typealias Role = CommitWatcher.Role
  private typealias Use = CommitWatcher.Use

  private static let directoryMask = UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
  private static let fileMask = UInt32(IN_MODIFY | IN_DONT_FOLLOW)

  /// Watches what has the role's name now, instead of what had it before. A file that is missing is no error:
  /// the directory will tell when it comes.
  ///
  /// What the system does not let be watched is polled.
  mutating func watch(_ role: Role, of path: String) throws(CommitWatcher.Failure) {
    guard let files = databases[path]?.files else { return }
    guard inotify >= 0 else {
      databases[path]?.isPolled = true
      return
    }
    let (target, mask) =
      switch role {
      case .signal: (files.signal, Self.fileMask)
      case .wal: (files.wal, Self.fileMask)
      case .directory: (files.directory, Self.directoryMask)
      }
    let descriptor = inotify_add_watch(inotify, target, mask | UInt32(IN_MASK_ADD))
    let code = errno
    let previous = databases[path]?.watches[role]
    if previous == descriptor { return }
    unwatch(role, of: path)
    guard descriptor >= 0 else {
      if code != ENOENT, code != ENOTDIR {
        databases[path]?.isPolled = true
        return
      }
      if role != .directory { return }
      throw CommitWatcher.Failure(call: "inotify_add_watch \(target)", code: code)
    }
    uses[descriptor, default: []].append(Use(database: path, role: role))
    databases[path]?.watches[role] = descriptor
  }

  private mutating func unwatch(_ role: Role, of path: String) {
    guard let descriptor = databases[path]?.watches.removeValue(forKey: role) else { return }
    uses[descriptor]?.removeAll { $0 == Use(database: path, role: role) }
    if uses[descriptor]?.isEmpty == true {
      uses[descriptor] = nil
      inotify_rm_watch(inotify, descriptor)
    }
  }

  private mutating func rewatch(_ path: String) {
    guard databases[path]?.watches.isEmpty == false else { return }
    for role in Role.allCases { rewatch(role, of: path) }
  }

  /// A directory that is gone leaves its files unwatched: there is nobody to tell, and the other watches
  /// still work.
  private mutating func rewatch(_ role: Role, of path: String) {
    do { try watch(role, of: path) } catch {}
  }

  mutating func remove(_ subscriber: CommitWatcher.Subscriber, of path: String) {
    databases[path]?.subscribers.removeAll { $0 === subscriber }
    guard databases[path]?.subscribers.isEmpty == true else { return }
    for role in Role.allCases { unwatch(role, of: path) }
    databases[path] = nil
  }

  // MARK: Polling (the leader)

  /// Whether something cannot be watched.
  var isPolling: Bool { databases.values.contains(where: \.isPolled) }

  /// Has the subscribers of what cannot be watched look, and tries to watch it.
  mutating func poll() {
    for (path, database) in databases where database.isPolled {
      databases[path]?.isPolled = false
      for role in Role.allCases { rewatch(role, of: path) }
      note(.lookAgain, path)
    }
  }

  // MARK: Events (the leader)

  /// Whether all subscribers rest, so that no event need be listened to.
  mutating func updateIsDeaf() -> Bool {
    isDeaf = !databases.isEmpty && databases.values.allSatisfy { $0.subscribers.allSatisfy(\.isResting) }
    return isDeaf
  }

  /// Takes all that has come since the last time, and notes it with the subscribers concerned.
  ///
  /// - Parameter buffer: Room for events of the kernel; `nil` when there are none.
  mutating func takeEvents(_ buffer: UnsafeMutableRawBufferPointer?) {
    if isWakeUpPending {
      isWakeUpPending = false
      var count: UInt64 = 0
      _ = read(wakeUp, &count, MemoryLayout.size(ofValue: count))
      for (path, database) in databases where !database.pending.isEmpty {
        note(database.pending, path)
        databases[path]?.pending = []
      }
    }
    guard let buffer else { return }
    var length: Int
    repeat {
      length = read(inotify, buffer.baseAddress, buffer.count)
      var offset = 0
      while offset < length {
        let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let name = UnsafeRawBufferPointer(
          rebasing: buffer[(offset + MemoryLayout<inotify_event>.size)...].prefix(Int(event.len)))
        offset += MemoryLayout<inotify_event>.size + Int(event.len)
        take(event, name)
      }
      // A read that leaves room for the longest event has taken all there was.
    } while length > buffer.count - MemoryLayout<inotify_event>.size - Int(NAME_MAX) - 1
  }

  private mutating func note(_ event: CommitEvent, _ path: String) {
    for subscriber in databases[path]?.subscribers ?? [] { subscriber.note(event, onto: &agenda) }
  }

  private mutating func take(_ event: inotify_event, _ name: UnsafeRawBufferPointer) {
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
      for path in databases.keys {
        rewatch(path)
        note(.overflow, path)
      }
      return
    }
    for use in uses[event.wd] ?? [] {
      let reasons = meaning(of: event, name, for: use)
      if !reasons.isEmpty { note(reasons, use.database) }
    }
    if event.mask & UInt32(IN_IGNORED) != 0 { uses[event.wd] = nil }
  }

  /// What an event means for one database; brings its watches up to date.
  private mutating func meaning(
    of event: inotify_event, _ name: UnsafeRawBufferPointer, for use: Use
  ) -> CommitEvent {
    if event.mask & UInt32(IN_IGNORED) != 0 {
      // The kernel has dropped the watch, because the file is gone.
      databases[use.database]?.watches[use.role] = nil
      return []
    }
    switch use.role {
    case .signal: return event.mask & UInt32(IN_MODIFY) != 0 ? .signal : []
    case .wal: return event.mask & UInt32(IN_MODIFY) != 0 ? .wal : []
    case .directory: break
    }
    guard let database = databases[use.database] else { return [] }
    if name.isCString(equalTo: database.files.name) || name.isCString(equalTo: database.memoryName) {
      return .file
    }
    let (role, reason): (Role, CommitEvent)
    if name.isCString(equalTo: database.walName) {
      (role, reason) = (.wal, .wal)
    } else if name.isCString(equalTo: database.signalName) {
      (role, reason) = (.signal, .signal)
    } else {
      return []
    }
    rewatch(role, of: use.database)
    guard let watch = databases[use.database]?.watches[role] else {
      // Made, written and deleted again before it could be watched: a program that was alone with the
      // database.
      if event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 { return reason }
      // SQLite deletes the log only when nobody has the database open.
      return role == .wal ? .file : []
    }
    // The same watch as before has told of the writes already.
    return watch == database.watches[role] ? [] : reason
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes up to the first NUL are the text's.
  fileprivate func isCString(equalTo text: String) -> Bool {
    prefix { $0 != 0 }.elementsEqual(text.utf8)
  }
}
