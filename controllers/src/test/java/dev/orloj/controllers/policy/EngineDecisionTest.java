package dev.orloj.controllers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.Resource;
import dev.orloj.api.policy.Engine;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.controllers.mcpserver.Manifests;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

class EngineDecisionTest {

    private static final Map<String, String> SERVERS =
            Map.of(
                    "process", "\"transport\": \"stdio\", \"command\": \"git-mcp\"",
                    "image", "\"transport\": \"stdio\", \"image\": \"mcp/git\"",
                    "sandbox",
                            "\"transport\": \"stdio\", \"command\": \"x\", \"sandbox_ref\":"
                                    + " \"box\"",
                    "attach",
                            "\"transport\": \"stdio\", \"command\": \"x\","
                                    + " \"attach\": {\"container\": \"c\"}",
                    "http", "\"transport\": \"http\", \"endpoint\": \"https://mcp.example.com\"");

    private static Resource server(String way) {
        return Manifests.server("default", "git", SERVERS.getOrDefault(way, ""));
    }

    private static String objection(Resource resource, McpServerPolicy... policies) {
        return Policies.check(policies).objection(resource);
    }

    @ParameterizedTest
    @CsvSource({
        "auto, process image sandbox attach http",
        "process, process http",
        "container, image sandbox attach http",
        "pod, image sandbox http"
    })
    void engineRunsItsOwnServersAndNoOthers(String engine, String allowed) {
        assertThat(SERVERS.keySet())
                .filteredOn(way -> objection(server(way), Policies.engine("e", engine)).isEmpty())
                .containsExactlyInAnyOrder(allowed.split(" "));
    }

    @Test
    void sandboxesNeedAnEngineThatHasThem() {
        Resource sandbox = Manifests.sandbox("default", "box", "\"image\": \"mcp/box\"");

        assertThat(objection(sandbox, Policies.engine("e", "container"))).isEmpty();
        assertThat(objection(sandbox, Policies.engine("e", "process")))
                .isEqualTo(
                        "McpServerPolicy \"e\" does not allow spec \"mcp/box\": engine \"process\""
                            + " is required, which runs no images and no containers; set command"
                            + " alone");
        assertThat(objection(sandbox, Policies.engine("e", "pod"))).isEmpty();
        assertThat(objection(server("attach"), Policies.engine("e", "pod")))
                .endsWith("which runs nothing in attached containers; set image, or sandbox_ref");
    }

    @Test
    void refusalNamesPolicyFieldValueAndRemedy() {
        assertThat(objection(server("process"), Policies.engine("pods", "pod")))
                .isEqualTo(
                        "McpServerPolicy \"pods\" does not allow spec.command \"git-mcp\": engine"
                            + " \"pod\" is required, which runs nothing on the host; set image");
    }

    @Test
    void policiesThatContradictEachOtherAllowNothingThatAnEngineRuns() {
        McpServerPolicy[] both = {Policies.engine("b", "pod"), Policies.engine("a", "container")};

        assertThat(objection(server("image"), both))
                .isEqualTo(
                        "McpServerPolicy \"b\" does not allow spec.image \"mcp/git\": engine"
                                + " \"pod\" is required, and McpServerPolicy \"a\" requires"
                                + " \"container\", so nothing can run in this namespace; have a"
                                + " cluster-admin change one of the policies");
        assertThat(objection(server("sandbox"), both)).contains("so nothing can run");
        assertThat(objection(server("process"), both)).contains("so nothing can run");
        assertThat(objection(server("http"), both)).isEmpty();
    }

    @Test
    void autoAndAgreeingPoliciesContradictNothing() {
        McpServerPolicy[] policies = {
            Policies.engine("a", "auto"),
            Policies.engine("b", "pod"),
            Policies.engine("c", "pod"),
            Policies.policy("d", "\"hosting\": [\"container\"]")
        };

        assertThat(objection(server("image"), policies)).isEmpty();
        assertThat(Policies.check(policies).requiredEngine("default"))
                .contains(new RequiredEngine("b", Engine.POD));
        assertThat(Policies.check(Policies.engine("a", "auto")).requiredEngine("default"))
                .isEmpty();
    }
}
