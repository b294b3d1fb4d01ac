package dev.orloj.runtime.transport.http;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.oauth.OAuthException;
import dev.orloj.runtime.reading.MessageSize;
import dev.orloj.runtime.reading.ReadBudgetException;
import dev.orloj.runtime.transport.PendingRequests.Pending;
import dev.orloj.runtime.transport.RequestNumbers;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.http.HttpEndpoint.Exchange;

import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;

/**
 * Sends one request and reads its response: a document, or an event stream that a server may end
 * early for the client to resume later (2025-11-25, "Resumability and Redelivery"). Runs once, on
 * its own thread, and always completes the request with a response or a failure.
 */
final class RequestExchange implements Runnable, MessageReader.Inbox {

    /** The parts that all requests of one connection share. */
    record Connection(
            HttpEndpoint endpoint,
            HttpFailures failures,
            MessageReader reader,
            ScheduledExecutorService timer,
            Inbox inbox,
            UnreadableInbox unreadable,
            BiConsumer<TransportException, OAuthException> unauthorized) {}

    /** Receives messages. */
    @FunctionalInterface
    interface Inbox {

        void received(JsonRpcMessage message, MessageSize size, Pending request);
    }

    /** Receives the ids of requests whose responses cannot be read. */
    @FunctionalInterface
    interface UnreadableInbox {

        void unreadable(long id, String why);
    }

    private static final Logger log = LoggerFactory.getLogger(RequestExchange.class);
    private static final Duration RESUME_PAUSE = Duration.ofSeconds(1);
    private static final int MAX_RESUMES = 10;

    /**
     * Time for a stream to end after its response; if it ends in time, the next request reuses the
     * connection.
     */
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(1);

    private final Connection connection;
    private final Exchange first;
    private final Pending request;
    private final boolean opensSession;
    private final EventReader.Cursor cursor = new EventReader.Cursor();

    /**
     * @param first the exchange that carries the request, not started yet
     * @param opensSession whether the response may set the session id of later requests
     */
    RequestExchange(Connection connection, Exchange first, Pending request, boolean opensSession) {
        this.connection = connection;
        this.first = first;
        this.request = request;
        this.opensSession = opensSession;
    }

    @Override
    public void run() {
        try (first) {
            ClassicHttpResponse response = first.carrying(request).execute();
            if (opensSession && HttpEndpoint.isSuccess(response)) {
                useSessionOf(response);
            }
            readResumable(response);
            if (!connection.endpoint().isStateless()) {
                resume();
            }
            if (!request.answer().isDone()) {
                throw new TransportException(
                        "The stream of " + display() + " ended before the answer", true);
            }
        } catch (OAuthException e) {
            TransportException failure = connection.failures().of(e);
            fail(failure);
            connection.unauthorized().accept(failure, e);
        } catch (IOException e) {
            fail(connection.failures().of(e));
        } catch (TransportException e) {
            fail(e);
        } catch (RuntimeException | Error e) {
            // The client waits on another thread and has to receive every failure.
            fail(new TransportException("Exchange failed: " + e, true, e));
        }
    }

    private void fail(TransportException cause) {
        request.answer().completeExceptionally(cause);
    }

    private String display() {
        return connection.endpoint().display();
    }

    private void useSessionOf(ClassicHttpResponse response) {
        Header header = response.getFirstHeader(HttpEndpoint.SESSION_ID);
        if (header == null) {
            return;
        }
        if (!header.getValue().chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new TransportException(
                    "Session id of " + display() + " is not visible ASCII", true);
        }
        connection.endpoint().useSession(header.getValue());
    }

    /**
     * Reads until the stream ends or breaks; a break is not a failure if the stream can be resumed.
     */
    private void readResumable(ClassicHttpResponse response) throws IOException {
        try {
            readAnswer(first, response);
        } catch (AnswerTooLongException | ReadBudgetException e) {
            throw e;
        } catch (IOException e) {
            if (cursor.lastEventId() == null || connection.endpoint().isStateless()) {
                throw e;
            }
        }
    }

    private void resume() throws IOException {
        for (int i = 0; i < MAX_RESUMES && cursor.lastEventId() != null; i++) {
            if (request.isDoneWithin(cursor.retryOr(RESUME_PAUSE))) {
                return;
            }
            try (Exchange exchange = connection.endpoint().get(cursor.lastEventId())) {
                request.answer().whenComplete((answer, failure) -> exchange.abort());
                readAnswer(exchange, exchange.execute());
            } catch (AnswerTooLongException | ReadBudgetException e) {
                throw e;
            } catch (AddressLostException e) {
                // The response was at that address; the server received the request before.
                throw new TransportException(
                        String.valueOf(connection.failures().of(e).getMessage()), true, e);
            } catch (IOException e) {
                log.atDebug()
                        .addKeyValue("endpoint", display())
                        .addKeyValue("error", e.getMessage())
                        .log("Stream of an answer broke off again");
            } catch (TransportException e) {
                // The stream failed, but the server received the request before.
                throw new TransportException(String.valueOf(e.getMessage()), true, e);
            }
        }
    }

    private void readAnswer(Exchange exchange, ClassicHttpResponse response) throws IOException {
        HttpEntity entity = response.getEntity();
        if (!HttpEndpoint.isSuccess(response)) {
            refused(response);
        } else if (entity == null) {
            throw new TransportException(
                    "HTTP " + response.getCode() + " from " + display() + " without an answer",
                    true);
        } else if (MessageReader.isEventStream(entity)) {
            request.answer().thenRun(() -> exchange.abortAfter(DRAIN_TIMEOUT, connection.timer()));
            connection.reader().readEvents(entity.getContent(), cursor, exchange::abort, this);
        } else {
            connection.reader().readDocument(entity, exchange::abort, connection.failures(), this);
            if (!request.answer().isDone()) {
                throw new TransportException(
                        "Answer of " + display() + " belongs to another request", true);
            }
        }
    }

    private void refused(ClassicHttpResponse response) throws IOException {
        byte[] body = HttpEndpoint.read(response.getEntity(), HttpFailures.REFUSAL_BYTES);
        Optional<ErrorResponse> error =
                HttpFailures.error(body)
                        .filter(e -> RequestNumbers.sentBack(e.id()).orElse(0) == request.id());
        if (error.isPresent()) {
            received(error.get(), new MessageSize(body.length, 0));
        } else {
            throw connection.failures().refusal(response, body);
        }
    }

    @Override
    public void received(JsonRpcMessage message, MessageSize size) {
        if (message instanceof Request || message instanceof Notification) {
            request.received(size.bytes()); // a response is counted by the request it completes
        }
        connection.inbox().received(message, size, request);
    }

    @Override
    public void unreadable(long id, String why) {
        connection.unreadable().unreadable(id, why);
    }
}
