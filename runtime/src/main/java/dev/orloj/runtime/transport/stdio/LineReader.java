package dev.orloj.runtime.transport.stdio;

import dev.orloj.runtime.reading.Reading;

import java.io.IOException;
import java.io.InputStream;

/**
 * Splits a stream of bytes at line feeds without decoding it. Lines are views into one buffer. The
 * buffer grows with them, never beyond the limit, and shrinks again after a long line. For one
 * thread.
 */
public final class LineReader {

    private static final int BUFFER = 64 * 1024;

    /** A line exceeds the limit; the stream is no longer usable. */
    public static final class LineTooLongException extends IOException {

        private static final long serialVersionUID = 1L;

        LineTooLongException(int limit) {
            super("A line is longer than " + limit + " bytes");
        }
    }

    private final InputStream in;
    private final int limit;
    private final Reading reading;
    private byte[] buffer = new byte[BUFFER];
    private boolean charged = false;
    private int filled = 0;
    private int unread = 0;
    private int lineStart = 0;
    private int lineEnd = 0;

    /**
     * @param reading counts the memory of the buffer
     */
    public LineReader(InputStream in, int limit, Reading reading) {
        this.in = in;
        this.limit = limit;
        this.reading = reading;
    }

    /**
     * Advances to the next line; returns false at the end of the stream. Bytes after the last line
     * feed are not a line.
     *
     * @throws LineTooLongException when a line exceeds the limit
     */
    public boolean next() throws IOException {
        lineStart = unread;
        int scanned = unread;
        while (true) {
            int feed = indexOfFeed(scanned);
            if ((feed < 0 ? filled : feed) - lineStart > limit) {
                throw new LineTooLongException(limit);
            }
            if (feed >= 0) {
                lineEnd = feed;
                unread = feed + 1;
                return true;
            }
            makeRoom();
            scanned = filled;
            int count = in.read(buffer, filled, buffer.length - filled);
            if (count < 0) {
                return false;
            }
            filled += count;
        }
    }

    /** Returns the buffer that holds the current line. Valid until the next line is read. */
    public byte[] buffer() {
        return buffer;
    }

    public int offset() {
        return lineStart;
    }

    /** Returns the length of the current line without its LF or CR LF. */
    public int length() {
        boolean carriageReturn = lineEnd > lineStart && buffer[lineEnd - 1] == '\r';
        return lineEnd - lineStart - (carriageReturn ? 1 : 0);
    }

    boolean isBlank() {
        for (int i = lineStart; i < lineEnd; i++) {
            if (buffer[i] > ' ' || buffer[i] < 0) {
                return false;
            }
        }
        return true;
    }

    private int indexOfFeed(int from) {
        for (int i = from; i < filled; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    /** Moves the incomplete line to the front, and grows or shrinks the buffer to fit it. */
    private void makeRoom() throws IOException {
        int length = filled - lineStart;
        int size = buffer.length;
        if (length == size) {
            size = (int) Math.min(2L * size, Math.max(BUFFER, limit + 2L));
        } else if (length < BUFFER) {
            size = BUFFER;
        }
        if (size == buffer.length) {
            System.arraycopy(buffer, lineStart, buffer, 0, length);
        } else {
            int before = charged ? buffer.length : 0;
            boolean grows = size > before;
            if (grows) {
                reading.charge(size); // both buffers exist for a moment
            }
            byte[] other = new byte[size];
            System.arraycopy(buffer, lineStart, other, 0, length);
            buffer = other;
            reading.refund(grows ? before : before - size);
            charged = true;
        }
        lineStart = 0;
        filled = length;
    }
}
