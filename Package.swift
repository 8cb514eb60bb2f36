// swift-tools-version: 6.1
import PackageDescription

// Targets stand in layer order: what a target may import stands above it. `script/lint` builds with
// the explicit-import check, so an arrow that is not written here does not compile.
let package = Package(
    name: "Kuva",
    products: [
        .library(name: "KuvaCore", targets: ["KuvaCore"]),
        .library(name: "KuvaCodecs", targets: ["KuvaCodecs"]),
        .library(name: "KuvaNetwork", targets: ["KuvaNetwork"]),
        .library(name: "KuvaPipeline", targets: ["KuvaPipeline"]),
        .library(name: "KuvaUI", targets: ["KuvaUI"]),
        .library(name: "KuvaTesting", targets: ["KuvaTesting"]),
    ],
    targets: [
        // Core.
        .target(name: "CKuvaPixels"),
        .target(name: "CKuvaThread"),
        .target(name: "KuvaCore", dependencies: ["CKuvaPixels", "CKuvaThread"]),
        .testTarget(name: "KuvaCoreTests", dependencies: ["CKuvaPixels", "KuvaCore"]),

        // Codecs.
        .target(name: "CKuvaJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CKuvaWebP", linkerSettings: [.linkedLibrary("webp")]),
        .target(name: "CKuvaPNGWrite", linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "KuvaCodecs",
            dependencies: [
                "CKuvaJPEG",
                "CKuvaWebP",
                "CKuvaPNGWrite",
                "KuvaCore",
            ]
        ),
        .testTarget(name: "KuvaCodecsTests", dependencies: ["KuvaCodecs", "KuvaCore"]),

        // Network.
        .target(name: "CKuvaCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "KuvaNetwork", dependencies: ["KuvaCore", "CKuvaCurl"]),
        .testTarget(name: "KuvaNetworkTests", dependencies: ["KuvaNetwork", "KuvaCore", "KuvaTesting"]),

        // Pipeline.
        .target(name: "KuvaPipeline", dependencies: ["KuvaCore"]),
        .testTarget(name: "KuvaPipelineTests", dependencies: ["KuvaPipeline", "KuvaCore", "KuvaTesting"]),

        // Views, whatever the toolkit.
        .target(name: "KuvaUI", dependencies: ["KuvaCore", "KuvaPipeline"]),
        .testTarget(name: "KuvaUITests", dependencies: ["KuvaUI", "KuvaPipeline", "KuvaCore", "KuvaTesting"]),

        // Fakes and servers for tests.
        .target(name: "KuvaTesting", dependencies: ["KuvaCore", "KuvaPipeline", "KuvaUI"]),
        .testTarget(name: "KuvaTestingTests", dependencies: ["KuvaTesting", "KuvaCore"]),
    ]
)

for target in package.targets where target.type != .system {
    var settings = target.swiftSettings ?? []
    settings.append(.swiftLanguageMode(.v6))
    settings.append(.enableUpcomingFeature("InternalImportsByDefault"))
    settings.append(.enableUpcomingFeature("MemberImportVisibility"))
    settings.append(.enableUpcomingFeature("ExistentialAny"))
    target.swiftSettings = settings
}
