package dev.orloj.server.mcp.resumption;

import java.util.Arrays;

/**
 * A message as it was, or would have been, sent.
 *
 * @param content an encoded message
 * @param droppable whether a client can do without it
 * @param at when, in milliseconds
 */
public record RecordedEvent(EventId id, byte[] content, boolean droppable, long at) {

    boolean isSameAs(byte[] other) {
        return Arrays.equals(content, other);
    }
}
