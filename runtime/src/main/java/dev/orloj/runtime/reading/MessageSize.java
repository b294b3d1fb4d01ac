package dev.orloj.runtime.reading;

/**
 * How large a message is.
 *
 * @param bytes on the wire
 * @param memory about how many bytes its JSON tree takes
 */
public record MessageSize(int bytes, long memory) {

    /** A tree of this much text is small, whatever is in it. */
    private static final int ALWAYS_SMALL = 1024;

    private static final int OBJECT = 160;
    private static final int ARRAY = 104;
    private static final int MEMBER = 80;
    private static final int ELEMENT = 64;

    /** Looks at each byte once and decodes nothing; what is no JSON has a size, too. */
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

    /** Of each message of a batch, on average. */
    public MessageSize dividedBy(int messages) {
        return messages < 2 ? this : new MessageSize(bytes, memory / messages);
    }

    /** What an answer takes until its client has it: the tree, and its text twice. */
    long memoryOfAnswer() {
        return memory == 0 ? 0 : memory + 2L * bytes;
    }
}
