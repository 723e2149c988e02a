/// A reference that does not keep its object.
struct Weak<Value: AnyObject> {
  weak var value: Value?
}
