// swift-tools-version: 6.1
import PackageDescription

// One small program for each set of modules that someone may want without the rest; script/linkage looks at what they
// load. A package of its own, so that nobody who depends on Kuva builds it.
let package = Package(
    name: "Linkage",
    dependencies: [.package(name: "Kuva", path: "../..", traits: [])],
    targets: [
        .executableTarget(name: "CoreOnly", dependencies: [.product(name: "KuvaCore", package: "Kuva")]),
        .executableTarget(
            name: "CoreAndCodecs",
            dependencies: [
                .product(name: "KuvaCore", package: "Kuva"), .product(name: "KuvaCodecs", package: "Kuva"),
            ]
        ),
        .executableTarget(
            name: "EverythingButGTK",
            dependencies: [.product(name: "Kuva", package: "Kuva"), .product(name: "KuvaUI", package: "Kuva")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
