package dev.orloj.server.rest.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerReplay;
import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.HttpProbe.Answer;
import dev.orloj.server.rest.RestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

@Timeout(60)
@DisplayName("Issue 21, item 1: reading a ledger")
class LedgerEndpointTest {

    private final RestServer server = RestServer.shared();
    private final HttpProbe http = server.probe();
    private String namespace = "";
    private String path = "";

    @BeforeEach
    void threeTools() {
        namespace = "/apis/orloj.dev/v1/namespaces/" + server.freshNamespace();
        path = namespace + "/mcpservers/srv/ledger";
        for (String tool : List.of("a", "b", "c")) {
            Answer created =
                    http.post(
                            namespace + "/tools",
                            """
                            {"metadata": {"name": "srv--%1$s", "labels": {
                               "orloj.dev/mcp-server": "srv", "orloj.dev/mcp-generated": "true"}},
                             "spec": {"type": "mcp", "mcp_server_ref": "srv", "mcp_tool_name": "%1$s",
                               "agent_name": "srv__%1$s", "description": "Does %1$s"}}
                            """
                                    .formatted(tool));
            assertThat(created.code()).isEqualTo(201);
        }
    }

    private JsonNode read(String where) {
        Answer answer = http.get(where);
        assertThat(answer.code()).isEqualTo(200);
        return Json.MAPPER.readTree(answer.text());
    }

    @Test
    void pagesAreReplayedToTheHead() {
        List<LedgerEntry> entries = new ArrayList<>();
        JsonNode page = read(path + "?limit=2");
        page.path("entries").forEach(entry -> entries.add(LedgerEntry.of(entry)));
        assertThat(entries).hasSize(2);
        page = read(path + "?limit=2&continue=" + page.at("/metadata/continue").asString());
        page.path("entries").forEach(entry -> entries.add(LedgerEntry.of(entry)));
        assertThat(page.path("metadata").has("continue")).isFalse();
        LedgerReplay replay = new LedgerReplay(Optional.empty());
        entries.forEach(replay::add);
        assertThat(replay.problem()).isEmpty();
        assertThat(replay.state().tools()).containsOnlyKeys("srv--a", "srv--b", "srv--c");
        assertThat(replay.last().orElseThrow().hash()).isEqualTo(page.at("/head/hash").asString());
    }

    @Test
    void contentIsTheDefinitionOfItsDigest() {
        String digest = read(path).at("/entries/0/content").asString();
        JsonNode definition = read(path + "/contents/" + digest);
        assertThat(definition.path("description").asString()).isEqualTo("Does a");
        assertThat(CanonicalJson.digest(definition)).isEqualTo(digest);
        assertThat(http.get(path + "/contents/sha256:0").code()).isEqualTo(404);
    }

    @Test
    void toolThatAUserDeletesIsRetired() {
        assertThat(http.delete(namespace + "/tools/srv--b").code()).isEqualTo(200);
        JsonNode entries = read(path).path("entries");
        assertThat(entries.path(3).path("operation").asString()).isEqualTo("Retired");
        assertThat(entries.path(3).path("tool").asString()).isEqualTo("b");
    }

    @Test
    void serverWithoutLedgerIsEmptyAndUnknownServerIsNotFound() {
        assertThat(http.get(namespace + "/mcpservers/other/ledger").code()).isEqualTo(404);
        http.post(
                namespace + "/mcpservers",
                """
                {"metadata": {"name": "other"}, "spec": {"transport": "stdio", "command": "x"}}\
                """);
        JsonNode empty = read(namespace + "/mcpservers/other/ledger");
        assertThat(empty.path("entries")).isEmpty();
        assertThat(empty.at("/head/sequence").asLong()).isZero();
    }

    @Test
    void continueThatIsNoPageIsRefused() {
        Answer answer = http.get(path + "?continue=x");
        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.text()).contains("give metadata.continue of the page before");
    }
}
