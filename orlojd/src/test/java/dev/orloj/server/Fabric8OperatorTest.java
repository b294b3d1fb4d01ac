package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.testing.RunningOrlojd;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** What an operator in Java does with the fabric8 Kubernetes client, beside watching. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Fabric8OperatorTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final ResourceDefinitionContext TOOLS =
            new ResourceDefinitionContext.Builder()
                    .withGroup("orloj.dev")
                    .withVersion("v1")
                    .withKind("Tool")
                    .withPlural("tools")
                    .withNamespaced(true)
                    .build();

    private RunningOrlojd orlojd;
    private KubernetesClient client;

    @BeforeAll
    void start() {
        orlojd = RunningOrlojd.start();
        client = client();
    }

    @AfterAll
    void stop() {
        client.close();
        orlojd.close();
    }

    private KubernetesClient client() {
        Config config =
                new ConfigBuilder(Config.empty())
                        .withMasterUrl(orlojd.client().url())
                        .withNamespace("default")
                        .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    @Test
    void appliedFieldsBelongToTheirManagerUntilAnotherForcesItsWay() {
        apply("first", "applied", Map.of("endpoint", "http://one", "type", "http"), false);
        apply("second", "applied", Map.of("description", "by the second"), false);

        assertThatThrownBy(
                        () -> apply("second", "applied", Map.of("endpoint", "http://two"), false))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("first")
                .extracting(e -> ((KubernetesClientException) e).getCode())
                .isEqualTo(409);
        GenericKubernetesResource forced =
                apply("second", "applied", Map.of("endpoint", "http://two"), true);

        assertThat(forced.<String>get("spec", "endpoint")).isEqualTo("http://two");
        assertThat(forced.<String>get("spec", "type")).isEqualTo("http");
        assertThat(forced.<String>get("spec", "description")).isNull();
    }

    @Test
    void editChangesWhatItWasGivenAndRefusesToOverwriteAnother() {
        apply("editor", "edited", Map.of("endpoint", "http://one", "type", "http"), false);
        Resource<GenericKubernetesResource> tool = tool("edited");

        GenericKubernetesResource edited =
                tool.edit(
                        current -> {
                            spec(current).put("description", "edited");
                            return current;
                        });

        assertThat(edited.<String>get("spec", "description")).isEqualTo("edited");
        GenericKubernetesResource stale = tool.get();
        tool.edit(
                current -> {
                    spec(current).put("description", "edited by another");
                    return current;
                });
        spec(stale).put("description", "too late");
        assertThatThrownBy(() -> client.resource(stale).update())
                .extracting(e -> ((KubernetesClientException) e).getCode())
                .isEqualTo(409);
    }

    @Test
    void ofTwoCandidatesOneLeadsAndTheOtherFollowsWhenItLetsGo() throws Exception {
        AtomicReference<String> leader = new AtomicReference<>("");
        try (KubernetesClient other = client()) {
            LeaderElector one = candidate("one", client, leader);
            CompletableFuture<?> first = one.start();
            await().atMost(TIMEOUT).until(() -> leader.get().equals("one"));
            CompletableFuture<?> second = candidate("two", other, leader).start();
            assertThat(holder()).isEqualTo("one");

            first.cancel(true);

            await().atMost(TIMEOUT).until(() -> leader.get().equals("two"));
            assertThat(holder()).isEqualTo("two");
            second.cancel(true);
        }
    }

    private String holder() {
        return client.leases().withName("operator").get().getSpec().getHolderIdentity();
    }

    private static LeaderElector candidate(
            String identity, KubernetesClient client, AtomicReference<String> leader) {
        return client.leaderElector()
                .withConfig(
                        new LeaderElectionConfigBuilder()
                                .withName(identity)
                                .withLock(new LeaseLock("default", "operator", identity))
                                .withLeaseDuration(Duration.ofSeconds(15))
                                .withRenewDeadline(Duration.ofSeconds(10))
                                .withRetryPeriod(Duration.ofMillis(200))
                                .withReleaseOnCancel(true)
                                .withLeaderCallbacks(
                                        new LeaderCallbacks(
                                                () -> leader.set(identity),
                                                () -> leader.compareAndSet(identity, ""),
                                                _ -> {}))
                                .build())
                .build();
    }

    private Resource<GenericKubernetesResource> tool(String name) {
        return client.genericKubernetesResources(TOOLS).inNamespace("default").withName(name);
    }

    private GenericKubernetesResource apply(
            String manager, String name, Map<String, Object> spec, boolean force) {
        GenericKubernetesResource tool = new GenericKubernetesResource();
        tool.setApiVersion("orloj.dev/v1");
        tool.setKind("Tool");
        tool.setMetadata(new ObjectMetaBuilder().withName(name).withNamespace("default").build());
        tool.setAdditionalProperty("spec", new HashMap<>(spec));
        return client.resource(tool)
                .patch(
                        new PatchContext.Builder()
                                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                                .withFieldManager(manager)
                                .withForce(force)
                                .build());
    }

    @SuppressWarnings("unchecked") // the client knows no type for it
    private static Map<String, Object> spec(GenericKubernetesResource tool) {
        return (Map<String, Object>) tool.getAdditionalProperties().get("spec");
    }
}
