// swift-tools-version: 6.1
import PackageDescription

// Targets stand in layer order: what a target may import stands above it. `script/lint` builds with
// the explicit-import check, so an arrow that is not written here does not compile.
let package = Package(
    name: "Kuva",
    products: [
        .library(name: "KuvaCore", targets: ["KuvaCore"]),
        .library(name: "KuvaCodecs", targets: ["KuvaCodecs"]),
    ],
    targets: [
        .target(name: "CKuvaPixels"),
        .target(name: "CKuvaThread"),
        .target(name: "CKuvaJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CKuvaAVIF", linkerSettings: [.linkedLibrary("avif")]),
        .target(name: "KuvaCore", dependencies: ["CKuvaPixels", "CKuvaThread"]),
        .target(name: "KuvaCodecs", dependencies: ["CKuvaJPEG", "CKuvaAVIF", "KuvaCore"]),
        .target(name: "KuvaPipeline", dependencies: ["KuvaCore"]),
        .target(name: "KuvaUI", dependencies: ["KuvaCore", "KuvaPipeline"]),
        .target(name: "KuvaTesting", dependencies: ["KuvaCore", "KuvaPipeline", "KuvaUI"]),
        .testTarget(name: "KuvaCoreTests", dependencies: ["CKuvaPixels", "KuvaCore"]),
        .testTarget(name: "KuvaCodecsTests", dependencies: ["KuvaCodecs", "KuvaCore"]),
        .testTarget(name: "KuvaPipelineTests", dependencies: ["KuvaPipeline", "KuvaCore", "KuvaTesting"]),
        .testTarget(name: "KuvaUITests", dependencies: ["KuvaUI", "KuvaPipeline", "KuvaCore", "KuvaTesting"]),
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
