/// Elements in order, of which there is usually one: that one needs no memory of its own.
struct Few<Element: Sendable>: Sendable {
    /// The first; `nil` if there is none.
    private(set) var first: Element?
    private var others: [Element] = []

    /// No elements.
    init() {}

    /// One element.
    init(_ element: Element) { first = element }

    /// How many there are.
    var count: Int { first == nil ? 0 : 1 + others.count }

    /// Whether there is none.
    var isEmpty: Bool { first == nil }

    /// Adds one at the end.
    mutating func append(_ element: Element) {
        if first == nil { first = element } else { others.append(element) }
    }

    /// Takes out the first that is as wanted; `nil` if none is. O(n).
    mutating func removeFirst(where isWanted: (Element) -> Bool) -> Element? {
        guard let first else { return nil }
        if isWanted(first) { return popFirst() }
        return others.firstIndex(where: isWanted).map { others.remove(at: $0) }
    }

    /// Changes the first that is as wanted, where it lies. Returns whether there was one. O(n).
    mutating func updateFirst(where isWanted: (Element) -> Bool, _ change: (inout Element) -> Void) -> Bool {
        guard let first else { return false }
        if isWanted(first) {
            change(&self.first!)
            return true
        }
        guard let index = others.firstIndex(where: isWanted) else { return false }
        change(&others[index])
        return true
    }

    /// Takes the first out. O(n).
    mutating func popFirst() -> Element? {
        guard let element = first else { return nil }
        first = others.isEmpty ? nil : others.removeFirst()
        return element
    }

    /// The first `count` of them.
    func prefix(_ count: Int) -> Few {
        guard count < self.count else { return self }
        var prefix = Few()
        if count > 0 {
            prefix.first = first
            prefix.others = Array(others.prefix(count - 1))
        }
        return prefix
    }

    /// What a closure makes of each.
    func map<Result: Sendable>(_ transform: (Element) -> Result) -> Few<Result> {
        var results = Few<Result>()
        results.first = first.map(transform)
        if !others.isEmpty { results.others = others.map(transform) }
        return results
    }
}

extension Few: Sequence {
    struct Iterator: IteratorProtocol {
        fileprivate let few: Few
        fileprivate var position = 0

        mutating func next() -> Element? {
            defer { position += 1 }
            if position == 0 { return few.first }
            return position <= few.others.count ? few.others[position - 1] : nil
        }
    }

    func makeIterator() -> Iterator { Iterator(few: self) }
}
