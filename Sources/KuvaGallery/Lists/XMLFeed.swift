import CGTK

/// Reads RSS 2.0 and Atom (RFC 4287): enclosures and Media RSS contents that are pictures.
///
/// GLib's markup reader knows neither document types nor entities of their own, so a feed can do no harm with them.
enum XMLFeed {
    fileprivate final class Reading {
        var entries: [PictureEntry] = []
        var title = ""
        var path: [String] = []
        var itemStart = 0
    }

    static func entries(in text: String) throws(PictureFile.Unreadable) -> [PictureEntry] {
        let reading = Reading()
        var parser = GMarkupParser()
        parser.start_element = { _, name, keys, values, data, _ in
            guard let name, let reading = XMLFeed.reading(data) else { return }
            var attributes: [String: String] = [:]
            var index = 0
            while let key = keys?[index], let value = values?[index] {
                attributes[String(cString: key)] = String(cString: value)
                index += 1
            }
            reading.start(String(cString: name), attributes)
        }
        parser.end_element = { _, _, data, _ in XMLFeed.reading(data)?.end() }
        parser.text = { _, text, length, data, _ in
            guard let text, let reading = XMLFeed.reading(data) else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(length))
            reading.read(String(decoding: bytes, as: UTF8.self))
        }
        let flags = GMarkupParseFlags(rawValue: G_MARKUP_TREAT_CDATA_AS_TEXT.rawValue)
        let context = g_markup_parse_context_new(&parser, flags, Unmanaged.passUnretained(reading).toOpaque(), nil)
        defer { g_markup_parse_context_free(context) }
        var error: UnsafeMutablePointer<GError>?
        let start = text.firstIndex(of: "<") ?? text.startIndex
        let body = String(text[start...])
        if g_markup_parse_context_parse(context, body, -1, &error) == 0
            || g_markup_parse_context_end_parse(context, &error) == 0
        {
            defer { g_clear_error(&error) }
            throw PictureFile.Unreadable(reason: error.map { String(cString: $0.pointee.message) } ?? "it is no XML")
        }
        return reading.entries
    }

    fileprivate static func reading(_ data: UnsafeMutableRawPointer?) -> Reading? {
        data.map { Unmanaged<Reading>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension XMLFeed.Reading {
    func start(_ name: String, _ attributes: [String: String]) {
        path.append(name)
        switch name {
        case "item", "entry":
            title = ""
            itemStart = entries.count
        case "enclosure": add(attributes["url"], type: attributes["type"])
        case "media:content":
            add(attributes["url"], type: attributes["type"] ?? attributes["medium"].map { "\($0)/" })
        case "link" where attributes["rel"] == "enclosure": add(attributes["href"], type: attributes["type"])
        default: break
        }
    }

    func read(_ text: String) {
        guard path.last == "title", let parent = path.dropLast().last, parent == "item" || parent == "entry" else {
            return
        }
        title += text
    }

    func end() {
        guard let name = path.popLast(), name == "item" || name == "entry" else { return }
        // The title may stand after the enclosure.
        for index in itemStart..<entries.count {
            entries[index] = PictureEntry(entries[index].text, title: title.trimmed)
        }
    }

    private func add(_ url: String?, type: String?) {
        guard let url = url?.trimmed, !url.isEmpty, type?.hasPrefix("image/") == true,
            !entries[itemStart...].contains(where: { $0.text == url })
        else { return }
        entries.append(PictureEntry(url))
    }
}
