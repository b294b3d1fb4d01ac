package dev.orloj.cli.mcp;

import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.MalformedDocumentException;
import dev.orloj.cli.http.McpChannel;
import dev.orloj.cli.http.McpChannel.Reply;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Forwards messages between a client on stdin and stdout and an MCP endpoint. It speaks the
 * revisions that begin with {@code initialize}, to which newer clients fall back. When orlojd was
 * restarted, or has no such session any more, the bridge initializes a new session by itself; the
 * client does not notice. Only messages go to stdout.
 */
public final class StdioBridge {

    /** How long to wait for an unavailable orlojd. */
    private static final Duration MAX_TIMEOUT = Duration.ofSeconds(30);

    /** A script closes stdin as soon as it has sent its requests. */
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

    private static final int FIRST_OF_REFUSALS = 400;
    private static final int METHOD_NOT_FOUND = -32601;
    private static final int INTERNAL_ERROR = -32603;

    private final McpSession session;
    private final MessageLines out;
    private final PrintStream err;
    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
    private final ExecutorService stream = Executors.newVirtualThreadPerTaskExecutor();

    public StdioBridge(McpChannel channel, PrintStream out, PrintStream err) {
        this.out = new MessageLines(out);
        this.err = err;
        this.session = new McpSession(channel, MAX_TIMEOUT, this::say);
    }

    /** Returns when the client has closed its side, and the session has ended at the endpoint. */
    public void run(InputStream in) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        boolean isUsed = false;
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    isUsed = true;
                    take(line);
                }
            }
            if (!isUsed) {
                say("stdin has no message; an MCP client starts this command and writes to it");
            }
            requests.shutdown();
            if (!requests.awaitTermination(LAST_ANSWERS.toSeconds(), TimeUnit.SECONDS)) {
                say("the client has gone before its answers came");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            requests.shutdownNow();
            stream.shutdownNow();
            session.end();
        }
    }

    private void take(String line) {
        JsonNode message;
        try {
            message = Json.MAPPER.readTree(line);
        } catch (JacksonException e) {
            String why = String.valueOf(MalformedDocumentException.of(e).getMessage());
            say("a line from the client is no JSON: " + why);
            return;
        }
        String method = message.path("method").asString("");
        switch (method) {
            // In this thread: what follows needs the session.
            case "initialize" -> exchange(message);
            case "notifications/initialized" -> {
                exchange(message);
                stream.submit(this::listen);
            }
            case "server/discover" -> fail(message, METHOD_NOT_FOUND, "begin with \"initialize\"");
            default -> requests.submit(() -> exchange(message));
        }
    }

    private void exchange(JsonNode message) {
        try (Reply reply = session.send(message)) {
            if (reply.isStream()) {
                copyEvents(reply.body());
            } else {
                String document = new String(reply.body().readAllBytes(), StandardCharsets.UTF_8);
                answer(message, reply.status(), document);
            }
        } catch (IOException e) {
            fail(message, INTERNAL_ERROR, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the client is gone
        }
    }

    private void answer(JsonNode message, int status, String document) {
        if (!message.has("id") || !message.has("method")) {
            return; // no request waits for it
        }
        if (status >= FIRST_OF_REFUSALS) {
            refuse(message, status, document);
        } else if (document.startsWith("{") || document.startsWith("[")) {
            out.write(document);
        } else {
            fail(message, INTERNAL_ERROR, "orlojd answered with HTTP " + status);
        }
    }

    /**
     * A request that is refused before it is parsed gets a response without an id; the client waits
     * for one.
     */
    private void refuse(JsonNode message, int status, String document) {
        JsonNode error = errorIn(document);
        fail(
                message,
                error.path("code").asInt(INTERNAL_ERROR),
                error.path("message").asString("orlojd answered with HTTP " + status));
    }

    private static JsonNode errorIn(String document) {
        try {
            return Json.MAPPER.readTree(document).path("error");
        } catch (JacksonException e) {
            return Json.MAPPER.missingNode(); // a proxy's, perhaps
        }
    }

    private void copyEvents(InputStream events) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8));
        StringBuilder message = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("data: ")) {
                message.append(line, "data: ".length(), line.length());
            } else if (line.isEmpty() && !message.isEmpty()) {
                out.write(message.toString()); // one line, however many the event has
                message.setLength(0);
            }
        }
    }

    /** Follows the stream of unsolicited notifications, and reopens it when it ends. */
    private void listen() {
        try {
            while (true) {
                try (Reply stream = session.listen()) {
                    copyEvents(stream.body());
                } catch (IOException e) {
                    session.awaitReturn();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the client is gone
        }
    }

    private void fail(JsonNode message, int code, String why) {
        JsonNode id = message.get("id");
        if (id == null || !message.has("method")) {
            say(why);
            return;
        }
        ObjectNode answer = Json.MAPPER.createObjectNode().put("jsonrpc", "2.0");
        answer.set("id", id);
        answer.putObject("error").put("code", code).put("message", why);
        out.write(answer.toString());
    }

    private void say(@Nullable String what) {
        err.println("orlojctl: " + what);
    }
}
