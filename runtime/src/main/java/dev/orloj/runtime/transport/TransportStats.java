package dev.orloj.runtime.transport;

/**
 * Counters of one connection since it was opened.
 *
 * @param noiseLines number of skipped lines that were not JSON-RPC messages
 * @param bytesIn bytes of received messages
 * @param bytesOut bytes of sent messages
 * @param unknownAnswers number of responses to no pending request: late, repeated or invented
 */
public record TransportStats(long noiseLines, long bytesIn, long bytesOut, long unknownAnswers) {

    public static final TransportStats NONE = new TransportStats(0, 0, 0, 0);
}
