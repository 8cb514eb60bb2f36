import CGTK
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Initials")
struct InitialsTests {
    @Test(arguments: [
        ("Märta Karlsson", "MK"), ("ada", "A"), ("Jean-Luc Picard", "JP"), ("  ", ""), ("", ""), ("élan vital 3", "É3"),
        ("J. R. R. Tolkien", "JT"), ("(anonymous)", "A"),
    ])
    func firstLettersOfFirstAndLastWord(_ name: String, _ letters: String) {
        #expect(Initials.letters(of: name) == letters)
    }

    // FNV-1a's own test vectors: of nothing, and of "a".
    @Test func colourIsThatOfTheHash() {
        #expect(Initials.colourIndex(of: "", count: 1_000) == Int(0xcbf2_9ce4_8422_2325 as UInt64 % 1_000))
        #expect(Initials.colourIndex(of: "a", count: 1_000) == Int(0xaf63_dc4c_8601_ec8c as UInt64 % 1_000))
    }
}

extension WidgetTests {
    @MainActor
    @Suite("Avatar")
    struct AvatarTests {
        let stage: WidgetStage
        init() throws { stage = try WidgetStage() }

        @Test func isRoundAndCoversItsInitials() async throws {
            let avatar = Avatar(size: 80, name: "Ada Lovelace", manager: stage.manager)
            stage.window.add(avatar.widget, fills: false)
            stage.window.present()
            await pump { gtk_widget_get_width(asWidget(avatar.widget)) == 80 }
            let corner = await stage.window.colour(x: 2, y: 2)
            let beside = await stage.window.colour(x: 200, y: 200)
            let inside = await stage.window.colour(x: 40, y: 6)
            // Round: the corner is the window's, the upper edge's middle the avatar's.
            #expect(corner == beside)
            #expect(inside != beside)
            var isThere = false
            avatar.setImage(from: try stage.url("ada")) { _ in isThere = true }
            await stage.succeed("ada", width: 160, height: 160)
            await pump { isThere }
            await pump { avatar.imageView.image != nil }
            while await stage.window.colour(x: 40, y: 40) != [1, 2, 3, 255], !Task.isCancelled {}
            #expect(await stage.window.colour(x: 2, y: 2) == beside)
            #expect(avatar.imageView.accessibleName == "Ada Lovelace")
        }
    }
}
