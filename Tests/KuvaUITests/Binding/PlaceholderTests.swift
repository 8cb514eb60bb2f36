import KuvaCore
import KuvaPipeline
import KuvaTesting
import KuvaUI
import Testing

@MainActor
@Suite("What a view shows meanwhile", .serialized, .timeLimit(.minutes(10)))
struct PlaceholderTests {
    let stage = Stage()

    /// Shows 5, then loads with the placeholder 9 and the given options; answers with 3, or fails.
    private func log(_ options: ViewLoadOptions, succeeds: Bool) async throws -> [String] {
        try stage.bound().show(try picture(width: 5))
        stage.view.clearLog()
        try stage.set("a", placeholder: try picture(width: 9), options: options)
        await stage.loader.waitForLoads(1)
        if succeeds { stage.succeed(0, width: 3) } else { stage.fail(0) }
        await stage.waitForEnds(1)
        return stage.view.log
    }

    @Test func placeholderComesAtOnceAndStaysIfTheLoadFails() async throws {
        #expect(try await log(ViewLoadOptions(), succeeds: false) == ["display 9", "loading", "idle"])
    }

    @Test func currentImageStaysAlsoIfTheLoadFails() async throws {
        let options = ViewLoadOptions(whileLoading: .currentImage)
        #expect(try await log(options, succeeds: false) == ["loading", "idle"])
    }

    @Test func currentImageStaysUntilTheNewOneComes() async throws {
        let options = ViewLoadOptions(whileLoading: .currentImage)
        #expect(try await log(options, succeeds: true) == ["loading", "idle", "display 3"])
    }

    @Test func withNothingToKeepThePlaceholderIsShown() async throws {
        try stage.set("a", placeholder: try picture(width: 9), options: ViewLoadOptions(whileLoading: .currentImage))
        #expect(stage.view.log == ["display 9", "loading"])
    }

    @Test func delayedPlaceholderComesOnlyIfThePictureDoesNot() async throws {
        let options = ViewLoadOptions(whileLoading: .delayedPlaceholder)
        #expect(try await log(options, succeeds: false) == ["loading", "idle", "display 9"])
    }

    @Test func delayedPlaceholderIsNotSeenIfThePictureComes() async throws {
        let options = ViewLoadOptions(whileLoading: .delayedPlaceholder)
        #expect(try await log(options, succeeds: true) == ["loading", "idle", "display 3"])
    }

    @Test func errorImageTellsAFailureApart() async throws {
        let options = ViewLoadOptions(errorImage: try picture(width: 4))
        #expect(try await log(options, succeeds: false) == ["display 9", "loading", "idle", "display 4"])
    }

    @Test func cancellingIsNoFailure() async throws {
        let options = ViewLoadOptions(whileLoading: .delayedPlaceholder, errorImage: try picture(width: 4))
        try stage.set("a", placeholder: try picture(width: 9), options: options)
        try stage.bound().cancelOperations(in: .image)
        #expect(stage.ends == ["a cancelled"])
        #expect(stage.view.log == ["loading", "idle"])
    }

    @Test func pictureGoesToTheCompletionOnlyIfTheProgramWantsThat() async throws {
        let options = ViewLoadOptions(setsImage: false)
        #expect(try await log(options, succeeds: true) == ["loading", "idle"])
        #expect(stage.ends == ["a loaded local"])
    }

    @Test func withoutACompletionThePictureIsShownAllTheSame() async throws {
        try stage.remember("a", width: 3)
        try stage.bound().setImage(try stage.request("a"), options: ViewLoadOptions(setsImage: false))
        #expect(stage.view.log == ["display 3"])
    }

    @Test func samePictureInAnotherSizeIsABetterPlaceholder() async throws {
        stage.view.size = .target(TargetSize(PixelSize(width: 3, height: 3)), scale: 1)
        try stage.set("a")
        await stage.loader.waitForLoads(1)
        stage.succeed(0, width: 30)
        await stage.waitForEnds(1)
        stage.view.clearLog()
        stage.view.size = .target(TargetSize(PixelSize(width: 6, height: 6)), scale: 1)
        try stage.set("a", placeholder: try picture(width: 9))
        await stage.loader.waitForLoads(2)
        stage.succeed(1, width: 30)
        await stage.waitForEnds(2)
        #expect(stage.view.log == ["loading", "idle", "display 6"])
    }

    @Test func optionsChangeTheRequestOnlyWhereTheySaySomething() throws {
        var request = try stage.request("a")
        request.priority = .veryLow
        request.cachePolicy = .reload
        let binding = try stage.bound()
        binding.setImage(request)
        #expect(binding.task()?.request.priority == .veryLow)
        #expect(binding.task()?.request.cachePolicy == .reload)
        binding.setImage(request, options: ViewLoadOptions(priority: .high, cachePolicy: CachePolicy.none))
        #expect(binding.task()?.request.priority == .high)
        #expect(binding.task()?.request.cachePolicy == CachePolicy.none)
    }
}
