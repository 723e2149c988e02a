// swift-tools-version: 6.0

import Foundation
import PackageDescription

let package = Package(
  name: "tasks",
  products: [
    .library(name: "LiveStore", targets: ["LiveStore"]),
    .library(name: "LiveStoreFoundation", targets: ["LiveStoreFoundation"]),
    .executable(name: "livestore", targets: ["LiveStoreInspector"]),
    .executable(name: "tasks", targets: ["TasksTUI"]),
  ],
  targets: [
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CRunLoop"),
    .systemLibrary(name: "CNcurses"),
    .target(name: "CTerminal"),
    .target(name: "CCalendar"),
    .target(name: "LibC"),
    .target(name: "LiveStore", dependencies: ["LibC", "CSQLite", "CLinux"]),
    .target(name: "LiveStoreFoundation", dependencies: ["LiveStore", "CRunLoop"]),
    .executableTarget(name: "LiveStoreInspector", dependencies: ["LiveStore"]),
    .target(name: "TasksModel", dependencies: ["LiveStore", "CCalendar"]),
    .target(name: "SyncSigns", dependencies: ["LiveStore", "LibC", "CLinux"]),
    .target(name: "VisibleText"),
    .target(name: "TerminalUI", dependencies: ["VisibleText", "CNcurses", "CTerminal"]),
    .executableTarget(
      name: "TasksTUI",
      dependencies: [
        "TasksModel", "LiveStore", "SyncSigns", "TerminalUI", "VisibleText", "CLinux", "CTerminal",
      ]),
    .target(name: "BenchmarkRunner", dependencies: ["CSQLite"], path: "Benchmarks/Runner"),
    .executableTarget(
      name: "TasksFloor", dependencies: ["CSQLite", "CNcurses"], path: "Benchmarks/Floor",
      linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
    .executableTarget(
      name: "LiveStoreBenchmarks", dependencies: ["BenchmarkRunner", "LiveStore", "Programs"],
      path: "Benchmarks",
      exclude: ["Runner", "Terminal", "Sync", "Floor"]),
    .executableTarget(
      name: "TasksBenchmarks", dependencies: ["BenchmarkRunner", "CLinux", "Programs", "TerminalEmulator"],
      path: "Benchmarks/Terminal"),
    .executableTarget(name: "ChangeIndicator", dependencies: ["LiveStore"], path: "Examples/ChangeIndicator"),
    .executableTarget(name: "RepositoryList", dependencies: ["LiveStore"], path: "Examples/RepositoryList"),
    .executableTarget(
      name: "ImageCache", dependencies: ["LiveStore", "LiveStoreFoundation"], path: "Examples/ImageCache"),
    .executableTarget(
      name: "PermissionRequest", dependencies: ["LiveStore"], path: "Examples/PermissionRequest"),
    .executableTarget(name: "Chat", dependencies: ["LiveStore"], path: "Examples/Chat"),
    .executableTarget(name: "Importer", dependencies: ["LiveStore"], path: "Examples/Importer"),
    .executableTarget(name: "VoteServer", dependencies: ["LiveStore"], path: "Examples/VoteServer"),
    .target(name: "Programs", dependencies: ["LibC"], path: "Tests/Programs"),
    .target(name: "TestSupport", dependencies: ["LibC"], path: "Tests/TestSupport"),
    .target(
      name: "TerminalEmulator", dependencies: ["Programs", "TestSupport"], path: "Tests/TerminalEmulator"),
    .target(
      name: "LiveStoreFixtures", dependencies: ["LiveStore", "LibC", "Programs", "TestSupport", "CSQLite"],
      path: "Tests/LiveStoreFixtures"),
    .executableTarget(
      name: "LiveStorePeer", dependencies: ["LiveStoreFixtures", "LibC", "TestSupport", "CSQLite"],
      path: "Tests/LiveStorePeer"),
    .testTarget(
      name: "LiveStoreTests",
      dependencies: [
        "LiveStore", "LiveStoreFixtures", "LiveStorePeer", "Programs", "TestSupport", "CSQLite",
      ]),
    .testTarget(
      name: "LiveStoreFoundationTests",
      dependencies: ["LiveStore", "LiveStoreFoundation", "LiveStoreFixtures"]),
    .target(
      name: "ExampleProcesses", dependencies: ["Programs", "TestSupport"], path: "Tests/ExampleProcesses"),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "ExampleProcesses", "Programs", "TestSupport", "ChangeIndicator", "RepositoryList", "ImageCache",
        "PermissionRequest", "Chat",
        "Importer", "VoteServer", "LiveStoreInspector",
      ]),
    .testTarget(
      name: "TasksModelTests", dependencies: ["TasksModel", "LiveStoreFixtures", "TestSupport"],
      exclude: ["Formats/Fixtures"]),
    .testTarget(
      name: "TasksTUITests",
      dependencies: [
        "TasksTUI", "SyncSigns", "TerminalUI", "VisibleText", "TerminalEmulator", "LiveStoreFixtures",
        "Programs", "TestSupport", "CLinux", "CSQLite",
      ],
      exclude: ["Golden/screens.script", "Golden/Screens", "Sessions/ten-minutes.session"]),
  ],
  swiftLanguageModes: [.v6]
)

// Without libpq there is everything but what carries a file to other machines.
let headers = [
  "/usr/include/postgresql/libpq-fe.h", "/usr/include/libpq-fe.h", "/usr/local/include/libpq-fe.h",
]
if headers.contains(where: FileManager.default.fileExists) {
  package.products += [
    .library(name: "LiveStoreSync", targets: ["LiveStoreSync"]),
    .executable(name: "tasks-sync", targets: ["TasksSync"]),
  ]
  package.targets += [
    .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
    // Libpq uses it itself, and its headers come with those.
    .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "LiveStoreSync",
      dependencies: ["LiveStore", "SyncSigns", "LibC", "CLinux", "CPostgreSQL", "COpenSSL"]),
    .executableTarget(
      name: "TasksSync", dependencies: ["LiveStoreSync", "LiveStore", "TasksModel", "VisibleText", "CLinux"]),
    .executableTarget(
      name: "RequestCourier", dependencies: ["LiveStoreSync"], path: "Examples/RequestCourier"),
    .target(name: "PostgreSQLCluster", dependencies: ["Programs"], path: "Tests/PostgreSQLCluster"),
    .testTarget(
      name: "LiveStoreSyncTests",
      dependencies: [
        "LiveStoreSync", "LiveStore", "TasksSync", "TasksTUI", "PostgreSQLCluster", "Programs",
        "TestSupport", "CLinux", "CSQLite", "ExampleProcesses", "PermissionRequest", "RequestCourier",
      ]),
    .executableTarget(
      name: "SyncBenchmarks",
      dependencies: ["BenchmarkRunner", "LiveStoreSync", "LiveStore", "CPostgreSQL", "PostgreSQLCluster"],
      path: "Benchmarks/Sync"),
  ]
}
