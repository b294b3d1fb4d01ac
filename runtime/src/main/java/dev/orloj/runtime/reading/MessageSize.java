package dev.orloj.runtime.reading;

/**
 * The size of a message.
 *
 * @param bytes on the wire
 * @param memory estimated size of its JSON tree in bytes
 */
public record MessageSize(int bytes, long memory) {

    /** A tree of this much text is always small. */
    private static final int ALWAYS_SMALL = 1024;

    private static final int OBJECT = 160;
    private static final int ARRAY = 104;
    private static final int MEMBER = 80;
    private static final int ELEMENT = 64;

    /** Estimates the size in one pass without decoding; input that is not JSON has a size, too. */
    public static MessageSize of(byte[] buffer, int offset, int length) {
        if (length <= ALWAYS_SMALL) {
            return new MessageSize(length, 0);
        }
        long structure = 0;
        boolean isAscii = true;
        boolean inString = false;
        for (int i = offset; i < offset + length; i++) {
            byte next = buffer[i];
            if (next < 0) {
                isAscii = false;
            } else if (inString) {
                if (next == '\\') {
                    i++;
                } else if (next == '"') {
                    inString = false;
                }
            } else {
                inString = next == '"';
                structure += weight(next);
            }
        }
        return new MessageSize(length, structure + (isAscii ? length : 2L * length));
    }

    private static int weight(byte character) {
        return switch (character) {
            case '{' -> OBJECT;
            case '[' -> ARRAY;
            case ':' -> MEMBER;
            case ',' -> ELEMENT;
            default -> 0;
        };
    }

    /** Returns the average size of the messages of a batch. */
    public MessageSize dividedBy(int messages) {
        return messages < 2 ? this : new MessageSize(bytes, memory / messages);
    }

    /** Returns the memory of a response until the client has it: the tree, and twice its text. */
    long memoryOfAnswer() {
        return memory == 0 ? 0 : memory + 2L * bytes;
    }
}
