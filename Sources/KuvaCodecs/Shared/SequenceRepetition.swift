/// How often an image sequence in an ISO base media file plays.
enum SequenceRepetition {
    /// Reads it from the edit list of the first track (ISO/IEC 23008-12, 9.6.1): a list with the repeat flag plays its
    /// edit until the track's duration is filled, one without it once.
    ///
    /// - Returns: 0 for ever; `nil` where the file does not say.
    static func loopCount(in file: BoundedBytes) -> Int? {
        guard let movie = box("moov", in: 0..<file.count, file), let track = box("trak", in: movie, file),
            let header = box("tkhd", in: track, file), let edits = box("edts", in: track, file),
            let list = box("elst", in: edits, file), let flags = number(at: 0, in: list, file)
        else { return nil }
        guard flags & 1 == 1 else { return 1 }
        let isWide = number(at: 0, in: header, file).map { $0 >> 24 == 1 } ?? false
        guard let duration = number(at: isWide ? 28 : 20, in: header, isWide: isWide, file),
            let edit = number(at: 8, in: list, isWide: flags >> 24 == 1, file), edit > 0
        else { return nil }
        if duration == (isWide ? UInt64.max : UInt64(UInt32.max)) { return 0 }
        return Int(exactly: duration / edit + (duration % edit == 0 ? 0 : 1)).map { max(1, $0) }
    }

    /// A number of 32 bits, or of 64 where `isWide`; `nil` where it is not inside the box.
    private static func number(
        at offset: Int,
        in box: Range<Int>,
        isWide: Bool = false,
        _ file: BoundedBytes
    ) -> UInt64? {
        let start = box.lowerBound + offset
        guard start + (isWide ? 8 : 4) <= box.upperBound, let high = file.uint32(at: start, bigEndian: true) else {
            return nil
        }
        guard isWide else { return UInt64(high) }
        return file.uint32(at: start + 4, bigEndian: true).map { UInt64(high) << 32 | UInt64($0) }
    }

    /// The content of the first box of a type among those in `range`.
    private static func box(_ type: StaticString, in range: Range<Int>, _ file: BoundedBytes) -> Range<Int>? {
        var position = range.lowerBound
        while position + 8 <= range.upperBound, let short = file.uint32(at: position, bigEndian: true) {
            var (header, length) = (8, UInt64(short))
            if short == 1 {
                guard let long = number(at: 8, in: position..<range.upperBound, isWide: true, file) else { return nil }
                (header, length) = (16, long)
            } else if short == 0 {
                length = UInt64(range.upperBound - position)
            }
            guard length >= UInt64(header), length <= UInt64(range.upperBound - position) else { return nil }
            let end = position + Int(length)
            if file.has(type, at: position + 4) { return position + header..<end }
            position = end
        }
        return nil
    }
}
