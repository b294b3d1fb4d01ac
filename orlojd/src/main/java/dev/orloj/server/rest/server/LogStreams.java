package dev.orloj.server.rest.server;

import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.server.disconnect.ClientDisconnects;
import dev.orloj.server.rest.http.OpenStreams;
import dev.orloj.server.rest.http.Responses;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Component;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Responds with logs as text, and follows them when requested. */
@Component
class LogStreams {

    private static final Duration TIMEOUT = Duration.ofHours(1);

    private final OpenStreams streams;

    private final ClientDisconnects disconnects;

    LogStreams(OpenStreams streams, ClientDisconnects disconnects) {
        this.streams = streams;
        this.disconnects = disconnects;
    }

    void send(
            LogBuffer log,
            LogParameters parameters,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        response.setContentType("text/plain;charset=UTF-8");
        response.setHeader("Cache-Control", Responses.DYNAMIC);
        Lines lines = new Lines(response.getOutputStream(), parameters);
        int tail = parameters.tailLines();
        if (parameters.follow() && !parameters.previous()) {
            follow(log.follow(tail), request, response, lines);
        } else {
            List<LogBuffer.Line> kept =
                    parameters.previous() ? last(log.previous(), tail) : log.tail(tail);
            for (LogBuffer.Line line : kept) {
                lines.write(line);
            }
        }
    }

    private static List<LogBuffer.Line> last(List<LogBuffer.Line> lines, int count) {
        return lines.subList(Math.max(0, lines.size() - count), lines.size());
    }

    /** Runs until the client is gone, or the server stops. */
    private void follow(
            LogBuffer.Follower follower,
            HttpServletRequest request,
            HttpServletResponse response,
            Lines lines)
            throws IOException {
        Runnable end = Thread.currentThread()::interrupt;
        try (OpenStreams.Registration _ = streams.register(end);
                ClientDisconnects.ConnectionWatch _ = disconnects.watch(request, end)) {
            response.flushBuffer(); // a client that has the head finds its stream in the metrics
            while (!lines.isFull()) {
                Optional<LogBuffer.Line> line = follower.next(TIMEOUT);
                if (line.isPresent()) {
                    lines.write(line.get());
                    lines.out.flush();
                }
            }
        } catch (InterruptedException e) {
            // The client is gone, or the server stops: the log ends here.
        }
    }

    /** The lines of one response, truncated by its parameters. */
    private static final class Lines {

        private final OutputStream out;
        private final LogParameters parameters;
        private int left;

        Lines(OutputStream out, LogParameters parameters) {
            this.out = out;
            this.parameters = parameters;
            this.left = parameters.limitBytes();
        }

        boolean isFull() {
            return left == 0;
        }

        void write(LogBuffer.Line line) throws IOException {
            if (line.time().isBefore(parameters.since())) {
                return;
            }
            String text = parameters.timestamps() ? line.time() + " " + line.text() : line.text();
            byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
            int count = Math.min(left, bytes.length);
            out.write(bytes, 0, count);
            left -= count;
        }
    }
}
