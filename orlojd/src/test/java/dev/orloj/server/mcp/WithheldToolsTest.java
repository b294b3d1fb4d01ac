package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.testkit.Definitions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client gets that calls a tool which the policy of its server withholds. */
@Timeout(60)
class WithheldToolsTest {

    @ParameterizedTest
    @CsvSource({
        "/mcp, github__new",
        "/mcp?servers=github, github__new",
        "/mcp/default/mcpservers/github, new",
    })
    void callOfAWithheldToolHasTheReason(String path, String tool) {
        try (McpRig rig = new McpRig()) {
            rig.hold(McpRig.SERVER, "new", "new");
            StatelessAgent modern = new StatelessAgent(rig.probe(path));
            Agent legacy = rig.agent(path, "2025-11-25");

            requireHeld(modern.call(tool, "{}"));
            requireHeld(legacy.call(tool, "{}"));

            String other = tool.replace("new", "other");
            assertThat(modern.call(other, "{}").at("/error/message"))
                    .isEqualTo("Unknown: \"" + other + "\"");
        }
    }

    private static void requireHeld(McpProbe.Answer answer) {
        assertThat(answer.at("/error/code")).as(answer.text()).isEqualTo("-32602");
        assertThat(answer.at("/error/message"))
                .contains(
                        "this tool is held (new)", "orlojctl tools pending mcp/github -n default");
    }

    @Test
    void endpointOfOtherServersDoesNotKnowTheTool() {
        try (McpRig rig = new McpRig()) {
            rig.hold(McpRig.SERVER, "new", "new");
            rig.catalog().putServer(Definitions.server("another"));

            StatelessAgent agent = new StatelessAgent(rig.probe("/mcp?servers=another"));

            assertThat(agent.call("github__new", "{}").at("/error/message"))
                    .isEqualTo("Unknown: \"github__new\"");
        }
    }
}
