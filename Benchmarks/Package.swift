// swift-tools-version: 6.1
import PackageDescription

// Built and run by script/bench. A package of its own: its rivals' libraries are nobody's dependency.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "Kuva", path: "..")],
    targets: [
        .target(
            name: "CBareCodecs",
            // A rival is built as its own friends would build it.
            cSettings: [.unsafeFlags(["-O3", "-march=native"])],
            linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("webp")]
        ),
        .target(
            name: "CBareCaches",
            cSettings: [.unsafeFlags(["-O3", "-march=native"])],
            linkerSettings: [.linkedLibrary("sqlite3")]
        ),
        .target(
            name: "CBareCurl",
            cSettings: [.unsafeFlags(["-O3", "-march=native"])],
            linkerSettings: [.linkedLibrary("curl")]
        ),
        .target(name: "CBenchmarkKit"),
        .target(name: "BenchmarkKit", dependencies: ["CBenchmarkKit"]),
        .executableTarget(
            name: "kuva-benchmarks",
            dependencies: [
                "BenchmarkKit", "CBareCaches", "CBareCodecs", "CBareCurl",
                .product(name: "KuvaCache", package: "Kuva"), .product(name: "KuvaCodecs", package: "Kuva"),
                .product(name: "KuvaCore", package: "Kuva"), .product(name: "KuvaNetwork", package: "Kuva"),
            ],
            path: "Sources/KuvaBenchmarks"
        ),
        .testTarget(name: "BenchmarkKitTests", dependencies: ["BenchmarkKit"]),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .swiftLanguageMode(.v6), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("ExistentialAny"),
    ]
}
