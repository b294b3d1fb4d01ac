package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Tool;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.store.Mutation;
import dev.orloj.server.store.PostgresStore;
import dev.orloj.server.testing.CuttingProxy;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * An informer of the fabric8 Kubernetes client, as operators in Java use it, keeps up with the
 * server whatever happens in between: nothing is missed for good, and nothing is made up.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Fabric8InformerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long SEED = 20_261_121;

    /** More than the server keeps in memory for watches that come back. */
    private static final int MORE_THAN_THE_WINDOW = 1_100;

    /** How the client wants to be notified of changes. */
    enum Transport {
        WEB_SOCKET_FIRST,
        HTTP
    }

    private TestPostgres.Database database;
    private RunningOrlojd orlojd;

    /** What a test wrote: name and version. */
    private final Set<String> history = new HashSet<>();

    @BeforeAll
    void start() {
        database = TestPostgres.freshDatabase();
        orlojd = RunningOrlojd.start(database, Map.of());
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
    }

    @ParameterizedTest
    @EnumSource
    void droppedConnectionsLoseNothing(Transport transport) throws Exception {
        String namespace = namespace("dropped", transport);
        Random random = new Random(SEED);
        try (CuttingProxy proxy = new CuttingProxy(orlojd.client().url());
                Follower follower = new Follower(proxy, namespace, transport)) {
            for (int round = 0; round < 6; round++) {
                for (int i = 0; i < 10; i++) {
                    change(namespace, random);
                }
                proxy.cut();
            }

            assertUpToDate(follower, namespace);
        }
    }

    @ParameterizedTest
    @EnumSource
    void compactionWhileCutOffIsMadeUpForByListingAgain(Transport transport) throws Exception {
        String namespace = namespace("compacted", transport);
        Random random = new Random(SEED);
        try (CuttingProxy proxy = new CuttingProxy(orlojd.client().url());
                Follower follower = new Follower(proxy, namespace, transport)) {
            for (int i = 0; i < 20; i++) {
                change(namespace, random);
            }
            assertUpToDate(follower, namespace);

            proxy.block();
            for (int i = 0; i < 20; i++) {
                change(namespace, random);
            }
            fillWindow();
            forgetLog();
            proxy.unblock();

            assertUpToDate(follower, namespace);
            for (int i = 0; i < 5; i++) {
                change(namespace, random);
            }
            assertUpToDate(follower, namespace);
        }
    }

    @ParameterizedTest
    @EnumSource
    void restartOfTheServerIsLivedThrough(Transport transport) throws Exception {
        String namespace = namespace("restart", transport);
        Random random = new Random(SEED);
        try (CuttingProxy proxy = new CuttingProxy(orlojd.client().url());
                Follower follower = new Follower(proxy, namespace, transport)) {
            for (int i = 0; i < 20; i++) {
                change(namespace, random);
            }

            restart();
            proxy.redirect(orlojd.client().url());
            for (int i = 0; i < 20; i++) {
                change(namespace, random);
            }

            assertUpToDate(follower, namespace);
        }
    }

    private String namespace(String what, Transport transport) {
        String namespace = what + "-" + transport.name().toLowerCase(Locale.ROOT).replace('_', '-');
        orlojd.createNamespace(namespace);
        return namespace;
    }

    /** Creates, changes or removes one of a few Tools. */
    private void change(String namespace, Random random) {
        RestClient client = orlojd.client();
        String tools = RestClient.collection(namespace, "tools");
        String name = "t" + random.nextInt(12);
        if (random.nextInt(5) == 0) {
            client.delete(tools + "/" + name);
            return;
        }
        String patch = "{\"spec\":{\"description\":\"%d\"}}".formatted(random.nextLong());
        RestClient.Answer answer = client.patch(tools + "/" + name, patch);
        if (answer.code() == 404) {
            answer = client.post(tools, tool(name));
        }
        assertThat(answer.code()).isIn(200, 201);
        history.add(words(answer.body()));
    }

    private static Map<String, Object> tool(String name) {
        return Map.of(
                "apiVersion",
                "orloj.dev/v1",
                "kind",
                "Tool",
                "metadata",
                Map.of("name", name),
                "spec",
                Map.of("type", "http", "endpoint", "http://x"));
    }

    /** Changes so much elsewhere that a watch cannot resume from the memory of the server. */
    private void fillWindow() {
        TreeMap<ResourceKey, Mutation> mutations = new TreeMap<>();
        for (int i = 0; i < MORE_THAN_THE_WINDOW; i++) {
            ResourceKey key = new ResourceKey("default", "filler-" + i);
            mutations.put(key, _ -> new Mutation.Outcome.Put(filler(key)));
        }
        orlojd.part(PostgresStore.class).writeAll(Tool.DESCRIPTOR, mutations);
    }

    private static ObjectNode filler(ResourceKey key) {
        ObjectNode document = Json.MAPPER.valueToTree(tool(key.name()));
        document.withObject("/metadata")
                .put("namespace", key.namespace())
                .put("uid", UUID.randomUUID().toString())
                .put("creationTimestamp", "2026-11-21T00:00:00Z")
                .put("generation", 1);
        return document;
    }

    private void forgetLog() {
        database.jdbc()
                .sql("UPDATE revision_counter SET compacted = rev WHERE shard = 'main'")
                .update();
    }

    /** On another port: a client may have taken the one from before. */
    private void restart() {
        orlojd.close();
        orlojd = RunningOrlojd.start(database, Map.of());
    }

    private void assertUpToDate(Follower follower, String namespace) {
        Set<String> stored =
                orlojd.client()
                        .get(RestClient.collection(namespace, "tools"))
                        .expect(200)
                        .body()
                        .path("items")
                        .valueStream()
                        .map(Fabric8InformerTest::words)
                        .collect(Collectors.toSet());
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> {
                            assertThat(follower.reported()).isEqualTo(stored);
                            assertThat(follower.cached()).isEqualTo(stored);
                        });
        assertThat(follower.errors).isEmpty();
        assertThat(history).containsAll(follower.everReported);
    }

    private static String words(JsonNode tool) {
        return "%s@%s"
                .formatted(
                        tool.at("/metadata/name").asString(),
                        tool.at("/metadata/resourceVersion").asString());
    }

    /** An informer over the Tools of a namespace, and what its handler received. */
    private static final class Follower implements AutoCloseable {

        private final KubernetesClient client;
        private final SharedIndexInformer<GenericKubernetesResource> informer;
        private final Map<String, String> present = new ConcurrentHashMap<>();
        private final Set<String> everReported = ConcurrentHashMap.newKeySet();
        private final Collection<String> errors = new ConcurrentLinkedQueue<>();

        Follower(CuttingProxy proxy, String namespace, Transport transport) {
            Config config =
                    new ConfigBuilder(Config.empty())
                            .withMasterUrl(proxy.url())
                            .withWatchReconnectInterval(20)
                            .withRequestRetryBackoffInterval(20)
                            .withOnlyHttpWatches(transport == Transport.HTTP)
                            .build();
            client = new KubernetesClientBuilder().withConfig(config).build();
            ResourceDefinitionContext tools =
                    new ResourceDefinitionContext.Builder()
                            .withGroup("orloj.dev")
                            .withVersion("v1")
                            .withKind("Tool")
                            .withPlural("tools")
                            .withNamespaced(true)
                            .build();
            informer =
                    client.genericKubernetesResources(tools)
                            .inNamespace(namespace)
                            .inform(new Recorder());
        }

        Set<String> reported() {
            return Set.copyOf(present.values());
        }

        Set<String> cached() {
            return informer.getStore().list().stream()
                    .map(Follower::words)
                    .collect(Collectors.toSet());
        }

        private static String words(GenericKubernetesResource tool) {
            return "%s@%s"
                    .formatted(
                            tool.getMetadata().getName(), tool.getMetadata().getResourceVersion());
        }

        @Override
        public void close() {
            informer.stop();
            client.close();
        }

        /** Keeps the state that the handler received, and notes what does not fit. */
        private final class Recorder implements ResourceEventHandler<GenericKubernetesResource> {

            @Override
            public void onAdd(GenericKubernetesResource tool) {
                String before = put(tool);
                if (before != null) {
                    errors.add("added %s, which was %s".formatted(words(tool), before));
                }
            }

            @Override
            public void onUpdate(GenericKubernetesResource old, GenericKubernetesResource tool) {
                String before = put(tool);
                if (before == null || version(before) > version(words(tool))) {
                    errors.add("updated %s, which was %s".formatted(words(tool), before));
                }
            }

            @Override
            public void onDelete(GenericKubernetesResource tool, boolean finalStateUnknown) {
                if (present.remove(tool.getMetadata().getName()) == null) {
                    errors.add("deleted %s, which was not".formatted(words(tool)));
                }
            }

            private @Nullable String put(GenericKubernetesResource tool) {
                everReported.add(words(tool));
                return present.put(tool.getMetadata().getName(), words(tool));
            }

            private static long version(String words) {
                return Long.parseLong(words.substring(words.indexOf('@') + 1));
            }
        }
    }
}
