/// The difference between sectioned results, or one section of them, at the last call of a callback
/// ("before") and now ("after").
///
/// A view that shows the sections takes five steps, in this order:
///
/// 1. delete the rows at ``deletions``, from the last to the first;
/// 2. delete the sections at ``sectionsToDelete``, with the rows still in them, from the last to the first;
/// 3. insert an empty section for each of ``sectionsToInsert``, from the first to the last;
/// 4. insert the elements now at ``insertions``, from the first to the last;
/// 5. reload the rows at ``modificationsInNew``.
///
/// After them it shows the present sections. A view that can slide a row uses ``moves``, which pairs the
/// deletions and insertions that belong to one row.
///
/// Rows of a removed section are not in `deletions`; all rows of a new section are in `insertions`. A section
/// that changed places relative to the others counts as removed and as new, and as few sections as possible
/// do. So the cost of such a section grows with its rows; all other costs grow with the rows touched.
///
/// An element that moved from one section to another is a deletion in the one and an insertion in the other,
/// never a modification. All arrays are ascending and free of duplicates.
public struct SectionedChangeSet: Equatable, Sendable {
  /// The section and the index of a row.
  public struct IndexPath: Hashable, Comparable, Sendable {
    /// The index of the section.
    public var section: Int

    /// The index of the row in the section.
    public var row: Int

    /// An index path with the given indices.
    public init(section: Int, row: Int) {
      self.section = section
      self.row = row
    }

    /// Compares by section, and within one by row.
    public static func < (left: IndexPath, right: IndexPath) -> Bool {
      (left.section, left.row) < (right.section, right.row)
    }
  }

  /// A row that exists before and after the change, in another section or in another place relative to the
  /// other rows of its section.
  public struct RowMove: Hashable, Sendable {
    /// The row's place before the change.
    public var from: IndexPath

    /// The row's place after the change.
    public var to: IndexPath

    /// Whether the row has another value as well.
    public var isModified = false
  }

  /// Indices, before the change, of the sections that are removed or changed places. Ascending.
  public var sectionsToDelete: [Int] = []

  /// Indices, after the change, of the sections that are new or changed places. Ascending.
  public var sectionsToInsert: [Int] = []

  /// Index paths, before the change, of the rows that are removed from a section that stays. Ascending.
  public var deletions: [IndexPath] = []

  /// Index paths, after the change, of the rows that are new in their section, and of all rows of new
  /// sections. Ascending.
  public var insertions: [IndexPath] = []

  /// Index paths, before the change, of the rows that keep their place in a section that stays and have
  /// another value. Ascending.
  public var modifications: [IndexPath] = []

  /// The index paths after the change of the rows of ``modifications``, in the same order. Ascending.
  public var modificationsInNew: [IndexPath] = []

  /// The rows that changed places relative to the others of their section, or moved from a section that stays
  /// to another, in ascending order of ``RowMove/from``.
  ///
  /// `from` of each is in ``deletions`` too, and `to` in ``insertions``.
  public var moves: [RowMove] = []

  /// Whether nothing changed.
  public var isEmpty: Bool {
    sectionsToDelete.isEmpty && sectionsToInsert.isEmpty && deletions.isEmpty && insertions.isEmpty
      && modifications.isEmpty
  }

  /// The rows of a view that showed `old` after it has taken the five steps with elements of `new`. For
  /// tests, and for debug builds, which check that the result is `new`.
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
