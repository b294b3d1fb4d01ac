package dev.orloj.runtime.transport;

/**
 * Counters of one connection since it was opened.
 *
 * @param noiseLines what was received where a JSON-RPC message was due, and skipped
 * @param bytesIn bytes of messages received
 * @param bytesOut bytes of messages sent
 * @param unknownAnswers answers that nobody waited for: late, doubled or made up
 */
public record TransportStats(long noiseLines, long bytesIn, long bytesOut, long unknownAnswers) {

    public static final TransportStats NONE = new TransportStats(0, 0, 0, 0);
}
