package dev.orloj.server.testing;

import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.server.Orlojd;
import dev.orloj.server.postgres.TestPostgres;

import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.ProtocolHandler;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** A whole server in this JVM, on a database of its own unless it is given one. */
public final class RunningOrlojd implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final ConfigurableApplicationContext context;
    private final TestPostgres.Database database;
    private final RestClient client;

    private RunningOrlojd(ConfigurableApplicationContext context, TestPostgres.Database database) {
        this.context = context;
        this.database = database;
        this.client = new RestClient(Orlojd.url(context));
    }

    public static RunningOrlojd start() {
        return start(TestPostgres.freshDatabase(), Map.of());
    }

    /** Starts one more replica when the database already has one. */
    public static RunningOrlojd start(
            TestPostgres.Database database, Map<String, Object> overrides) {
        try {
            Map<String, Object> properties = new HashMap<>();
            properties.put("server.port", 0);
            properties.put("orloj.security.insecure-allow-anonymous", true);
            properties.put("orloj.data-dir", Files.createTempDirectory("orlojd-test"));
            properties.put("orloj.database.url", url(database.direct()));
            properties.put("orloj.secrets.key-file", sharedKey());
            properties.putAll(overrides);
            return new RunningOrlojd(Orlojd.start(properties), database);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With the name and the password of its user. */
    public static String url(PGSimpleDataSource database) {
        return "jdbc:postgresql://127.0.0.1:%d/%s?user=%s&password=%s"
                .formatted(
                        database.getPortNumbers()[0],
                        database.getDatabaseName(),
                        database.getUser(),
                        database.getPassword());
    }

    /** Replicas on one database read each other's Secrets. */
    public static Path sharedKey() throws IOException {
        Path key = Path.of("target", "test-secret.key").toAbsolutePath();
        if (!Files.exists(key)) {
            byte[] bytes = new byte[32];
            Files.writeString(key, java.util.Base64.getEncoder().encodeToString(bytes));
        }
        return key;
    }

    public TestPostgres.Database database() {
        return database;
    }

    public RestClient client() {
        return client;
    }

    /** A part of the server, for faults that no client can cause. */
    public <T> T part(Class<T> type) {
        return context.getBean(type);
    }

    /** All parts of a type. */
    public <T> Collection<T> parts(Class<T> type) {
        return context.getBeansOfType(type).values();
    }

    /** How many connections clients have open. */
    public long connections() {
        WebServer server = ((WebServerApplicationContext) context).getWebServer();
        ProtocolHandler protocol =
                ((TomcatWebServer) Objects.requireNonNull(server))
                        .getTomcat()
                        .getConnector()
                        .getProtocolHandler();
        return ((AbstractProtocol<?>) protocol).getConnectionCount();
    }

    /** A stdio server's manifest; {@code more} are further lines of its spec. */
    public static String stdio(String name, List<String> command, String... more) {
        String args =
                command.stream()
                        .skip(1)
                        .map(arg -> "'" + arg.replace("'", "''") + "'")
                        .collect(Collectors.joining(", "));
        return """
        apiVersion: orloj.dev/v1
        kind: McpServer
        metadata: {name: %s}
        spec:
          transport: stdio
          command: %s
          args: [%s]
          %s
        """
                .formatted(name, command.getFirst(), args, String.join("\n  ", more));
    }

    /** An http server's manifest; {@code more} are further lines of its spec. */
    public static String http(String name, Object endpoint, String... more) {
        return """
        apiVersion: orloj.dev/v1
        kind: McpServer
        metadata: {name: %s}
        spec:
          transport: http
          endpoint: %s
          %s
        """
                .formatted(name, endpoint, String.join("\n  ", more));
    }

    public void createNamespace(String name) {
        client.post(
                        "/api/v1/namespaces",
                        Map.of(
                                "apiVersion", "v1",
                                "kind", "Namespace",
                                "metadata", Map.of("name", name)))
                .expect(201);
    }

    public JsonNode server(String namespace, String name) {
        return client.get(RestClient.collection(namespace, "mcpservers") + "/" + name)
                .expect(200)
                .body();
    }

    /** Waits until a condition of a server has this status, and returns the condition. */
    public JsonNode awaitCondition(String namespace, String name, String type, String status) {
        return awaitNotNull(
                () ->
                        server(namespace, name)
                                .at("/status/conditions")
                                .valueStream()
                                .filter(c -> c.path("type").asString().equals(type))
                                .filter(c -> c.path("status").asString().equals(status))
                                .findFirst()
                                .orElse(null));
    }

    /**
     * Waits until a server is Ready, and until clients of this replica find it and its tools: the
     * store has a status before the catalog of a replica has what it says.
     */
    public void awaitReady(String namespace, String name) {
        awaitCondition(namespace, name, "Ready", "True");
        await().pollDelay(Duration.ZERO).atMost(TIMEOUT).until(() -> isInCatalog(namespace, name));
    }

    private boolean isInCatalog(String namespace, String name) {
        ToolCatalog catalog = part(ToolCatalog.class);
        ResourceKey key = new ResourceKey(namespace, name);
        return catalog.findServer(key).isPresent()
                && catalog.findIdentity(key).isPresent()
                && server(namespace, name)
                        .at("/status/generatedTools")
                        .valueStream()
                        .map(tool -> new ResourceKey(namespace, tool.asString()))
                        .allMatch(tool -> catalog.findTool(tool).isPresent());
    }

    /** Names, as their servers know them, of all Tools of a namespace. */
    public List<String> tools(String namespace) {
        return client.get(RestClient.collection(namespace, "tools"))
                .expect(200)
                .body()
                .path("items")
                .valueStream()
                .map(tool -> tool.at("/spec/mcp_tool_name").asString())
                .toList();
    }

    public void delete(String namespace, String name) {
        String path = RestClient.collection(namespace, "mcpservers") + "/" + name;
        client.delete(path).expect(200);
        await().atMost(TIMEOUT).until(() -> client.get(path).code() == 404);
    }

    private static <T> T awaitNotNull(Callable<T> supplier) {
        return await().atMost(TIMEOUT).until(supplier, Objects::nonNull);
    }

    @Override
    public void close() {
        context.close();
    }
}
