package dev.orloj.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.server.authorization.UserInfo;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

@DisplayName("19, items 8 and 9: the audit log of very many calls costs them nothing that counts")
class CoalescedEntryTest {

    private static final String TOOL = "/apis/orloj.dev/v1/namespaces/default/tools/echo/call";

    private static AuditEntry call(int number, String uri, int code) {
        return new AuditEntry(
                new AuditEntry.Received(
                        Instant.EPOCH.plusSeconds(number),
                        0,
                        "POST",
                        uri,
                        null,
                        "127.0.0.1",
                        null,
                        null),
                UserInfo.ANONYMOUS,
                Optional.empty(),
                Optional.empty(),
                code,
                "",
                "call-" + number,
                "",
                1_000_000_000);
    }

    private static AuditEntry write(int number) {
        AuditEntry.Received request = call(number, "/api/v1/namespaces/x", 200).request();
        return new AuditEntry(
                request,
                UserInfo.ANONYMOUS,
                Optional.empty(),
                Optional.empty(),
                200,
                "",
                "",
                "",
                0);
    }

    private static List<AuditEntry> calls(int number) {
        return new ArrayList<>(
                IntStream.range(0, number).mapToObj(i -> call(i, TOOL, 200)).toList());
    }

    @Test
    void fewCallsHaveAnEventEach() {
        assertThat(CoalescedEntry.of(calls(CoalescedEntry.MAX_SEPARATE)))
                .hasSize(CoalescedEntry.MAX_SEPARATE)
                .allSatisfy(entry -> assertThat(entry.count()).isEqualTo(1));
    }

    @Test
    void manyCallsThatAreAlikeShareAnEventWithTheirNumber() {
        List<CoalescedEntry> entries = CoalescedEntry.of(calls(2000));

        assertThat(entries).hasSize(1);
        JsonNode event = Json.MAPPER.readTree(new AuditEvents("box").text(entries.getFirst()));
        assertThat(event.at("/annotations/orloj.dev~1calls").asString()).isEqualTo("2000");
        assertThat(event.at("/annotations/orloj.dev~1call-id").asString()).isEqualTo("call-0");
        assertThat(event.path("requestReceivedTimestamp").asString())
                .isEqualTo("1970-01-01T00:00:00Z");
        assertThat(event.path("stageTimestamp").asString())
                .as("the end of the last one")
                .isEqualTo("1970-01-01T00:33:20Z");
    }

    @Test
    void whatDiffersHasAnEventOfItsOwn() {
        List<AuditEntry> batch = calls(2000);
        batch.add(call(1, TOOL, 502));
        batch.add(call(2, TOOL.replace("echo", "add"), 200));
        batch.add(write(3));
        batch.add(write(4));

        assertThat(CoalescedEntry.of(batch))
                .extracting(CoalescedEntry::count)
                .containsExactly(2000, 1, 1, 1, 1);
    }
}
