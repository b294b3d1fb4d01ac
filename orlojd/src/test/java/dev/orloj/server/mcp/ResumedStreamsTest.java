package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransport;
import dev.orloj.runtime.testkit.FakeTransports;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/** Clients that lose a connection and come back with {@code Last-Event-ID}. */
@Timeout(60)
@DisplayName("H-24")
class ResumedStreamsTest {

    private final McpRig rig = new McpRig();

    /** The progress that the server is to make; 0 ends the call. */
    private final BlockingQueue<Integer> steps = new LinkedBlockingQueue<>();

    private final CountDownLatch ended = new CountDownLatch(1);

    @AfterEach
    void stop() {
        rig.close();
    }

    private void serverReportsItsProgress() {
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            JsonNode token = params.at("/_meta/progressToken");
                            for (int step = steps.take(); step > 0; step = steps.take()) {
                                progress(connection, token, step);
                            }
                            ended.countDown();
                            return FakeTransports.json("{\"content\": [], \"done\": true}");
                        });
    }

    private static void progress(FakeTransport connection, JsonNode token, int step) {
        ObjectNode params = Json.MAPPER.createObjectNode().put("progress", step);
        params.set("progressToken", token);
        connection.send("notifications/progress", params);
    }

    private static McpProbe.Stream call(Agent client) {
        return client.probe()
                .open(
                        "POST",
                        Agent.request(
                                "tools/call",
                                "{\"name\": \"github__echo\", \"arguments\": {}, \"_meta\":"
                                        + " {\"progressToken\": \"t\"}}"),
                        "Mcp-Session-Id",
                        client.session());
    }

    private static McpProbe.Stream resume(Agent client, String last) {
        return client.probe()
                .open("GET", "", "Mcp-Session-Id", client.session(), "Last-Event-ID", last);
    }

    private static McpProbe.Answer refusal(Agent client, String last) {
        return client.probe()
                .send(
                        "GET",
                        "",
                        "Mcp-Session-Id",
                        client.session(),
                        "Accept",
                        "text/event-stream",
                        "Last-Event-ID",
                        last);
    }

    private static String id(List<String> event) {
        assertThat(event.getFirst()).startsWith("id: ");
        return event.getFirst().substring("id: ".length());
    }

    private static JsonNode message(List<String> event) {
        String last = event.getLast();
        assertThat(last).startsWith("data: {");
        return Json.MAPPER.readTree(last.substring("data: ".length()));
    }

    private static int progress(List<String> event) {
        return message(event).at("/params/progress").asInt();
    }

    /** Returns the id of the event of the first step. */
    private String callAndLoseTheConnection(Agent client) throws IOException {
        try (McpProbe.Stream lost = call(client)) {
            steps.add(1);
            List<String> event = lost.nextEvent();
            if (event.getLast().equals("data: ")) {
                event = lost.nextEvent();
            }
            assertThat(progress(event)).isEqualTo(1);
            return id(event);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25"})
    void whatWasMissedOfACallComesAndTheRestOfItToo(String revision) throws Exception {
        serverReportsItsProgress();
        Agent client = rig.agent("/mcp", revision);
        String last = callAndLoseTheConnection(client);
        steps.addAll(List.of(2, 3));

        try (McpProbe.Stream resumed = resume(client, last)) {
            assertThat(resumed.code()).isEqualTo(200);
            assertThat(progress(resumed.nextEvent())).isEqualTo(2);
            assertThat(progress(resumed.nextEvent())).isEqualTo(3);

            steps.addAll(List.of(4, 0));
            assertThat(progress(resumed.nextEvent())).isEqualTo(4);
            JsonNode response = message(resumed.nextEvent());
            assertThat(response.path("id").asInt()).isEqualTo(1);
            assertThat(response.at("/result/done").asBoolean()).isTrue();
            assertThat(resumed.isAtEnd()).isTrue();
        }
    }

    @Test
    void answerThatWasMissedIsThereAfterTheCallHasEnded() throws Exception {
        serverReportsItsProgress();
        Agent client = rig.agent("/mcp", "2025-11-25");
        String last = callAndLoseTheConnection(client);
        steps.addAll(List.of(2, 0));
        ended.await();

        for (int time = 1; time <= 2; time++) { // it may be lost again
            try (McpProbe.Stream resumed = resume(client, last)) {
                assertThat(progress(resumed.nextEvent())).isEqualTo(2);
                assertThat(message(resumed.nextEvent()).has("result")).isTrue();
                assertThat(resumed.isAtEnd()).isTrue();
            }
        }
    }

    @Test
    void streamBeginsWithAnEventToResumeAfterWhereTheRevisionHasIt() throws Exception {
        serverReportsItsProgress();
        Agent client = rig.agent("/mcp", "2025-11-25");
        String first;
        try (McpProbe.Stream lost = call(client)) {
            steps.add(1);
            List<String> event = lost.nextEvent();
            assertThat(event).contains("retry: 1000", "data: ");
            first = id(event);
        }

        try (McpProbe.Stream resumed = resume(client, first)) {
            assertThat(progress(resumed.nextEvent())).isEqualTo(1);
            steps.add(0);
            assertThat(message(resumed.nextEvent()).has("result")).isTrue();
        }
    }

    @Test
    void connectionThatIsThereStillGetsNothingThatTheNewOneGets() throws Exception {
        serverReportsItsProgress();
        Agent client = rig.agent("/mcp", "2025-06-18");
        try (McpProbe.Stream first = call(client)) {
            steps.add(1);
            String last = id(first.nextEvent());

            try (McpProbe.Stream resumed = resume(client, last)) {
                steps.addAll(List.of(2, 0));
                assertThat(progress(resumed.nextEvent())).isEqualTo(2);
                assertThat(message(resumed.nextEvent()).has("result")).isTrue();
            }
            assertThat(first.isAtEnd()).isTrue();
        }
    }

    @Test
    void questionThatWasMissedIsAskedAgain() throws Exception {
        rig.catalog()
                .putServer(
                        Definitions.withBridge(
                                McpRig.SERVER,
                                new ServerRequestPolicy(Set.of("elicitation"), Set.of())));
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            progress(connection, params.at("/_meta/progressToken"), 1);
                            steps.take();
                            try {
                                connection
                                        .ask(
                                                9,
                                                "elicitation/create",
                                                FakeTransports.json("{\"message\": \"Who?\"}"))
                                        .get();
                            } catch (ExecutionException e) {
                                throw new AssertionError(e);
                            }
                            return FakeTransports.json("{\"content\": []}");
                        });
        Agent client = Agent.initialize(rig.probe("/mcp"), "2025-06-18", "{\"elicitation\": {}}");
        String last;
        try (McpProbe.Stream lost = call(client)) {
            last = id(lost.nextEvent());
        }
        steps.add(2);

        try (McpProbe.Stream resumed = resume(client, last)) {
            JsonNode question = message(resumed.nextEvent());
            assertThat(question.path("method").asString()).isEqualTo("elicitation/create");
            client.answer(question, "{\"action\": \"decline\"}");
            assertThat(message(resumed.nextEvent()).has("result")).isTrue();
        }
    }

    @Test
    void changesThatWereMissedOnTheStreamOfTheSessionCome() throws Exception {
        Agent client = rig.agent("/mcp", "2025-11-25");
        String last;
        try (McpProbe.Stream lost = client.listen()) {
            last = id(lost.nextEvent());
            await().until(() -> rig.subscriptions().count() == 1);
        }
        rig.putTool(McpRig.SERVER.server(), "{\"name\": \"new\", \"inputSchema\": {}}");

        try (McpProbe.Stream resumed = resume(client, last)) {
            assertThat(message(resumed.nextEvent()).path("method").asString())
                    .isEqualTo("notifications/tools/list_changed");
        }
        assertThat(rig.subscriptions().count()).isEqualTo(1);
    }

    @Test
    void clientThatBeginsAnewLeavesNoStreamBehind() throws Exception {
        Agent client = rig.agent("/mcp", "2025-11-25");
        for (int time = 0; time < 10; time++) {
            try (McpProbe.Stream lost = client.listen()) {
                lost.nextEvent();
            }
        }

        try (McpProbe.Stream last = client.listen()) {
            last.nextEvent();
            await().until(() -> rig.subscriptions().count() == 1);
        }
    }

    @Test
    void streamThatIsNotKnownAnyMoreBeginsWithWhatMayHaveChanged() throws Exception {
        Agent client = rig.agent("/mcp", "2025-11-25");

        try (McpProbe.Stream resumed = resume(client, "g-elsewhere1-7")) {
            resumed.nextEvent();
            assertThat(
                            List.of(
                                    message(resumed.nextEvent()).path("method").asString(),
                                    message(resumed.nextEvent()).path("method").asString(),
                                    message(resumed.nextEvent()).path("method").asString()))
                    .containsExactlyInAnyOrder(
                            "notifications/tools/list_changed",
                            "notifications/prompts/list_changed",
                            "notifications/resources/list_changed");
        }
    }

    @Test
    void callThatIsNotKnownAnyMoreIsRefused() {
        Agent client = rig.agent("/mcp", "2025-11-25");

        McpProbe.Answer lost = refusal(client, "p-elsewhere1-7");
        McpProbe.Answer never = refusal(client, "7\u00e9");

        assertThat(lost.code()).isEqualTo(400);
        assertThat(lost.at("/error/message")).contains("not kept here any more");
        assertThat(never.code()).isEqualTo(400);
        assertThat(never.at("/error/message")).contains("\"Last-Event-ID\"");
    }

    @Test
    void streamOfAnotherSessionIsNoOnes() throws Exception {
        serverReportsItsProgress();
        String last = callAndLoseTheConnection(rig.agent("/mcp", "2025-11-25"));
        steps.addAll(List.of(2, 0));

        McpProbe.Answer refused = refusal(rig.agent("/mcp", "2025-11-25"), last);

        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.text()).doesNotContain("progress");
    }

    @Test
    void endOfTheSessionForgetsItsStreams() throws Exception {
        serverReportsItsProgress();
        Agent client = rig.agent("/mcp", "2025-11-25");
        String last = callAndLoseTheConnection(client);

        client.probe().send("DELETE", "", "Mcp-Session-Id", client.session());

        assertThat(refusal(client, last).code()).isEqualTo(404);
        assertThat(rig.recorded().bytes()).isZero();
        steps.add(0);
    }

    @Test
    void revisionWithoutResumptionHasNoIds() throws Exception {
        serverReportsItsProgress();
        StatelessAgent client =
                new StatelessAgent(rig.probe("/mcp"), "{}, \"progressToken\": \"t\"");
        steps.addAll(List.of(1, 0));

        String events = client.call("github__echo", "{}").text();

        assertThat(events).contains("notifications/progress").doesNotContain("id: ");
        assertThat(rig.recorded().bytes()).isZero();
    }
}
