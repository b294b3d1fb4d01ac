package dev.orloj.runtime.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.api.pod.PodTemplate;
import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.PodReuse;
import dev.orloj.runtime.container.spec.PullPolicy;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.TransportListener;
import dev.orloj.runtime.transport.TransportStats;
import dev.orloj.runtime.transport.stdio.StdioTransport;
import dev.orloj.runtime.workload.LogBuffer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;

import javax.crypto.spec.SecretKeySpec;

/** What two orlojds, one after the other, say to one server, and it to them. */
class AdoptedConversationTest {

    private static final PodSettings SETTINGS =
            new PodSettings(
                    URI.create("https://fake"),
                    Path.of("/none"),
                    "mcp",
                    "orloj-pods",
                    "one",
                    Optional.of(
                            new PodSettings.Adoption(
                                    new SecretKeySpec(new byte[32], "HmacSHA256"))));
    private static final ContainerSpec SPEC =
            new ContainerSpec(
                    new ContainerOwner("default", "memory", "uid-of-server"),
                    new ImageSource("registry.example/mcp:1", PullPolicy.NEVER, Optional.empty()),
                    List.of(),
                    List.of(),
                    Map.of(),
                    List.of(),
                    ContainerIsolation.DEFAULT,
                    false,
                    List.of());
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final FakeCluster cluster = new FakeCluster();
    private final LogBuffer log = new LogBuffer(InstantSource.system());
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        end();
        cluster.close();
    }

    private void end() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
        open.clear();
    }

    /** Starts an orlojd that opens a session; the one before has ended. */
    private Transport connect() throws Exception {
        end();
        PodEngine engine =
                new PodEngine(SETTINGS, ContainerListener.NONE, new ClusterConnection(cluster));
        engine.begin();
        open.add(engine);
        Transport transport =
                new StdioTransport(
                        () -> engine.start(SPEC, PodTemplate.NONE, PodReuse.of("")),
                        log,
                        "default/memory",
                        Duration.ofSeconds(1),
                        MessageLimits.usual());
        transport.open(new Silent());
        engine.leave();
        open.add(transport);
        return transport;
    }

    private FakeContainer container() {
        return cluster.containers.values().iterator().next();
    }

    private static FutureTask<JsonNode> ask(Transport transport) {
        FutureTask<JsonNode> answer =
                new FutureTask<>(() -> transport.request("tools/call", null, TIMEOUT));
        Thread.startVirtualThread(answer);
        return answer;
    }

    private long awaitRequest(int index) {
        await().until(() -> container().lines().size() > index);
        return Json.MAPPER.readTree(container().lines().get(index)).path("id").asLong();
    }

    private static String answer(long id, String text) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"text\":\"%s\"}}\n".formatted(id, text);
    }

    @Test
    void answerToAnEarlierOrlojdIsNotTakenForOneToThisOne() throws Exception {
        Transport before = connect();
        FutureTask<JsonNode> lost = ask(before);
        long earlier = awaitRequest(0);
        before.close();
        assertThat(lost).failsWithin(TIMEOUT);

        Transport transport = connect();
        FutureTask<JsonNode> asked = ask(transport);
        long id = awaitRequest(2);
        container().write(answer(earlier, "late"));
        container().write(answer(id, "new"));

        assertThat(asked.get().path("text").asString()).isEqualTo("new");
        assertThat(id).isNotEqualTo(earlier);
        assertThat(transport.stats().unknownAnswers()).isEqualTo(1);
    }

    @Test
    void lineThatBeganBeforeTheConnectionIsSkipped() throws Exception {
        connect().close();
        Transport transport = connect();

        FutureTask<JsonNode> asked = ask(transport);
        long id = awaitRequest(1);
        container().write("\"text\":\"late\"}}\n");
        container().write(answer(id, "new"));

        assertThat(asked.get().path("text").asString()).isEqualTo("new");
        assertThat(transport.stats()).extracting(TransportStats::noiseLines).isEqualTo(0L);
    }

    @Test
    void onlyTheFirstLineMayBePartial() throws Exception {
        connect().close();
        Transport transport = connect();

        FutureTask<JsonNode> asked = ask(transport);
        long id = awaitRequest(1);
        container().write("}}\nServer says hello\n");
        container().write(answer(id, "new"));

        assertThat(asked.get().path("text").asString()).isEqualTo("new");
        assertThat(transport.stats().noiseLines()).isEqualTo(1);
    }

    @Test
    void messageThatEndedBeforeTheNextOrlojdBeginsIsNoPartOfItsFirstOne() throws Exception {
        connect().close();
        container().read("{\"jsonrpc\":");

        Transport transport = connect();
        FutureTask<JsonNode> asked = ask(transport);
        long id = awaitRequest(1);
        container().write(answer(id, "new"));

        assertThat(asked.get().path("text").asString()).isEqualTo("new");
        assertThat(container().lines().getFirst()).isEqualTo("{\"jsonrpc\":");
    }

    private static final class Silent implements TransportListener {

        @Override
        public void onNotification(String method, @Nullable JsonNode params) {}

        @Override
        public void onClosed(TransportException cause) {}
    }
}
