package dev.orloj.runtime.http;

import dev.orloj.runtime.gateway.GatewayPath;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.network.EndpointClients;
import dev.orloj.runtime.observation.CallObservation;
import dev.orloj.runtime.reading.AnswerScope;
import dev.orloj.runtime.reading.HeldAnswer;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.reading.MessageSize;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.TransportException;

import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Sends the requests of declared tools. Connects to permitted addresses only, follows no redirect
 * to another origin, and limits the size of responses. Thread-safe; closing it ends requests in
 * progress.
 */
public final class HttpToolClient implements AutoCloseable {

    private final CloseableHttpClient client;
    private final MessageLimits limits;

    /**
     * @param endpoints the permitted addresses
     * @param limits limits of responses
     * @param gateway the id of this installation, which requests carry
     */
    public HttpToolClient(
            EndpointAddresses endpoints, MessageLimits limits, Supplier<Optional<String>> gateway) {
        this.limits = limits;
        this.client =
                EndpointClients.custom(
                                endpoints,
                                gateway,
                                SocketConfig.custom().setTcpNoDelay(true).build())
                        .disableCookieManagement()
                        .build();
    }

    /**
     * Sends one request and waits for its response. An idempotent request is repeated once when its
     * connection ends before a response begins.
     *
     * @param meta the call's {@code _meta}, whose trace context is sent too
     * @param observation records the sizes
     * @return a {@code CallToolResult}
     * @throws UnfitArgumentsException when an argument cannot be placed in the request
     * @throws TransportException when there is no response, or the response is too long
     * @throws RequestTimeoutException when the response did not arrive in time; the connection was
     *     closed
     * @throws InterruptedException when the thread was interrupted; the connection was closed
     */
    public ObjectNode call(
            HttpTool tool,
            ObjectNode arguments,
            ObjectNode meta,
            Duration timeout,
            CallObservation observation)
            throws InterruptedException, UnfitArgumentsException {
        PreparedRequest request = tool.request().fill(arguments);
        HttpToolExchange exchange = new HttpToolExchange(client, limits, withTrace(request, meta));
        HttpAnswer answer = await(exchange, tool, timeout);
        observation.exchangedElsewhere(request.bodyLength(), answer.body().length);
        hold(answer);
        return AnswerContent.of(answer, tool.request().secrets());
    }

    private static HttpAnswer await(HttpToolExchange exchange, HttpTool tool, Duration timeout)
            throws InterruptedException {
        FutureTask<HttpAnswer> work = new FutureTask<>(GatewayPath.carried(exchange::run));
        Thread.ofVirtual().name("orloj-http-tool-" + tool.tool().name()).start(work);
        try {
            return work.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            exchange.abort();
            throw new RequestTimeoutException(tool.request().toString(), timeout);
        } catch (InterruptedException e) {
            exchange.abort();
            throw e;
        } catch (ExecutionException e) {
            throw switch (e.getCause()) {
                case TransportException failure -> failure;
                case Error error -> throw error;
                case null, default ->
                        new TransportException("The request failed: " + e.getCause(), true, e);
            };
        }
    }

    /** Reserves memory for the response until the client has it. */
    private void hold(HttpAnswer answer) {
        int length = answer.body().length;
        boolean isText = !answer.mimeType().startsWith("image/");
        MessageSize size =
                isText
                        ? MessageSize.of(answer.body(), 0, length)
                        : new MessageSize(length, 2L * length);
        HeldAnswer held =
                limits.budget()
                        .hold(size)
                        .orElseThrow(
                                () ->
                                        new TransportException(
                                                "The answer of %d bytes was dropped: answers that clients have not read yet take too much memory (a half of orloj.messages.memory); call again later"
                                                        .formatted(length),
                                                true));
        AnswerScope.add(held);
    }

    private static PreparedRequest withTrace(PreparedRequest request, ObjectNode meta) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : new String[] {"traceparent", "tracestate"}) {
            String value = meta.path(name).asString("");
            if (!value.isEmpty() && value.chars().allMatch(c -> c >= ' ' && c <= '~')) {
                headers.put(name, value);
            }
        }
        headers.putAll(request.headers());
        return new PreparedRequest(request.method(), request.target(), headers, request.body());
    }

    @Override
    public void close() {
        client.close(CloseMode.IMMEDIATE);
    }
}
