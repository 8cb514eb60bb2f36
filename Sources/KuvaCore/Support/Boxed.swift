/// A value behind a reference, so that what holds it stays small and is copied fast.
package final class Boxed<Value: Sendable>: Sendable {
    /// The value.
    package let value: Value

    /// Puts a value behind a reference.
    package init(_ value: Value) { self.value = value }
}
