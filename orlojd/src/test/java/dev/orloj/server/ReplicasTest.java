package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.ResumingWatcher;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Three replicas on one database answer as one server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicasTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final List<RunningOrlojd> replicas = new ArrayList<>();
    private TestPostgres.Database database;
    private RestClient first;
    private RestClient second;
    private RestClient third;

    @BeforeAll
    void start() {
        database = TestPostgres.freshDatabase();
        for (int i = 0; i < 3; i++) {
            replicas.add(RunningOrlojd.start(database, Map.of()));
        }
        first = replicas.get(0).client();
        second = replicas.get(1).client();
        third = replicas.get(2).client();
    }

    @AfterAll
    void stop() {
        replicas.forEach(RunningOrlojd::close);
        database.close();
    }

    @Test
    void watchOnOneReplicaReportsWhatIsWrittenOnTheOthers() {
        String tools = collection("watched");
        long from = version(second.get(tools).body());
        try (ResumingWatcher watcher = new ResumingWatcher(second.url(), tools, from)) {
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                RestClient writer = i % 2 == 0 ? first : third;
                expected.add("ADDED t" + i + "@" + create(writer, tools, "t" + i));
            }
            expected.add("MODIFIED t3@" + describe(third, tools, "t3", "changed"));
            long deleted = deletionOf(first, tools, "t4");
            expected.add("DELETED t4@" + deleted);

            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(words(watcher)).isEqualTo(expected));
        }
    }

    @Test
    void listAtARevisionShowsOnEveryReplicaWhatThereWasThen() {
        String tools = collection("past");
        create(first, tools, "a");
        create(second, tools, "b");
        long then = create(third, tools, "c");
        describe(first, tools, "a", "later");
        second.delete(tools + "/b").expect(200);
        create(third, tools, "d");

        for (RunningOrlojd replica : replicas) {
            JsonNode list = listAt(replica.client(), tools, then).expect(200).body();

            assertThat(version(list)).isEqualTo(then);
            assertThat(names(list)).containsExactly("a", "b", "c");
            assertThat(list.at("/items/0/spec/description").asString()).isEqualTo("original");
        }
    }

    @Test
    void listAtARevisionGoesOnInPagesOfTheSameState() {
        String tools = collection("paged");
        for (int i = 0; i < 5; i++) {
            create(first, tools, "t" + i);
        }
        long then = describe(first, tools, "t0", "then");
        first.delete(tools + "/t1").expect(200);

        JsonNode page = second.get(exact(tools, then) + "&limit=2").expect(200).body();
        first.delete(tools + "/t3").expect(200);
        JsonNode rest = next(third, tools, page, 10);

        assertThat(names(page)).containsExactly("t0", "t1");
        assertThat(names(rest)).containsExactly("t2", "t3", "t4");
        assertThat(version(rest)).isEqualTo(then);
    }

    @Test
    void continueTokenOfOneReplicaIsGoodAtAnother() {
        String tools = collection("tokens");
        for (int i = 0; i < 9; i++) {
            create(first, tools, "t" + i);
        }
        JsonNode page = first.get(tools + "?limit=3").expect(200).body();
        second.delete(tools + "/t4").expect(200);
        describe(third, tools, "t5", "changed since");
        create(first, tools, "t9");

        JsonNode middle = next(second, tools, page, 3);
        JsonNode last = next(third, tools, middle, 3);

        assertThat(names(page)).containsExactly("t0", "t1", "t2");
        assertThat(names(middle)).containsExactly("t3", "t4", "t5");
        assertThat(middle.at("/items/2/spec/description").asString()).isEqualTo("original");
        assertThat(names(last)).containsExactly("t6", "t7", "t8");
        assertThat(List.of(version(middle), version(last))).containsOnly(version(page));
        assertThat(last.at("/metadata/continue").asString("")).isEmpty();
    }

    @Test
    void whatOneReplicaAcknowledgedEveryOtherShows() {
        String tools = collection("acknowledged");
        for (int i = 0; i < 30; i++) {
            RestClient writer = replicas.get(i % 3).client();
            RestClient reader = replicas.get((i + 1) % 3).client();
            long written = create(writer, tools, "t" + i);

            JsonNode list = reader.get(notOlder(tools, written)).expect(200).body();

            assertThat(version(list)).isGreaterThanOrEqualTo(written);
            assertThat(names(list)).contains("t" + i);
            assertThat(version(reader.get(tools + "/t" + i).expect(200).body())).isEqualTo(written);
        }
    }

    @Test
    void revisionOfTheFutureTimesOutOnEveryReplica() throws Exception {
        String tools = collection("future");
        long future = version(first.get(tools).body()) + 1_000_000;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<RestClient.Answer>> answers = new ArrayList<>();
            for (RunningOrlojd replica : replicas) {
                RestClient client = replica.client();
                answers.add(threads.submit(() -> listAt(client, tools, future)));
                answers.add(threads.submit(() -> client.get(notOlder(tools, future))));
            }
            for (Future<RestClient.Answer> answer : answers) {
                JsonNode status = answer.get().expect(504).body();

                assertThat(status.at("/details/causes/0/reason").asString())
                        .isEqualTo("ResourceVersionTooLarge");
            }
        }
    }

    @Test
    void ofConcurrentUpdatesOfOneVersionOneWins() throws Exception {
        String tools = collection("contended");
        create(first, tools, "t");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 10; round++) {
                JsonNode current = third.get(tools + "/t").expect(200).body();
                List<Future<Integer>> codes = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    RestClient writer = replicas.get(i % 3).client();
                    JsonNode proposed = described(current, "round %d of %d".formatted(round, i));
                    codes.add(threads.submit(() -> writer.put(tools + "/t", proposed).code()));
                }
                List<Integer> answers = new ArrayList<>();
                for (Future<Integer> code : codes) {
                    answers.add(code.get());
                }
                assertThat(answers).containsOnly(200, 409).containsOnlyOnce(200);
            }
        }
    }

    @Test
    void nameCreatedOnSeveralReplicasAtOnceExistsOnce() throws Exception {
        String tools = collection("names");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> codes =
                    IntStream.range(0, 6)
                            .mapToObj(i -> replicas.get(i % 3).client())
                            .map(
                                    client ->
                                            threads.submit(
                                                    () -> client.post(tools, tool("one")).code()))
                            .toList();
            List<Integer> answers = new ArrayList<>();
            for (Future<Integer> code : codes) {
                answers.add(code.get());
            }
            assertThat(answers).containsOnly(201, 409).containsOnlyOnce(201);
        }
    }

    /** The path of the Tools of a namespace that is made for one test. */
    private String collection(String namespace) {
        replicas.getFirst().createNamespace(namespace);
        return RestClient.collection(namespace, "tools");
    }

    private static Map<String, Object> tool(String name) {
        return Map.of(
                "apiVersion",
                "orloj.dev/v1",
                "kind",
                "Tool",
                "metadata",
                Map.of("name", name),
                "spec",
                Map.of("type", "http", "endpoint", "http://x", "description", "original"));
    }

    private static long create(RestClient client, String tools, String name) {
        return version(client.post(tools, tool(name)).expect(201).body());
    }

    private static long describe(RestClient client, String tools, String name, String text) {
        String patch = "{\"spec\":{\"description\":\"%s\"}}".formatted(text);
        return version(client.patch(tools + "/" + name, patch).expect(200).body());
    }

    private static JsonNode described(JsonNode tool, String text) {
        JsonNode copy = tool.deepCopy();
        copy.withObject("/spec").put("description", text);
        return copy;
    }

    /** Deletes, and returns the revision of that, which no answer has. */
    private static long deletionOf(RestClient client, String tools, String name) {
        client.delete(tools + "/" + name).expect(200);
        return version(client.get(tools).expect(200).body());
    }

    private static String exact(String tools, long revision) {
        return tools + "?resourceVersionMatch=Exact&resourceVersion=" + revision;
    }

    private static String notOlder(String tools, long revision) {
        return tools + "?resourceVersionMatch=NotOlderThan&resourceVersion=" + revision;
    }

    private static RestClient.Answer listAt(RestClient client, String tools, long revision) {
        return client.get(exact(tools, revision));
    }

    private static JsonNode next(RestClient client, String tools, JsonNode page, int limit) {
        String token = page.at("/metadata/continue").asString();
        return client.get(
                        "%s?limit=%d&continue=%s"
                                .formatted(
                                        tools,
                                        limit,
                                        URLEncoder.encode(token, StandardCharsets.UTF_8)))
                .expect(200)
                .body();
    }

    private static List<String> words(ResumingWatcher watcher) {
        return watcher.seen().stream()
                .map(seen -> "%s %s@%d".formatted(seen.type(), seen.name(), seen.version()))
                .toList();
    }

    private static List<String> names(JsonNode list) {
        return list.path("items")
                .valueStream()
                .map(item -> item.at("/metadata/name").asString())
                .toList();
    }

    private static long version(JsonNode document) {
        return Long.parseLong(document.at("/metadata/resourceVersion").asString());
    }
}
