package dev.orloj.controllers.mcpserver.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.controllers.mcpserver.Manifests;
import dev.orloj.controllers.policy.Policies;
import dev.orloj.controllers.policy.PolicyCheck;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.sandbox.PodPolicy;
import dev.orloj.controllers.sandbox.ServerEngine;
import dev.orloj.runtime.container.spec.PodReuse;
import dev.orloj.runtime.transport.ServerAddress;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class ServerContainerTest {

    private static final String IMAGE = "\"transport\": \"stdio\", \"image\": \"mcp/git\"";

    private static ContainerPolicy configured(ServerEngine engine) {
        ContainerPolicy usual = ContainerPolicy.DEFAULT;
        return new ContainerPolicy(
                usual.level(),
                usual.defaults(),
                usual.ceilings(),
                usual.folders(),
                engine,
                PodPolicy.DEFAULT);
    }

    private static Resolution resolve(ServerEngine configured, PolicyCheck policies) {
        return resolve(configured, policies, IMAGE);
    }

    private static Resolution resolve(ServerEngine configured, PolicyCheck policies, String spec) {
        return new DefinitionResolver(
                        key -> Optional.empty(),
                        key -> Optional.empty(),
                        key -> Optional.empty(),
                        new ServerDefaults(
                                Duration.ofSeconds(60),
                                Duration.ofSeconds(2),
                                configured(configured)),
                        policies,
                        namespace -> List.of())
                .resolve(Manifests.server("default", "git", spec));
    }

    private static ServerAddress address(ServerEngine configured, PolicyCheck policies) {
        return ((Resolution.Resolved) resolve(configured, policies)).definition().address();
    }

    @Test
    void imageRunsInTheConfiguredEngineIfNoPolicyRequiresOne() {
        assertThat(address(ServerEngine.CONTAINER, PolicyCheck.NONE))
                .isInstanceOf(ServerAddress.Container.class);
        assertThat(address(ServerEngine.POD, Policies.check(Policies.engine("e", "auto"))))
                .isInstanceOf(ServerAddress.Pod.class);
    }

    @Test
    void policyDecidesWhereBothEnginesExist() {
        assertThat(address(ServerEngine.POD, Policies.check(Policies.engine("e", "container"))))
                .isInstanceOf(ServerAddress.Container.class);
        assertThat(address(ServerEngine.POD, Policies.check(Policies.engine("e", "pod"))))
                .isInstanceOf(ServerAddress.Pod.class);
    }

    @Test
    void requiredEngineThatDoesNotExistIsNotReplacedByAnother() {
        assertThat(resolve(ServerEngine.CONTAINER, Policies.check(Policies.engine("e", "pod"))))
                .isEqualTo(
                        new Resolution.Refused(
                                "EngineUnavailable",
                                "McpServerPolicy \"e\" requires engine \"pod\", and this orlojd"
                                    + " runs no Pods; start it in a cluster with --container-engine"
                                    + " pod, or have a cluster-admin change the policy"));
    }

    @Test
    void podTemplateGoesWithThePodAndNotWithAContainer() {
        String placed = IMAGE + ", \"pod\": {\"node_selector\": {\"disk\": \"ssd\"}}";
        Resolution pod = resolve(ServerEngine.POD, PolicyCheck.NONE, placed);
        Resolution container = resolve(ServerEngine.CONTAINER, PolicyCheck.NONE, placed);

        ServerAddress address = ((Resolution.Resolved) pod).definition().address();
        assertThat(((ServerAddress.Pod) address).template().nodeSelector())
                .isEqualTo(Map.of("disk", "ssd"));
        assertThat(((Resolution.Resolved) container).definition().address())
                .isEqualTo(address(ServerEngine.CONTAINER, PolicyCheck.NONE));
    }

    private static PodReuse reuse(String more) {
        Resolution pod = resolve(ServerEngine.POD, PolicyCheck.NONE, IMAGE + more);
        return ((ServerAddress.Pod) ((Resolution.Resolved) pod).definition().address()).reuse();
    }

    @Test
    void podIsKeptOnlyIfItsClientsAlwaysShareItsSession() {
        assertThat(reuse(", \"session_scope\": \"shared\"")).isInstanceOf(PodReuse.Kept.class);
        assertThat(reuse(", \"singleton\": true")).isInstanceOf(PodReuse.Kept.class);
        assertThat(reuse(", \"max_sessions\": 1")).isInstanceOf(PodReuse.Kept.class);
        assertThat(reuse("")).isEqualTo(new PodReuse.None());
        assertThat(reuse(", \"session_scope\": \"call\"")).isEqualTo(new PodReuse.None());
        assertThat(reuse(", \"session_scope\": \"agent\", \"max_sessions\": 1"))
                .isEqualTo(new PodReuse.None());
    }

    @Test
    void podIsNotReusedForOtherCapabilities() {
        String shared = ", \"session_scope\": \"shared\"";
        assertThat(reuse(shared)).isEqualTo(reuse(shared + ", \"idle_timeout\": \"5m\""));
        assertThat(reuse(shared + ", \"bridge\": {\"elicitation\": \"park\"}"))
                .isNotEqualTo(reuse(shared));
    }

    @Test
    void labelsThatTheOperatorNoLongerAllowsStopThePod() {
        String labelled = IMAGE + ", \"pod\": {\"labels\": {\"team\": \"web\"}}";

        Resolution refused = resolve(ServerEngine.POD, PolicyCheck.NONE, labelled);

        assertThat(refused)
                .isInstanceOfSatisfying(
                        Resolution.Refused.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo("SandboxPolicyViolated");
                            assertThat(refusal.message())
                                    .contains("spec.pod.labels[team]", "--pod-metadata-key");
                        });
    }
}
