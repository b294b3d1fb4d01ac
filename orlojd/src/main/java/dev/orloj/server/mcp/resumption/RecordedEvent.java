package dev.orloj.server.mcp.resumption;

import java.util.Arrays;

/**
 * A message that was sent, or would have been sent.
 *
 * @param content an encoded message
 * @param droppable whether the client can do without it
 * @param at the time, in milliseconds
 */
public record RecordedEvent(EventId id, byte[] content, boolean droppable, long at) {

    boolean isSameAs(byte[] other) {
        return Arrays.equals(content, other);
    }
}
