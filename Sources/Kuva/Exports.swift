@_exported public import KuvaCache
@_exported public import KuvaCodecs
@_exported public import KuvaCore
@_exported public import KuvaNetwork
@_exported public import KuvaPipeline
