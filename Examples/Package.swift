// swift-tools-version: 6.1
import PackageDescription

let gtk: [Target.Dependency] = [.product(name: "KuvaGTK", package: "Kuva"), .product(name: "CGTK", package: "Kuva")]

// Programs to start from, each with one idea. A package of its own, as yours is.
let package = Package(
    name: "Examples",
    dependencies: [.package(name: "Kuva", path: "..")],
    targets: [
        .executableTarget(name: "SmallestWindow", dependencies: gtk),
        .executableTarget(name: "ReusingList", dependencies: gtk),
        .executableTarget(name: "ButtonStates", dependencies: gtk),
        .executableTarget(name: "ProgressRing", dependencies: gtk),
        .executableTarget(name: "PhotoMap", dependencies: gtk + [.product(name: "CShumate", package: "Kuva")]),
        .target(name: "CPlainWindow", dependencies: [.product(name: "CGTK", package: "Kuva")]),
        .executableTarget(name: "PlainC", dependencies: gtk + ["CPlainWindow"]),
    ],
    swiftLanguageModes: [.v6]
)
