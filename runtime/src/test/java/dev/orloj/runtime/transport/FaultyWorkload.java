package dev.orloj.runtime.transport;

import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.Workload;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/**
 * A server in this JVM that answers each line with bytes of the test's choice, or fails to be read.
 */
final class FaultyWorkload implements Workload {

    private static final byte[] END = {};

    private final Function<String, byte[]> answers;
    private final BlockingQueue<byte[]> pieces = new LinkedBlockingQueue<>();
    private final CompletableFuture<ExitStatus> exit = new CompletableFuture<>();

    /**
     * @param answers what follows a line; an Error that it throws is thrown by the stream
     */
    FaultyWorkload(Function<String, byte[]> answers) {
        this.answers = answers;
    }

    @Override
    public OutputStream stdin() {
        return new OutputStream() {
            private final ByteArrayOutputStream line = new ByteArrayOutputStream();

            @Override
            public void write(int b) {
                if (b == '\n') {
                    pieces.add(line.toByteArray());
                    line.reset();
                } else {
                    line.write(b);
                }
            }
        };
    }

    @Override
    public InputStream stdout() {
        return new InputStream() {
            private InputStream current = InputStream.nullInputStream();

            @Override
            public int read() throws java.io.IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws java.io.IOException {
                int count = current.read(buffer, offset, length);
                while (count < 0) {
                    byte[] line = next();
                    if (line == END) {
                        return -1;
                    }
                    current = new ByteArrayInputStream(answers.apply(new String(line)));
                    count = current.read(buffer, offset, length);
                }
                return count;
            }
        };
    }

    private byte[] next() {
        try {
            return pieces.take();
        } catch (InterruptedException e) {
            return END;
        }
    }

    @Override
    public InputStream stderr() {
        return InputStream.nullInputStream();
    }

    @Override
    public Optional<Long> pid() {
        return Optional.empty();
    }

    @Override
    public CompletableFuture<ExitStatus> exit() {
        return exit;
    }

    @Override
    public void stop(Duration grace) {
        pieces.add(END);
    }
}
