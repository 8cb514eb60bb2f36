import Foundation
import Kuva
import Testing

@testable import KuvaCLI

@Suite("Output folder")
final class OutputFolderTests {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-out-\(UUID().uuidString)")
    private let name: FileName

    init() throws {
        name = FileName(try #require(URL(string: "http://h.test/a.jpg")), format: .jpeg)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    private func contents(_ folder: URL? = nil) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: (folder ?? root).path).sorted()
    }

    @Test func foldersAreMade() throws {
        let deep = root.appendingPathComponent("x/y/z")
        let folder = OutputFolder(path: deep.path, replaces: false)
        try folder.prepare()
        try folder.prepare()
        #expect(try folder.save(Data("1".utf8), as: name, number: 0) == "\(deep.path)/a.jpg")
        #expect(try contents(deep) == ["a.jpg"])
    }

    @Test func nothingIsReplacedUnlessAsked() throws {
        let folder = OutputFolder(path: root.path, replaces: false)
        for text in ["1", "2", "3"] { _ = try folder.save(Data(text.utf8), as: name, number: 0) }
        #expect(try contents() == ["a-1.jpg", "a-2.jpg", "a.jpg"])
        #expect(try String(contentsOf: root.appendingPathComponent("a-1.jpg"), encoding: .utf8) == "2")

        let replacing = OutputFolder(path: root.path, replaces: true)
        #expect(try replacing.save(Data("4".utf8), as: name, number: 0) == "\(root.path)/a.jpg")
        #expect(try String(contentsOf: root.appendingPathComponent("a.jpg"), encoding: .utf8) == "4")
        #expect(try contents() == ["a-1.jpg", "a-2.jpg", "a.jpg"])
    }

    @Test func manyAtOnceGetNamesOfTheirOwn() async throws {
        let folder = OutputFolder(path: root.path, replaces: false)
        let name = name
        let paths = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<20 {
                group.addTask { try folder.save(Data("\(number)".utf8), as: name, number: number) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(paths.count == 20)
        #expect(try contents().count == 20)
    }

    /// A link of that name may lead anywhere; it is neither followed nor replaced.
    @Test func linksAreNotFollowed() throws {
        let target = root.appendingPathComponent("elsewhere")
        try FileManager.default.createSymbolicLink(
            at: root.appendingPathComponent("a.jpg"),
            withDestinationURL: target
        )
        let path = try OutputFolder(path: root.path, replaces: false).save(Data("1".utf8), as: name, number: 0)
        #expect(path == "\(root.path)/a-1.jpg")
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test func aFileIsNoFolder() throws {
        let file = root.appendingPathComponent("file")
        try Data().write(to: file)
        let error = #expect(throws: ImageError.self) { try OutputFolder(path: file.path, replaces: false).prepare() }
        #expect(error?.stage == .save)
        #expect(error?.description.contains("Not a directory") == true)
    }

    @Test func failedSavesLeaveNothing() throws {
        try FileManager.default.createDirectory(
            at: root.appendingPathComponent("a.jpg"),
            withIntermediateDirectories: false
        )
        let error = #expect(throws: ImageError.self) {
            try OutputFolder(path: root.path, replaces: true).save(Data("1".utf8), as: name, number: 0)
        }
        #expect(error?.code == .ioFailed)
        #expect(try contents() == ["a.jpg"])
    }

    @Test func savesIntoAFolderThatIsGoneAreErrors() throws {
        let folder = OutputFolder(path: root.appendingPathComponent("gone").path, replaces: false)
        let error = #expect(throws: ImageError.self) { try folder.save(Data("1".utf8), as: name, number: 0) }
        #expect(error?.code == .ioFailed)
    }
}
