package dev.orloj.benchmarks.call;

import dev.orloj.benchmarks.suite.MeasuredProcess;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;

/** The echo on standard streams, which answers all that it has read in one write. */
public final class EchoServer {

    private static final int INITIAL_BUFFER = 64 * 1024;

    private final ByteArrayOutputStream answers = new ByteArrayOutputStream(INITIAL_BUFFER);

    EchoServer() {}

    public static void main(String[] args) throws IOException {
        new EchoServer()
                .serve(
                        new FileInputStream(FileDescriptor.in),
                        new FileOutputStream(FileDescriptor.out));
    }

    /** What starts it: a JVM that comes up fast and stays small. */
    static List<String> command() {
        return MeasuredProcess.command(
                List.of("-XX:+UseSerialGC", "-Xmx64m", "-XX:-UsePerfData"),
                EchoServer.class.getName(),
                List.of());
    }

    /** Returns at the end of the input. */
    void serve(InputStream in, OutputStream out) throws IOException {
        byte[] buffer = new byte[INITIAL_BUFFER];
        int filled = 0;
        for (int read = in.read(buffer); read >= 0; ) {
            filled += read;
            int rest = answerLines(buffer, filled);
            answers.writeTo(out);
            answers.reset();
            System.arraycopy(buffer, rest, buffer, 0, filled - rest);
            filled -= rest;
            if (filled == buffer.length) {
                buffer = Arrays.copyOf(buffer, buffer.length * 2);
            }
            read = in.read(buffer, filled, buffer.length - filled);
        }
    }

    /** Answers every complete line; returns where the incomplete one starts. */
    private int answerLines(byte[] buffer, int filled) {
        int start = 0;
        for (int i = 0; i < filled; i++) {
            if (buffer[i] == '\n') {
                int before = answers.size();
                EchoAnswers.write(new JsonSlice(buffer, start, i), answers);
                if (answers.size() > before) {
                    answers.write('\n');
                }
                start = i + 1;
            }
        }
        return start;
    }
}
