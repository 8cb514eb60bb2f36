import FoundationEssentials

/// Reads JSON Feed 1.1 (jsonfeed.org): the attachments of each item that are pictures, or else its image.
enum JSONFeed {
    private struct Feed: Decodable {
        var items: [Item]
    }

    private struct Item: Decodable {
        var title: String?
        var image: String?
        var attachments: [Attachment]?
    }

    private struct Attachment: Decodable {
        var url: String
        var mime_type: String?
        var title: String?
    }

    static func entries(in bytes: Data) throws(PictureFile.Unreadable) -> [PictureEntry] {
        let feed: Feed
        do {
            feed = try JSONDecoder().decode(Feed.self, from: bytes)
        } catch {
            throw PictureFile.Unreadable(reason: "it is no JSON Feed")
        }
        return feed.items.flatMap { item -> [PictureEntry] in
            let pictures = (item.attachments ?? []).filter { $0.mime_type?.hasPrefix("image/") == true }
            guard pictures.isEmpty else {
                return pictures.map { PictureEntry($0.url, title: $0.title ?? item.title) }
            }
            return item.image.map { [PictureEntry($0, title: item.title)] } ?? []
        }
    }
}
