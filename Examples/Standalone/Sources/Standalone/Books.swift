import LiveStore

final class Author: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
}

final class Book: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var readers = 0
  @Persisted var score = 0.0
  @Persisted var author: Author?
}
