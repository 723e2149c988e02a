import LiveStore

/// The classes of a file, as far as carrying it is concerned.
public struct SyncedClasses: Sendable {
  /// The classes whose objects stay on this machine.
  public var excluded: Set<String>
  /// The properties whose values stay on this machine, each as `Class.property`: a width of a column, or a
  /// path. Their objects are carried without them, and have the default where they come from elsewhere.
  ///
  /// Each machine chooses for itself: others carry such a property among themselves. A list property that
  /// stays here is not carried either, and neither are the places that it gives its elements. An object
  /// that is deleted elsewhere and brought back has the default again.
  public var excludedProperties: Set<String>
  /// The tables of the lists that own their elements: an object is in one of them at most. In all other
  /// lists an object may be several times.
  public var places: Set<String>
  /// The tables, among ``places``, whose elements have none themselves: subtasks without subtasks. Where
  /// two machines together put one into another that is in such a list, it comes into the owner of that.
  public var flatPlaces: Set<String>
  /// The properties that follow from others, each as `Class.property`: the time at which something was
  /// completed, or the words of a text. Where nothing else of a change is lost, its person is not told.
  public var derivedProperties: Set<String>
  /// The properties that keep the text out of which others were last read, such as a date, by the
  /// properties with the text, each as `Class.property`. Where another machine's text replaces one out of
  /// which this machine has read something, the property gets the replaced text: the program reads again.
  public var readTexts: [String: String]
  /// The keys of the objects that a new file has, by class: one with no others counts as empty.
  public var beginnings: [String: Set<SQLiteValue>]

  /// Creates the parts of a file; by default all classes are carried, and no list owns its elements.
  public init(
    excluded: Set<String> = [], excludedProperties: Set<String> = [], places: Set<String> = [],
    flatPlaces: Set<String> = [], derivedProperties: Set<String> = [],
    readTexts: [String: String] = [:], beginnings: [String: Set<SQLiteValue>] = [:]
  ) {
    self.excluded = excluded
    self.excludedProperties = excludedProperties
    self.places = places
    self.flatPlaces = flatPlaces
    self.derivedProperties = derivedProperties
    self.readTexts = readTexts
    self.beginnings = beginnings
  }
}
