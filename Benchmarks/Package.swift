// swift-tools-version: 6.1
import PackageDescription

// What CLoopClock stands in for, so that it can time the handlers that are given to them.
let timed = [
    "_dispatch_main_queue_callback_4CF", "g_signal_connect_data", "gtk_widget_add_tick_callback",
    "kuva_gtk_paintable_observe",
]

// Built and run by script/bench. A package of its own: its rivals' libraries are nobody's dependency.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "Kuva", path: "..")],
    targets: [
        .target(
            name: "CBareCodecs",
            // A rival is built as its own friends would build it.
            cSettings: [.unsafeFlags(["-O3", "-march=native"])],
            linkerSettings: [
                .linkedLibrary("avif"), .linkedLibrary("gif"), .linkedLibrary("jpeg"), .linkedLibrary("png"),
                .linkedLibrary("webp"), .linkedLibrary("webpdemux"),
            ]
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
        .systemLibrary(name: "CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0", providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),
        .target(name: "CGdkRival", dependencies: ["CGdkPixbuf"], cSettings: [.unsafeFlags(["-O3"])]),
        .target(
            name: "BenchmarkKit",
            dependencies: ["CBenchmarkKit", .product(name: "KuvaCore", package: "Kuva")]
        ),
        .executableTarget(
            name: "kuva-benchmarks",
            dependencies: [
                "BenchmarkKit", "CBareCaches", "CBareCodecs", "CBareCurl", "CGdkRival",
                .product(name: "KuvaCache", package: "Kuva"), .product(name: "KuvaCodecs", package: "Kuva"),
                .product(name: "KuvaCore", package: "Kuva"), .product(name: "KuvaNetwork", package: "Kuva"),
                .product(name: "KuvaPipeline", package: "Kuva"), .product(name: "KuvaUI", package: "Kuva"),
            ],
            path: "Sources/KuvaBenchmarks"
        ),
        .target(name: "CCallgrind"),
        .executableTarget(
            name: "kuva-budgets",
            dependencies: [
                "BenchmarkKit", "CCallgrind",
                .product(name: "KuvaCache", package: "Kuva"), .product(name: "KuvaCodecs", package: "Kuva"),
                .product(name: "KuvaCore", package: "Kuva"), .product(name: "KuvaPipeline", package: "Kuva"),
            ],
            path: "Sources/Budgets"
        ),
        .target(name: "CLoopClock", dependencies: [.product(name: "CGTK", package: "Kuva")]),
        // A program of its own, so that the others load no GTK.
        .executableTarget(
            name: "kuva-gtk-benchmarks",
            dependencies: [
                "BenchmarkKit", "CLoopClock", .product(name: "CGTK", package: "Kuva"),
                .product(name: "Kuva", package: "Kuva"), .product(name: "KuvaGTK", package: "Kuva"),
                .product(name: "KuvaMainLoop", package: "Kuva"),
            ],
            path: "Sources/GTKBenchmarks",
            linkerSettings: [.unsafeFlags(timed.flatMap { ["-Xlinker", "--wrap=\($0)"] })]
        ),
        .testTarget(name: "BenchmarkKitTests", dependencies: ["BenchmarkKit"]),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("ExistentialAny"),
    ]
}
