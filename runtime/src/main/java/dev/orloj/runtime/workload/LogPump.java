package dev.orloj.runtime.workload;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Copies text from a stream to a log, line by line, until the stream ends. Runs on its own platform
 * thread.
 */
public final class LogPump implements Runnable {

    /** Maximum number of bytes kept of a line; the rest is dropped. */
    public static final int MAX_LINE = 8 * 1024;

    private final InputStream source;
    private final Consumer<String> log;
    private final byte[] line = new byte[MAX_LINE];
    private int length = 0;
    private boolean cut = false;

    public LogPump(InputStream source, Consumer<String> log) {
        this.source = source;
        this.log = log;
    }

    @Override
    public void run() {
        try {
            byte[] chunk = new byte[MAX_LINE];
            for (int count = source.read(chunk); count >= 0; count = source.read(chunk)) {
                accept(chunk, count);
            }
        } catch (IOException e) {
            // The stream was closed by another thread, which counts as an ordinary end.
        }
        if (length > 0) {
            endLine();
        }
    }

    private void accept(byte[] chunk, int count) {
        for (int i = 0; i < count; i++) {
            byte b = chunk[i];
            if (b == '\n') {
                endLine();
            } else if (length < MAX_LINE) {
                line[length++] = b;
            } else {
                cut = true;
            }
        }
    }

    /**
     * Ends a line. Bytes that are not UTF-8 become replacement characters; truncation may cause one
     * at the end.
     */
    private void endLine() {
        int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
        String text = new String(line, 0, end, StandardCharsets.UTF_8);
        log.accept(cut ? text + " [cut]" : text);
        length = 0;
        cut = false;
    }
}
