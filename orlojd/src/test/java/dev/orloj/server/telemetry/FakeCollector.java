package dev.orloj.server.telemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes what is sent over OTLP/HTTP, and keeps it. */
public final class FakeCollector implements AutoCloseable {

    /**
     * A span, as far as tests ask.
     *
     * @param kind 2 for SERVER, 3 for CLIENT
     * @param status 2 for an error
     */
    public record Span(
            String traceId,
            String spanId,
            String parentId,
            String name,
            long kind,
            Map<String, String> attributes,
            long status) {}

    /** One series of a histogram. */
    public record Series(
            String name,
            long count,
            double sum,
            List<Double> bounds,
            Map<String, String> attributes) {}

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final List<Series> series = new CopyOnWriteArrayList<>();

    public FakeCollector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::takeTraces);
        server.createContext("/v1/metrics", this::takeMetrics);
        server.start();
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    public List<Span> spans() {
        return List.copyOf(spans);
    }

    public List<Series> series() {
        return List.copyOf(series);
    }

    private void takeTraces(HttpExchange exchange) throws IOException {
        read(exchange)
                .messages(1)
                .flatMap(resource -> resource.messages(2))
                .flatMap(scope -> scope.messages(2))
                .forEach(
                        span ->
                                spans.add(
                                        new Span(
                                                span.hex(1),
                                                span.hex(2),
                                                span.hex(4),
                                                span.text(5),
                                                span.number(6),
                                                attributes(span, 9),
                                                span.messages(15)
                                                        .mapToLong(status -> status.number(3))
                                                        .sum())));
        answer(exchange);
    }

    private void takeMetrics(HttpExchange exchange) throws IOException {
        read(exchange)
                .messages(1)
                .flatMap(resource -> resource.messages(2))
                .flatMap(scope -> scope.messages(2))
                .forEach(
                        metric ->
                                metric.messages(9)
                                        .flatMap(histogram -> histogram.messages(1))
                                        .forEach(point -> series.add(series(metric, point))));
        answer(exchange);
    }

    private static Series series(ProtobufFields metric, ProtobufFields point) {
        return new Series(
                metric.text(1),
                point.number(4),
                Double.longBitsToDouble(point.number(5)),
                point.doubles(7),
                attributes(point, 9));
    }

    private static Map<String, String> attributes(ProtobufFields owner, int field) {
        Map<String, String> attributes = new TreeMap<>();
        owner.messages(field)
                .forEach(
                        attribute ->
                                attribute
                                        .messages(2)
                                        .forEach(
                                                value ->
                                                        attributes.put(
                                                                attribute.text(1), text(value))));
        return attributes;
    }

    private static String text(ProtobufFields value) {
        String text = value.text(1);
        return text.isEmpty() ? Long.toString(value.number(3)) : text;
    }

    private static ProtobufFields read(HttpExchange exchange) throws IOException {
        return new ProtobufFields(exchange.getRequestBody().readAllBytes());
    }

    private static void answer(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
