/// Letters without case and accents, for searching.
///
/// Made from the Unicode database: for each letter of a block, the first scalar of its canonical
/// decomposition in lower case; letters with a stroke, which Unicode does not decompose, count as those
/// without. `?` stands for other characters.
enum FoldedLetters {
  /// The folded scalar, or nil if it does not change.
  static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    for block in blocks where scalar.value >= block.first {
      let offset = Int(scalar.value - block.first)
      guard offset < block.letters.count else { continue }
      let letter = block.letters[offset]
      return letter == "?" ? nil : letter
    }
    return nil
  }

  private struct Block {
    let first: UInt32
    let letters: [Unicode.Scalar]

    init(_ first: UInt32, _ letters: String) {
      self.first = first
      self.letters = Array(letters.unicodeScalars)
    }
  }

  private static let blocks = [
    // Latin.
    Block(
      0xC0,
      "aaaaaaæceeeeiiiiðnooooo?ouuuuyþßaaaaaaæceeeeiiiiðnooooo?ouuuuyþyaaaaaaccccccccdd"
        + "ddeeeeeeeeeegggggggghhhhiiiiiiiiiiĳĳjjkkĸllllllŀŀllnnnnnnŉŋŋooooooœœrrrrrrssssss"
        + "ssttttttuuuuuuuuuuuuwwyyyzzzzzzſƀɓƃƃƅƅɔƈƈɖɗƌƌƍǝəɛƒƒɠɣƕɩɨƙƙƚƛɯɲƞɵooƣƣƥƥʀƨƨʃƪƫƭƭʈu"
        + "uʊʋƴƴƶƶʒƹƹƺƻƽƽƾƿǀǁǂǃǆǆǆǉǉǉǌǌǌaaiioouuuuuuuuuuǝaaaaææǥǥggkkooooʒʒjǳǳǳggƕƿnnaaææøø"
        + "aaaaeeeeiiiioooorrrruuuussttȝȝhhƞȡȣȣȥȥaaeeooooooooyyȴȵȶȷȸȹⱥȼȼƚⱦȿɀɂɂƀʉʌɇɇɉɉɋɋɍɍɏɏ"),
    // Greek.
    Block(
      0x370,
      "ͱͱͳͳʹ?ͷͷ??ͺͻͼͽ?ϳ??????α?εηι?ο?υωιαβγδεζηθικλμνξοπρ?στυφχψωιυαεηιυαβγδεζηθικλμνξο"
        + "πρςστυφχψωιυουωϗϐϑϒϒϒϕϖϗϙϙϛϛϝϝϟϟϡϡϣϣϥϥϧϧϩϩϫϫϭϭϯϯϰϱϲϳθϵ?ϸϸϲϻϻϼͻͼͽ"),
    // Cyrillic.
    Block(
      0x400,
      "ееђгєѕііјљњћкиуџабвгдежзииклмнопрстуфхцчшщъыьэюяабвгдежзииклмнопрстуфхцчшщъыьэюя"
        + "ееђгєѕііјљњћкиуџ"),
    // Latin, with marks of Vietnamese and other languages.
    Block(
      0x1E00,
      "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooo"
        + "oooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwyẚſẜẝßẟ"
        + "aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuu"
        + "uuyyyyyyyyỻỻỽỽỿỿ"),
    // Ancient Greek, with its accents.
    Block(
      0x1F00,
      "ααααααααααααααααεεεεεε??εεεεεε??ηηηηηηηηηηηηηηηηιιιιιιιιιιιιιιιιοοοοοο??οοοοοο??"
        + "υυυυυυυυ?υ?υ?υ?υωωωωωωωωωωωωωωωωααεεηηιιοουυωω??ααααααααααααααααηηηηηηηηηηηηηηηη"
        + "ωωωωωωωωωωωωωωωωααααα?ααααααα?ι???ηηη?ηηεεηηη???ιιιι??ιιιιιι????υυυυρρυυυυυυρ???"
        + "??ωωω?ωωοοωωω???"),
  ]
}
