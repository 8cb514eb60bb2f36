import FoundationEssentials
import KuvaCore
import Testing

@Suite("Scale in a name")
struct ImageScaleTests {
    @Test(arguments: [
        ("a@2x.png", 2.0), ("a@3x.png", 3), ("a%402x.png", 2), ("https://e.org/a%403x.jpg?size=1", 3), ("a@1x.png", 1),
        ("a@2x", 2), ("a@2x.png#@3x", 2), ("a@2x.tar.png", 2), ("@2x.png", 2), ("a@2x@3x.png", 3), ("a@9x.gif", 9),
    ])
    func numberBeforeTheX(_ name: String, _ scale: Double) {
        #expect(ImageScale.inName(name) == scale)
    }

    @Test(arguments: [
        "a.png", "", "@", "@x", "2x", "a2x.png", "a@2.png", "a@0x.png", "a@12x.png", "user@2xyz.png", "a@2X.png",
        "a@-2x.png", "a@2x/b.png", "a.png?x=@3x", "a.png?x=@3x.png", "a.png#@2x", "a@ 2x.png", "a@٢x.png", "é@2",
    ])
    func anythingElseIsOne(_ name: String) {
        #expect(ImageScale.inName(name) == 1)
    }

    @Test func requestTakesItFromThePathOfItsURL() throws {
        for (text, scale) in [
            ("https://e.org/a@2x.png", 2.0), ("https://e.org/a%402x.png?v=@3x", 2), ("https://u@2x.e.org/a.png", 1),
            ("file:///tmp/a@3x.png", 3), ("https://e.org/a.png?name=b@2x.png", 1),
        ] {
            #expect(try ImageRequest(string: text).scale == scale, "\(text)")
        }
    }
}
