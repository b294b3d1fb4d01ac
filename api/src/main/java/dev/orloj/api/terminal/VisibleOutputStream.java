package dev.orloj.api.terminal;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes UTF-8 as {@link VisibleText}, to a terminal or to a log that is read in one. Line ends and
 * tabs stay unchanged. Bytes that are not UTF-8 are escaped too. Thread-safe.
 */
public final class VisibleOutputStream extends FilterOutputStream {

    /** The start of a character, or a carriage return that may be part of a line end. */
    private final byte[] pending = new byte[4];

    private final ByteArrayOutputStream visible = new ByteArrayOutputStream();
    private int count = 0;
    private int expected = 0;

    public VisibleOutputStream(OutputStream out) {
        super(out);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) throws IOException {
        if (count == 0 && isPlain(bytes, from, length)) {
            out.write(bytes, from, length);
            return;
        }
        for (int i = from; i < from + length; i++) {
            put(bytes[i]);
        }
        writeVisible();
    }

    @Override
    public synchronized void write(int b) throws IOException {
        put((byte) b);
        writeVisible();
    }

    /** Keeps an incomplete character until the rest is written. */
    @Override
    public synchronized void flush() throws IOException {
        out.flush();
    }

    @Override
    public synchronized void close() throws IOException {
        giveUp();
        writeVisible();
        super.close();
    }

    private void writeVisible() throws IOException {
        visible.writeTo(out);
        visible.reset();
    }

    private static boolean isPlain(byte[] bytes, int from, int length) {
        for (int i = from; i < from + length; i++) {
            byte b = bytes[i];
            if (b < ' ' && b != '\n' && b != '\t' || b == 0x7f) { // negative: not ASCII
                return false;
            }
        }
        return true;
    }

    private void put(byte b) {
        if (count > 0 && pending[0] == '\r') {
            count = 0;
            if (b == '\n') {
                visible.write('\r');
            } else {
                escape('\r');
            }
        } else if (count > 0 && isContinuation(b)) {
            pending[count++] = b;
            if (count == expected) {
                complete();
            }
            return;
        }
        giveUp();
        begin(b);
    }

    private void begin(byte b) {
        int length = b >= 0 ? 1 : (b & 0xe0) == 0xc0 ? 2 : (b & 0xf0) == 0xe0 ? 3 : 4;
        if (b == '\r' || b < 0 && !isContinuation(b) && (b & 0xf8) != 0xf8) {
            pending[0] = b;
            count = 1;
            expected = length;
        } else if (b < 0 || VisibleText.isHidden(b) && b != '\n' && b != '\t') {
            escape(b & 0xff);
        } else {
            visible.write(b);
        }
    }

    private void complete() {
        String text = new String(pending, 0, count, StandardCharsets.UTF_8);
        int c = text.codePointAt(0);
        if (c == 0xfffd && (pending[0] != (byte) 0xef || pending[1] != (byte) 0xbf)) {
            giveUp(); // an overlong form or half of a surrogate pair
        } else if (VisibleText.isHidden(c)) {
            escape(c);
        } else {
            visible.write(pending, 0, count);
        }
        count = 0;
    }

    /** Escapes the bytes of an incomplete character one by one. */
    private void giveUp() {
        for (int i = 0; i < count; i++) {
            escape(pending[i] & 0xff);
        }
        count = 0;
    }

    private static boolean isContinuation(byte b) {
        return (b & 0xc0) == 0x80;
    }

    private void escape(int c) {
        visible.writeBytes(VisibleText.escape(c).getBytes(StandardCharsets.US_ASCII));
    }
}
