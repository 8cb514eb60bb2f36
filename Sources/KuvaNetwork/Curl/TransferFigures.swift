internal import CKuvaCurl
internal import KuvaCore

extension EasyHandle {
    /// Fills in what curl knows about the transfer that has just ended.
    func describe(in metrics: inout TransferMetrics) {
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: Int(KUVA_CURL_FIGURE_COUNT.rawValue)) { figures in
            figures.initialize(repeating: 0)
            kuva_curl_easy_figures(pointer, figures.baseAddress)
            func figure(_ name: kuva_curl_figure) -> Int64 { figures[Int(name.rawValue)] }
            func span(_ from: kuva_curl_figure, _ to: kuva_curl_figure) -> Duration {
                .microseconds(max(0, figure(to) - figure(from)))
            }
            metrics.isConnectionReused = figure(KUVA_CURL_NEW_CONNECTIONS) == 0
            if !metrics.isConnectionReused {
                metrics.nameLookup = .microseconds(figure(KUVA_CURL_NAME_FOUND))
                metrics.connect = span(KUVA_CURL_NAME_FOUND, KUVA_CURL_CONNECTED)
                metrics.tls = span(KUVA_CURL_CONNECTED, KUVA_CURL_SECURED)
            }
            metrics.firstByte = span(KUVA_CURL_REQUEST_SENT, KUVA_CURL_FIRST_BYTE)
            metrics.body = span(KUVA_CURL_FIRST_BYTE, KUVA_CURL_TOTAL)
            metrics.transferredByteCount = figure(KUVA_CURL_BODY_BYTES)
            metrics.protocolName =
                switch figure(KUVA_CURL_PROTOCOL) {
                case 10: "HTTP/1.0"
                case 11: "HTTP/1.1"
                case 20: "HTTP/2"
                case 30: "HTTP/3"
                default: ""
                }
        }
    }
}
