package dev.orloj.runtime.testkit;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.orloj.api.codec.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.TokenStreamFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A fake MCP server as a child process: {@link #command} starts it, as often as wanted, on the JVM
 * of the test. What it receives is kept in a file.
 *
 * <pre>{@code
 * FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved().pageSize(2));
 * new ServerAddress.Stdio(server.command(), Map.of(), Duration.ofSeconds(1));
 * }</pre>
 */
public final class FakeStdioServer {

    private final Path journal;
    private final Path script;
    private final String mark = "fake-mcp-" + UUID.randomUUID();

    private FakeStdioServer(Path folder) {
        this.journal = folder.resolve(mark + ".journal");
        this.script = folder.resolve(mark + ".json");
    }

    /**
     * @param folder an existing folder that outlives the server
     */
    public static FakeStdioServer in(Path folder, FakeScript script) {
        FakeStdioServer server = new FakeStdioServer(folder);
        server.rewrite(script);
        return server;
    }

    /** What the next process will do. */
    public void rewrite(FakeScript script) {
        try {
            Files.writeString(this.script, script.toJson());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                // Those in PID namespaces of their own have the same pid, hence the same file.
                "-XX:-UsePerfData",
                "-Xmx256m",
                "-cp",
                classPath(),
                FakeStdioServer.class.getName(),
                script.toString(),
                journal.toString());
    }

    /**
     * A text that is part of the command line of every process of this server, see {@link
     * Processes}.
     */
    public String mark() {
        return mark;
    }

    /** Every message received so far, by all processes of this server, oldest first. */
    public List<JsonNode> received() {
        try {
            return Files.exists(journal)
                    ? Files.readAllLines(journal).stream()
                            .filter(line -> !line.isBlank())
                            .map(Json.MAPPER::readTree)
                            .toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The methods of what was received, in order; answers of the client have none and are left out.
     */
    public List<String> receivedMethods() {
        return received().stream()
                .map(message -> message.path("method").stringValue(""))
                .filter(method -> !method.isEmpty())
                .toList();
    }

    /** Just what the child needs, wherever the tests of which module run from. */
    private static String classPath() {
        return Stream.of(
                        FakeStdioServer.class,
                        Json.class,
                        JsonMapper.class,
                        TokenStreamFactory.class,
                        JsonInclude.class,
                        Nullable.class)
                .map(FakeStdioServer::origin)
                .distinct()
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    private static String origin(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The child: its script and its journal are the arguments. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        new Child(FakeScript.parse(Files.readString(Path.of(arguments[0]))), Path.of(arguments[1]))
                .run();
    }

    private static final class Child implements FakeMcpServer.Outlet {

        private final FakeScript script;
        private final Path journal;
        private final PrintStream out =
                new PrintStream(
                        new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        private final FakeMcpServer server;

        Child(FakeScript script, Path journal) {
            this.script = script;
            this.journal = journal;
            this.server = new FakeMcpServer(script, this::send);
        }

        void run() throws IOException, InterruptedException {
            prepare();
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            List<Thread> handlers = new ArrayList<>();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Files.writeString(
                        journal, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                JsonNode message = Json.MAPPER.readTree(line);
                handlers.add(Thread.ofVirtual().start(() -> handle(message)));
                if (script.is("stopReading")) {
                    new CountDownLatch(1).await();
                }
            }
            if (script.is("ignoreEof")) {
                new CountDownLatch(1).await();
            }
            System.exit(0);
        }

        private void prepare() {
            if (script.is("ignoreSigterm")) {
                sun.misc.Signal.handle(new sun.misc.Signal("TERM"), signal -> {});
            }
            script.list("banner").forEach(this::sendRaw);
            script.list("stderr").forEach(System.err::println);
            if (script.is("closeStderr")) {
                System.err.close();
            }
            int code = script.number("exitAtStart", -1);
            if (code >= 0) {
                System.exit(code);
            }
        }

        private void handle(JsonNode message) {
            try {
                server.handle(message, this);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void send(JsonNode message) {
            sendRaw(message.toString());
        }

        @Override
        public void sendRaw(String text) {
            synchronized (out) {
                out.println(text);
                out.flush();
            }
        }

        @Override
        public void die(int code) {
            Runtime.getRuntime().halt(code);
        }
    }
}
