/// Where the parts of a disk cache are.
///
///     <directory>/CACHEDIR.TAG               tells backup programs to leave it out
///     <directory>/<namespace>/ab/ab…-…       entries; see ``EntryName``
///     <directory>/<namespace>/counters       what it holds; see ``SharedCounters``
///     <directory>/<namespace>/index.db       the order of use; see ``UseQueue``
///     <directory>/<namespace>/tmp/<session>  locked as long as a process may write; see ``WriterSession``
///     <directory>/<namespace>/tmp/<session>.<number>   an entry being written
struct CacheLayout: Sendable {
    let directory: String
    let namespace: String
    private let entryPrefix: String

    init(directory: String, namespace: String) {
        self.directory = directory
        self.namespace = "\(directory)/\(namespace)"
        entryPrefix = self.namespace + "/"
    }

    var tag: String { "\(directory)/CACHEDIR.TAG" }
    var temporaries: String { "\(namespace)/tmp" }

    var counters: String { "\(namespace)/counters" }
    var index: String { "\(namespace)/index.db" }

    func shard(_ shard: Int) -> String { "\(namespace)/\(EntryName.shardName(shard))" }
    func entry(_ name: EntryName) -> String { name.path(in: entryPrefix) }
    func temporary(_ name: String) -> String { "\(namespace)/tmp/\(name)" }

    /// The signature that makes a folder a cache folder (bford.info/cachedir), and a line for people.
    static let tagText = """
        Signature: 8a477f597d28d172789f06886806bc55
        # This folder holds pictures that Kuva can fetch again.
        # For what this file means, see https://bford.info/cachedir/

        """
}
