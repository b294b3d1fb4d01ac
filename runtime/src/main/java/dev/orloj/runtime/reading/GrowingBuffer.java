package dev.orloj.runtime.reading;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Bytes of one message, as many as come, up to a limit beyond which the buffer never grows. For one
 * thread.
 */
public final class GrowingBuffer {

    private static final int FIRST_SIZE = 8 * 1024;

    private final Reading reading;
    private final int limit;
    private byte[] bytes = new byte[FIRST_SIZE];
    private int size = 0;

    /**
     * @param limit more is an error
     */
    public GrowingBuffer(Reading reading, int limit) {
        this.reading = reading;
        this.limit = limit;
    }

    /** Holds the first {@link #size} bytes; the array is another one after each write. */
    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return size;
    }

    /** False, and nothing is taken, when the limit would be exceeded. */
    public boolean write(byte[] source, int offset, int length) throws ReadBudgetException {
        if (length > limit - size) {
            return false;
        }
        require(size + length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
        return true;
    }

    /** Takes all that comes; false when that is more than the limit. */
    public boolean readAll(InputStream in) throws IOException {
        while (true) {
            if (size == bytes.length) {
                if (size >= limit) {
                    return in.read() < 0;
                }
                require(size + 1);
            }
            int count = in.read(bytes, size, Math.min(bytes.length, limit) - size);
            if (count < 0) {
                return true;
            }
            size += count;
            if (size == limit) {
                return in.read() < 0;
            }
        }
    }

    /** Begins anew, and gives up the memory of something long. */
    public void clear() {
        size = 0;
        if (bytes.length > FIRST_SIZE) {
            int given = bytes.length;
            bytes = new byte[FIRST_SIZE];
            reading.refund(given);
        }
    }

    private void require(int wanted) throws ReadBudgetException {
        if (wanted > bytes.length) {
            int next = Math.max(wanted, (int) Math.min(2L * bytes.length, limit));
            int given = bytes.length > FIRST_SIZE ? bytes.length : 0;
            reading.charge(next);
            bytes = Arrays.copyOf(bytes, next);
            reading.refund(given);
        }
    }
}
