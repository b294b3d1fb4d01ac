package dev.orloj.runtime.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.pod.PodTemplate;
import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.PodReuse;
import dev.orloj.runtime.container.spec.PullPolicy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import javax.crypto.spec.SecretKeySpec;

/** Pods that keep running when orlojd stops, and what becomes of them. */
class PodAdoptionTest {

    private static final PodReuse SHARED = PodReuse.of("terms");
    private static final Duration LONG = Duration.ofHours(1);
    private static final Optional<PodSettings.Adoption> ADOPTION = Optional.of(settings("key"));

    private final FakeCluster cluster = new FakeCluster();
    private final List<PodEngine> engines = new ArrayList<>();

    private static PodSettings.Adoption settings(String key) {
        return new PodSettings.Adoption(
                new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    }

    @AfterEach
    void stop() {
        cluster.outage = "";
        cluster.refusedPatch = "";
        engines.forEach(PodEngine::close);
        cluster.close();
    }

    private PodEngine orlojd(String replica) {
        return orlojd(replica, ADOPTION, LONG, new ClusterConnection(cluster));
    }

    private PodEngine orlojd(
            String replica,
            Optional<PodSettings.Adoption> adoption,
            Duration mostUnclaimed,
            ClusterApi api) {
        PodSettings settings =
                new PodSettings(
                        URI.create("https://fake"),
                        Path.of("/none"),
                        "mcp",
                        "orloj-pods",
                        replica,
                        adoption);
        PodEngine engine = new PodEngine(settings, ContainerListener.NONE, api, mostUnclaimed);
        engine.begin();
        engines.add(engine);
        return engine;
    }

    private static ContainerSpec spec(Map<String, String> env) {
        return new ContainerSpec(
                new ContainerOwner("default", "memory", "uid-of-server"),
                new ImageSource("registry.example/mcp:1", PullPolicy.NEVER, Optional.empty()),
                List.of(),
                List.of(),
                env,
                List.of(),
                ContainerIsolation.DEFAULT,
                false,
                List.of());
    }

    private static ServerPod start(PodEngine engine) throws InterruptedException {
        return start(engine, SHARED);
    }

    private static ServerPod start(PodEngine engine, PodReuse reuse) throws InterruptedException {
        return engine.start(spec(Map.of("TOKEN", "hush")), PodTemplate.NONE, reuse);
    }

    private String label(String pod, String name) {
        return cluster.pod(pod).path("metadata").path("labels").path(name).asString("absent");
    }

    @Test
    void podOfAStoppedOrlojdIsUsedByTheNextOne() throws InterruptedException {
        PodEngine before = orlojd("one");
        ServerPod pod = start(before);
        FakeContainer container = cluster.containers.get(pod.name());
        before.close();
        assertThat(container.isAttached()).isFalse();

        ServerPod adopted = start(orlojd("one"));

        assertThat(adopted.name()).isEqualTo(pod.name());
        assertThat(adopted.earlierConnections()).isEqualTo(1);
        assertThat(adopted.container().orElseThrow().adoptedFrom())
                .contains(Instant.parse("2026-01-02T03:04:05Z"));
        assertThat(cluster.deletions).isEmpty();
        assertThat(label(pod.name(), "orloj.dev/replica")).isEqualTo("one");
        assertThat(container.isAttached()).isTrue();
        assertThat(pod.container().orElseThrow().adoptedFrom()).isEmpty();
    }

    @Test
    void podThatIsAdoptedAgainCountsItsConnections() throws InterruptedException {
        PodEngine first = orlojd("one");
        start(first);
        first.close();
        PodEngine second = orlojd("one");
        start(second);
        second.close();

        assertThat(start(orlojd("two")).earlierConnections()).isEqualTo(2);
    }

    @Test
    void podOfAKilledOrlojdIsUsedByItsNextRun() throws InterruptedException {
        ClusterConnection killed = new ClusterConnection(cluster);
        ServerPod pod = start(orlojd("one", ADOPTION, LONG, killed));
        killed.cut();

        ServerPod adopted = start(orlojd("one"));

        assertThat(adopted.name()).isEqualTo(pod.name());
        assertThat(cluster.deletions).isEmpty();
    }

    /** It was still one of the replica when the replica listed its Pods. */
    @Test
    void eventsFromBeforeTheClaimAreNotTakenForTheEndOfThePod() throws Exception {
        ClusterConnection killed = connection();
        ServerPod pod = start(orlojd("one", ADOPTION, LONG, killed));
        killed.cut();
        cluster.watchesBegin = new CountDownLatch(1);
        PodEngine next = orlojd("one");
        FutureTask<ServerPod> adopted = new FutureTask<>(() -> start(next));
        Thread.startVirtualThread(adopted);

        await().until(() -> PodMarks.connections(cluster.pod(pod.name())) == 1);
        cluster.watchesBegin.countDown();

        assertThat(adopted.get().name()).isEqualTo(pod.name());
        assertThat(adopted.get().exit()).isNotDone();
    }

    @Test
    void podOfAStoppedReplicaIsUsedByAnother() throws InterruptedException {
        PodEngine before = orlojd("one");
        ServerPod pod = start(before);
        before.close();

        ServerPod adopted = start(orlojd("two"));

        assertThat(adopted.name()).isEqualTo(pod.name());
        assertThat(label(pod.name(), "orloj.dev/replica")).isEqualTo("two");
    }

    /** It may still be attached, whatever its Lease says. */
    @Test
    void podOfAReplicaThatDiedIsNotUsedByAnotherAndDeleted() throws InterruptedException {
        ClusterConnection killed = new ClusterConnection(cluster);
        ServerPod pod = start(orlojd("one", ADOPTION, LONG, killed));
        killed.cut();
        PodEngine other = orlojd("two");

        ServerPod started = start(other);
        other.sweep("one");

        assertThat(started.name()).isNotEqualTo(pod.name());
        assertThat(cluster.names()).containsExactly(started.name());
    }

    @Test
    void onlyOneOfTwoReplicasGetsAPod() throws InterruptedException {
        PodEngine before = orlojd("one");
        ServerPod pod = start(before);
        before.close();
        PodEngine other = orlojd("two");
        List<ServerPod> faster = new ArrayList<>();
        cluster.beforePatch =
                () -> {
                    try {
                        faster.add(start(other));
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                };

        ServerPod started = start(orlojd("three"));

        assertThat(faster.getFirst().name()).isEqualTo(pod.name());
        assertThat(started.name()).isNotEqualTo(pod.name());
        assertThat(started.earlierConnections()).isZero();
        assertThat(label(pod.name(), "orloj.dev/replica")).isEqualTo("two");
    }

    /** The report of a node changes the version of a Pod, too. */
    @Test
    void podThatChangesBeforeItIsClaimedIsClaimedAgain() throws InterruptedException {
        PodEngine before = orlojd("one");
        ServerPod pod = start(before);
        before.close();
        cluster.beforePatch = () -> cluster.change(pod.name(), FakeCluster.running());

        assertThat(start(orlojd("one")).name()).isEqualTo(pod.name());
    }

    @Test
    void podOfAnotherDefinitionIsReplaced() throws InterruptedException {
        PodEngine before = orlojd("one");
        ServerPod pod = start(before);
        before.close();

        ServerPod started =
                orlojd("one").start(spec(Map.of("TOKEN", "other")), PodTemplate.NONE, SHARED);

        assertThat(started.name()).isNotEqualTo(pod.name());
        assertThat(cluster.names()).containsExactly(started.name());
    }

    @Test
    void podOfASessionWithOtherTermsIsReplaced() throws InterruptedException {
        PodEngine before = orlojd("one");
        start(before);
        before.close();

        ServerPod started = start(orlojd("one"), PodReuse.of("restarted"));

        assertThat(cluster.names()).containsExactly(started.name());
        assertThat(started.earlierConnections()).isZero();
    }

    @Test
    void podThatWasMarkedWithAnotherKeyIsReplaced() throws InterruptedException {
        PodEngine before = orlojd("one", Optional.of(settings("x")), LONG, connection());
        start(before);
        before.close();

        assertThat(start(orlojd("one")).earlierConnections()).isZero();
    }

    private ClusterConnection connection() {
        return new ClusterConnection(cluster);
    }

    /** More people can read Pods than Secrets. */
    @Test
    void markShowsNoSecretAndBelongsToOnePod() throws InterruptedException {
        PodEngine engine = orlojd("one");
        JsonNode one = cluster.pod(start(engine).name());
        JsonNode two = cluster.pod(start(engine).name());

        String mark = one.path("metadata").path("annotations").path(PodMarks.DEFINITION).asString();
        assertThat(mark).hasSize(64).doesNotContain("hush");
        assertThat(two.path("metadata").path("annotations").path(PodMarks.DEFINITION).asString())
                .isNotEqualTo(mark);
    }

    @Test
    void sessionThatNeedsANewPodGetsOne() throws InterruptedException {
        PodEngine before = orlojd("one");
        ServerPod pod = start(before);
        before.close();

        ServerPod started = start(orlojd("one"), SHARED.withNewPod());

        assertThat(started.name()).isNotEqualTo(pod.name());
        assertThat(stdinOnce(started)).isFalse();
    }

    private boolean stdinOnce(ServerPod pod) {
        return cluster.pod(pod.name()).at("/spec/containers/0/stdinOnce").asBoolean(true);
    }

    @Test
    void podOfASingleClientEndsWithOrlojd() throws InterruptedException {
        PodEngine engine = orlojd("one");
        ServerPod pod = start(engine, new PodReuse.None());
        assertThat(stdinOnce(pod)).isTrue();
        engine.hurry(Duration.ofMillis(10));

        engine.close();

        assertThat(cluster.names()).isEmpty();
    }

    @Test
    void podThatCannotBeLeftIsDeleted() throws InterruptedException {
        PodEngine engine = orlojd("one");
        start(engine);
        cluster.refusedPatch = "pods is forbidden";

        engine.close();

        assertThat(cluster.names()).isEmpty();
    }

    @Test
    void podThatCannotBeClaimedIsReplaced() throws InterruptedException {
        PodEngine before = orlojd("one");
        start(before);
        before.close();
        cluster.refusedPatch = "pods is forbidden";

        ServerPod started = start(orlojd("two"));

        assertThat(started.earlierConnections()).isZero();
        assertThat(cluster.names()).containsExactly(started.name());
    }

    @Test
    void podThatCannotBeAttachedToIsReplaced() throws InterruptedException {
        PodEngine before = orlojd("one");
        ServerPod pod = start(before);
        before.close();
        cluster.refusedAttachments.set(1);

        ServerPod started = start(orlojd("one"));

        assertThat(started.earlierConnections()).isZero();
        assertThat(cluster.deletions).containsExactly(pod.name());
    }

    @Test
    void podThatEndedMeanwhileIsReplaced() throws InterruptedException {
        PodEngine before = orlojd("one");
        ServerPod pod = start(before);
        before.close();
        cluster.change(pod.name(), FakeCluster.terminated(1, "Error", ""));

        ServerPod started = start(orlojd("one"));

        assertThat(cluster.names()).containsExactly(started.name());
    }

    @Test
    void podThatNoReplicaClaimsIsDeleted() throws InterruptedException {
        PodEngine before = orlojd("one");
        start(before);
        before.close();

        orlojd("two", ADOPTION, Duration.ofMillis(50), connection());

        await().untilAsserted(() -> assertThat(cluster.names()).isEmpty());
    }

    @Test
    void podIsDeletedWhenItsServerIsGone() throws InterruptedException {
        PodEngine before = orlojd("one");
        start(before);
        before.close();

        Duration bound = Duration.ofSeconds(5);
        orlojd("two", ADOPTION, bound, connection()).followServers("uid-of-another"::equals);

        await().atMost(bound.minusSeconds(1))
                .untilAsserted(() -> assertThat(cluster.names()).isEmpty());
    }

    @Test
    void podIsDeletedWhenAdoptionIsTurnedOff() throws InterruptedException {
        PodEngine before = orlojd("one");
        start(before);
        before.close();

        orlojd("one", Optional.empty(), Duration.ofMillis(50), connection());

        await().untilAsserted(() -> assertThat(cluster.names()).isEmpty());
    }

    @Test
    void podsOfAnotherInstallationAreLeftAlone() throws InterruptedException {
        PodEngine before = orlojd("one");
        ServerPod pod = start(before);
        before.close();
        PodEngine other =
                new PodEngine(
                        new PodSettings(
                                URI.create("https://fake"),
                                Path.of("/none"),
                                "mcp",
                                "other-pods",
                                "other",
                                Optional.empty()),
                        ContainerListener.NONE,
                        connection(),
                        Duration.ofMillis(10));
        int lists = cluster.lists();

        other.begin();
        await().until(() -> cluster.lists() > lists + 5);
        other.close();

        assertThat(cluster.names()).containsExactly(pod.name());
    }

    /** Its stdin stays open, so that only a signal ends the server. */
    @Test
    void endOfASessionDeletesAKeptPodAndShowsNothingAboutEof() throws InterruptedException {
        PodEngine engine = orlojd("one");
        ServerPod pod = start(engine);

        pod.stop(Duration.ofSeconds(5));

        assertThat(cluster.names()).isEmpty();
        assertThat(pod.obeyedEof()).isEmpty();
    }

    @Test
    void podThatWasStoredTooLateIsDeletedAndNotAdopted() {
        PodEngine engine = orlojd("one");
        cluster.losesCreation = true;
        assertThatThrownBy(() -> start(engine)).hasMessageContaining("timed out");

        cluster.storeLate();

        await().untilAsserted(() -> assertThat(cluster.names()).isEmpty());
    }

    @Test
    void adoptedServerReadsWholeLines() throws InterruptedException, IOException {
        PodEngine before = orlojd("one");
        FakeContainer container = cluster.containers.get(start(before).name());
        container.read("{\"jsonrpc\":\"2.0\",\"id\":1,");
        before.close();

        ServerPod adopted = start(orlojd("one"));
        adopted.stdin().write("{}\n".getBytes(StandardCharsets.UTF_8));
        adopted.stdin().flush();

        await().untilAsserted(
                        () ->
                                assertThat(container.lines())
                                        .containsExactly("{\"jsonrpc\":\"2.0\",\"id\":1,", "{}"));
    }
}
