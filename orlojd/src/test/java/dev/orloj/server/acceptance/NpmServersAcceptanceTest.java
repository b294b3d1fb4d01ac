package dev.orloj.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.v1.Tool;
import dev.orloj.server.testing.AcceptanceSuite;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Servers of the npm registry: applied in one go, each of them becomes Ready with exactly the tools
 * that the official client sees; through the endpoint of each, that client gets the definitions and
 * answers that the server itself gives it; deleted in one go, nothing of them is left.
 *
 * <p>Not asked is what no two runs answer alike, such as times and environments, and what orlojd
 * answers for a server on purpose: calls of unknown tools, and with arguments against the schema.
 */
@Tag(AcceptanceSuite.SERVERS)
@AcceptanceSuite(AcceptanceSuite.SERVERS)
class NpmServersAcceptanceTest {

    /** Names another list of servers; optional. */
    private static final String OTHER_LIST = "ORLOJ_ACCEPTANCE_SERVERS";

    private static final String MARKER = "ORLOJ_ACCEPTANCE_RUN";
    private static final Duration TIMEOUT = Duration.ofMinutes(8);

    private final String run = UUID.randomUUID().toString();

    @TempDir private Path folder;

    @Test
    void serversComeWithAllTheyHaveAnswerAsTheyDoAndGoWithoutTrace() throws Exception {
        Path list = list();
        Path work = Files.createDirectories(folder.resolve("work"));
        OfficialClient client = OfficialClient.install(folder.resolve("client"), list, work);
        Map<String, JsonNode> expected = client.askServers();
        expected.values().forEach(NpmServersAcceptanceTest::leaveOutTasks);
        List<NpmServer> servers = NpmServer.read(list, work);
        warnOfDifferences(servers, expected);
        FileSystemUtils.deleteRecursively(work);
        Files.createDirectory(work);
        Path manifests = folder.resolve("servers.yaml");
        Files.writeString(manifests, manifests(servers));

        try (OrlojdProcess orlojd = OrlojdProcess.start(folder.resolve("data"))) {
            orlojctl(orlojd, "apply", "-f", manifests.toString());
            for (NpmServer server : servers) {
                orlojctl(
                        orlojd,
                        "wait",
                        "mcpserver/" + server.name(),
                        "--for",
                        "condition=Ready",
                        "--timeout",
                        TIMEOUT.toSeconds() + "s");
            }

            assertThat(markedProcesses()).hasSizeGreaterThanOrEqualTo(servers.size());
            for (NpmServer server : servers) {
                assertThat(definitions(orlojd.client(), server.name()))
                        .as("tools of %s", server.name())
                        .isEqualTo(OfficialClient.tools(expected.get(server.name())));
            }
            Map<String, JsonNode> through =
                    client.askThrough(orlojd.url() + "/mcp/default/mcpservers");
            assertThat(through.keySet()).isEqualTo(expected.keySet());
            for (NpmServer server : servers) {
                assertThat(through.get(server.name()).path("answers")).isNotEmpty();
                assertThat(
                                Differences.between(
                                        expected.get(server.name()), through.get(server.name())))
                        .as("what %s offers and answers through orlojd", server.name())
                        .isEmpty();
            }

            orlojctl(orlojd, "delete", "-f", manifests.toString());
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(markedProcesses()).isEmpty());
            assertThat(tools(orlojd.client(), "")).isEmpty();
        }
    }

    private Path list() throws IOException {
        String other = System.getenv(OTHER_LIST);
        if (other != null) {
            return Path.of(other);
        }
        Path list = folder.resolve("servers.json");
        try (InputStream own = getClass().getResourceAsStream("servers.json")) {
            Files.copy(Objects.requireNonNull(own), list);
        }
        return list;
    }

    /** Tools that are called as tasks only are not offered. */
    private static void leaveOutTasks(JsonNode story) {
        if (story.path("tools") instanceof ArrayNode tools) {
            tools.removeIf(
                    tool -> tool.at("/execution/taskSupport").asString("").equals("required"));
        }
    }

    /** A list may say what was seen on another machine: where it is different here, say so. */
    private static void warnOfDifferences(List<NpmServer> servers, Map<String, JsonNode> expected) {
        for (NpmServer server : servers) {
            TreeSet<String> listed = new TreeSet<>(server.tools());
            TreeSet<String> seen =
                    new TreeSet<>(OfficialClient.tools(expected.get(server.name())).keySet());
            if (!listed.isEmpty() && !listed.equals(seen)) {
                System.out.printf(
                        "%s offers other tools here than listed, also to the official client:"
                                + " listed %s, offered %s%n",
                        server.name(), listed, seen);
            }
        }
    }

    private String manifests(List<NpmServer> servers) {
        StringBuilder text = new StringBuilder();
        for (NpmServer server : servers) {
            text.append("---\n").append(server.manifest(MARKER, run).toPrettyString()).append('\n');
        }
        return text.toString();
    }

    /** The definitions of a server's tools as its Tools keep them, by the server's names. */
    private static Map<String, JsonNode> definitions(RestClient client, String server) {
        Map<String, JsonNode> definitions = new TreeMap<>();
        for (JsonNode item : tools(client, "?labelSelector=orloj.dev/mcp-server%3D" + server)) {
            Tool tool = ResourceCodec.fromDocument(Tool.KIND, (ObjectNode) item);
            definitions.put(
                    tool.spec().mcpToolName(), OfficialClient.comparable(tool.spec().listed()));
        }
        return definitions;
    }

    private static JsonNode tools(RestClient client, String query) {
        return client.get(RestClient.collection("default", "tools") + query)
                .expect(200)
                .body()
                .path("items");
    }

    private void orlojctl(OrlojdProcess orlojd, String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
        command.add(
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")));
        command.addAll(List.of("dev.orloj.cli.Main", "--server", orlojd.url()));
        command.addAll(List.of(arguments));
        System.out.println(Command.run(folder, TIMEOUT.plusMinutes(1), command).strip());
    }

    /** Processes that were started, directly or not, for a server of this run. */
    private List<Long> markedProcesses() throws IOException {
        String marker = MARKER + "=" + run;
        List<Long> found = new ArrayList<>();
        try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                String name = entry.getFileName().toString();
                if (name.chars().allMatch(Character::isDigit)
                        && environment(entry).contains(marker)) {
                    found.add(Long.parseLong(name));
                }
            }
        }
        return found;
    }

    /** Empty for a process that ended, or belongs to another user. */
    private static String environment(Path process) {
        try {
            return new String(
                    Files.readAllBytes(process.resolve("environ")), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
