// swift-tools-version: 6.0

import PackageDescription

let package = Package(
  name: "Standalone",
  dependencies: [.package(name: "tasks", path: "../..")],
  targets: [
    .executableTarget(name: "Features", dependencies: [.product(name: "LiveStore", package: "tasks")]),
    .executableTarget(name: "Readme", dependencies: [.product(name: "LiveStore", package: "tasks")]),
    .executableTarget(name: "Standalone", dependencies: [.product(name: "LiveStore", package: "tasks")]),
  ],
  swiftLanguageModes: [.v6]
)
