package dev.orloj.runtime.transport.http;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.http.HttpEndpoint.Exchange;

import org.apache.hc.core5.http.ClassicHttpResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;

/** Sends messages that have no response of their own over HTTP. Thread-safe. */
final class MessagePoster {

    private static final Logger log = LoggerFactory.getLogger(MessagePoster.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Function<JsonRpcMessage, Exchange> exchanges;
    private final HttpFailures failures;
    private final ScheduledExecutorService timer;
    private final String label;

    /**
     * @param exchanges prepares the exchange that carries a message
     */
    MessagePoster(
            Function<JsonRpcMessage, Exchange> exchanges,
            HttpFailures failures,
            ScheduledExecutorService timer,
            String label) {
        this.exchanges = exchanges;
        this.failures = failures;
        this.timer = timer;
        this.label = label;
    }

    /**
     * Waits until the server has accepted the message, at most ten seconds.
     *
     * @throws TransportException when the server has not accepted it
     */
    void send(JsonRpcMessage message) {
        Exchange exchange = exchanges.apply(message);
        endSoon(exchange);
        deliver(exchange);
    }

    /** Aborts the exchange if the server has not accepted its message within ten seconds. */
    void endSoon(Exchange exchange) {
        exchange.abortAfter(TIMEOUT, timer);
    }

    /**
     * Waits without a timeout until the server has accepted the message of the exchange.
     *
     * @throws TransportException when the server has not accepted it, or the exchange was aborted
     */
    void deliver(Exchange prepared) {
        try (Exchange exchange = prepared) {
            ClassicHttpResponse response = exchange.execute();
            if (!HttpEndpoint.isSuccess(response)) {
                throw failures.refusal(
                        response,
                        HttpEndpoint.read(response.getEntity(), HttpFailures.REFUSAL_BYTES));
            }
        } catch (IOException e) {
            throw failures.of(e);
        }
    }

    /**
     * Sends a message without waiting and ignores failures: only the server is affected by its
     * loss.
     */
    void sendInBackground(JsonRpcMessage message) {
        Thread.ofVirtual()
                .name("orloj-http-" + label)
                .start(
                        () -> {
                            try {
                                send(message);
                            } catch (TransportException e) {
                                log.atDebug()
                                        .addKeyValue("server", label)
                                        .addKeyValue("error", e.getMessage())
                                        .log("Message to the server was not accepted");
                            }
                        });
    }
}
