internal import KuvaCore

/// What Kuva reads from an EXIF block (CIPA DC-008), such as the one of JPEG's APP1 segment, PNG's `eXIf` chunk and
/// WebP's `EXIF` chunk.
///
/// The reader follows no link but the one to the first directory and looks at each entry that lies inside the block
/// once, so no block makes it loop or read past its end.
enum EXIF {
    /// The orientation (tag 0x0112) that a block says, or `.up` where it says none or none that exists.
    ///
    /// - Parameter block: a TIFF header with its directories, with or without `Exif` and two zero bytes before it.
    static func orientation(in block: UnsafeRawBufferPointer) -> Orientation {
        guard let directory = TIFFDirectory(firstIn: block),
            let value = directory.unsignedValue(ofTag: 0x0112),
            let orientation = Orientation(rawValue: value)
        else { return .up }
        return orientation
    }
}
