package dev.orloj.runtime.transport;

/**
 * Counters of one connection since it was opened.
 *
 * @param noiseLines skipped input that was no JSON-RPC message
 * @param bytesIn bytes of messages received
 * @param bytesOut bytes of messages sent
 * @param unknownAnswers answers to no pending request: late, repeated or invented
 */
public record TransportStats(long noiseLines, long bytesIn, long bytesOut, long unknownAnswers) {

    public static final TransportStats NONE = new TransportStats(0, 0, 0, 0);
}
