// A chat of two persons in one file, with full-text search and unread counts that are kept up to date.
//
//   swift run Chat chat.db ann
//   swift run Chat chat.db bo        # in another terminal
//
// A line is sent to the open room; “/open lobby” opens one, “/find swi” searches all messages.

import Dispatch
import Foundation
import LiveStore

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 else { fatalError("usage: Chat FILE NAME") }
let chat = try Chat(.init(path: arguments[0], objectTypes: [Room.self, Message.self]), person: arguments[1])
print("hello, \(arguments[1])")

let keyboard = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
keyboard.setEventHandler {
  guard let line = readLine() else { exit(0) }
  do { try chat.take(line) } catch { print(error) }
}
keyboard.activate()
dispatchMain()
