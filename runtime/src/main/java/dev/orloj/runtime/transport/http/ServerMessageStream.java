package dev.orloj.runtime.transport.http;

import dev.orloj.api.Backoff;
import dev.orloj.runtime.transport.http.HttpEndpoint.Exchange;

import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reads the stream on which a server sends messages that belong to no request, opened by GET. Stops
 * if the server offers no such stream. Reopens a broken stream, and resumes it if the server
 * assigns event ids. Runs on a virtual thread until the connection is closed.
 */
final class ServerMessageStream implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(ServerMessageStream.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** Lower limit of the retry delay that the server requests. */
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

    /** Reads an event stream to its end. */
    @FunctionalInterface
    interface Reader {

        /**
         * @param abort ends the stream; callable from any thread
         */
        void read(InputStream events, EventReader.Cursor cursor, Runnable abort) throws IOException;
    }

    private enum Outcome {
        NOT_OFFERED,
        LOST,
        FAILED,
        ENDED
    }

    private final HttpEndpoint endpoint;
    private final Reader reader;
    private final CountDownLatch closed;
    private final Consumer<IOException> lost;
    private final EventReader.Cursor cursor = new EventReader.Cursor();

    /**
     * @param closed reaches zero when the connection is closed
     * @param lost called when the server with the session is gone, which ends the stream
     */
    ServerMessageStream(
            HttpEndpoint endpoint,
            Reader reader,
            CountDownLatch closed,
            Consumer<IOException> lost) {
        this.endpoint = endpoint;
        this.reader = reader;
        this.closed = closed;
        this.lost = lost;
    }

    @Override
    public void run() {
        Backoff backoff = Backoff.of(FIRST_PAUSE, LONGEST_PAUSE);
        int failures = 0;
        while (closed.getCount() > 0) {
            Outcome outcome = listen();
            if (outcome == Outcome.NOT_OFFERED || outcome == Outcome.LOST) {
                return;
            }
            if (outcome == Outcome.ENDED) {
                backoff = Backoff.of(pauseOfServer(), LONGEST_PAUSE);
                failures = 0;
            }
            if (pauses(backoff.delay(++failures))) {
                return;
            }
        }
    }

    private Duration pauseOfServer() {
        Duration wanted = cursor.retryOr(FIRST_PAUSE);
        return wanted.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : wanted;
    }

    private Outcome listen() {
        try (Exchange exchange = endpoint.get(cursor.lastEventId())) {
            ClassicHttpResponse response = exchange.execute();
            int status = response.getCode();
            HttpEntity entity = response.getEntity();
            if (status >= 500 || status == 429) {
                return Outcome.FAILED;
            }
            if (status != 200 || entity == null || !MessageReader.isEventStream(entity)) {
                return Outcome.NOT_OFFERED;
            }
            reader.read(entity.getContent(), cursor, exchange::abort);
            return Outcome.ENDED;
        } catch (AddressLostException e) {
            lost.accept(e);
            return Outcome.LOST;
        } catch (IOException e) {
            return Outcome.FAILED;
        } catch (RuntimeException | Error e) {
            // Top level of the thread: the stream is reopened after any failure.
            log.atError().setCause(e).log("Reading the stream of a server failed");
            return Outcome.FAILED;
        }
    }

    /** Waits, and returns true if the connection was closed in the meantime. */
    private boolean pauses(Duration pause) {
        try {
            return closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
