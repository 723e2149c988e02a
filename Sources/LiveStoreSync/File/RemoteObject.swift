/// An object as the server hands it out, with the person and the machine that changed it last.
struct RemoteObject {
  var object: SyncedObject
  var author: String
  var machine: String
}
