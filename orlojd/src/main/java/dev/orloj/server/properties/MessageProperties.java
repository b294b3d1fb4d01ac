package dev.orloj.server.properties;

import dev.orloj.api.ByteSize;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.reading.ReadBudget;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits for messages from servers.
 *
 * @param maxSize maximum size of a message
 * @param memory limit for all messages together: one half while they are read, the other until
 *     clients have received them; 0 for half of the heap
 */
@ConfigurationProperties("orloj.messages")
public record MessageProperties(
        @DefaultValue("16m") ByteSize maxSize, @DefaultValue("0") ByteSize memory) {

    private static final long SMALLEST_SIZE = 64L * 1024;
    private static final long LARGEST_SIZE = 1024L * 1024 * 1024;
    private static final long LEAST_MEMORY = 1024L * 1024;

    public MessageProperties {
        if (maxSize.bytes() < SMALLEST_SIZE || maxSize.bytes() > LARGEST_SIZE) {
            throw new IllegalArgumentException(
                    "orloj.messages.max-size is %s; give 64k to 1g".formatted(maxSize.text()));
        }
        if (memory.bytes() != 0 && memory.bytes() < LEAST_MEMORY) {
            throw new IllegalArgumentException(
                    "orloj.messages.memory is %s; give at least 1m, or 0 for half of the heap"
                            .formatted(memory.text()));
        }
    }

    public MessageLimits limits(long heap) {
        return new MessageLimits(
                Math.toIntExact(maxSize.bytes()),
                memory.bytes() == 0
                        ? ReadBudget.ofHeap(heap)
                        : new ReadBudget(memory.bytes() / 2, memory.bytes() / 2));
    }
}
