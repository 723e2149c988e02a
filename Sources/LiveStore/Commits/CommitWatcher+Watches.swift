import LibC

extension CommitWatcher {
  /// The purpose of a watch of the kernel.
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

/// The watches, and the meaning of their events.
extension CommitWatcher.State {
  typealias Role = CommitWatcher.Role
  private typealias Use = CommitWatcher.Use

  private static let directoryMask = UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
  private static let fileMask = UInt32(IN_MODIFY | IN_DONT_FOLLOW)

  /// Watches the file that has the role's name now, instead of the former one. A missing file is no error:
  /// the watch on the directory reports its creation.
  ///
  /// A file that the system does not let the user watch is polled.
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

  /// A directory that was removed leaves its files unwatched: no caller could handle the error, and the other
  /// watches still work.
  private mutating func rewatch(_ role: Role, of path: String) {
    do { try watch(role, of: path) } catch {}
  }

  mutating func remove(_ subscriber: CommitWatcher.Subscriber, of path: String) {
    databases[path]?.subscribers.removeAll { $0 === subscriber }
    guard databases[path]?.subscribers.isEmpty == true else { return }
    for role in Role.allCases { unwatch(role, of: path) }
    databases[path] = nil
  }

  /// Whether something has to be polled.
  var isPolling: Bool { databases.values.contains(where: \.isPolled) }

  /// Makes the subscribers of polled databases look, and tries to watch these.
  mutating func poll() {
    for (path, database) in databases where database.isPolled {
      databases[path]?.isPolled = false
      for role in Role.allCases { rewatch(role, of: path) }
      note(.lookAgain, path)
    }
  }

  /// Whether all subscribers are in their rest periods, so that events can be ignored.
  mutating func updateIsDeaf() -> Bool {
    isDeaf = !databases.isEmpty && databases.values.allSatisfy { $0.subscribers.allSatisfy(\.isResting) }
    return isDeaf
  }

  /// Takes all events since the last call, and adds them to the subscribers concerned.
  ///
  /// - Parameter buffer: The buffer for events of the kernel; `nil` when there are none.
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
      // A read that leaves space for the longest event has taken all of them.
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

  /// The meaning of an event for one database; updates its watches.
  private mutating func meaning(
    of event: inotify_event, _ name: UnsafeRawBufferPointer, for use: Use
  ) -> CommitEvent {
    if event.mask & UInt32(IN_IGNORED) != 0 {
      // The kernel has dropped the watch, because the file was deleted.
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
      // A log that was away and is back is no write to it: its index says nothing new.
      (role, reason) = (.wal, [.wal, .file])
    } else if name.isCString(equalTo: database.signalName) {
      (role, reason) = (.signal, .signal)
    } else {
      return []
    }
    rewatch(role, of: use.database)
    guard let watch = databases[use.database]?.watches[role] else {
      // Created, written and deleted again before it could be watched: by a program that used the database
      // alone.
      if event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 { return reason }
      // SQLite deletes the log only when no connection to the database is left.
      return role == .wal ? .file : []
    }
    guard watch == database.watches[role] else { return reason }
    // An unchanged watch has reported the writes already. A log that was moved away and back before this
    // event was taken may have been missed meanwhile.
    return role == .wal && event.mask & UInt32(IN_MOVED_TO) != 0 ? .file : []
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes before the first NUL are those of the text.
  fileprivate func isCString(equalTo text: String) -> Bool {
    prefix { $0 != 0 }.elementsEqual(text.utf8)
  }
}
