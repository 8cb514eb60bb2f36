internal import CKuvaPixels

extension MutablePixelRows {
    /// Fills everything from the source through filters that fit both.
    func resample(
        _ source: PixelRows,
        horizontal: ResamplingFilter.Recipe,
        vertical: ResamplingFilter.Recipe
    ) throws(ImageError) -> AlphaMode {
        var resampler = try Resampler(horizontal: horizontal, vertical: vertical, level: level)
        var isOpaque = true
        var written = 0
        for y in 0..<source.size.height where written < size.height {
            resampler.push(source.row(y))
            while resampler.hasRow {
                if !resampler.pop(into: row(written)) { isOpaque = false }
                written += 1
            }
        }
        return isOpaque ? .opaque : .premultiplied
    }

    /// Fills everything with a part of the source, scaled by Lanczos; the part may begin and end inside pixels, and
    /// pixels beside it count where the filter reaches them.
    func resample(_ source: PixelRows, horizontally columns: Span, vertically rows: Span) throws(ImageError)
        -> AlphaMode
    {
        let horizontal = columns.recipe(.horizontal, of: source.size.width, to: size.width)
        let vertical = rows.recipe(.vertical, of: source.size.height, to: size.height)
        let part = PixelRect(
            x: horizontal.first,
            y: vertical.first,
            width: horizontal.recipe.sourceCount,
            height: vertical.recipe.sourceCount
        )
        return try resample(source.part(part), horizontal: horizontal.recipe, vertical: vertical.recipe)
    }

    /// A part of a row or column.
    struct Span {
        let start: Double
        let length: Double

        /// The filter, and the first of the `recipe.sourceCount` pixels that it needs.
        func recipe(
            _ pass: ResamplingFilter.Recipe.Pass,
            of count: Int,
            to output: Int
        ) -> (first: Int, recipe: ResamplingFilter.Recipe) {
            let step = length / Double(output)
            let margin = 3 * max(1, step) + 1
            let first = max(0, min(count - 1, Int(start - margin)))
            let end = max(first + 1, min(count, Int(start + length + margin)))
            let recipe = ResamplingFilter.Recipe(
                kernel: .lanczos,
                pass: pass,
                sourceCount: end - first,
                outputCount: output,
                origin: start - Double(first),
                step: step
            )
            return (first, recipe)
        }
    }
}
