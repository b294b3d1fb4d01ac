package dev.orloj.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** H-08: what servers say of themselves goes into each status, so it has a bound. */
class ServerIdentityTest {

    private static final String LARGE = "x".repeat(5_000_000);

    @Test
    void longInstructionsAreCutAndItIsSaid() {
        ServerIdentity identity =
                ServerIdentity.of(
                        "2025-06-18",
                        MissingNode.getInstance(),
                        MissingNode.getInstance(),
                        JsonNodeFactory.instance.stringNode(LARGE));

        assertThat(identity.instructions())
                .hasSizeBetween(65_536, 65_600)
                .endsWith("x\n[Cut: 65,536 of 5,000,000 characters]");
        assertThat(identity.notes())
                .containsExactly(
                        "instructions have 5,000,000 characters and were cut after 65,536");
    }

    @Test
    void largeInfoAndCapabilitiesKeepWhatIsNeeded() {
        ObjectNode info = JsonNodeFactory.instance.objectNode();
        info.put("name", "n").put("version", LARGE).putArray("icons").add(LARGE);
        ObjectNode capabilities = JsonNodeFactory.instance.objectNode();
        capabilities.putObject("tools").put("listChanged", true);
        capabilities.putObject("experimental").put("x", LARGE);

        ServerIdentity identity =
                ServerIdentity.of("2025-06-18", info, capabilities, MissingNode.getInstance());

        assertThat(identity.serverInfo().toString()).isEqualTo("{\"name\":\"n\"}");
        assertThat(identity.capabilities().toString())
                .isEqualTo("{\"tools\":{\"listChanged\":true}}");
        assertThat(identity.notes()).hasSize(2);
    }

    @Test
    void usualOnesStayAsTheyWereReceived() {
        ObjectNode info = JsonNodeFactory.instance.objectNode().put("name", "n").put("x", 1);

        ServerIdentity identity =
                ServerIdentity.of(
                        "2025-06-18",
                        info,
                        MissingNode.getInstance(),
                        JsonNodeFactory.instance.stringNode("y".repeat(65_536)));

        assertThat(identity.serverInfo()).isEqualTo(info);
        assertThat(identity.instructions()).hasSize(65_536);
        assertThat(identity.notes()).isEmpty();
    }
}
