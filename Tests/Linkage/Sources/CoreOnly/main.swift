import FoundationEssentials
import KuvaCore

print(ImageFormat(sniffing: Data("GIF89a".utf8)))
