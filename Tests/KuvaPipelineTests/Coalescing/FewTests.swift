import Testing

@testable import KuvaPipeline

@Suite("Few")
struct FewTests {
    /// Everything that an array says of the same elements.
    @Test(arguments: 0..<5) func isAnArray(_ count: Int) {
        let array = Array(0..<count)
        var few = Few<Int>()
        for element in array { few.append(element) }
        #expect(Array(few) == array)
        #expect(few.count == count)
        #expect(few.isEmpty == array.isEmpty)
        #expect(few.first == array.first)
        #expect(Array(few.map { $0 * 2 }) == array.map { $0 * 2 })
        for length in 0...count + 1 { #expect(Array(few.prefix(length)) == Array(array.prefix(length))) }
        for element in 0...count {
            var (changed, expected) = (few, array)
            #expect(changed.updateFirst(where: { $0 == element }, { $0 = -1 }) == (element < count))
            if element < count { expected[element] = -1 }
            #expect(Array(changed) == expected)
            var (left, rest) = (few, array)
            #expect(left.removeFirst(where: { $0 == element }) == (element < count ? element : nil))
            rest.removeAll { $0 == element }
            #expect(Array(left) == rest)
        }
        for element in array { #expect(few.popFirst() == element) }
        #expect(few.popFirst() == nil)
    }
}
