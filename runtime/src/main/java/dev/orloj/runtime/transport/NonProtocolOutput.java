package dev.orloj.runtime.transport;

import dev.orloj.runtime.workload.LogBuffer;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts lines of a server that are not protocol messages, and shows the first of them in the
 * server's log without flooding it. Thread-safe.
 */
public final class NonProtocolOutput {

    private static final int LINES_SHOWN = 10;
    private static final int BYTES_SHOWN = 400;

    private final LogBuffer log;
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong shown = new AtomicLong();

    public NonProtocolOutput(LogBuffer log) {
        this.log = log;
    }

    public long count() {
        return count.get();
    }

    /** Counts an empty line: some servers end messages with two line feeds. */
    public void blank() {
        count.incrementAndGet();
    }

    public void line(byte[] buffer, int offset, int length, String reason) {
        count.incrementAndGet();
        if (shown.incrementAndGet() <= LINES_SHOWN) {
            int kept = Math.min(length, BYTES_SHOWN);
            String text = new String(buffer, offset, kept, StandardCharsets.UTF_8);
            log.append(
                    "[stdout, skipped] "
                            + text
                            + (kept < length ? "... (" + length + " bytes)" : "")
                            + " ("
                            + reason
                            + ")");
        }
    }
}
