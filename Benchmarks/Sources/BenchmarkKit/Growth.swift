internal import Foundation

/// How a cost grows with the size of what it is for: `cost ≈ c · sizeᵉ`, fitted by least squares to the logarithms.
package struct Growth {
    /// 1 where twice as much costs twice as much, 0 where it costs the same.
    package let exponent: Double

    /// - Returns: `nil` for fewer than two sizes, or where one is not above 0.
    package init?(_ points: [(size: Double, cost: Double)]) {
        guard points.allSatisfy({ $0.size > 0 && $0.cost > 0 }) else { return nil }
        let (sizes, costs) = (points.map { log($0.size) }, points.map { log($0.cost) })
        let count = Double(points.count)
        let (meanSize, meanCost) = (sizes.reduce(0, +) / count, costs.reduce(0, +) / count)
        let width: Double = sizes.reduce(0) { $0 + ($1 - meanSize) * ($1 - meanSize) }
        guard width > 0 else { return nil }
        let slant: Double = zip(sizes, costs).reduce(0) { $0 + ($1.0 - meanSize) * ($1.1 - meanCost) }
        exponent = slant / width
    }
}
