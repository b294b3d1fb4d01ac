package dev.orloj.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.testing.ManualClock;
import dev.orloj.cli.testing.CommandLineRun;
import dev.orloj.cli.testing.FakeOrlojd;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of all clients in {@code src/test/resources/clients}, in the shapes that their
 * documentation shows. {@code expected.txt} beside each has the manifests, the messages, and the
 * file after a move; {@code RECORD=write} writes it.
 */
@Timeout(60)
@DisplayName("issue 20, item 1: files of clients become McpServers, and come back")
class ClientFilesTest {

    private static final String EXPECTED = "expected.txt";
    private static final List<String> ALLOWED = List.of("--allow-env", "API_TOKEN,CONFIG_DIR,DB_*");

    @TempDir private Path home;
    private final ManualClock clock = new ManualClock();
    private final FakeOrlojd orlojd = new FakeOrlojd(clock);

    @AfterEach
    void stop() {
        orlojd.close();
    }

    private static Path fixtures() throws URISyntaxException {
        return Path.of(
                Objects.requireNonNull(ClientFilesTest.class.getResource("/clients")).toURI());
    }

    static List<String> clients() throws IOException, URISyntaxException {
        try (Stream<Path> all = Files.list(fixtures())) {
            return all.map(p -> p.getFileName().toString()).sorted().toList();
        }
    }

    private List<Path> copy(String client) throws IOException, URISyntaxException {
        Path from = fixtures().resolve(client);
        List<Path> copied = new ArrayList<>();
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                Path to = home.resolve(from.relativize(file).toString());
                if (!file.endsWith(EXPECTED)) {
                    Files.createDirectories(to.getParent());
                    Files.copy(file, to);
                    copied.add(to);
                }
            }
        }
        return copied;
    }

    private CommandLineRun ctl(List<String> args) {
        Map<String, String> environment = new HashMap<>();
        environment.put("HOME", home.toString());
        environment.put("ORLOJ_SERVER", orlojd.url());
        environment.put("API_TOKEN", "token-of-the-environment");
        environment.put("CONFIG_DIR", "/etc/conf");
        environment.put("DB_URL", "postgres://db/x");
        return CommandLineRun.of(clock, environment, "", args.toArray(String[]::new));
    }

    private static List<String> command(List<Path> files, String... more) {
        List<String> args = new ArrayList<>(List.of("import"));
        args.addAll(ALLOWED);
        files.stream().filter(f -> !f.endsWith(".env")).map(Path::toString).forEach(args::add);
        args.addAll(List.of(more));
        return args;
    }

    private String neutral(String text) {
        return text.replace(home.toString(), "/home/me").replace(orlojd.url(), "http://orloj");
    }

    @ParameterizedTest
    @MethodSource("clients")
    void fileIsImportedMovedAndRestored(String client) throws Exception {
        List<Path> files = copy(client);
        Map<Path, byte[]> before = new HashMap<>();
        for (Path file : files) {
            before.put(file, Files.readAllBytes(file));
        }

        CommandLineRun shown = ctl(command(files, "-o", "yaml"));
        CommandLineRun moved = ctl(command(files, "--move"));
        String after =
                files.stream()
                        .filter(f -> !f.endsWith(".env"))
                        .map(ClientFilesTest::read)
                        .collect(Collectors.joining("\n"));
        CommandLineRun again = ctl(command(files, "-o", "yaml"));
        CommandLineRun restored = ctl(List.of("client", "restore"));

        assertThat(shown.exitCode()).as(shown.err()).isZero();
        assertThat(moved.exitCode()).as(moved.err()).isZero();
        assertThat(moved.err()).contains(moved.out().contains("changed:") ? "client restore" : "");
        boolean isMoved = moved.out().contains(" changed: ");
        assertThat(again.out().isEmpty()).isEqualTo(isMoved);
        assertThat(restored.exitCode()).as(restored.err()).isZero();
        for (Path file : files) {
            assertThat(file).hasBinaryContent(before.get(file));
        }
        String actual =
                neutral(
                        shown.out()
                                + "=== messages ===\n"
                                + shown.err()
                                + "=== after the move ===\n"
                                + (isMoved ? after : ""));
        compare(client, actual);
    }

    @ParameterizedTest
    @MethodSource("clients")
    void importingAgainChangesNothing(String client) throws Exception {
        List<Path> files = copy(client);

        CommandLineRun first = ctl(command(files));
        CommandLineRun second = ctl(command(files));

        assertThat(first.out()).contains(" created\n");
        assertThat(second.out().lines()).isNotEmpty().allMatch(l -> l.endsWith(" unchanged"));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void applyReadsTheSameServers(String client) throws Exception {
        List<Path> files = copy(client);
        List<String> args = new ArrayList<>(List.of("apply"));
        args.addAll(ALLOWED);
        files.stream()
                .filter(f -> !f.endsWith(".env"))
                .forEach(f -> args.addAll(List.of("-f", f.toString())));

        CommandLineRun applied = ctl(args);
        CommandLineRun imported = ctl(command(files));

        assertThat(applied.out()).contains("created");
        assertThat(names(imported.out())).isEqualTo(names(applied.out()));
    }

    private static List<String> names(String out) {
        return out.lines().map(line -> line.split(" ")[0]).sorted().toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void compare(String client, String actual) throws Exception {
        Path expected = Path.of("src/test/resources/clients", client, EXPECTED);
        if ("write".equals(System.getenv("RECORD"))) {
            Files.writeString(expected, actual);
        }
        assertThat(actual).isEqualTo(Files.readString(expected));
    }
}
