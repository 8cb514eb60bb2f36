import FoundationEssentials
import KuvaCodecs
import KuvaCore

do throws(ImageError) {
    print(try CodecRegistry.builtIn.info(of: Data()).format)
} catch {
    print(error.code)
}
