@_exported public import Kuva
@_exported public import KuvaUI
