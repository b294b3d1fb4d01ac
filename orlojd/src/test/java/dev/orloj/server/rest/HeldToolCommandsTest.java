package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.PolicyAction;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** {@code orlojctl tools} about tools that were held and never served. */
class HeldToolCommandsTest {

    private final ToolsCommands tools = new ToolsCommands();

    @BeforeEach
    void holdTools() {
        tools.createServer();
        hold("Send_Mail", "read");
    }

    private void hold(String... names) {
        RestServer.shared()
                .approvals()
                .hold(
                        new ResourceKey(tools.namespace(), "srv"),
                        List.of(names).stream().map(HeldToolCommandsTest::held).toList());
    }

    private static HeldDefinition held(String name) {
        ObjectNode definition =
                Json.MAPPER.createObjectNode().put("name", name).put("description", "Does it.");
        return new HeldDefinition(
                DefinitionName.tool(name),
                CanonicalJson.digest(definition),
                definition,
                PolicyAction.QUARANTINE,
                "new",
                false);
    }

    @Test
    void historyShowsTheEntriesOfAToolThatWasNeverServed() {
        OrlojctlRun history = tools.run("history", "srv--send-mail");

        assertThat(history.err()).isEmpty();
        assertThat(history.out().lines().map(line -> line.replaceAll(" +", " ").strip()).toList())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("ENTRY TIME OPERATION TOOL"),
                        line -> assertThat(line).matches("\\d+ \\S+ Held Send_Mail [0-9a-f]{12}"));
        JsonNode part = Json.MAPPER.readTree(tools.run("history", "srv--read", "-o", "json").out());
        assertThat(part.path("entries").valueStream().map(e -> e.path("tool").asString()).toList())
                .containsExactly("read");
        assertThat(tools.run("history", "srv--other").err()).contains("No entries.");
    }

    @Test
    void diffShowsAToolThatIsHeldByTheNameThatItsToolWouldHave() {
        assertThat(tools.run("diff", "srv--send-mail").out()).contains("Does it.");
        assertThat(tools.run("diff", "srv--other").err()).contains("has no definition");
    }

    @Test
    void blameSaysThatTheToolWasNeverServedAndWhatShowsIt() {
        OrlojctlRun blame = tools.run("blame", "srv--send-mail");

        assertThat(blame.exitCode()).isNotZero();
        assertThat(blame.err())
                .contains(
                        "tool \"srv--send-mail\" has never been served",
                        "orlojctl tools diff srv--send-mail");
    }
}
