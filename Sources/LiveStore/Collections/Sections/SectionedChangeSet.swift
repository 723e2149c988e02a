/// The difference between sectioned results, or one section of them, as a callback last knew them ("before")
/// and as they are now ("after").
///
/// A view that shows the sections takes five steps, in this order:
///
/// 1. delete the rows at ``deletions``, from the last to the first;
/// 2. delete the sections at ``sectionsToDelete``, with the rows still in them, from the last to the first;
/// 3. insert an empty section for each of ``sectionsToInsert``, from the first to the last;
/// 4. insert the elements now at ``insertions``, from the first to the last;
/// 5. reload the rows at ``modificationsInNew``.
///
/// After them it shows the sections as they are. A view that can slide a row looks into ``moves``, which
/// pairs the deletions and insertions that belong to one row.
///
/// Rows of a section that is gone are not in `deletions`; all rows of a section that is new are in
/// `insertions`. A section that changed places relative to the others counts as gone and as new: as few
/// sections as possible do. So what such a section costs grows with its rows; everything else grows with the
/// rows touched.
///
/// An element that went from one section to another is a deletion in the one and an insertion in the other,
/// never a modification. All arrays are ascending and free of duplicates.
public struct SectionedChangeSet: Equatable, Sendable {
  /// The place of a row: its section, and its index there.
  public struct IndexPath: Hashable, Comparable, Sendable {
    /// The index of the section.
    public var section: Int

    /// The index of the row in the section.
    public var row: Int

    /// The place with an index in the section with an index.
    public init(section: Int, row: Int) {
      self.section = section
      self.row = row
    }

    /// By section, and within one by row.
    public static func < (left: IndexPath, right: IndexPath) -> Bool {
      (left.section, left.row) < (right.section, right.row)
    }
  }

  /// One row that is there before and after the change, in another section or in another place relative to
  /// the other rows of its section.
  public struct RowMove: Hashable, Sendable {
    /// The row's place before the change.
    public var from: IndexPath

    /// The row's place after the change.
    public var to: IndexPath

    /// Whether the row has another value too.
    public var isModified: Bool

    /// A row that went from one place to another.
    public init(from: IndexPath, to: IndexPath, isModified: Bool = false) {
      self.from = from
      self.to = to
      self.isModified = isModified
    }
  }

  /// Indices, before the change, of the sections that are gone or changed places. Ascending.
  public var sectionsToDelete: [Int]

  /// Indices, after the change, of the sections that are new or changed places. Ascending.
  public var sectionsToInsert: [Int]

  /// Places, before the change, of the rows that are gone from a section that stays. Ascending.
  public var deletions: [IndexPath]

  /// Places, after the change, of the rows that are new in their section, and of all rows of new sections.
  /// Ascending.
  public var insertions: [IndexPath]

  /// Places, before the change, of the rows that stay where they are in a section that stays and have another
  /// value. Ascending.
  public var modifications: [IndexPath]

  /// The rows of ``modifications``, in the same order, by their places after the change. Ascending.
  public var modificationsInNew: [IndexPath]

  /// The rows that changed places relative to the others of their section, or went from a section that stays
  /// to another, in ascending order of ``RowMove/from``.
  ///
  /// `from` of each is in ``deletions`` too, and `to` in ``insertions``.
  public var moves: [RowMove]

  /// A change set of the given parts; the empty one if none is given.
  public init(
    sectionsToDelete: [Int] = [], sectionsToInsert: [Int] = [], deletions: [IndexPath] = [],
    insertions: [IndexPath] = [], modifications: [IndexPath] = [], modificationsInNew: [IndexPath] = [],
    moves: [RowMove] = []
  ) {
    self.sectionsToDelete = sectionsToDelete
    self.sectionsToInsert = sectionsToInsert
    self.deletions = deletions
    self.insertions = insertions
    self.modifications = modifications
    self.modificationsInNew = modificationsInNew
    self.moves = moves
  }

  /// Whether nothing changed.
  public var isEmpty: Bool {
    sectionsToDelete.isEmpty && sectionsToInsert.isEmpty && deletions.isEmpty && insertions.isEmpty
      && modifications.isEmpty
  }
}

extension SectionedChangeSet {
  /// What a view shows that showed `old`, and now takes the five steps with elements of `new`. For tests, and
  /// for debug builds to check that it is `new`.
  ///
  /// Complexity: O(n) for each insertion and deletion.
  ///
  /// - Returns: `nil` if the change set does not fit the two.
  func apply<Element>(to old: [[Element]], from new: [[Element]]) -> [[Element]]? {
    func exists(_ path: IndexPath, in sections: [[Element]]) -> Bool {
      sections.indices.contains(path.section) && sections[path.section].indices.contains(path.row)
    }
    var view = old
    for path in deletions.reversed() {
      guard exists(path, in: view) else { return nil }
      view[path.section].remove(at: path.row)
    }
    for section in sectionsToDelete.reversed() {
      guard view.indices.contains(section) else { return nil }
      view.remove(at: section)
    }
    for section in sectionsToInsert {
      guard section <= view.count else { return nil }
      view.insert([], at: section)
    }
    for path in insertions {
      guard exists(path, in: new), view.indices.contains(path.section), path.row <= view[path.section].count
      else { return nil }
      view[path.section].insert(new[path.section][path.row], at: path.row)
    }
    for path in modificationsInNew {
      guard exists(path, in: new), exists(path, in: view) else { return nil }
      view[path.section][path.row] = new[path.section][path.row]
    }
    return view
  }
}
