package dev.orloj.controllers.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.report.Finding;
import dev.orloj.api.report.Report;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.runtime.listing.ToolListing;
import dev.orloj.runtime.report.DefinitionReport;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.testkit.SessionInfos;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

@DisplayName("issue 20, item 5: status.report over time")
class ReportCardsTest {

    private static final ResourceKey KEY = new ResourceKey("default", "git");
    private static final Instant START = Instant.parse("2026-11-22T10:00:00Z");

    private final ReportCards cards = new ReportCards();
    private McpServer server = server(1);
    private Instant now = START;

    private static McpServer server(long generation) {
        ObjectNode document =
                (ObjectNode)
                        Json.MAPPER.readTree(
                                """
                                {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                                 "metadata": {"name": "git", "namespace": "default"},
                                 "spec": {"transport": "stdio", "command": "git-mcp"}}
                                """);
        return ResourceCodec.fromDocument(McpServer.KIND, document)
                .withMetadata(
                        new ObjectMeta(
                                "git",
                                "",
                                "default",
                                "uid",
                                ResourceVersion.UNSET,
                                generation,
                                START,
                                null,
                                null,
                                Map.of(),
                                Map.of(),
                                List.of(),
                                List.of(),
                                null));
    }

    private static SessionInfo session(
            long generation, Object connection, long noise, Optional<Boolean> obeyedEof) {
        return SessionInfos.of(KEY, START)
                .key(generation, connection)
                .noiseLines(noise)
                .obeyedEof(obeyedEof)
                .build();
    }

    private static DefinitionReport tools(String... names) {
        List<ObjectNode> tools =
                Stream.of(names)
                        .map(
                                name -> {
                                    ObjectNode tool = Json.MAPPER.createObjectNode();
                                    tool.put("name", name).put("description", "Does it.");
                                    tool.putObject("inputSchema").put("type", "object");
                                    return tool;
                                })
                        .toList();
        return DefinitionReport.of(new ToolListing(tools, List.of(), List.of()));
    }

    @BeforeEach
    void open() {
        cards.opened(KEY, session(1, "a", 0, Optional.empty()), Optional.of(Duration.ofSeconds(1)));
    }

    /** Writes the status as the controller does. */
    private List<String> write() {
        McpServerStatus status = cards.addTo(server.status(), server, now, text -> text);
        server = server.withStatus(status);
        Report report = status.report();
        return report == null
                ? List.of("no report")
                : report.findings().stream().map(Finding::id).toList();
    }

    private Report report() {
        return Objects.requireNonNull(server.status().report());
    }

    @Test
    void reportBeginsWithTheFirstListAndIsWrittenOnce() {
        assertThat(write()).containsExactly("no report");
        cards.listed(KEY, session(1, "a", 0, Optional.empty()), tools("read"));
        assertThat(write()).isEmpty();
        McpServerStatus written = server.status();

        now = START.plusSeconds(100);

        assertThat(cards.addTo(written, server, now, text -> text)).isSameAs(written);
        assertThat(report().takenAt()).isEqualTo(START);
        assertThat(report().definitionTokens()).isPositive();
    }

    @Test
    void findingsComeAndGoWithTheServer() {
        cards.listed(KEY, session(1, "a", 3, Optional.empty()), tools("delete", "read"));
        assertThat(write()).containsExactly("destructive-not-annotated", "stdout-noise");

        cards.listed(KEY, session(1, "a", 3, Optional.empty()), tools("read", "delete"));
        assertThat(write())
                .containsExactly(
                        "destructive-not-annotated", "list-order-unstable", "stdout-noise");

        cards.listed(KEY, session(1, "a", 3, Optional.empty()), tools("read", "write"));
        cards.listed(KEY, session(1, "a", 3, Optional.empty()), tools("read", "write"));
        cards.closed(KEY, session(1, "a", 3, Optional.of(false)));
        assertThat(write()).containsExactly("eof-ignored", "stdout-noise");

        cards.opened(KEY, session(1, "a", 0, Optional.empty()), Optional.empty());
        cards.closed(KEY, session(1, "a", 0, Optional.of(true)));
        assertThat(write()).isEmpty();
    }

    @Test
    void listThatFailsIsAFindingUntilOneSucceeds() {
        cards.notListed(KEY, session(1, "a", 0, Optional.empty()), "tools/list failed");
        assertThat(write()).containsExactly("list-failed");
        cards.listed(KEY, session(1, "a", 0, Optional.empty()), tools("read"));
        assertThat(write()).isEmpty();
    }

    @Test
    void slowStartIsAFinding() {
        cards.opened(
                KEY, session(1, "a", 0, Optional.empty()), Optional.of(Duration.ofSeconds(12)));
        cards.listed(KEY, session(1, "a", 0, Optional.empty()), tools("read"));
        assertThat(write()).containsExactly("start-slow");
    }

    @Test
    void endOfTheSessionBeforeAChangeDoesNotCount() {
        cards.listed(KEY, session(1, "a", 0, Optional.empty()), tools("read"));
        write();
        server = server(2).withStatus(server.status());
        cards.opened(KEY, session(2, "b", 0, Optional.empty()), Optional.empty());
        cards.closed(KEY, session(1, "a", 9, Optional.of(false)));
        assertThat(write()).isEmpty();
        assertThat(report().observedGeneration()).isEqualTo(1);

        cards.listed(KEY, session(2, "b", 0, Optional.empty()), tools("read"));
        assertThat(write()).isEmpty();
        assertThat(report().observedGeneration()).isEqualTo(2);
    }

    @Test
    void restartOfOrlojdKeepsWhatItDoesNotKnowYet() {
        cards.listed(KEY, session(1, "a", 1, Optional.empty()), tools("delete"));
        cards.closed(KEY, session(1, "a", 1, Optional.of(false)));
        assertThat(write())
                .containsExactly("destructive-not-annotated", "eof-ignored", "stdout-noise");

        cards.forget(KEY);
        assertThat(write()).hasSize(3);
        cards.opened(KEY, session(1, "a", 0, Optional.empty()), Optional.empty());
        assertThat(write()).hasSize(3);
        cards.listed(KEY, session(1, "a", 0, Optional.empty()), tools("read"));
        assertThat(write()).containsExactly("eof-ignored", "stdout-noise");
    }

    @Test
    void secretsAreNotShown() {
        cards.notListed(KEY, session(1, "a", 0, Optional.empty()), "tools/list: token s3cr3t");
        McpServerStatus status =
                cards.addTo(server.status(), server, now, text -> text.replace("s3cr3t", "***"));
        assertThat(Objects.requireNonNull(status.report()).findings().getFirst().message())
                .isEqualTo("tools/list: token ***");
    }
}
