import FoundationEssentials
import KuvaCore
import KuvaPipeline

/// One picture of the gallery and what has become of it.
struct GalleryItem {
    /// How far a picture is.
    enum State {
        /// It has not come yet.
        case waiting
        /// It has come.
        case loaded(origin: ImageResponse.Origin, byteCount: Int, milliseconds: Double)
        /// It will not come.
        case failed(ImageError, milliseconds: Double)
    }

    /// What the user wrote.
    let text: String
    /// What a feed calls it.
    let title: String?
    /// What is loaded for it, or why nothing can be.
    let request: Result<ImageRequest, ImageError>
    /// How far it is.
    var state = State.waiting

    init(_ entry: PictureEntry) {
        text = entry.text
        title = entry.title
        do throws(ImageError) {
            request = .success(try ImageRequest(string: entry.text))
        } catch {
            request = .failure(error)
            state = .failed(error, milliseconds: 0)
        }
    }

    /// Whether it has come or failed.
    var isSettled: Bool {
        if case .waiting = state { false } else { true }
    }

    /// The title, or the last part of the URL's path, as a person reads it.
    var name: String {
        if let title { return title }
        guard let url = try? request.get().url, let last = url.path(percentEncoded: false).split(separator: "/").last
        else { return text }
        return String(last)
    }

    /// Where it is; `nil` if what the user wrote is no URL.
    var url: URL? { try? request.get().url }

    /// Where it is, for a person: a file by its path.
    var address: String {
        guard let url, url.isFileURL else { return text }
        return url.path(percentEncoded: false)
    }

    /// The line of the report: fields with tabs in between, the fifth for failures only.
    var reportLine: String {
        switch state {
        case .waiting: "\(text)\t0\twaiting\t0"
        case .loaded(let origin, let bytes, let time): "\(text)\t\(bytes)\t\(origin.rawValue)\t\(tenths(time))"
        case .failed(let error, let time): "\(text)\t0\tfailed\t\(tenths(time))\t\(error.code): \(error.message)"
        }
    }

    /// A number with one digit after the point, whatever the language of the system.
    private func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
