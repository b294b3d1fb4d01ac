package dev.orloj.cli.auth;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.orloj.cli.command.CommandException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Listens on this machine for the end of a login in the browser. Every page of the browser can send
 * requests here, so that it takes only the one with the state of the login, and says nothing.
 */
final class CallbackListener implements AutoCloseable {

    static final String HOST = "127.0.0.1";
    static final String PATH = "/callback";

    private static final Pattern LOOPBACK =
            Pattern.compile("(127\\.0\\.0\\.1|localhost|\\[::1])(:[0-9]{1,5})?");
    private static final String PAGE =
            """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>orlojctl</title></head>
            <body><p>%s</p></body>
            </html>
            """;
    private static final String DONE =
            "orlojctl has the answer. Go back to the terminal, which shows whether you are logged"
                    + " in. You can close this page.";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final BlockingQueue<RedirectQuery> answers = new ArrayBlockingQueue<>(1);
    private volatile @Nullable Optional<String> state;

    /** A response: its status, and the sentence on its page. */
    private record Response(int status, String sentence) {}

    private CallbackListener(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /**
     * Listens on this port.
     *
     * @throws CommandException if it cannot
     */
    static CallbackListener on(int port) {
        try {
            return new CallbackListener(bind(port));
        } catch (IOException e) {
            throw new CommandException(
                    "cannot listen on %s:%d: %s; choose another --redirect-port, or use --paste"
                            .formatted(HOST, port, e.getMessage()));
        }
    }

    /** Listens on this port, or on any free one if it is taken. */
    static CallbackListener preferring(int port) {
        try {
            return new CallbackListener(bind(port));
        } catch (IOException e) {
            return on(0);
        }
    }

    private static HttpServer bind(int port) throws IOException {
        return HttpServer.create(new InetSocketAddress(HOST, port), 0);
    }

    static String redirectUri(int port) {
        return "http://" + HOST + ":" + port + PATH;
    }

    String redirectUri() {
        return redirectUri(server.getAddress().getPort());
    }

    /**
     * Accepts the answer of a login from now on.
     *
     * @param expected its state; empty to accept the first one with any, as for an authorization
     *     request that was pushed
     */
    void expect(Optional<String> expected) {
        state = expected;
    }

    /** Waits for the answer; empty if none comes in time. */
    Optional<RedirectQuery> await(Duration timeout) {
        try {
            return Optional.ofNullable(answers.poll(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("interrupted");
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            RedirectQuery query = RedirectQuery.of(exchange.getRequestURI().getRawQuery());
            Response response = response(exchange, query);
            send(exchange, response);
            if (response.status() == 200) {
                answers.offer(query);
            }
        }
    }

    private Response response(HttpExchange exchange, RedirectQuery query) {
        List<String> hosts = exchange.getRequestHeaders().getOrDefault("Host", List.of());
        // A name that another machine made point here would let its pages read the answer.
        if (hosts.size() != 1 || !LOOPBACK.matcher(hosts.getFirst()).matches()) {
            return new Response(403, "This address is for this machine only.");
        }
        if (!PATH.equals(exchange.getRequestURI().getRawPath())) {
            return new Response(404, "There is nothing here.");
        }
        if (!exchange.getRequestMethod().equals("GET")) {
            return new Response(405, "Only GET is possible here.");
        }
        if (query.raw().length() > RedirectQuery.MAX_LENGTH) {
            return new Response(414, "The address is too long.");
        }
        return isExpected(query)
                ? new Response(200, DONE)
                : new Response(400, "This is not the login that orlojctl waits for.");
    }

    private synchronized boolean isExpected(RedirectQuery query) {
        Optional<String> expected = state;
        Optional<String> given = query.value("state");
        if (expected == null || !query.isAnswer() || !expected.or(() -> given).equals(given)) {
            return false;
        }
        state = null; // the first one counts
        return true;
    }

    private static void send(HttpExchange exchange, Response response) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", "text/html; charset=utf-8");
        headers.set("Cache-Control", "no-store");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        headers.set("Connection", "close");
        if (response.status() == 405) {
            headers.set("Allow", "GET");
        }
        byte[] page = PAGE.formatted(response.sentence()).getBytes(StandardCharsets.UTF_8);
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(response.status(), isHead ? -1 : page.length);
        if (!isHead) {
            OutputStream body = exchange.getResponseBody();
            body.write(page);
            // Sent before the command gets the answer, since it ends this server then.
            body.flush();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
