package dev.orloj.api.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.orloj.api.ApiException;
import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.FieldSelector;
import dev.orloj.api.LabelSelector;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.ResourceList;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchClosedException;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.client.Write;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * What every {@link ResourceClient} promises. Each test works in a name space of its own, made of
 * labels and names, so that a store may be shared by all of them and hold other things beside.
 */
public abstract class ResourceClientContract {

    private static final String NAMESPACE = "default";
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration NOTHING_COMES = Duration.ofMillis(100);

    private final String run = "c" + UUID.randomUUID().toString().substring(0, 8);

    /** The client under test; the same store however often it is asked for within a test. */
    protected abstract ResourceClient client();

    ResourceKey key(String name) {
        return new ResourceKey(NAMESPACE, run + "-" + name);
    }

    McpServer server(String name) {
        ObjectNode document =
                (ObjectNode)
                        Json.MAPPER.readTree(
                                """
                                {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                                 "metadata": {"name": "%s", "namespace": "%s",
                                              "labels": {"run": "%s", "name": "%s"}},
                                 "spec": {"transport": "stdio", "command": "first"}}
                                """
                                        .formatted(key(name).name(), NAMESPACE, run, name));
        return ResourceCodec.fromDocument(McpServer.KIND, document);
    }

    McpServer created(String name) {
        return client().create(McpServer.KIND, server(name));
    }

    static McpServer withCommand(McpServer server, String command) {
        ObjectNode document = ResourceCodec.toDocument(server);
        document.withObject("/spec").put("command", command);
        return ResourceCodec.fromDocument(McpServer.KIND, document);
    }

    private static McpServer withError(McpServer server, String error) {
        List<Condition> conditions =
                Conditions.merge(
                        List.of(),
                        List.of(Condition.isFalse("Ready", "Broken", error)),
                        1,
                        Instant.EPOCH);
        return server.withStatus(
                McpServerStatus.EMPTY.toBuilder()
                        .phase(McpServerStatus.Phase.ERROR, 1)
                        .conditions(conditions)
                        .lastError(error)
                        .build());
    }

    McpServer stored(String name) {
        return client().get(McpServer.KIND, key(name));
    }

    private ListOptions mine() {
        return ListOptions.inNamespace(NAMESPACE).withLabels(LabelSelector.ofLabel("run", run));
    }

    private WatchOptions mineAfter(ResourceVersion from) {
        return new WatchOptions(
                NAMESPACE, LabelSelector.ofLabel("run", run), FieldSelector.EVERYTHING, from);
    }

    private ResourceVersion now() {
        return client().list(McpServer.KIND, mine()).version();
    }

    static void assertRefused(ErrorReason reason, ThrowingCallable request) {
        assertThat(catchThrowableOfType(ApiException.class, request))
                .as("refusal with reason %s", reason)
                .isNotNull()
                .extracting(ApiException::reason)
                .isEqualTo(reason);
    }

    /** The next event that is no bookmark. */
    private static WatchEvent<McpServer> next(Watch<McpServer> watch) throws InterruptedException {
        while (true) {
            WatchEvent<McpServer> event = watch.next(SOON).orElseThrow();
            if (!(event instanceof WatchEvent.Bookmark<McpServer>)) {
                return event;
            }
        }
    }

    private static String publish(WatchEvent<McpServer> event) {
        return switch (event) {
            case WatchEvent.Added<McpServer>(McpServer s) ->
                    "added " + s.spec().program().command();
            case WatchEvent.Modified<McpServer>(McpServer s) ->
                    "modified " + s.spec().program().command();
            case WatchEvent.Deleted<McpServer>(McpServer s) ->
                    "deleted " + s.spec().program().command();
            case WatchEvent.Bookmark<McpServer> _ -> "bookmark";
        };
    }

    @Test
    void createdResourceHasIdentityAndGenerationOne() {
        McpServer created = created("a");

        assertThat(created.metadata().uid()).isNotEmpty();
        assertThat(created.metadata().generation()).isEqualTo(1);
        assertThat(created.metadata().resourceVersion().isSet()).isTrue();
        assertThat(created.metadata().creationTimestamp()).isNotNull();
        assertThat(stored("a")).isEqualTo(created);
    }

    @Test
    void createDropsTheStatus() {
        client().create(McpServer.KIND, withError(server("a"), "made up"));

        assertThat(stored("a").status().lastError()).isEmpty();
    }

    @Test
    void createOfAnExistingNameIsRefused() {
        created("a");

        assertRefused(ErrorReason.ALREADY_EXISTS, () -> created("a"));
    }

    @Test
    void absentResourceIsFoundEmptyAndGotNotFound() {
        assertThat(client().find(McpServer.KIND, key("absent"))).isEmpty();
        assertRefused(ErrorReason.NOT_FOUND, () -> stored("absent"));
    }

    @Test
    void generationMovesOnlyWithTheDesiredState() {
        McpServer created = created("a");

        McpServer labelled =
                client().update(
                                McpServer.KIND,
                                created.withMetadata(
                                        created.metadata().withAnnotations(Map.of("x", "y"))));
        McpServer changed = client().update(McpServer.KIND, withCommand(labelled, "second"));

        assertThat(labelled.metadata().generation()).isEqualTo(1);
        assertThat(changed.metadata().generation()).isEqualTo(2);
        assertThat(changed.metadata().uid()).isEqualTo(created.metadata().uid());
        assertThat(changed.metadata().resourceVersion())
                .isGreaterThan(labelled.metadata().resourceVersion());
    }

    @Test
    void newestChangeIsAsNewAsTheLastWrite() {
        created("a");
        McpServer updated = client().update(McpServer.KIND, withCommand(created("b"), "second"));

        assertThat(client().newestChange(McpServer.KIND))
                .isGreaterThanOrEqualTo(updated.metadata().resourceVersion())
                .isLessThanOrEqualTo(now());
    }

    @Test
    void unchangedUpdateKeepsTheResourceVersion() {
        McpServer created = created("a");

        McpServer updated = client().update(McpServer.KIND, created);

        assertThat(updated).isEqualTo(created);
    }

    @Test
    void unchangedStatusKeepsTheResourceVersion() {
        McpServer once = client().updateStatus(McpServer.KIND, withError(created("a"), "down"));

        McpServer twice = client().updateStatus(McpServer.KIND, withError(once, "down"));

        assertThat(twice).isEqualTo(once);
    }

    @Test
    void outdatedUpdateConflicts() {
        McpServer created = created("a");
        client().update(McpServer.KIND, withCommand(created, "second"));

        assertRefused(
                ErrorReason.CONFLICT,
                () -> client().update(McpServer.KIND, withCommand(created, "third")));
        assertRefused(
                ErrorReason.CONFLICT,
                () -> client().updateStatus(McpServer.KIND, withError(created, "down")));
        assertThat(stored("a").spec().program().command()).isEqualTo("second");
    }

    @Test
    void updateKeepsTheStatusAndStatusKeepsTheRest() {
        McpServer down = client().updateStatus(McpServer.KIND, withError(created("a"), "down"));

        McpServer changed =
                client().update(
                                McpServer.KIND,
                                withCommand(withError(down, "not to be written"), "second"));
        McpServer up =
                client().updateStatus(
                                McpServer.KIND,
                                withError(withCommand(changed, "not to be written"), "up"));

        assertThat(changed.status().lastError()).isEqualTo("down");
        assertThat(up.spec().program().command()).isEqualTo("second");
        assertThat(up.status().lastError()).isEqualTo("up");
        assertThat(up.metadata().generation()).isEqualTo(2);
    }

    @Test
    void patchMergesAndRemovesWithNull() {
        created("a");
        ObjectNode patch = Json.MAPPER.createObjectNode();
        patch.withObject("/metadata/annotations").put("x", "y");
        patch.withObject("/metadata/labels").putNull("name");
        patch.withObject("/spec").put("command", "second");

        McpServer patched = client().patch(McpServer.KIND, key("a"), patch);

        assertThat(patched.metadata().annotations()).isEqualTo(Map.of("x", "y"));
        assertThat(patched.metadata().labels()).isEqualTo(Map.of("run", run));
        assertThat(patched.spec().program().command()).isEqualTo("second");
        assertThat(stored("a")).isEqualTo(patched);
    }

    @Test
    void deletedResourceIsGone() {
        created("a");

        client().delete(McpServer.KIND, key("a"), DeleteOptions.UNCONDITIONAL);

        assertThat(client().find(McpServer.KIND, key("a"))).isEmpty();
        assertRefused(
                ErrorReason.NOT_FOUND,
                () -> client().delete(McpServer.KIND, key("a"), DeleteOptions.UNCONDITIONAL));
    }

    @Test
    void deletionOfAnotherIncarnationOrStateConflicts() {
        McpServer created = created("a");
        client().update(McpServer.KIND, withCommand(created, "second"));

        assertRefused(
                ErrorReason.CONFLICT,
                () ->
                        client().delete(
                                        McpServer.KIND,
                                        key("a"),
                                        new DeleteOptions(
                                                UUID.randomUUID().toString(),
                                                ResourceVersion.UNSET,
                                                false)));
        assertRefused(
                ErrorReason.CONFLICT,
                () ->
                        client().delete(
                                        McpServer.KIND,
                                        key("a"),
                                        new DeleteOptions(
                                                "", created.metadata().resourceVersion(), false)));
        assertThat(stored("a").metadata().isDeleting()).isFalse();
    }

    @Test
    void dryRunDeletesNothing() {
        McpServer created = created("a");

        client().delete(
                        McpServer.KIND,
                        key("a"),
                        new DeleteOptions("", ResourceVersion.UNSET, true));

        assertThat(stored("a")).isEqualTo(created);
    }

    @Test
    void orderForTheDependentsIsNotedInTheFinalizers() {
        created("a");

        delete("a", Propagation.FOREGROUND);
        McpServer waiting = stored("a");
        delete("a", Propagation.FOREGROUND);
        McpServer again = stored("a");
        delete("a", Propagation.ORPHAN);
        McpServer orphaning = stored("a");
        delete("a", Propagation.BACKGROUND);

        assertThat(waiting.metadata().isDeleting()).isTrue();
        assertThat(waiting.metadata().generation()).isEqualTo(2);
        assertThat(waiting.metadata().finalizers())
                .containsExactly(Propagation.FOREGROUND_FINALIZER);
        assertThat(again).as("the same once more").isEqualTo(waiting);
        assertThat(orphaning.metadata().finalizers()).containsExactly(Propagation.ORPHAN_FINALIZER);
        assertThat(client().find(McpServer.KIND, key("a"))).isEmpty();
    }

    private void delete(String name, Propagation propagation) {
        client().delete(McpServer.KIND, key(name), DeleteOptions.UNCONDITIONAL.with(propagation));
    }

    @Test
    void finalizerHoldsADeletedResourceUntilItIsOff() {
        McpServer created = server("a");
        client().create(
                        McpServer.KIND,
                        created.withMetadata(created.metadata().withFinalizer("test.dev/hold")));

        client().delete(McpServer.KIND, key("a"), DeleteOptions.UNCONDITIONAL);
        client().delete(McpServer.KIND, key("a"), DeleteOptions.UNCONDITIONAL);
        McpServer held = stored("a");
        assertThat(held.metadata().isDeleting()).isTrue();
        McpServer withStatus = client().updateStatus(McpServer.KIND, withError(held, "leaving"));
        client().update(
                        McpServer.KIND,
                        withStatus.withMetadata(
                                withStatus.metadata().withoutFinalizer("test.dev/hold")));

        assertThat(client().find(McpServer.KIND, key("a"))).isEmpty();
    }

    @Test
    void listIsOrderedSelectedAndPaged() {
        created("b");
        created("c");
        created("a");

        ResourceList<McpServer> first = client().list(McpServer.KIND, mine().page(2, ""));
        ResourceList<McpServer> rest =
                client().list(McpServer.KIND, mine().page(2, first.continueToken()));

        assertThat(first.items()).extracting(McpServer::key).containsExactly(key("a"), key("b"));
        assertThat(first.hasMore()).isTrue();
        assertThat(rest.items()).extracting(McpServer::key).containsExactly(key("c"));
        assertThat(rest.hasMore()).isFalse();
        assertThat(rest.version()).isEqualTo(first.version());
        assertThat(client().list(McpServer.KIND, ofName(mine(), key("b").name())).items())
                .extracting(McpServer::key)
                .containsExactly(key("b"));
    }

    @Test
    void finalizersOfTheSpecHoldUntilTheyAreTaken() {
        Namespace created = client().create(Namespace.KIND, Namespace.of(run));
        ResourceKey key = created.key();
        client().updateFinalizers(Namespace.KIND, withFinalizers(created, "example.org/held"));

        client().delete(Namespace.KIND, key, DeleteOptions.UNCONDITIONAL);

        Namespace held = client().get(Namespace.KIND, key);
        assertThat(held.metadata().isDeleting()).isTrue();
        client().updateFinalizers(Namespace.KIND, withFinalizers(held));
        assertThat(client().find(Namespace.KIND, key)).isEmpty();
    }

    private static Namespace withFinalizers(Namespace namespace, String... finalizers) {
        return new Namespace(
                namespace.apiVersion(),
                namespace.kind(),
                namespace.metadata(),
                new Namespace.Spec(List.of(finalizers)),
                namespace.status());
    }

    @Test
    void writeAllDoesAll() {
        McpServer a = created("a");
        created("b");

        client().writeAll(
                        McpServer.KIND,
                        List.of(
                                new Write.Update<>(withCommand(a, "second")),
                                new Write.Create<>(server("c")),
                                new Write.Delete<>(key("b"), DeleteOptions.UNCONDITIONAL)));

        assertThat(client().list(McpServer.KIND, mine()).items())
                .extracting(McpServer::key)
                .containsExactly(key("a"), key("c"));
        assertThat(stored("a").spec().program().command()).isEqualTo("second");
    }

    @Test
    void watchFromAListReportsWhatFollowsInOrder() throws InterruptedException {
        McpServer a = created("a");
        ResourceVersion listed = now();
        client().update(McpServer.KIND, withCommand(a, "second"));

        try (Watch<McpServer> watch = client().watch(McpServer.KIND, mineAfter(listed))) {
            created("b");
            client().delete(McpServer.KIND, key("a"), DeleteOptions.UNCONDITIONAL);

            WatchEvent<McpServer> modified = next(watch);
            assertThat(publish(modified)).isEqualTo("modified second");
            assertThat(publish(next(watch))).isEqualTo("added first");
            WatchEvent<McpServer> deleted = next(watch);
            assertThat(publish(deleted)).isEqualTo("deleted second");
            assertThat(((WatchEvent.Deleted<McpServer>) deleted).resource().metadata())
                    .satisfies(
                            last ->
                                    assertThat(last.resourceVersion())
                                            .isGreaterThan(
                                                    ((WatchEvent.Modified<McpServer>) modified)
                                                            .resource()
                                                            .metadata()
                                                            .resourceVersion()));
        }
    }

    @Test
    void watchFromNowhereReportsThePresentStateFirst() throws InterruptedException {
        created("a");

        try (Watch<McpServer> watch =
                client().watch(McpServer.KIND, mineAfter(ResourceVersion.UNSET))) {
            assertThat(publish(next(watch))).isEqualTo("added first");
            client().update(McpServer.KIND, withCommand(stored("a"), "second"));
            assertThat(publish(next(watch))).isEqualTo("modified second");
        }
    }

    @Test
    void leavingAndEnteringTheSelectionIsReportedAsDeletionAndAddition()
            throws InterruptedException {
        McpServer a = created("a");

        try (Watch<McpServer> watch = client().watch(McpServer.KIND, mineAfter(now()))) {
            McpServer outside =
                    client().update(
                                    McpServer.KIND,
                                    a.withMetadata(a.metadata().withLabels(Map.of())));
            client().update(McpServer.KIND, outside.withMetadata(labelled(outside, a)));

            assertThat(publish(next(watch))).isEqualTo("deleted first");
            assertThat(publish(next(watch))).isEqualTo("added first");
        }
    }

    private static dev.orloj.api.ObjectMeta labelled(McpServer server, McpServer like) {
        return server.metadata().withLabels(like.metadata().labels());
    }

    @Test
    void unchangedWritesAreNotReported() throws InterruptedException {
        McpServer a = created("a");

        try (Watch<McpServer> watch = client().watch(McpServer.KIND, mineAfter(now()))) {
            client().update(McpServer.KIND, a);
            client().update(McpServer.KIND, withCommand(a, "second"));

            assertThat(publish(next(watch))).isEqualTo("modified second");
        }
    }

    @Test
    void watchNewerThanTheStoreIsExpired() {
        ResourceVersion future = new ResourceVersion(now().value() + 1_000_000);

        assertRefused(
                ErrorReason.EXPIRED,
                () -> {
                    try (Watch<McpServer> watch =
                            client().watch(McpServer.KIND, mineAfter(future))) {
                        watch.next(SOON);
                    }
                });
    }

    @Test
    void quietWatchReturnsEmpty() throws InterruptedException {
        try (Watch<McpServer> watch = client().watch(McpServer.KIND, mineAfter(now()))) {
            assertThat(watch.next(NOTHING_COMES))
                    .satisfiesAnyOf(
                            event -> assertThat(event).isEmpty(),
                            event ->
                                    assertThat(event.orElseThrow())
                                            .isInstanceOf(WatchEvent.Bookmark.class));
        }
    }

    @Test
    void closeEndsAWaitingNext() throws Exception {
        Watch<McpServer> watch = client().watch(McpServer.KIND, mineAfter(now()));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> waiting =
                    threads.submit(
                            () -> {
                                while (true) {
                                    watch.next(Duration.ofMinutes(1));
                                }
                            });
            watch.close();

            assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(WatchClosedException.class);
        }
    }

    @Test
    void concurrentWritersLoseNothingAndAWatchRepeatsNothing() throws Exception {
        created("first"); // an empty store has no revision to watch from
        ResourceVersion start = now();
        int writers = 4;
        int each = 25;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int w = 0; w < writers; w++) {
                int writer = w;
                threads.submit(
                        () -> {
                            for (int i = 0; i < each; i++) {
                                created("w" + writer + "-" + i);
                            }
                        });
            }
            List<ResourceKey> reported = new ArrayList<>();
            List<ResourceVersion> order = new ArrayList<>();
            try (Watch<McpServer> watch = client().watch(McpServer.KIND, mineAfter(start))) {
                while (reported.size() < writers * each) {
                    McpServer added = ((WatchEvent.Added<McpServer>) next(watch)).resource();
                    reported.add(added.key());
                    order.add(added.metadata().resourceVersion());
                }
            }
            assertThat(reported).doesNotHaveDuplicates();
            assertThat(order).isSorted();
        }
    }

    private static ListOptions ofName(ListOptions all, String name) {
        return new ListOptions(
                all.namespace(),
                all.labels(),
                FieldSelector.ofName(name),
                all.limit(),
                all.continueToken(),
                all.notOlderThan());
    }
}
