package dev.orloj.runtime.jsonrpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec.Decoded;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

class JsonRpcCodecTest {

    static Stream<JsonRpcMessage> messages() {
        JsonNode tree = Json.MAPPER.readTree("{\"n\": 1.50, \"big\": 12345678901234567890123}");
        JsonNode id = Json.MAPPER.readTree("7");
        return Stream.of(
                new Request(id, "tools/call", tree),
                new Request(Json.MAPPER.readTree("\"x\""), "ping", null),
                new Notification("notifications/initialized", null),
                new Notification("notifications/progress", tree),
                new Response(id, tree),
                new ErrorResponse(id, new JsonRpcError(-32042, "Log in", tree)),
                new ErrorResponse(null, new JsonRpcError(-32700, "Parse error", null)));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aMessageComesBackAsItWent(JsonRpcMessage message) {
        byte[] bytes = JsonRpcCodec.encode(message);

        assertThat(new String(bytes, StandardCharsets.UTF_8)).doesNotContain("\n");
        assertThat(JsonRpcCodec.decode(bytes, 0, bytes.length))
                .isEqualTo(new Decoded(List.of(message), List.of()));
    }

    @Test
    void numbersKeepTheirDigits() {
        String result =
                "{\"a\":0.1234567890123456789012345,\"b\":9007199254740993,\"c\":1.50,\"d\":-0.0}";

        Response response =
                (Response) only("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}");

        assertThat(response.result().toString())
                .startsWith("{\"a\":0.1234567890123456789012345,\"b\":9007199254740993,\"c\":1.50");
    }

    @Test
    void unknownMembersAndNullsDoNoHarm() {
        assertThat(
                        only(
                                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":null,\"result\":{},\"trace\":[1]}"))
                .isInstanceOf(Response.class);
        assertThat(only("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"note\"}"))
                .isEqualTo(new Notification("note", null));
    }

    @Test
    void aBadlyFormedErrorStillReachesWhoWaits() {
        ErrorResponse response =
                (ErrorResponse) only("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"broken\"}");

        assertThat(response.error().code()).isEqualTo(JsonRpcError.INTERNAL_ERROR);
        assertThat(response.error().message()).isEqualTo("\"broken\"");
    }

    @Test
    void aBatchKeepsItsOrderAndLosesOnlyWhatIsNoMessage() {
        Decoded decoded =
                decode(
                        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}, 7,"
                                + " {\"jsonrpc\":\"2.0\",\"method\":\"n\"}]");

        assertThat(decoded.messages()).hasSize(2);
        assertThat(decoded.messages().getLast()).isEqualTo(new Notification("n", null));
        assertThat(decoded.rejected()).containsExactly("Not a JSON-RPC message but a JSON number");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hello | Not JSON: unexpected text at column 1",
                "{\"a\": | Not JSON: it ends in the middle of a value",
                "{} {} | Not JSON: more follows after its end at column 4",
                "{\"id\": 1e1000000000000} | Not JSON: a number that cannot be read",
                "'' | JSON",
                "7 | Not a JSON-RPC message but a JSON number",
                "[] | An empty batch",
                "{\"level\":\"info\"} | without \"jsonrpc\": \"2.0\"",
                "{\"jsonrpc\":2.0,\"method\":\"m\"} | without \"jsonrpc\": \"2.0\"",
                "{\"jsonrpc\":\"2.0\"} | none of \"method\", \"result\" and \"error\"",
                "{\"jsonrpc\":\"2.0\",\"result\":1} | A result without an \"id\"",
                "{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":1} | neither string nor number but a"
                        + " object",
                "{\"jsonrpc\":\"2.0\",\"method\":[]} | no string but a array"
            })
    void whatIsNoMessageIsRefusedWithTheReason(String text, String reason) {
        assertThatThrownBy(() -> decode(text))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void nestingBeyondTheLimitIsRefused() {
        String deep = "[".repeat(Json.MAX_DEPTH + 1) + "]".repeat(Json.MAX_DEPTH + 1);

        assertThatThrownBy(() -> decode("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + deep + "}"))
                .isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void damagedMessagesAreReadOrRefusedAndNothingElse() {
        long seed = 20261120L;
        Random random = new Random(seed);
        byte[] whole =
                JsonRpcCodec.encode(
                        new ErrorResponse(
                                Json.MAPPER.readTree("17"),
                                new JsonRpcError(1, "héllo", Json.MAPPER.readTree("[1.5e3]"))));
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = whole.clone();
            for (int hits = random.nextInt(4); hits >= 0; hits--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            int length = random.nextInt(damaged.length + 1);
            try {
                assertThat(JsonRpcCodec.decode(damaged, 0, length).messages())
                        .as("seed %d, round %d", seed, i)
                        .isNotEmpty();
            } catch (MalformedMessageException e) {
                assertThat(e).hasMessageMatching("(?s)(Not |A |An ).+");
            }
        }
    }

    private static JsonRpcMessage only(String text) {
        return decode(text).messages().getFirst();
    }

    private static Decoded decode(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return JsonRpcCodec.decode(bytes, 0, bytes.length);
    }
}
