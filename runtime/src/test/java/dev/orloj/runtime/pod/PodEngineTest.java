package dev.orloj.runtime.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.api.pod.PodTemplate;
import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.NetworkAccess;
import dev.orloj.runtime.container.spec.Posture;
import dev.orloj.runtime.container.spec.PullPolicy;
import dev.orloj.runtime.container.spec.RegistryCredential;
import dev.orloj.runtime.container.spec.SecretFile;
import dev.orloj.runtime.workload.WorkloadException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

class PodEngineTest {

    private static final PodSettings SETTINGS =
            new PodSettings(
                    URI.create("https://fake"),
                    Path.of("/none"),
                    "mcp",
                    "orloj-pods",
                    "one",
                    Optional.empty());

    private final FakeCluster cluster = new FakeCluster();
    private final Events events = new Events();
    private final PodEngine engine = new PodEngine(SETTINGS, events, cluster);

    private static final class Events implements ContainerListener {

        final List<String> scheduling = new CopyOnWriteArrayList<>();
        final List<String> notPulled = new CopyOnWriteArrayList<>();
        final List<Posture> started = new CopyOnWriteArrayList<>();

        @Override
        public void scheduled(ContainerOwner owner, String pod, String why) {
            scheduling.add(why);
        }

        @Override
        public void notPulled(ContainerOwner owner, String image, String cause) {
            notPulled.add(cause);
        }

        @Override
        public void started(ContainerOwner owner, Posture posture) {
            started.add(posture);
        }
    }

    @AfterEach
    void stop() {
        cluster.outage = "";
        // Pods that a test leaves need no grace.
        engine.hurry(Duration.ZERO);
        engine.close();
    }

    private static ContainerSpec spec(
            Map<String, String> env, Optional<RegistryCredential> credential, boolean trusts) {
        return new ContainerSpec(
                new ContainerOwner("default", "gmail", "uid-of-server"),
                new ImageSource("registry.example/mcp:1", PullPolicy.IF_NOT_PRESENT, credential),
                List.of(),
                List.of("--key", "$(TOKEN)"),
                env,
                List.of(new SecretFile("/secrets/key", base64("in a file"))),
                ContainerIsolation.DEFAULT,
                trusts,
                List.of());
    }

    private static ContainerSpec spec() {
        return spec(Map.of("TOKEN", "hush"), Optional.empty(), false);
    }

    private ServerPod start(ContainerSpec spec) throws InterruptedException {
        return engine.start(spec, PodTemplate.NONE);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The profile "restricted" of the Pod Security Standards, and a read-only root. */
    @Test
    void podIsRestrictedAndOwnedByTheInstallation() throws InterruptedException {
        ServerPod pod = start(spec());

        JsonNode stored = cluster.pod(pod.name());
        assertThat(stored.at("/metadata/ownerReferences/0/uid").asString())
                .isEqualTo("uid-of-owner");
        assertThat(stored.at("/metadata/labels/orloj.dev~1server").asString()).isEqualTo("gmail");
        assertThat(stored.at("/spec/automountServiceAccountToken").asBoolean(true)).isFalse();
        assertThat(stored.at("/spec/restartPolicy").asString()).isEqualTo("Never");
        assertThat(stored.at("/spec/securityContext/runAsUser").asLong()).isEqualTo(65532);
        assertThat(stored.at("/spec/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(stored.at("/spec/securityContext/seccompProfile/type").asString())
                .isEqualTo("RuntimeDefault");
        JsonNode container = stored.at("/spec/containers/0");
        assertThat(container.at("/securityContext/capabilities/drop/0").asString())
                .isEqualTo("ALL");
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true))
                .isFalse();
        assertThat(container.at("/resources/limits/memory").asString()).isEqualTo("134217728");
        assertThat(pod.container().orElseThrow().name()).isEqualTo(pod.name());
        assertThat(events.started.getFirst().digest()).contains("@sha256:1234");
    }

    @Test
    void valuesAreInASecretThatThePodOwnsAndNotInThePod() throws InterruptedException {
        RegistryCredential login = new RegistryCredential("", "me", "sesame");
        ServerPod pod = start(spec(Map.of("TOKEN", "hush"), Optional.of(login), false));

        JsonNode secret = cluster.secrets.get(pod.name());
        assertThat(secret.at("/metadata/ownerReferences/0/uid").asString())
                .isEqualTo("uid-of-" + pod.name());
        assertThat(secret.at("/data/env.0").asString()).isEqualTo(base64("hush"));
        assertThat(secret.at("/data/file.0").asString()).isEqualTo(base64("in a file"));
        assertThat(
                        new String(
                                Base64.getDecoder()
                                        .decode(secret.at("/data/.dockerconfigjson").asString()),
                                StandardCharsets.UTF_8))
                .contains("registry.example", base64("me:sesame"));
        String stored = cluster.pod(pod.name()).toString();
        assertThat(stored).doesNotContain("hush", base64("hush"), "sesame", base64("in a file"));
    }

    private static PodTemplate template(String json) {
        return Json.MAPPER.readValue(json, PodTemplate.class);
    }

    @Test
    void templateOfTheManifestSaysWhereThePodRuns() throws InterruptedException {
        String affinity =
                """
                {"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone"}]}}\
                """;
        ServerPod pod =
                engine.start(
                        spec(),
                        template(
                                """
                                {"node_selector": {"disk": "ssd"}, "affinity": %s,
                                 "tolerations": [{"key": "gpu", "operator": "Exists"}],
                                 "topology_spread_constraints": [{"maxSkew": 1}],
                                 "priority_class_name": "low", "runtime_class_name": "gvisor",
                                 "image_pull_secrets": ["regcred"]}
                                """
                                        .formatted(affinity)));

        JsonNode stored = cluster.pod(pod.name()).path("spec");
        assertThat(stored.at("/nodeSelector/disk").asString()).isEqualTo("ssd");
        assertThat(stored.path("affinity").toString()).isEqualTo(affinity);
        assertThat(stored.path("tolerations").toString())
                .isEqualTo(
                        """
                        [{"key":"gpu","operator":"Exists"},\
                        {"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":30},\
                        {"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":30}]\
                        """);
        assertThat(stored.at("/topologySpreadConstraints/0/maxSkew").asInt()).isEqualTo(1);
        assertThat(stored.path("priorityClassName").asString()).isEqualTo("low");
        assertThat(stored.path("runtimeClassName").asString()).isEqualTo("gvisor");
        assertThat(stored.path("imagePullSecrets").toString())
                .isEqualTo("[{\"name\":\"regcred\"}]");
    }

    @Test
    void templateChangesNothingThatIsolatesThePodOrBelongsToOrlojd() throws InterruptedException {
        RegistryCredential login = new RegistryCredential("", "me", "sesame");
        ContainerSpec spec = spec(Map.of("TOKEN", "hush"), Optional.of(login), false);
        PodTemplate template =
                template(
                        """
                        {"labels": {"orloj.dev/network": "bridge", "orloj.dev/replica": "two",
                          "app.kubernetes.io/managed-by": "me", "team": "web"},
                         "annotations": {"orloj.dev/server": "other", "note": "any text"},
                         "image_pull_secrets": ["regcred"]}
                        """);
        ServerPod plain = start(spec);

        ServerPod pod = engine.start(spec, template);

        JsonNode metadata = cluster.pod(pod.name()).path("metadata");
        assertThat(metadata.at("/labels/orloj.dev~1network").asString()).isEqualTo("isolated");
        assertThat(metadata.at("/labels/orloj.dev~1replica").asString()).isEqualTo("one");
        assertThat(metadata.at("/labels/app.kubernetes.io~1managed-by").asString())
                .isEqualTo("orlojd");
        assertThat(metadata.at("/labels/team").asString()).isEqualTo("web");
        assertThat(metadata.at("/annotations/orloj.dev~1server").asString()).isEqualTo("gmail");
        assertThat(metadata.at("/annotations/note").asString()).isEqualTo("any text");
        JsonNode stored = cluster.pod(pod.name()).path("spec");
        assertThat(stored.at("/imagePullSecrets/0/name").asString()).isEqualTo(pod.name());
        assertThat(stored.at("/imagePullSecrets/1/name").asString()).isEqualTo("regcred");
        JsonNode other = cluster.pod(plain.name()).path("spec");
        assertThat(stored.path("securityContext")).isEqualTo(other.path("securityContext"));
        assertThat(stored.at("/containers/0/securityContext"))
                .isEqualTo(other.at("/containers/0/securityContext"));
        assertThat(stored.propertyNames()).isEqualTo(other.propertyNames());
    }

    /** Kubernetes would replace it by the value of the variable. */
    @Test
    void argumentThatLooksLikeAVariableIsNotExpanded() throws InterruptedException {
        ServerPod pod = start(spec());

        assertThat(cluster.pod(pod.name()).at("/spec/containers/0/args/1").asString())
                .isEqualTo("$$(TOKEN)");
    }

    @Test
    void imageThatCannotBePulledIsNamedAndNothingIsLeft() {
        cluster.status = FakeCluster.waiting("ErrImagePull", "not found");

        assertThatThrownBy(() -> start(spec()))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("registry.example/mcp:1")
                .hasMessageContaining("ErrImagePull: not found");

        assertThat(events.notPulled).hasSize(1);
        assertThat(cluster.names()).isEmpty();
        assertThat(cluster.secrets).isEmpty();
    }

    @Test
    void containerThatEndsAtOnceIsExplainedByItsLastLines() {
        cluster.status = FakeCluster.terminated(3, "Error", "no such module");

        assertThatThrownBy(() -> start(spec())).hasMessageContaining("exit code 3: no such module");
        assertThat(cluster.names()).isEmpty();
    }

    @Test
    void podThatNoNodeTakesIsReportedAndGoesWithTheInterestInIt() {
        cluster.status = FakeCluster.unschedulable("0/3 nodes are available");
        Thread starter =
                Thread.ofVirtual()
                        .start(
                                () ->
                                        assertThatThrownBy(() -> start(spec()))
                                                .isInstanceOf(InterruptedException.class));
        await().until(() -> !events.scheduling.isEmpty());
        assertThat(events.scheduling.getFirst())
                .isEqualTo("Unschedulable: 0/3 nodes are available");

        starter.interrupt();

        await().untilAsserted(() -> assertThat(cluster.names()).isEmpty());
    }

    @Test
    void podThatANodeTakesLaterStarts() throws InterruptedException {
        cluster.status = FakeCluster.unschedulable("0/3 nodes are available");
        Thread node =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    await().until(() -> !events.scheduling.isEmpty());
                                    cluster.change(
                                            cluster.names().getFirst(), FakeCluster.running());
                                });

        ServerPod pod = start(spec());
        node.join();

        assertThat(pod.exit()).isNotDone();
        assertThat(events.scheduling).last().isEqualTo("");
    }

    @Test
    void onlyPodsThatAnEarlierRunOfTheReplicaLeftAreDeleted() {
        cluster.add("left", "one");
        cluster.add("of-another", "two");

        engine.begin();

        await().untilAsserted(() -> assertThat(cluster.names()).containsExactly("of-another"));
    }

    @Test
    void podsOfADeadReplicaAreDeleted() {
        cluster.add("left", "two");
        cluster.add("of-another", "three");

        engine.sweep("two");

        assertThat(cluster.names()).containsExactly("of-another");
    }

    @Test
    void evictionIsTheCauseOfTheExit() throws InterruptedException {
        ServerPod pod = start(spec());

        cluster.change(
                pod.name(),
                """
                {"phase": "Failed", "reason": "Evicted",
                 "message": "The node was low on resource: memory."}
                """);

        assertThat(pod.exit().join().toString())
                .isEqualTo("unknown exit code (Evicted: The node was low on resource: memory.)");
        await().untilAsserted(() -> assertThat(engine.alive()).isEmpty());
        assertThat(cluster.names()).isEmpty();
    }

    @Test
    void podThatSomebodyDeletesHasEnded() throws InterruptedException {
        ServerPod pod = start(spec());

        cluster.deletePod(pod.name(), Duration.ZERO);

        assertThat(pod.exit().join().toString()).contains("the Pod was deleted");
    }

    /** The events of that time are lost, so the next list has to show it. */
    @Test
    void podThatGoesWhileTheApiServerDoesNotAnswerHasEnded() throws InterruptedException {
        ServerPod pod = start(spec());
        ServerPod other = start(spec());
        cluster.outage = "connection refused";
        cluster.endWatches();

        cluster.forget(pod.name());
        assertThat(pod.exit()).isNotDone();
        cluster.outage = "";

        assertThat(pod.exit().join().toString()).contains("the Pod was deleted");
        assertThat(other.exit()).isNotDone();
    }

    /** The watch goes on, so no list shows the Pod again. */
    @Test
    void podWhoseDeletionIsRefusedIsDeletedLater() throws InterruptedException {
        ServerPod pod = start(spec());
        cluster.refusedDeletion = "a webhook does not answer";
        engine.hurry(Duration.ZERO);
        Thread stop = Thread.ofVirtual().start(() -> pod.stop(Duration.ofSeconds(1)));

        await().until(() -> cluster.refused() > 0);
        cluster.refusedDeletion = "";

        await().untilAsserted(() -> assertThat(cluster.names()).isEmpty());
        stop.join();
    }

    @Test
    void podWhoseStartFailedIsDeletedLaterIfTheDeletionIsRefused() {
        cluster.status = FakeCluster.waiting("ErrImagePull", "not found");
        cluster.refusedDeletion = "a webhook does not answer";
        assertThatThrownBy(() -> start(spec())).hasMessageContaining("ErrImagePull");

        cluster.refusedDeletion = "";

        await().untilAsserted(() -> assertThat(cluster.names()).isEmpty());
    }

    /** A request that timed out for orlojd may still be carried out. */
    @Test
    void podThatIsStoredAfterItsCreationTimedOutIsDeleted() {
        cluster.losesCreation = true;
        assertThatThrownBy(() -> start(spec())).hasMessageContaining("timed out");

        cluster.storeLate();

        await().untilAsserted(() -> assertThat(cluster.names()).isEmpty());
    }

    @Test
    void leftoverThatCannotBeDeletedDoesNotPreventStarts() throws InterruptedException {
        cluster.add("left", "one");
        cluster.refusedDeletion = "a finalizer holds it";

        ServerPod pod = start(spec());

        assertThat(pod.exit()).isNotDone();
        cluster.refusedDeletion = "";
        await().untilAsserted(() -> assertThat(cluster.names()).containsExactly(pod.name()));
    }

    /** The cluster deletes a Pod at once whose owner does not exist. */
    @Test
    void ownerThatWasCreatedAgainOwnsTheNextPod() throws InterruptedException {
        start(spec());
        cluster.owner = "uid-of-the-next-owner";

        ServerPod pod = start(spec());

        assertThat(cluster.pod(pod.name()).at("/metadata/ownerReferences/0/uid").asString())
                .isEqualTo("uid-of-the-next-owner");
    }

    @Test
    void containerThatAWebhookAddsIsNotTakenForTheServer() throws InterruptedException {
        cluster.status =
                """
                {"phase": "Running", "containerStatuses": [
                  {"name": "proxy", "state": {"terminated": {"exitCode": 0}}},
                  {"name": "server", "imageID": "registry.example/mcp@sha256:5678",
                   "state": {"running": {}}}]}
                """;

        ServerPod pod = start(spec());

        assertThat(pod.exit()).isNotDone();
        assertThat(events.started.getFirst().digest()).contains("@sha256:5678");
    }

    @Test
    void podThatCannotBeDeletedWhileTheApiServerIsDownIsDeletedLater() throws InterruptedException {
        ServerPod pod = start(spec());
        cluster.outage = "connection refused";
        cluster.endWatches();
        engine.hurry(Duration.ZERO);
        Thread stop = Thread.ofVirtual().start(() -> pod.stop(Duration.ofSeconds(1)));

        await().until(() -> cluster.refused() > 0);
        cluster.outage = "";

        await().untilAsserted(() -> assertThat(cluster.names()).isEmpty());
        stop.join();
    }

    @Test
    void podThatAWebhookOpensIsDeletedAndNotUsed() {
        cluster.webhook =
                pod -> {
                    ((ObjectNode) pod.path("spec")).put("hostNetwork", true);
                    return pod;
                };

        assertThatThrownBy(() -> start(spec()))
                .hasMessageContaining("hostNetwork is true")
                .hasMessageContaining("webhook");
        assertThat(cluster.names()).isEmpty();
    }

    @Test
    void whatAPodCannotDoIsRefusedWithTheField() {
        ContainerSpec hosts =
                new ContainerSpec(
                        spec().owner(),
                        spec().image(),
                        List.of(),
                        List.of(),
                        Map.of(),
                        List.of(),
                        ContainerIsolation.DEFAULT.withNetwork(
                                new NetworkAccess(
                                        NetworkAccess.Mode.ISOLATED, List.of("api.example"))),
                        false,
                        List.of());

        assertThatThrownBy(() -> start(hosts)).hasMessageContaining("network.allow_hosts");
        assertThatThrownBy(() -> start(spec(Map.of(), Optional.empty(), true)))
                .hasMessageContaining("trust_image_config");
        assertThat(cluster.names()).isEmpty();
    }

    @Test
    void closedEngineLeavesNothingAndStartsNothing() throws InterruptedException {
        start(spec());
        engine.hurry(Duration.ofMillis(10));

        engine.close();

        assertThat(cluster.names()).isEmpty();
        assertThatThrownBy(() -> start(spec())).hasMessageContaining("while orlojd stops");
    }
}
