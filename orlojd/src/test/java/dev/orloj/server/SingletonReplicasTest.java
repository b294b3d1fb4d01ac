package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A server of which there may be one process, on two replicas that both would start it. */
@Timeout(300)
class SingletonReplicasTest {

    /** The time of the Lease, and that of a new leader, on a slow machine. */
    private static final Duration TAKEOVER = Duration.ofSeconds(90);

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String SERVER = RestClient.collection("default", "mcpservers") + "/one";

    /**
     * Takes a lock for its life; a second one leaves a trace. Its pid would be that of a namespace.
     */
    private static final String PROGRAM =
            """
            import fcntl, json, os, sys
            folder = sys.argv[1]
            lock = open(folder + "/lock", "w")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                open(folder + "/overlap", "w").close()
                sys.exit(3)
            me = os.urandom(8).hex()
            def answer(id, result):
                print(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}), flush=True)
            for line in sys.stdin:
                message = json.loads(line)
                id, method = message.get("id"), message.get("method")
                if id is None:
                    continue
                if method == "initialize":
                    answer(id, {"protocolVersion": message["params"]["protocolVersion"],
                                "capabilities": {"tools": {}},
                                "serverInfo": {"name": "one", "version": "1"}})
                elif method == "tools/list":
                    answer(id, {"tools": [{"name": "who", "inputSchema": {"type": "object"}}]})
                elif method == "tools/call":
                    answer(id, {"content": [{"type": "text", "text": me}]})
                else:
                    answer(id, {})
            """;

    @TempDir private Path folder;

    private String manifest;

    @BeforeEach
    void writeServer() throws IOException {
        Path program = Files.writeString(folder.resolve("one.py"), PROGRAM);
        manifest =
                RunningOrlojd.stdio(
                        "one",
                        List.of("python3", "-S", program.toString(), folder.toString()),
                        "singleton: true");
    }

    private static RestClient.Answer call(RestClient at) {
        return at.call("default", "one--who", "{}");
    }

    private static String awaitProcess(RestClient at, Duration timeout) {
        await().atMost(timeout).until(() -> call(at).code() == 200);
        return process(at);
    }

    private static String process(RestClient at) {
        return call(at).expect(200).body().at("/content/0/text").asString();
    }

    private static boolean isRefusalForTheOwner(RestClient.Answer answer, String replica) {
        return answer.code() == 503
                && answer.body()
                        .path("message")
                        .asString()
                        .contains("its one session belongs to the replica \"" + replica + "\"");
    }

    private void assertNeverTwo() {
        assertThat(folder.resolve("overlap")).doesNotExist();
    }

    @Test
    void processOfAKilledOwnerIsFollowedByOneOfAnotherReplica() throws Exception {
        TestPostgres.Database database = TestPostgres.freshDatabase();
        try (OrlojdProcess owner =
                        OrlojdProcess.start(
                                folder.resolve("data"),
                                "--database-url",
                                RunningOrlojd.url(database.direct()),
                                "--secret-key-file",
                                RunningOrlojd.sharedKey().toString(),
                                "--advertise-url",
                                "none");
                RunningOrlojd other = RunningOrlojd.start(database, Map.of())) {
            owner.client().create("default", "mcpservers", manifest);
            String first = awaitProcess(owner.client(), TIMEOUT);

            String name = Files.readString(folder.resolve("data/replica-id")).strip();
            JsonNode refusal =
                    await().atMost(TIMEOUT)
                            .until(
                                    () -> call(other.client()),
                                    answer -> isRefusalForTheOwner(answer, name))
                            .body();
            assertThat(refusal.at("/details/causes/0/field").asString())
                    .isEqualTo("spec.singleton");
            assertThat(refusal.at("/details/retryAfterSeconds").asInt()).isPositive();
            assertThat(process(owner.client())).isEqualTo(first);

            owner.kill();

            assertThat(awaitProcess(other.client(), TAKEOVER)).isNotEqualTo(first);
            assertNeverTwo();
        }
    }

    @Test
    void processIsReplacedAndHandedOverWithoutASecondOne() {
        TestPostgres.Database database = TestPostgres.freshDatabase();
        try (RunningOrlojd owner = RunningOrlojd.start(database, Map.of());
                RunningOrlojd other = RunningOrlojd.start(database, Map.of())) {
            RestClient client = owner.client();
            client.create("default", "mcpservers", manifest);
            String first = awaitProcess(client, TIMEOUT);

            client.post(SERVER + "/restart", Map.of()).expect(200);
            await().atMost(TIMEOUT).until(() -> !process(client).equals(first));
            String second = process(client);
            client.patch(SERVER, "{\"spec\":{\"env\":[{\"name\":\"A\",\"value\":\"b\"}]}}")
                    .expect(200);
            await().atMost(TIMEOUT).until(() -> !process(client).equals(second));
            String third = process(client);
            assertNeverTwo();

            owner.close();

            assertThat(awaitProcess(other.client(), TAKEOVER)).isNotEqualTo(third);
            assertNeverTwo();
        }
    }
}
