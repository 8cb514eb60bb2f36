// swift-tools-version: 6.1
import PackageDescription

// Targets stand in layer order: what a target may import stands above it. `script/lint` builds with
// the explicit-import check, so an arrow that is not written here does not compile.
let package = Package(
    name: "Kuva",
    products: [
        .library(name: "KuvaCore", targets: ["KuvaCore"]),
        .library(name: "KuvaNetwork", targets: ["KuvaNetwork"]),
        .library(name: "KuvaTesting", targets: ["KuvaTesting"]),
    ],
    targets: [
        .target(name: "CKuvaPixels"),
        .target(name: "CKuvaThread"),
        .target(name: "KuvaCore", dependencies: ["CKuvaPixels", "CKuvaThread"]),
        .target(name: "KuvaCodecs", dependencies: ["KuvaCore"]),
        .target(name: "CKuvaCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "KuvaNetwork", dependencies: ["KuvaCore", "CKuvaCurl"]),
        .target(name: "KuvaTesting", dependencies: ["KuvaCore"]),
        .testTarget(name: "KuvaCoreTests", dependencies: ["KuvaCore"]),
        .testTarget(name: "KuvaCodecsTests", dependencies: ["KuvaCodecs", "KuvaCore"]),
        .testTarget(name: "KuvaNetworkTests", dependencies: ["KuvaNetwork", "KuvaCore", "KuvaTesting"]),
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
