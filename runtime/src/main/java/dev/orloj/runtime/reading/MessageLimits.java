package dev.orloj.runtime.reading;

/**
 * The limits of messages that connections read.
 *
 * @param maxMessageBytes maximum size of a message
 * @param budget the budget of all connections together
 */
public record MessageLimits(int maxMessageBytes, ReadBudget budget) {

    /** The default maximum size of a message: 16 MiB. */
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

    /** Returns these limits with a maximum size of at most this. */
    public MessageLimits atMost(int bytes) {
        return bytes < maxMessageBytes ? new MessageLimits(bytes, budget) : this;
    }

    /** Returns the default maximum size, and a separate budget based on the heap of this JVM. */
    public static MessageLimits usual() {
        return new MessageLimits(
                DEFAULT_MESSAGE_BYTES, ReadBudget.ofHeap(Runtime.getRuntime().maxMemory()));
    }
}
