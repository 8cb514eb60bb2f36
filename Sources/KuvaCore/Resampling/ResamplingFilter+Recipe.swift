internal import CKuvaPixels

extension ResamplingFilter {
    /// All that the weights depend on.
    struct Recipe: Hashable, Sendable {
        /// How weights fall with the distance from the centre.
        enum Kernel: Hashable, Sendable {
            /// Lanczos with three lobes, widened by the factor of a shrink so that each pixel of the source counts.
            case lanczos
            /// A Gaussian with this standard deviation in pixels of the source; pixels past the ends are like the last.
            case gaussian(Double)
        }

        /// The pass that the weights are for; its kernel decides how they are stored.
        enum Pass: Hashable, Sendable {
            case horizontal
            case vertical
            /// Over a plane of single bytes, where the vertical pass comes first.
            case planeVertical
            /// Over what that one made.
            case planeHorizontal

            /// The largest number that is multiplied by the weights; sums of products with it fit in 31 bits.
            var maximumValue: Int {
                switch self {
                case .horizontal, .planeVertical: 255
                case .vertical, .planeHorizontal: 255 << Int(KUVA_PIXELS_FRACTION_BITS)
                }
            }

            /// Of what each start is a multiple.
            var startMultiple: Int { self == .horizontal ? 2 : 1 }

            /// Of what the number of weights is a multiple.
            var tapMultiple: Int {
                switch self {
                case .horizontal: 4
                case .vertical, .planeVertical: 1
                case .planeHorizontal: 16
                }
            }
        }

        let kernel: Kernel
        let pass: Pass
        let sourceCount: Int
        let outputCount: Int
        /// Where the first pixel of the output begins, in pixels of the source.
        var origin = 0.0
        /// Pixels of the source that one pixel of the output stands for.
        let step: Double

        /// Lanczos from the whole source to the whole output.
        static func lanczos(_ pass: Pass, from source: Int, to output: Int) -> Recipe {
            let step = Double(source) / Double(output)
            return Recipe(kernel: .lanczos, pass: pass, sourceCount: source, outputCount: output, step: step)
        }
    }
}
