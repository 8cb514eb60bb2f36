import Foundation

/// Sine and cosine of an angle in degrees.
func sinAndCos(_ degrees: Double) -> (Double, Double) { (sin(degrees * .pi / 180), cos(degrees * .pi / 180)) }
