// Objects as messages: one program asks by adding an object, another answers by changing it.
//
//   swift run PermissionRequest answer requests.db
//   swift run PermissionRequest ask requests.db camera        # in another terminal
//
// Kill the first one while it shows the question: when it is started again, it shows the question again, and
// the answer is given once.

import Dispatch
import LiveStore

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else { fatalError("usage: PermissionRequest answer FILE | ask FILE SUBJECT") }
let store = try Store(.init(path: arguments[1], objectTypes: [Permission.self]))

switch (arguments[0], arguments.count) {
case ("answer", 2):
  let answerer = try Answerer(store)
  withExtendedLifetime(answerer) { dispatchMain() }
case ("ask", 3):
  let asker = try Asker(store, subject: arguments[2])
  withExtendedLifetime(asker) { dispatchMain() }
default: fatalError("usage: PermissionRequest answer FILE | ask FILE SUBJECT")
}
