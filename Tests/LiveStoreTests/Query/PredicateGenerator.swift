import FoundationEssentials

@testable import LiveStore

/// Any expression that gives a `T`, as the builder functions of `#Predicate` take it.
typealias PredicateOf<T> = any StandardPredicateExpression<T>

/// Makes random predicates of every kind that is supported, in the form in which the macro makes them. Forced
/// unwraps are left out, since Swift stops at nil.
struct PredicateGenerator<Random: RandomNumberGenerator> {
  typealias E = PredicateExpressions
  let item: E.Variable<QueryItem>
  var random: Random

  private mutating func pick<T>(_ choices: [T]) -> T { choices.randomElement(using: &random)! }

  private func constant<T: Codable & Sendable>(_ value: T) -> PredicateOf<T> { E.build_Arg(value) }

  private func property<T: Codable>(_ keyPath: any KeyPath<QueryItem, T> & Sendable) -> PredicateOf<T> {
    E.build_KeyPath(root: item, keyPath: keyPath)
  }

  mutating func bool(_ depth: Int) -> PredicateOf<Bool> {
    guard depth > 0 else { return leaf() }
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1: return and(bool(depth - 1), bool(depth - 1))
    case 2, 3: return or(bool(depth - 1), bool(depth - 1))
    case 4, 5: return not(bool(depth - 1))
    case 6: return equal(bool(depth - 1), bool(depth - 1))
    case 7:
      return equal(
        maybeBool(depth - 1),
        pick([true, false]) ? maybeBool(depth - 1) : constant(pick([true, false, nil])))
    case 8:
      return coalesce(
        maybeBool(depth - 1), pick([true, false]) ? bool(depth - 1) : constant(pick([true, false])))
    case 9: return choose(bool(depth - 1), bool(depth - 1), bool(depth - 1))
    case 10, 11: return compare(integer(depth - 1), integer(depth - 1))
    case 12: return compare(double(depth - 1), double(depth - 1))
    case 13: return compare(text(depth - 1), text(depth - 1))
    case 14: return compare(date(depth - 1), date(depth - 1))
    case 15: return equal(maybeInteger(depth - 1), maybeInteger(depth - 1))
    case 16: return equal(maybeText(depth - 1), maybeText(depth - 1))
    case 17: return search(text(depth - 1), text(depth - 1))
    case 18: return member(integer(depth - 1), maybeInteger(depth - 1))
    default: return within(integer(depth - 1), integer(depth - 1))
    }
  }

  private mutating func leaf() -> PredicateOf<Bool> {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return property(\.flag)
    case 1: return constant(pick([true, false]))
    case 2: return isEmpty(text(0))
    case 3: return isNil(pick([true, false]) ? property(\.maybeInteger) : constant(pick([nil, 1])))
    default: return compare(integer(0), integer(0))
    }
  }

  private mutating func maybeBool(_ depth: Int) -> PredicateOf<Bool?> {
    guard depth > 0 else {
      return pick([true, false]) ? property(\.maybeFlag) : constant(pick([true, false, nil]))
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return property(\.maybeFlag)
    case 1: return flatMap(maybeInteger(depth - 1), depth)
    case 2: return flatMap(maybeText(depth - 1), depth)
    default: return choose(bool(depth - 1), maybeBool(depth - 1), maybeBool(depth - 1))
    }
  }

  private mutating func integer(_ depth: Int) -> PredicateOf<Int> {
    guard depth > 0 else {
      return pick([true, true, false])
        ? property(pick([\.integer, \.id])) : constant(pick(QueryItem.integers))
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return add(integer(depth - 1), integer(depth - 1))
    case 1: return multiply(integer(depth - 1), constant(pick([-2, -1, 0, 2, 3])))
    case 2: return divide(integer(depth - 1), constant(pick([-2, 2, 3, 7])))
    case 3: return coalesce(maybeInteger(depth - 1), integer(depth - 1))
    case 4: return choose(bool(depth - 1), integer(depth - 1), integer(depth - 1))
    default: return integer(0)
    }
  }

  private mutating func maybeInteger(_ depth: Int) -> PredicateOf<Int?> {
    guard depth > 0 else {
      return pick([true, true, false]) ? property(\.maybeInteger) : constant(pick([nil, 1, 2]))
    }
    return pick([true, false])
      ? choose(bool(depth - 1), maybeInteger(depth - 1), maybeInteger(depth - 1)) : maybeInteger(0)
  }

  private mutating func double(_ depth: Int) -> PredicateOf<Double> {
    guard depth > 0 else {
      return pick([true, false]) ? property(\.double) : constant(pick(QueryItem.doubles))
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return add(double(depth - 1), double(depth - 1))
    case 1: return multiply(double(depth - 1), double(depth - 1))
    case 2: return coalesce(property(\.maybeDouble), double(depth - 1))
    default: return double(0)
    }
  }

  private mutating func text(_ depth: Int) -> PredicateOf<String> {
    guard depth > 0 else { return pick([true, false]) ? property(\.text) : constant(pick(QueryItem.texts)) }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return coalesce(maybeText(depth - 1), text(depth - 1))
    case 1: return choose(bool(depth - 1), text(depth - 1), text(depth - 1))
    default: return text(0)
    }
  }

  private mutating func maybeText(_ depth: Int) -> PredicateOf<String?> {
    pick([true, false]) ? property(\.maybeText) : constant(pick(QueryItem.texts + [nil]))
  }

  private mutating func date(_ depth: Int) -> PredicateOf<Date> {
    guard depth > 0 else { return pick([true, false]) ? property(\.date) : constant(pick(QueryItem.dates)) }
    return pick([true, false]) ? coalesce(property(\.maybeDate), date(depth - 1)) : date(0)
  }

  // MARK: Operators

  private func and(_ a: PredicateOf<Bool>, _ b: PredicateOf<Bool>) -> PredicateOf<Bool> {
    func build<A: StandardPredicateExpression<Bool>, B: StandardPredicateExpression<Bool>>(_ a: A, _ b: B)
      -> PredicateOf<Bool>
    {
      E.build_Conjunction(lhs: a, rhs: b)
    }
    return build(a, b)
  }

  private func or(_ a: PredicateOf<Bool>, _ b: PredicateOf<Bool>) -> PredicateOf<Bool> {
    func build<A: StandardPredicateExpression<Bool>, B: StandardPredicateExpression<Bool>>(_ a: A, _ b: B)
      -> PredicateOf<Bool>
    {
      E.build_Disjunction(lhs: a, rhs: b)
    }
    return build(a, b)
  }

  private func not(_ a: PredicateOf<Bool>) -> PredicateOf<Bool> {
    func build<A: StandardPredicateExpression<Bool>>(_ a: A) -> PredicateOf<Bool> { E.build_Negation(a) }
    return build(a)
  }

  private mutating func equal<T: Equatable>(_ a: PredicateOf<T>, _ b: PredicateOf<T>) -> PredicateOf<Bool> {
    func equal<A: StandardPredicateExpression<T>, B: StandardPredicateExpression<T>>(_ a: A, _ b: B)
      -> PredicateOf<Bool>
    {
      E.build_Equal(lhs: a, rhs: b)
    }
    func unequal<A: StandardPredicateExpression<T>, B: StandardPredicateExpression<T>>(_ a: A, _ b: B)
      -> PredicateOf<Bool>
    {
      E.build_NotEqual(lhs: a, rhs: b)
    }
    return pick([true, false]) ? equal(a, b) : unequal(a, b)
  }

  private func isNil(_ a: PredicateOf<Int?>) -> PredicateOf<Bool> {
    func build<A: StandardPredicateExpression<Int?>>(_ a: A) -> PredicateOf<Bool> {
      E.build_Equal(lhs: a, rhs: E.build_NilLiteral())
    }
    return build(a)
  }

  private mutating func compare<T: Comparable>(_ a: PredicateOf<T>, _ b: PredicateOf<T>) -> PredicateOf<Bool>
  {
    guard pick([true, true, true, false]) else { return equal(a, b) }
    let operation = pick([E.ComparisonOperator.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual])
    func build<A: StandardPredicateExpression<T>, B: StandardPredicateExpression<T>>(_ a: A, _ b: B)
      -> PredicateOf<Bool>
    {
      E.build_Comparison(lhs: a, rhs: b, op: operation)
    }
    return build(a, b)
  }

  private func coalesce<T>(_ a: PredicateOf<T?>, _ b: PredicateOf<T>) -> PredicateOf<T> {
    func build<A: StandardPredicateExpression<T?>, B: StandardPredicateExpression<T>>(_ a: A, _ b: B)
      -> PredicateOf<T>
    {
      E.build_NilCoalesce(lhs: a, rhs: b)
    }
    return build(a, b)
  }

  private func choose<T>(_ test: PredicateOf<Bool>, _ a: PredicateOf<T>, _ b: PredicateOf<T>) -> PredicateOf<
    T
  > {
    func build<
      C: StandardPredicateExpression<Bool>, A: StandardPredicateExpression<T>,
      B: StandardPredicateExpression<T>
    >(_ test: C, _ a: A, _ b: B) -> PredicateOf<T> {
      E.build_Conditional(test, a, b)
    }
    return build(test, a, b)
  }

  private func add<T: Numeric>(_ a: PredicateOf<T>, _ b: PredicateOf<T>) -> PredicateOf<T> {
    func build<A: StandardPredicateExpression<T>, B: StandardPredicateExpression<T>>(_ a: A, _ b: B)
      -> PredicateOf<T>
    {
      E.build_Arithmetic(lhs: a, rhs: b, op: .add)
    }
    return build(a, b)
  }

  private func multiply<T: SignedNumeric>(_ a: PredicateOf<T>, _ b: PredicateOf<T>) -> PredicateOf<T> {
    func build<A: StandardPredicateExpression<T>, B: StandardPredicateExpression<T>>(_ a: A, _ b: B)
      -> PredicateOf<T>
    {
      E.build_Arithmetic(lhs: E.build_UnaryMinus(a), rhs: b, op: .multiply)
    }
    return build(a, b)
  }

  private mutating func divide(_ a: PredicateOf<Int>, _ b: PredicateOf<Int>) -> PredicateOf<Int> {
    func quotient<A: StandardPredicateExpression<Int>, B: StandardPredicateExpression<Int>>(_ a: A, _ b: B)
      -> PredicateOf<Int>
    {
      E.build_Division(lhs: a, rhs: b)
    }
    func remainder<A: StandardPredicateExpression<Int>, B: StandardPredicateExpression<Int>>(_ a: A, _ b: B)
      -> PredicateOf<Int>
    {
      E.build_Remainder(lhs: a, rhs: b)
    }
    return pick([true, false]) ? quotient(a, b) : remainder(a, b)
  }

  private func isEmpty(_ a: PredicateOf<String>) -> PredicateOf<Bool> {
    func build<A: StandardPredicateExpression<String>>(_ a: A) -> PredicateOf<Bool> {
      E.build_KeyPath(root: a, keyPath: \.isEmpty)
    }
    return build(a)
  }

  private mutating func search(_ a: PredicateOf<String>, _ b: PredicateOf<String>) -> PredicateOf<Bool> {
    func contains<A: StandardPredicateExpression<String>, B: StandardPredicateExpression<String>>(
      _ a: A, _ b: B
    ) -> PredicateOf<Bool> {
      E.build_contains(a, b)
    }
    func starts<A: StandardPredicateExpression<String>, B: StandardPredicateExpression<String>>(
      _ a: A, _ b: B
    ) -> PredicateOf<Bool> {
      E.build_starts(a, with: b)
    }
    return pick([true, false]) ? contains(a, b) : starts(a, b)
  }

  private mutating func member(_ a: PredicateOf<Int>, _ b: PredicateOf<Int?>) -> PredicateOf<Bool> {
    let integers = Array(QueryItem.integers.shuffled(using: &random).prefix(pick([0, 1, 5])))
    let maybes = integers.map { Optional($0) } + pick([[], [nil]])
    func build<A: StandardPredicateExpression<Int>>(_ a: A) -> PredicateOf<Bool> {
      E.build_contains(E.build_Arg(integers), a)
    }
    func maybe<A: StandardPredicateExpression<Int?>>(_ a: A) -> PredicateOf<Bool> {
      E.build_contains(E.build_Arg(maybes), a)
    }
    return pick([true, false]) ? build(a) : maybe(b)
  }

  private mutating func within(_ a: PredicateOf<Int>, _ b: PredicateOf<Int>) -> PredicateOf<Bool> {
    let (lower, upper) = (pick([-1, 0, 1]), pick([1, 7, 1 << 53]))
    func closed<A: StandardPredicateExpression<Int>>(_ a: A) -> PredicateOf<Bool> {
      E.build_contains(E.build_ClosedRange(lower: E.build_Arg(lower), upper: E.build_Arg(upper)), a)
    }
    func open<A: StandardPredicateExpression<Int>>(_ a: A) -> PredicateOf<Bool> {
      E.build_contains(E.build_Range(lower: E.build_Arg(lower), upper: E.build_Arg(upper)), a)
    }
    func captured<A: StandardPredicateExpression<Int>>(_ a: A) -> PredicateOf<Bool> {
      E.build_contains(E.build_Arg(lower...upper), a)
    }
    return [closed(a), open(b), captured(a)].randomElement(using: &random)!
  }

  /// A test of the unwrapped value, alone or joined with something else.
  private mutating func flatMap<T: Comparable & Codable & Sendable>(_ a: PredicateOf<T?>, _ depth: Int)
    -> PredicateOf<Bool?>
  {
    var generator = self
    defer { random = generator.random }
    func build<A: StandardPredicateExpression<T?>>(_ a: A) -> PredicateOf<Bool?> {
      // The transform's type must be known here, so that the builder is given a generic one.
      func transformed<B: StandardPredicateExpression<Bool>>(_ make: (E.Variable<T>) -> B) -> PredicateOf<
        Bool?
      > {
        E.build_flatMap(a, make)
      }
      let other = generator.bool(depth - 1)
      func joined<O: StandardPredicateExpression<Bool>>(_ other: O) -> PredicateOf<Bool?> {
        switch Int.random(in: 0..<5, using: &generator.random) {
        case 0: transformed { E.build_Conjunction(lhs: E.build_Equal(lhs: $0, rhs: $0), rhs: other) }
        case 1: transformed { E.build_Disjunction(lhs: other, rhs: E.build_NotEqual(lhs: $0, rhs: $0)) }
        case 2: transformed { E.build_Negation(E.build_Comparison(lhs: $0, rhs: $0, op: .lessThan)) }
        case 3: transformed { E.build_Equal(lhs: other, rhs: E.build_Equal(lhs: $0, rhs: $0)) }
        default: transformed { _ in other }
        }
      }
      return joined(other)
    }
    return build(a)
  }
}
