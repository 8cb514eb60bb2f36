import Kuva
import KuvaUI

print(ImageManager.shared.activeFetchCount, ViewLoadOptions.self)
