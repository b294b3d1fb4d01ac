package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.DocumentReader;
import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.HttpProbe.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** H-03: keys whose hash codes collide cost no more than others. */
@Timeout(300)
class CollidingKeysTest {

    private static final int KEYS = 8_192;
    private static final int LETTERS = 13;
    private static final String APPLY = "application/apply-patch+yaml";

    private final HttpProbe http = RestServer.shared().probe();
    private final String namespace = RestServer.shared().freshNamespace();
    private final String maps = "/api/v1/namespaces/%s/configmaps".formatted(namespace);

    /** All of one hash code: "Aa" and "BB" have the same. */
    private static String colliding(int number) {
        StringBuilder key = new StringBuilder();
        for (int bit = 0; bit < LETTERS; bit++) {
            key.append((number >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return key.toString();
    }

    /** All of one hash code of the table of names of the parser, which multiplies by 33. */
    private static String collidingInTheParser(int number) {
        StringBuilder key = new StringBuilder();
        for (int bit = 0; bit < LETTERS; bit++) {
            key.append((number >> bit & 1) == 0 ? "AO" : "B.");
        }
        return key.toString();
    }

    private static String ordinary(int number) {
        return ("%0" + 2 * LETTERS + "d").formatted(number);
    }

    private static ObjectNode map(String name, IntFunction<String> keys, String value) {
        ObjectNode map = Json.MAPPER.createObjectNode();
        map.put("apiVersion", "v1").put("kind", "ConfigMap").putObject("metadata");
        map.withObject("/metadata").put("name", name);
        ObjectNode data = map.putObject("data");
        IntStream.range(0, KEYS).forEach(i -> data.put(keys.apply(i), value));
        return map;
    }

    private long nanosOfAllWrites(String name, IntFunction<String> keys) {
        String path = maps + "/" + name;
        long start = System.nanoTime();
        for (String manager : List.of("one", "two")) {
            String body = map(name, keys, "v").toString();
            Answer applied =
                    http.send(
                            "PATCH",
                            path + "?fieldManager=" + manager,
                            body,
                            "Content-Type",
                            APPLY);
            assertThat(applied.code()).isIn(200, 201);
        }
        ObjectNode changed = map(name, keys, "w");
        changed.remove("apiVersion");
        changed.remove("kind");
        assertThat(http.mergePatch(path, changed.toString()).code()).isEqualTo(200);
        long spent = System.nanoTime() - start;
        assertThat(http.delete(path).code()).isEqualTo(200);
        return spent;
    }

    @Test
    void writesOfCollidingKeysTakeAsLongAsThoseOfOthers() {
        nanosOfAllWrites("warm", CollidingKeysTest::ordinary);
        long others = Long.MAX_VALUE;
        long theirs = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            others = Math.min(others, nanosOfAllWrites("a" + i, CollidingKeysTest::ordinary));
            theirs = Math.min(theirs, nanosOfAllWrites("b" + i, CollidingKeysTest::colliding));
        }

        assertThat((double) theirs / others).isLessThan(5);
    }

    @Test
    void whatIsStoredCanBeReadWhateverItsKeysAre() {
        String body = map("parsed", CollidingKeysTest::collidingInTheParser, "v").toString();
        assertThat(http.post(maps, body).code()).isEqualTo(201);

        Answer read = http.get(maps + "/parsed");

        assertThat(read.json().path("data").size()).isEqualTo(KEYS);
        assertThat(http.get(maps).code()).isEqualTo(200);
    }

    @Test
    void itemsOfASetThatCollideTakeAsLongAsOthers() {
        long others = nanosOfFinalizers("warm", CollidingKeysTest::ordinary);
        long theirs = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            others = Math.min(others, nanosOfFinalizers("c" + i, CollidingKeysTest::ordinary));
            theirs = Math.min(theirs, nanosOfFinalizers("d" + i, CollidingKeysTest::colliding));
        }

        assertThat((double) theirs / others).isLessThan(5);
    }

    private long nanosOfFinalizers(String name, IntFunction<String> keys) {
        ObjectNode map = Json.MAPPER.createObjectNode();
        ObjectNode metadata =
                map.put("apiVersion", "v1")
                        .put("kind", "ConfigMap")
                        .putObject("metadata")
                        .put("name", name);
        var finalizers = metadata.putArray("finalizers");
        IntStream.range(0, KEYS).forEach(i -> finalizers.add("example.com/" + keys.apply(i)));
        String path = maps + "/" + name;
        long start = System.nanoTime();
        Answer applied =
                http.send(
                        "PATCH", path + "?fieldManager=one", map.toString(), "Content-Type", APPLY);
        assertThat(applied.code()).isEqualTo(201);
        assertThat(http.delete(path).code()).isEqualTo(200);
        String none = "{\"metadata\": {\"finalizers\": null}}";
        assertThat(http.mergePatch(path, none).code()).isEqualTo(200);
        return System.nanoTime() - start;
    }

    @Test
    void tooManyMembersOfAnObjectAreRefusedWithTheirNumber() {
        int count = DocumentReader.MAX_MEMBERS + 5;
        ObjectNode map = Json.MAPPER.createObjectNode();
        ObjectNode labels = map.withObject("/metadata/labels");
        IntStream.range(0, count).forEach(i -> labels.put(ordinary(i), ""));

        Answer refused = http.post(maps, map.toString());

        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.at("/message"))
                .contains("metadata.labels", String.valueOf(count))
                .contains("the limit is " + DocumentReader.MAX_MEMBERS);
    }

    @Test
    void tooManyEntriesOfAMapAreInvalid() {
        ObjectNode map = Json.MAPPER.createObjectNode();
        ObjectNode labels = map.withObject("/metadata").put("name", "a").putObject("labels");
        IntStream.range(0, 10_001).forEach(i -> labels.put(ordinary(i), ""));

        Answer refused = http.post(maps, map.toString());

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.at("/details/causes/0/field")).isEqualTo("metadata.labels");
        assertThat(refused.at("/details/causes/0/message"))
                .isEqualTo("Too many: 10001: must have at most 10000 entries");
    }

    @Test
    void manyFieldsBelowOneLongNameTakeNoMoreMemoryThanTheyHave() {
        ObjectNode map = Json.MAPPER.createObjectNode();
        map.withObject("/metadata").put("name", "long");
        ObjectNode below = map.putObject("x".repeat(40_000));
        IntStream.range(0, 20_000).forEach(i -> below.put(String.valueOf(i), ""));

        Answer created = http.post(maps, map.toString());

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.header("Warning")).contains("unknown field").hasSizeLessThan(1_000);
    }

    @Test
    void anAnswerListsAFewOfTheUnknownFields() {
        ObjectNode map = map("few", CollidingKeysTest::ordinary, "v");
        IntStream.range(0, 5_000).forEach(i -> map.put("unknown" + i, ""));

        Answer created = http.post(maps, map.toString());

        assertThat(created.code()).isEqualTo(201);
        assertThat(created.response().headers().allValues("Warning"))
                .hasSize(21)
                .last()
                .asString()
                .contains("4980 more unknown fields");
    }
}
