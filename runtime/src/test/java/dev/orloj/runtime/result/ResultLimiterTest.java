package dev.orloj.runtime.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.testkit.ManualScheduler;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;

class ResultLimiterTest {

    private static final ResourceKey TOOL = new ResourceKey("default", "github--echo");
    private static final Pattern ID = Pattern.compile("as result (\\S+) from");

    private final KeptResults kept = new KeptResults(new ManualScheduler());
    private final ResultLimiter limiter = new ResultLimiter(kept);

    @Test
    void withoutALimitAResultIsTheSame() {
        ObjectNode result = text("x".repeat(1_000_000));

        assertThat(limiter.limit(TOOL, "c", result, OutputLimit.NONE)).isSameAs(result);
    }

    @Test
    void resultOfJustTheLimitIsTheSame() {
        ObjectNode result = text("0123456789");

        assertThat(limiter.limit(TOOL, "c", result, bytes(10))).isSameAs(result);
        assertThat(limiter.limit(TOOL, "c", result, new OutputLimit(null, 3L))).isSameAs(result);
    }

    @Test
    void longTextIsCutWithAMarkerAndANote() {
        ObjectNode result = text("0123456789");
        String before = result.toString();

        ObjectNode shorter = limiter.limit(TOOL, "c", result, bytes(4));

        String id = shorter.at("/_meta/orloj.dev~1truncated/result").asString();
        assertThat(shorter)
                .hasToString(
                        json("""
                        {"content": [{"type": "text", "text":
                           "0123\\n[cut by orloj after 4 of 10 bytes; the rest is kept as result %s from offset 4]"}],
                         "_meta": {"orloj.dev/truncated":
                           {"bytes": 10, "limit": 4, "offset": 4, "result": "%s"}}}
                        """
                                        .formatted(id, id))
                                .toString());
        assertThat(result).hasToString(before);
        assertThat(kept.find(TOOL, id, ""))
                .hasValueSatisfying(all -> assertThat(all).isEqualTo(bytes(before)));
    }

    @Test
    void tokensAreFourBytesAndTheStricterBoundHolds() {
        ObjectNode result = text("0123456789");

        assertThat(shown(limiter.limit(TOOL, "c", result, new OutputLimit(null, 2L))))
                .isEqualTo("01234567");
        assertThat(shown(limiter.limit(TOOL, "c", result, new OutputLimit(3L, 2L))))
                .isEqualTo("012");
        assertThat(shown(limiter.limit(TOOL, "c", result, new OutputLimit(9L, 2L))))
                .isEqualTo("01234567");
    }

    @Test
    void mediaAndStructuredContentAndUnknownFieldsStay() {
        ObjectNode result =
                json(
                        """
                        {"content": [
                           {"type": "image", "data": "%1$s", "mimeType": "image/png"},
                           {"type": "text", "text": "%1$s", "annotations": {"priority": 1.0}},
                           {"type": "text", "text": "left out"},
                           {"type": "hologram", "text": "%1$s"},
                           {"type": "resource", "resource": {"uri": "a:b", "text": "%1$s"}},
                           {"type": "resource", "resource": {"uri": "a:c", "blob": "%1$s"}}],
                         "structuredContent": {"long": "%1$s"}, "isError": true,
                         "unheard": 1.50, "_meta": {"a/b": null}}
                        """
                                .formatted("x".repeat(100)));

        ObjectNode shorter = limiter.limit(TOOL, "c", result, bytes(50));

        assertThat(shorter.path("content").size()).isEqualTo(5);
        assertThat(shorter.at("/content/0")).isSameAs(result.at("/content/0"));
        assertThat(shorter.at("/content/1/annotations")).hasToString("{\"priority\":1.0}");
        assertThat(shown(shorter, 1)).isEqualTo("x".repeat(50));
        assertThat(shorter.at("/content/2")).isSameAs(result.at("/content/3"));
        assertThat(shorter.at("/content/3/resource"))
                .hasToString("{\"uri\":\"a:b\",\"text\":\"[cut]\"}");
        assertThat(shorter.at("/content/4")).isSameAs(result.at("/content/5"));
        assertThat(shorter.path("structuredContent")).isSameAs(result.path("structuredContent"));
        assertThat(shorter.path("isError").booleanValue()).isTrue();
        assertThat(shorter.path("unheard")).hasToString("1.50");
        assertThat(shorter.path("_meta").has("a/b")).isTrue();
    }

    @Test
    void resultThatIsTooLargeToKeepSaysSo() {
        KeptResults few = new KeptResults(new ManualScheduler(), 1, 10, Duration.ofHours(1));

        ObjectNode shorter = new ResultLimiter(few).limit(TOOL, "c", text("0123456789"), bytes(4));

        assertThat(shorter.at("/content/0/text").asString())
                .endsWith("bytes; it is too long to be kept as a whole]");
        assertThat(shorter.at("/_meta/orloj.dev~1truncated").has("result")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1, ''", "2, é", "4, é", "5, é€", "8, é€", "9, é€😀", "10, é€😀a"})
    void textIsCutAtACharacter(long limit, String expected) {
        assertThat(shown(limiter.limit(TOOL, "c", text("é€😀abc"), bytes(limit))))
                .isEqualTo(expected);
    }

    /** Shown and kept parts are the text again, wherever it is cut. */
    @Test
    void partsOfAnyTextAreTheWhole() {
        long seed = 7;
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            ObjectNode result = random(random);
            String whole = String.join("\n", ResultText.texts(result));
            long bytes = bytes(whole).length;
            long limit = 1 + random.nextLong(Math.max(1, bytes + 2));

            ObjectNode shorter = limiter.limit(TOOL, "c", result, bytes(limit));

            if (bytes <= limit) {
                assertThat(shorter).isSameAs(result);
                continue;
            }
            JsonNode note = shorter.at("/_meta/orloj.dev~1truncated");
            long offset = note.path("offset").longValue();
            String id = note.path("result").asString();
            assertThat(note.path("bytes").longValue()).isEqualTo(bytes);
            StringBuilder text =
                    new StringBuilder(
                            new String(bytes(whole), 0, (int) offset, StandardCharsets.UTF_8));
            assertThat(bytes(text.toString()).length).isEqualTo((int) offset);
            int page = 1 + random.nextInt(40);
            while (offset < bytes) {
                TextPage next = kept.findText(TOOL, id, "", offset, page).orElseThrow();
                assertThat(next.offset()).isEqualTo(offset);
                text.append(next.text());
                offset = next.next().orElse(bytes);
            }
            assertThat(text).as("seed %d, round %d", seed, round).hasToString(whole);
        }
    }

    private static ObjectNode random(Random random) {
        String alphabet = "ab\nÄ€😀";
        ObjectNode result = Json.MAPPER.createObjectNode();
        var content = result.putArray("content");
        for (int block = random.nextInt(5); block >= 0; block--) {
            StringBuilder text = new StringBuilder();
            int[] codePoints = alphabet.codePoints().toArray();
            for (int i = random.nextInt(30); i > 0; i--) {
                text.appendCodePoint(codePoints[random.nextInt(codePoints.length)]);
            }
            content.addObject().put("type", "text").put("text", text.toString());
        }
        return result;
    }

    private static String shown(ObjectNode result) {
        return shown(result, 0);
    }

    private static String shown(ObjectNode result, int block) {
        String text = result.path("content").get(block).path("text").asString();
        assertThat(text).containsPattern(ID);
        int marker = text.lastIndexOf("[cut by");
        return text.substring(0, Math.max(0, marker - 1));
    }

    private static ObjectNode text(String text) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result;
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text);
    }

    private static OutputLimit bytes(long most) {
        return new OutputLimit(most, null);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
