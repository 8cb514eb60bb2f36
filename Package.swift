// swift-tools-version: 6.1
import Foundation
import PackageDescription

// ISA-L inflates 2.5 times as fast as zlib but is not packaged everywhere. One answer decides what is compiled and what
// is linked: `__has_include` in the code could not tell the linker.
let hasISAL = FileManager.default.fileExists(atPath: "/usr/include/isa-l/igzip_lib.h")

// Targets stand in layer order: what a target may import stands above it. `script/lint` builds with
// the explicit-import check, so an arrow that is not written here does not compile.
let package = Package(
    name: "Kuva",
    products: [
        .library(name: "Kuva", targets: ["Kuva"]),
        .library(name: "KuvaCore", targets: ["KuvaCore"]),
        .library(name: "KuvaCodecs", targets: ["KuvaCodecs"]),
        .library(name: "KuvaCache", targets: ["KuvaCache"]),
        .library(name: "KuvaNetwork", targets: ["KuvaNetwork"]),
        .library(name: "KuvaPipeline", targets: ["KuvaPipeline"]),
        .library(name: "KuvaUI", targets: ["KuvaUI"]),
        .library(name: "KuvaTesting", targets: ["KuvaTesting"]),
        .library(name: "KuvaMainLoop", targets: ["KuvaMainLoop"]),
        .library(name: "KuvaGTK", targets: ["KuvaGTK"]),
        .executable(name: "kuva", targets: ["KuvaCLI"]),
        .executable(name: "kuva-gallery", targets: ["KuvaGallery"]),
    ],
    targets: [
        // Core.
        .target(name: "CKuvaPixels"),
        .target(name: "CKuvaThread"),
        .target(name: "KuvaCore", dependencies: ["CKuvaPixels", "CKuvaThread"]),
        .testTarget(name: "KuvaCoreTests", dependencies: ["CKuvaPixels", "KuvaCore"]),

        // Codecs.
        .target(name: "CKuvaAVIF", linkerSettings: [.linkedLibrary("avif")]),
        .target(name: "CKuvaGIF"),
        .target(name: "CKuvaJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CKuvaWebP", linkerSettings: [.linkedLibrary("webp")]),
        .target(
            name: "CKuvaPNG",
            cSettings: hasISAL ? [.define("KUVA_PNG_ISAL")] : [],
            linkerSettings: [.linkedLibrary("z")] + (hasISAL ? [.linkedLibrary("isal")] : [])
        ),
        .target(name: "CKuvaPNGWrite", linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "KuvaCodecs",
            dependencies: [
                "CKuvaAVIF",
                "CKuvaGIF",
                "CKuvaJPEG",
                "CKuvaPNG",
                "CKuvaPNGWrite",
                "CKuvaWebP",
                "KuvaCore",
            ]
        ),
        .testTarget(name: "KuvaCodecsTests", dependencies: ["CKuvaGIF", "CKuvaPNG", "KuvaCodecs", "KuvaCore"]),

        // Caches.
        .target(name: "CKuvaXXHash", linkerSettings: [.linkedLibrary("xxhash")]),
        .target(name: "CKuvaSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CKuvaFiles"),
        .target(name: "KuvaCache", dependencies: ["KuvaCore", "CKuvaXXHash", "CKuvaSQLite", "CKuvaFiles"]),
        .target(name: "KuvaCacheFaults", dependencies: ["KuvaCache"], path: "Tests/KuvaCacheFaults"),
        .executableTarget(
            name: "KuvaCacheTorture",
            dependencies: ["KuvaCache", "KuvaCacheFaults", "KuvaCore"],
            path: "Tests/KuvaCacheTorture"
        ),
        .testTarget(
            name: "KuvaCacheTests",
            dependencies: ["KuvaCache", "KuvaCacheFaults", "KuvaCacheTorture", "KuvaCore"]
        ),

        // Network.
        .target(name: "CKuvaCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "KuvaNetwork", dependencies: ["KuvaCore", "CKuvaCurl"]),
        .testTarget(name: "KuvaNetworkTests", dependencies: ["KuvaNetwork", "KuvaCore", "KuvaTesting"]),

        // Pipeline.
        .target(name: "KuvaPipeline", dependencies: ["KuvaCore"]),
        .testTarget(name: "KuvaPipelineTests", dependencies: ["KuvaPipeline", "KuvaCore", "KuvaTesting"]),

        // Everything but views, wired up.
        .target(
            name: "Kuva",
            dependencies: ["KuvaCache", "KuvaCodecs", "KuvaCore", "KuvaNetwork", "KuvaPipeline"]
        ),
        .testTarget(name: "KuvaTests", dependencies: ["Kuva", "KuvaTesting"]),

        // The command line.
        .executableTarget(name: "KuvaCLI", dependencies: ["Kuva"]),
        .testTarget(name: "KuvaCLITests", dependencies: ["KuvaCLI", "Kuva", "KuvaTesting"]),

        // Views, whatever the toolkit.
        .target(name: "KuvaUI", dependencies: ["KuvaCore", "KuvaPipeline"]),
        .testTarget(name: "KuvaUITests", dependencies: ["KuvaUI", "KuvaPipeline", "KuvaCore", "KuvaTesting"]),

        // Fakes and servers for tests.
        .target(name: "KuvaTesting", dependencies: ["KuvaCore", "KuvaPipeline", "KuvaUI"]),
        .testTarget(name: "KuvaTestingTests", dependencies: ["KuvaTesting", "KuvaCore"]),

        // GLib's main loop.
        .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .target(name: "CKuvaGLib", dependencies: ["CGLib"]),
        .target(name: "KuvaMainLoop", dependencies: ["CKuvaGLib"]),
        .executableTarget(
            name: "MainLoopProbe",
            dependencies: ["CGLib", "KuvaMainLoop"],
            path: "Tests/MainLoopProbe"
        ),
        .testTarget(name: "KuvaMainLoopTests", dependencies: ["KuvaMainLoop", "MainLoopProbe"]),

        // GTK.
        .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .target(name: "CKuvaGTK", dependencies: ["CGTK"]),
        .target(
            name: "KuvaGTK",
            dependencies: ["Kuva", "KuvaCore", "KuvaPipeline", "KuvaUI", "KuvaMainLoop", "CGTK", "CKuvaGTK"]
        ),
        .testTarget(
            name: "KuvaGTKTests",
            dependencies: ["KuvaGTK", "KuvaUI", "KuvaPipeline", "KuvaCore", "KuvaTesting", "CGTK"]
        ),
        .executableTarget(
            name: "KuvaGallery",
            dependencies: ["Kuva", "KuvaCore", "KuvaPipeline", "KuvaUI", "KuvaMainLoop", "KuvaGTK", "CGTK"]
        ),
        .testTarget(name: "KuvaGalleryTests", dependencies: ["KuvaGallery", "KuvaCore", "KuvaTesting"]),
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
