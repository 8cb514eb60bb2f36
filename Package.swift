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
        // GTK and libshumate as they are, for programs that have no module of their own for them.
        .library(name: "CGTK", targets: ["CGTK"]),
        .library(name: "CShumate", targets: ["CShumate"]),
        .executable(name: "kuva", targets: ["KuvaCLI"]),
        .executable(name: "kuva-gallery", targets: ["KuvaGallery"]),
    ],
    // Parts that need a library of their own; a program that wants less says so where it depends on Kuva. PDF is off by
    // default: it runs programs.
    traits: [
        .trait(name: "HEIF", description: "Read HEIF and HEIC through libheif."),
        .trait(name: "JPEGXL", description: "Read and write JPEG XL through libjxl."),
        .trait(name: "TIFF", description: "Read TIFF through libtiff."),
        .trait(name: "SVG", description: "Draw SVG through librsvg."),
        .trait(name: "PDF", description: "Draw the first page of a PDF through poppler's programs."),
        .trait(name: "Map", description: "Show pictures as markers on maps of libshumate, in KuvaGTK."),
        .default(enabledTraits: ["HEIF", "JPEGXL", "TIFF", "SVG", "Map"]),
    ],
    targets: [
        // Core.
        .target(name: "CKuvaPixels"),
        .target(name: "CKuvaThread"),
        .target(name: "KuvaCore", dependencies: ["CKuvaPixels", "CKuvaThread"]),
        .testTarget(name: "KuvaCoreTests", dependencies: ["CKuvaPixels", "KuvaCore", "KuvaTesting"]),

        // Codecs.
        .target(name: "CKuvaAVIF", linkerSettings: [.linkedLibrary("avif")]),
        .target(name: "CKuvaAVIFWrite", linkerSettings: [.linkedLibrary("avif")]),
        .target(name: "CKuvaGIF"),
        .target(name: "CKuvaGIFWrite"),
        .target(name: "CKuvaLCMS", linkerSettings: [.linkedLibrary("lcms2"), .linkedLibrary("m")]),
        .target(name: "CKuvaJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CKuvaJPEGWrite", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CKuvaWebP", linkerSettings: [.linkedLibrary("webp")]),
        .target(name: "CKuvaWebPMux", linkerSettings: [.linkedLibrary("webpmux"), .linkedLibrary("webp")]),
        .target(name: "CKuvaWebPWrite", linkerSettings: [.linkedLibrary("webp")]),
        .target(
            name: "CKuvaPNG",
            cSettings: hasISAL ? [.define("KUVA_PNG_ISAL")] : [],
            linkerSettings: [.linkedLibrary("z")] + (hasISAL ? [.linkedLibrary("isal")] : [])
        ),
        .target(name: "CKuvaPNGWrite", linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "CKuvaTIFF",
            cSettings: [.define("KUVA_TRAIT_TIFF", .when(traits: ["TIFF"]))],
            linkerSettings: [.linkedLibrary("tiff")]
        ),
        .target(
            name: "CKuvaHEIF",
            cSettings: [.define("KUVA_TRAIT_HEIF", .when(traits: ["HEIF"]))],
            linkerSettings: [.linkedLibrary("heif")]
        ),
        .target(
            name: "CKuvaJXL",
            cSettings: [.define("KUVA_TRAIT_JPEGXL", .when(traits: ["JPEGXL"]))],
            linkerSettings: [.linkedLibrary("jxl")]
        ),
        .target(
            name: "CKuvaJXLWrite",
            cSettings: [.define("KUVA_TRAIT_JPEGXL", .when(traits: ["JPEGXL"]))],
            linkerSettings: [.linkedLibrary("jxl")]
        ),
        .systemLibrary(name: "CRSVG", pkgConfig: "librsvg-2.0", providers: [.apt(["librsvg2-dev"])]),
        .target(
            name: "CKuvaSVG",
            dependencies: [.target(name: "CRSVG", condition: .when(traits: ["SVG"]))],
            cSettings: [.define("KUVA_TRAIT_SVG", .when(traits: ["SVG"]))]
        ),
        .target(name: "CKuvaPDF"),
        .target(
            name: "KuvaCodecs",
            dependencies: [
                .target(name: "CKuvaHEIF", condition: .when(traits: ["HEIF"])),
                .target(name: "CKuvaJXL", condition: .when(traits: ["JPEGXL"])),
                .target(name: "CKuvaJXLWrite", condition: .when(traits: ["JPEGXL"])),
                .target(name: "CKuvaPDF", condition: .when(traits: ["PDF"])),
                .target(name: "CKuvaSVG", condition: .when(traits: ["SVG"])),
                .target(name: "CKuvaTIFF", condition: .when(traits: ["TIFF"])),
                "CKuvaAVIF",
                "CKuvaAVIFWrite",
                "CKuvaGIF",
                "CKuvaGIFWrite",
                "CKuvaJPEG",
                "CKuvaJPEGWrite",
                "CKuvaLCMS",
                "CKuvaPNG",
                "CKuvaPNGWrite",
                "CKuvaWebP",
                "CKuvaWebPMux",
                "CKuvaWebPWrite",
                "KuvaCore",
            ]
        ),
        .testTarget(
            name: "KuvaCodecsTests",
            dependencies: ["CKuvaGIF", "CKuvaPNG", "KuvaCodecs", "KuvaCore", "KuvaTesting"]
        ),

        // Caches.
        .target(name: "CKuvaXXHash", linkerSettings: [.linkedLibrary("xxhash")]),
        .target(name: "CKuvaSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CKuvaFiles"),
        .target(name: "KuvaCache", dependencies: ["KuvaCore", "CKuvaXXHash", "CKuvaSQLite", "CKuvaFiles"]),
        .target(name: "KuvaCacheFaults", dependencies: ["KuvaCache"], path: "Tests/KuvaCacheFaults"),
        .target(name: "CKuvaCountingMalloc", path: "Tests/CKuvaCountingMalloc"),
        .executableTarget(
            name: "KuvaCacheTorture",
            dependencies: ["CKuvaCountingMalloc", "KuvaCache", "KuvaCacheFaults", "KuvaCore"],
            path: "Tests/KuvaCacheTorture"
        ),
        .testTarget(
            name: "KuvaCacheTests",
            dependencies: ["KuvaCache", "KuvaCacheFaults", "KuvaCacheTorture", "KuvaCore", "KuvaTesting"]
        ),

        // Network.
        .target(name: "CKuvaCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "KuvaNetwork", dependencies: ["KuvaCore", "CKuvaCurl"]),
        .executableTarget(
            name: "KuvaNetworkStorm",
            dependencies: ["CKuvaCountingMalloc", "KuvaCore", "KuvaNetwork", "KuvaTesting"],
            path: "Tests/KuvaNetworkStorm"
        ),
        .testTarget(
            name: "KuvaNetworkTests",
            dependencies: ["KuvaCore", "KuvaNetwork", "KuvaNetworkStorm", "KuvaTesting"]
        ),

        // Pipeline.
        .target(name: "KuvaPipeline", dependencies: ["KuvaCore"]),
        .executableTarget(
            name: "KuvaPipelineSoak",
            dependencies: ["CKuvaCountingMalloc", "KuvaCore", "KuvaPipeline", "KuvaTesting"],
            path: "Tests/KuvaPipelineSoak"
        ),
        .testTarget(
            name: "KuvaPipelineTests",
            dependencies: ["KuvaCore", "KuvaPipeline", "KuvaPipelineSoak", "KuvaTesting"]
        ),

        // Everything but views, wired up.
        .target(
            name: "Kuva",
            dependencies: ["KuvaCache", "KuvaCodecs", "KuvaCore", "KuvaNetwork", "KuvaPipeline"]
        ),
        .testTarget(name: "KuvaTests", dependencies: ["Kuva", "KuvaTesting"]),

        // The command line.
        .target(name: "CKuvaSHA256", linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(name: "KuvaCLI", dependencies: ["CKuvaSHA256", "Kuva"]),
        .testTarget(name: "KuvaCLITests", dependencies: ["KuvaCLI", "Kuva", "KuvaTesting"]),

        // Views, whatever the toolkit.
        .target(name: "KuvaUI", dependencies: ["KuvaCore", "KuvaPipeline"]),
        .testTarget(
            name: "KuvaUITests",
            dependencies: ["KuvaUI", "KuvaPipeline", "KuvaCodecs", "KuvaCore", "KuvaTesting"]
        ),

        // Fakes and servers for tests.
        .target(name: "CKuvaSpawn"),
        .target(name: "KuvaTesting", dependencies: ["CKuvaSpawn", "KuvaCore", "KuvaPipeline", "KuvaUI"]),
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
        .testTarget(name: "KuvaMainLoopTests", dependencies: ["KuvaMainLoop", "KuvaTesting", "MainLoopProbe"]),

        // GTK.
        .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .systemLibrary(name: "CShumate", pkgConfig: "shumate-1.0", providers: [.apt(["libshumate-dev"])]),
        .target(name: "CKuvaGTK", dependencies: ["CGTK"]),
        .target(
            name: "KuvaGTK",
            dependencies: [
                "Kuva", "KuvaCore", "KuvaPipeline", "KuvaUI", "KuvaMainLoop", "CGTK", "CKuvaGTK",
                .target(name: "CShumate", condition: .when(traits: ["Map"])),
            ]
        ),
        .testTarget(
            name: "KuvaGTKTests",
            dependencies: [
                "KuvaGTK", "KuvaUI", "KuvaPipeline", "KuvaCore", "KuvaTesting", "CGTK",
                .target(name: "CShumate", condition: .when(traits: ["Map"])),
            ]
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
