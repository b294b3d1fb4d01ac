package dev.orloj.runtime.reading;

/**
 * What connections read.
 *
 * @param maxMessageBytes the longest message that is read
 * @param budget of all connections together
 */
public record MessageLimits(int maxMessageBytes, ReadBudget budget) {

    /** The longest message unless configured: 16 MiB. */
    public static final int DEFAULT_MESSAGE_BYTES = 16 * 1024 * 1024;

    private static final int SMALLEST_MESSAGE_BYTES = 1024;
    private static final int LARGEST_MESSAGE_BYTES = 1024 * 1024 * 1024;

    public MessageLimits {
        if (maxMessageBytes < SMALLEST_MESSAGE_BYTES || maxMessageBytes > LARGEST_MESSAGE_BYTES) {
            throw new IllegalArgumentException(
                    "The longest message must have %d to %d bytes, not %d"
                            .formatted(
                                    SMALLEST_MESSAGE_BYTES,
                                    LARGEST_MESSAGE_BYTES,
                                    maxMessageBytes));
        }
    }

    /** The usual longest message, and a budget of its own that suits the heap of this JVM. */
    public static MessageLimits usual() {
        return new MessageLimits(
                DEFAULT_MESSAGE_BYTES, ReadBudget.ofHeap(Runtime.getRuntime().maxMemory()));
    }
}
