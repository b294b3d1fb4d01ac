package dev.orloj.server.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.orloj.api.codec.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A container engine with as much of the API of Docker as orlojd uses for containers without a
 * network. Its images are names that stand for ids, and its containers are MCP servers in this JVM
 * with the tool {@code send}, which answers with the id of the image. Thread-safe.
 */
public final class ScriptedEngine implements AutoCloseable {

    private static final int STDOUT = 1;

    /** One request; the body is missing if it has none. */
    private record Request(String method, String path, JsonNode body) {

        /** The part of the path between a prefix and a suffix. */
        String between(String prefix, String suffix) {
            return path.substring(prefix.length(), path.length() - suffix.length());
        }
    }

    /** A container that was created. Its program ends with its connection. */
    private static final class Container {

        private final String image;
        private final JsonNode recipe;
        private volatile @Nullable Socket attached;

        Container(String image, JsonNode recipe) {
            this.image = image;
            this.recipe = recipe;
        }
    }

    private final ServerSocket server;
    private final Map<String, String> images = new ConcurrentHashMap<>();
    private final Map<String, Container> containers = new ConcurrentHashMap<>();
    private final List<OutputStream> listeners = new CopyOnWriteArrayList<>();
    private final List<String> called = new CopyOnWriteArrayList<>();

    public ScriptedEngine() {
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("scripted-engine").start(this::accept);
    }

    /** As {@code --container-host} takes it. */
    public String host() {
        return "tcp://127.0.0.1:" + server.getLocalPort();
    }

    /** From now on a name stands for this image. Containers of before stay as they are. */
    public void tag(String name, String id) {
        images.put(name, id);
    }

    /** Ends the programs of all containers, as a crash does. */
    public void endPrograms() {
        containers.values().forEach(container -> closeQuietly(container.attached));
    }

    /** The ids of the images whose containers got a call, in the order of the calls. */
    public List<String> called() {
        return List.copyOf(called);
    }

    @Override
    public void close() throws IOException {
        server.close();
        endPrograms();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                answer(request(line, in), client, in);
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }

    private void answer(Request request, Socket client, InputStream in) throws IOException {
        OutputStream out = client.getOutputStream();
        String path = request.path();
        if (path.equals("/events")) {
            report(in, out);
        } else if (path.endsWith("/attach")) {
            attach(request.between("/containers/", "/attach"), client, in);
        } else if (request.method().equals("GET")) {
            JsonNode found = find(request);
            send(out, found.isMissingNode() ? 404 : 200, found);
        } else if (path.equals("/containers/create")) {
            String id = UUID.randomUUID().toString().replace("-", "");
            String image = request.body().path("Image").asString();
            containers.put(id, new Container(image, request.body()));
            send(out, 201, Json.MAPPER.createObjectNode().put("Id", id));
        } else {
            if (request.method().equals("DELETE") || path.endsWith("/kill")) {
                String id = path.split("/")[2];
                Container container = containers.get(id);
                closeQuietly(container == null ? null : container.attached);
            }
            send(out, 204, Json.MAPPER.missingNode());
        }
    }

    private JsonNode find(Request request) {
        String path = request.path();
        if (path.startsWith("/images/")) {
            String id = images.get(request.between("/images/", "/json"));
            return id == null
                    ? Json.MAPPER.missingNode()
                    : Json.MAPPER.createObjectNode().put("Id", id);
        }
        if (path.equals("/containers/json") || path.equals("/networks")) {
            return Json.MAPPER.createArrayNode();
        }
        if (path.startsWith("/containers/")) {
            Container container = containers.get(request.between("/containers/", "/json"));
            return container == null ? Json.MAPPER.missingNode() : inspection(container);
        }
        return Json.MAPPER.createObjectNode(); // about the engine itself
    }

    /** A container is closed in as it was asked for. */
    private static ObjectNode inspection(Container container) {
        ObjectNode found = Json.MAPPER.createObjectNode();
        found.putObject("State").put("Running", true);
        found.putObject("Config").set("User", container.recipe.path("User"));
        found.set("HostConfig", container.recipe.path("HostConfig"));
        return found;
    }

    /** Runs the program of a container until its connection ends, and then removes it. */
    private void attach(String id, Socket client, InputStream in) throws IOException {
        Container container = containers.get(id);
        if (container == null) {
            send(client.getOutputStream(), 404, Json.MAPPER.missingNode());
            return;
        }
        container.attached = client;
        OutputStream out = client.getOutputStream();
        write(out, "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n");
        try {
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                JsonNode message = Json.MAPPER.readTree(line);
                if (message.has("id")) {
                    byte[] answer = (answer(container.image, message) + "\n").getBytes(UTF_8);
                    out.write(
                            ByteBuffer.allocate(8)
                                    .put((byte) STDOUT)
                                    .putInt(4, answer.length)
                                    .array());
                    out.write(answer);
                    out.flush();
                }
            }
        } finally {
            containers.remove(id);
            happened(id, "die");
            happened(id, "destroy");
        }
    }

    private ObjectNode answer(String image, JsonNode message) {
        ObjectNode answer = Json.MAPPER.createObjectNode().put("jsonrpc", "2.0");
        answer.set("id", message.path("id"));
        ObjectNode result = answer.putObject("result");
        switch (message.path("method").asString()) {
            case "initialize" -> {
                result.set("protocolVersion", message.at("/params/protocolVersion"));
                result.putObject("capabilities").putObject("tools");
                result.putObject("serverInfo").put("name", "mail").put("version", "1");
            }
            case "tools/list" ->
                    result.putArray("tools")
                            .addObject()
                            .put("name", "send")
                            .putObject("inputSchema")
                            .put("type", "object");
            case "tools/call" -> {
                called.add(image);
                result.putArray("content").addObject().put("type", "text").put("text", image);
            }
            default -> {} // an empty result
        }
        return answer;
    }

    /** Reports events until the client closes its connection. */
    private void report(InputStream in, OutputStream out) throws IOException {
        synchronized (out) { // who reads the head misses no event, and gets none before it
            listeners.add(out);
            write(
                    out,
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n");
        }
        try {
            while (in.read() >= 0) {
                // A client sends nothing more.
            }
        } finally {
            listeners.remove(out);
        }
    }

    private void happened(String container, String action) {
        ObjectNode event =
                Json.MAPPER.createObjectNode().put("Type", "container").put("Action", action);
        event.putObject("Actor").put("ID", container).putObject("Attributes").put("exitCode", "1");
        String chunk = event + "\n";
        for (OutputStream listener : listeners) {
            try {
                synchronized (listener) {
                    write(listener, "%x\r\n%s\r\n".formatted(chunk.length(), chunk));
                }
            } catch (IOException e) {
                listeners.remove(listener);
            }
        }
    }

    private static void send(OutputStream out, int code, JsonNode body) throws IOException {
        String text = body.isMissingNode() ? "{\"message\": \"none\"}" : body.toString();
        byte[] bytes = code == 204 ? new byte[0] : text.getBytes(UTF_8);
        String length = code == 204 ? "" : "Content-Length: " + bytes.length + "\r\n";
        write(
                out,
                "HTTP/1.1 %d .\r\nContent-Type: application/json\r\n%s\r\n"
                        .formatted(code, length));
        out.write(bytes);
        out.flush();
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(UTF_8));
        out.flush();
    }

    /** Reads the rest of a request, whose path is without the version of the API. */
    private static Request request(String first, InputStream in) throws IOException {
        String[] words = first.split(" ");
        int length = 0;
        boolean isChunked = false;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring(15).strip());
            }
            isChunked |= lower.startsWith("transfer-encoding: chunked");
        }
        byte[] body = isChunked ? chunks(in) : in.readNBytes(length);
        return new Request(
                words[0],
                URLDecoder.decode(words[1].replaceFirst("\\?.*", ""), UTF_8)
                        .replaceFirst("^/v[0-9.]+/", "/"),
                body.length == 0 ? Json.MAPPER.missingNode() : Json.MAPPER.readTree(body));
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(in), 16); size > 0; ) {
            body.write(in.readNBytes(size));
            line(in);
            size = Integer.parseInt(line(in), 16);
        }
        line(in);
        return body.toByteArray();
    }

    /** Returns the next line without its end; empty at the end, too. */
    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            line.write(b);
        }
        return line.toString(UTF_8).stripTrailing();
    }

    private static void closeQuietly(@Nullable Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            // It was closed already.
        }
    }
}
