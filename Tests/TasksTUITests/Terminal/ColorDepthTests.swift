import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Colour depth")
struct ColorDepthTests {
  @Test(
    "A colour becomes the nearest of 256, leaving out the sixteen that people change",
    arguments: [
      (RGB(0, 0, 0), 16), (RGB(255, 255, 255), 231), (RGB(255, 0, 0), 196), (RGB(95, 135, 175), 67),
      (RGB(8, 8, 8), 232), (RGB(128, 128, 128), 244), (RGB(238, 238, 238), 255), (RGB(100, 130, 170), 67),
    ])
  func of256(color: RGB, index: Int) {
    #expect(ColorDepth.twoHundredFiftySix.index(of: color) == index)
  }

  @Test("Every depth gives numbers that it has")
  func ranges() {
    for red in stride(from: UInt8(0), through: 255, by: 51) {
      for green in stride(from: UInt8(0), through: 255, by: 51) {
        for blue in stride(from: UInt8(0), through: 255, by: 51) {
          let color = RGB(red, green, blue)
          #expect((0..<8).contains(ColorDepth.eight.index(of: color) ?? -1))
          #expect((0..<16).contains(ColorDepth.sixteen.index(of: color) ?? -1))
          #expect(ColorDepth.none.index(of: color) == nil)
        }
      }
    }
    #expect(ColorDepth.direct.index(of: RGB(1, 2, 3)) == 0x010203)
  }

  @Test("Of few colours the nearest that is one is taken for a colour, and a grey for a grey")
  func fewColors() {
    for color in Gradient.tasks.stops + Gradient.lists.stops {
      for depth in [ColorDepth.eight, .sixteen] {
        #expect(![0, 7, 8, 15].contains(depth.index(of: color)), "\(color)")
      }
    }
    #expect(ColorDepth.sixteen.index(of: RGB(51, 51, 51)) == 0)
    #expect(ColorDepth.sixteen.index(of: RGB(220, 220, 220)) == 7)
    #expect(ColorDepth.eight.index(of: RGB(20, 0, 0)) == 0)
  }

  @Test("Text stays readable where its colour and the one behind it have the same nearest colour")
  func contrast() throws {
    for depth in [ColorDepth.eight, .sixteen] {
      for (front, back) in [(RGB(30, 30, 30), RGB(0, 0, 0)), (RGB(250, 250, 250), RGB(255, 255, 255))] {
        let indices = try #require(depth.indices(foreground: front, background: back))
        #expect(indices.foreground != indices.background)
      }
    }
  }
}
