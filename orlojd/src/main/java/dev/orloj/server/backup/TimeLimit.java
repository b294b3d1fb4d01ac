package dev.orloj.server.backup;

import dev.orloj.api.backup.BackupException;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Ends a transfer that takes too long. While a backup is read, the database keeps what is deleted,
 * and a restore keeps others from beginning, so neither may take as long as its client likes.
 */
final class TimeLimit {

    private final InstantSource clock;
    private final Duration limit;
    private final Instant end;

    /** Begins now. */
    TimeLimit(InstantSource clock, Duration limit) {
        this.clock = clock;
        this.limit = limit;
        this.end = clock.instant().plus(limit);
    }

    private void require(String what) throws BackupException {
        if (clock.instant().isAfter(end)) {
            throw new BackupException(
                    "the backup was not %s within %d minutes: use a faster connection, such as one on the machine of orlojd"
                            .formatted(what, limit.toMinutes()));
        }
    }

    InputStream of(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                require("received");
                return super.read();
            }

            @Override
            public int read(byte[] bytes, int start, int length) throws IOException {
                require("received");
                return super.read(bytes, start, length);
            }
        };
    }

    OutputStream of(OutputStream to) {
        return new FilterOutputStream(to) {
            @Override
            public void write(int b) throws IOException {
                require("read");
                out.write(b);
            }

            @Override
            public void write(byte[] bytes, int start, int length) throws IOException {
                require("read");
                out.write(bytes, start, length);
            }
        };
    }
}
