package dev.orloj.runtime.reading;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** A buffer for the bytes of one message that grows up to a limit. For one thread. */
public final class GrowingBuffer {

    private static final int FIRST_SIZE = 8 * 1024;

    private final Reading reading;
    private final int limit;
    private byte[] bytes = new byte[FIRST_SIZE];
    private int size = 0;

    /**
     * @param limit maximum size; more bytes are an error
     */
    public GrowingBuffer(Reading reading, int limit) {
        this.reading = reading;
        this.limit = limit;
    }

    /** Returns the array with the first {@link #size} bytes; each write may replace it. */
    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return size;
    }

    /** Appends bytes. Returns false without appending when the limit would be exceeded. */
    public boolean write(byte[] source, int offset, int length) throws ReadBudgetException {
        if (length > limit - size) {
            return false;
        }
        require(size + length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
        return true;
    }

    /** Reads the stream to its end; returns false when it exceeds the limit. */
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

    /** Empties the buffer, and releases the memory of a long message. */
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
