import KuvaCore
import KuvaUI
import Testing

@Suite("Value animator")
@MainActor
struct ValueAnimatorTests {
    /// A cubic Bézier curve by its definition: at the parameter t both coordinates are known.
    @Test(arguments: [
        (AnimationCurve.easeIn, 0.42, 0.0, 1.0, 1.0), (.easeOut, 0, 0, 0.58, 1), (.easeInOut, 0.42, 0, 0.58, 1),
        (.linear, 0, 0, 1, 1),
    ])
    func curvesAreThoseOfCSS(curve: AnimationCurve, x1: Double, y1: Double, x2: Double, y2: Double) {
        for step in 0...20 {
            let t = Double(step) / 20
            func at(_ a: Double, _ b: Double) -> Double {
                3 * (1 - t) * (1 - t) * t * a + 3 * (1 - t) * t * t * b + t * t * t
            }
            #expect(abs(curve.progress(at: at(x1, x2)) - at(y1, y2)) < 1e-9)
        }
        #expect(curve.progress(at: -1) == 0)
        #expect(curve.progress(at: 2) == 1)
    }

    @Test func fadesAVolumeOut() {
        var (volumes, ends) = ([Double](), [Bool]())
        var link: ManualDisplayLink?
        let animator = ValueAnimator(
            from: 1,
            to: 0,
            over: .milliseconds(40),
            curve: .linear,
            link: { onTick in
                let made = ManualDisplayLink(framesPerSecond: 100, onTick: onTick)
                link = made
                return made
            },
            onChange: { volumes.append($0) },
            completion: { ends.append($0) }
        )
        for time in stride(from: 500, through: 600, by: 10) { link?.refresh(at: .milliseconds(time)) }
        #expect(volumes.map { ($0 * 100).rounded() } == [100, 75, 50, 25, 0])
        #expect(ends == [true])
        #expect(animator.value == 0)
        #expect(link?.isInvalidated == true)
        animator.cancel()
        #expect(ends == [true])
    }

    @Test func cancelLeavesTheValue() {
        var ends = [Bool]()
        let animator = ValueAnimator(
            from: 3,
            to: 9,
            over: .seconds(1),
            link: { ManualDisplayLink(onTick: $0) },
            onChange: { _ in }
        ) {
            ends.append($0)
        }
        animator.cancel()
        #expect(animator.value == 3)
        #expect(ends == [false])
    }
}
