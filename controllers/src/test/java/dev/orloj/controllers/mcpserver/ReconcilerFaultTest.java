package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Event;
import dev.orloj.api.testing.FaultyClient.Request;
import dev.orloj.api.testing.FaultyClient.Verb;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Whatever fails and whenever orlojd is killed, the store ends as it does when nothing fails. The
 * story: a server is applied, changed, changes its tools, and is deleted.
 */
class ReconcilerFaultTest {

    private static final ResourceKey KEY = new ResourceKey("default", "git");
    private static final String SPEC =
            "\"transport\": \"stdio\", \"command\": \"git-mcp\", \"reconnect\": {\"max_attempts\":"
                    + " 1}";
    private static final String CHANGED_SPEC = SPEC + ", \"timeout\": \"5s\"";

    /** orlojd is gone. No reconciler can catch it and go on. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** A part of the story: something happens, and then the reconciler has to deal with it. */
    private record Chapter(String name, Consumer<ReconcilerHarness> happens) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Chapter> STORY =
            List.of(
                    new Chapter("applied", ReconcilerFaultTest::apply),
                    new Chapter("tools changed", ReconcilerFaultTest::changeTools),
                    new Chapter("manifest changed", ReconcilerFaultTest::changeManifest),
                    new Chapter("deleted", harness -> harness.delete(KEY)));

    private static void apply(ReconcilerHarness harness) {
        harness.servers.script("git-mcp").offer("log", "create_issue", "create-issue");
        harness.apply(Manifests.server("default", "git", SPEC));
    }

    private static void changeTools(ReconcilerHarness harness) {
        harness.servers.script("git-mcp").offer("log", "create_issue", "blame");
        harness.servers.script("git-mcp").announceChange();
    }

    private static void changeManifest(ReconcilerHarness harness) {
        harness.store.update(
                McpServer.KIND, Manifests.respecified(harness.server(KEY), CHANGED_SPEC));
    }

    /** What the store holds, without what differs from run to run. */
    private static List<String> outcome(ReconcilerHarness harness) {
        return Stream.concat(
                        harness.all(McpServer.KIND).stream()
                                .map(
                                        server ->
                                                "%s %s %s %s"
                                                        .formatted(
                                                                server.key(),
                                                                server.metadata().finalizers(),
                                                                server.status().phase(),
                                                                server.status().generatedTools())),
                        harness.all(Tool.KIND).stream()
                                .map(
                                        tool ->
                                                "%s %s %s"
                                                        .formatted(
                                                                tool.key(),
                                                                tool.metadata().labels(),
                                                                tool.spec())))
                .toList();
    }

    /** The outcomes of the chapters when nothing fails. */
    private static List<List<String>> undisturbed = List.of();

    @BeforeAll
    static void playUndisturbed() throws InterruptedException {
        List<List<String>> outcomes = new ArrayList<>();
        try (ReconcilerHarness harness = new ReconcilerHarness()) {
            for (Chapter chapter : STORY) {
                chapter.happens().accept(harness);
                harness.reconcileUntilSteady(KEY);
                outcomes.add(outcome(harness));
            }
        }
        undisturbed = outcomes;
    }

    /** Plays the story up to a chapter, and that one with a disturbance. */
    private static void assertConverges(
            int chapter, BiConsumer<ReconcilerHarness, Runnable> disturbance)
            throws InterruptedException {
        try (ReconcilerHarness harness = new ReconcilerHarness()) {
            for (Chapter before : STORY.subList(0, chapter)) {
                before.happens().accept(harness);
                harness.reconcileUntilSteady(KEY);
            }
            STORY.get(chapter).happens().accept(harness);
            disturbance.accept(harness, () -> settle(harness));
            harness.client.heal();
            settle(harness);
            assertThat(outcome(harness)).isEqualTo(undisturbed.get(chapter));
            assertThat(harness.servers.script("git-mcp").live())
                    .isEqualTo(STORY.get(chapter).name().equals("deleted") ? 0 : 1);
        }
    }

    /** Reconciles to the end, over any number of deaths. */
    private static void settle(ReconcilerHarness harness) {
        while (true) {
            try {
                harness.reconcileUntilSteady(KEY);
                return;
            } catch (Killed _) {
                restart(harness);
            }
        }
    }

    private static void restart(ReconcilerHarness harness) {
        try {
            harness.restart();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** R1. */
    @Test
    void afterEveryChapterASecondLookWritesNothing() throws InterruptedException {
        try (ReconcilerHarness harness = new ReconcilerHarness()) {
            for (Chapter chapter : STORY) {
                chapter.happens().accept(harness);
                harness.reconcileUntilSteady(KEY);
                int writes = harness.client.writes();
                harness.reconcile(KEY);
                harness.reconcile(KEY);
                assertThat(harness.client.writes()).as(chapter.name()).isEqualTo(writes);
            }
        }
    }

    /** R2. */
    @TestFactory
    Stream<DynamicTest> anySingleFailingVerbConverges() {
        return chapters()
                .flatMap(
                        chapter ->
                                Stream.of(McpServer.KIND, Tool.KIND, Event.KIND)
                                        .flatMap(
                                                kind ->
                                                        Stream.of(Verb.values())
                                                                .map(
                                                                        verb ->
                                                                                failing(
                                                                                        chapter,
                                                                                        verb,
                                                                                        kind))));
    }

    private static DynamicTest failing(int chapter, Verb verb, Kind<?> kind) {
        return DynamicTest.dynamicTest(
                "%s: %s of %s fails".formatted(STORY.get(chapter), verb, kind.name()),
                () ->
                        assertConverges(
                                chapter,
                                (harness, settle) -> {
                                    harness.client.failNext(
                                            verb,
                                            kind,
                                            new ApiException(
                                                    ErrorReason.SERVICE_UNAVAILABLE,
                                                    "the store is away"));
                                    settle.run();
                                }));
    }

    /** R3. */
    @TestFactory
    Stream<DynamicTest> deathBetweenAnyTwoWritesConverges() {
        return chapters()
                .flatMap(
                        chapter ->
                                Stream.iterate(1, nth -> nth <= 8, nth -> nth + 1)
                                        .flatMap(
                                                nth ->
                                                        Stream.of(true, false)
                                                                .map(
                                                                        before ->
                                                                                dying(
                                                                                        chapter,
                                                                                        nth,
                                                                                        before))));
    }

    private static DynamicTest dying(int chapter, int nth, boolean before) {
        return DynamicTest.dynamicTest(
                "%s: killed %s write %d"
                        .formatted(STORY.get(chapter), before ? "before" : "after", nth),
                () ->
                        assertConverges(
                                chapter,
                                (harness, settle) -> {
                                    int fatal = harness.client.writes() + nth;
                                    Consumer<Request> kill =
                                            request -> {
                                                if (request.write() == fatal) {
                                                    throw new Killed();
                                                }
                                            };
                                    if (before) {
                                        harness.client.failBefore(kill);
                                    } else {
                                        harness.client.failAfter(kill);
                                    }
                                    settle.run();
                                }));
    }

    private static Stream<Integer> chapters() {
        return Stream.iterate(0, n -> n < STORY.size(), n -> n + 1);
    }
}
