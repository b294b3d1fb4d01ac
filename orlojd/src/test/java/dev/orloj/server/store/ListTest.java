package dev.orloj.server.store;

import static dev.orloj.server.store.StoreFixture.TOOLS;
import static dev.orloj.server.store.StoreFixture.labelled;
import static dev.orloj.server.store.StoreFixture.tool;
import static dev.orloj.server.store.StoreFixture.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.FieldSelector;
import dev.orloj.api.LabelSelector;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.Status;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.core.Event;
import dev.orloj.server.store.table.ContinueToken;
import dev.orloj.server.store.table.DocumentCodec;
import dev.orloj.server.store.table.DocumentList;
import dev.orloj.server.store.table.StoreSettings;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Every test uses a namespace of its own. */
class ListTest {

    private static StoreFixture fixture;

    @BeforeAll
    static void open() {
        fixture =
                new StoreFixture(
                        TestSettings.timed(
                                Duration.ofSeconds(1),
                                Duration.ofMinutes(1),
                                Duration.ofMillis(200)));
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Test
    void listIsOrderedByNamespaceAndName() {
        for (String key : List.of("order-b/a", "order-a/z", "order-a/a-1", "order-a/a.1")) {
            String[] parts = key.split("/");
            fixture.put(new ResourceKey(parts[0], parts[1]), "v");
        }

        assertThat(names(list(ListOptions.inNamespace("order-a"))))
                .containsExactly("a-1", "a.1", "z");
        assertThat(names(list(ListOptions.everything())))
                .containsSubsequence("a-1", "a.1", "z", "a");
    }

    @Test
    void emptyListHasTheVersionOfTheStore() {
        DocumentList list = list(ListOptions.inNamespace("nothing"));

        assertThat(list.items()).isEmpty();
        assertThat(list.version()).isEqualTo(fixture.head());
        assertThat(list.continueToken()).isEmpty();
    }

    @Test
    void pagesCountDownWhatRemains() {
        for (int i = 0; i < 7; i++) {
            fixture.put(new ResourceKey("pages", "n" + i), "v");
        }
        ListOptions options = ListOptions.inNamespace("pages");

        DocumentList first = list(options.page(3, ""));
        DocumentList second = list(options.page(3, first.continueToken()));
        DocumentList third = list(options.page(3, second.continueToken()));

        assertThat(names(first)).containsExactly("n0", "n1", "n2");
        assertThat(names(second)).containsExactly("n3", "n4", "n5");
        assertThat(names(third)).containsExactly("n6");
        assertThat(List.of(first.remaining(), second.remaining(), third.remaining()))
                .containsExactly(4L, 1L, 0L);
        assertThat(third.continueToken()).isEmpty();
        assertThat(list(options.page(7, "")).continueToken()).isEmpty();
    }

    @Test
    void remainderIsUnknownWithASelector() {
        for (int i = 0; i < 3; i++) {
            fixture.put(labelled(tool(new ResourceKey("unknown", "n" + i), "v"), "a", "b"));
        }

        DocumentList list =
                list(
                        ListOptions.inNamespace("unknown")
                                .withLabels(LabelSelector.parse("a=b"))
                                .page(2, ""));

        assertThat(list.remaining()).isEqualTo(-1);
        assertThat(list.continueToken()).isNotEmpty();
    }

    @Test
    void allPagesShowWhatTheFirstSawWhileWritersChangeIt() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            fixture.put(member(i), "before");
        }
        fixture.put(labelled(tool(member(40), "before"), "in", "no"));
        ListOptions all = ListOptions.inNamespace("snapshot");
        ListOptions selected = all.withLabels(LabelSelector.parse("in!=no"));
        List<String> expected = names(list(all));
        List<String> expectedSelected = names(list(selected));

        DocumentList page = list(all.page(7, ""));
        DocumentList selectedPage = list(selected.page(7, ""));
        ResourceVersion version = page.version();
        List<ObjectNode> seen = new ArrayList<>(page.items());
        List<ObjectNode> seenSelected = new ArrayList<>(selectedPage.items());
        while (!page.continueToken().isEmpty()) {
            disturb(random);
            page = list(all.page(7, page.continueToken()));
            selectedPage = list(selected.page(7, selectedPage.continueToken()));
            assertThat(page.version()).as("seed %d", seed).isEqualTo(version);
            seen.addAll(page.items());
            seenSelected.addAll(selectedPage.items());
        }

        assertThat(seen).as("seed %d", seed).extracting(ListTest::name).isEqualTo(expected);
        assertThat(seen).as("seed %d", seed).extracting(StoreFixture::value).containsOnly("before");
        assertThat(seen)
                .as("seed %d", seed)
                .allSatisfy(
                        item ->
                                assertThat(StoreFixture.version(item))
                                        .isLessThanOrEqualTo(version));
        assertThat(seenSelected)
                .as("seed %d", seed)
                .extracting(ListTest::name)
                .isEqualTo(expectedSelected);
    }

    private static ResourceKey member(int number) {
        return new ResourceKey("snapshot", "n%02d".formatted(number));
    }

    /** Changes, removes, makes again and makes anew. */
    private static void disturb(Random random) {
        for (int i = 0; i < 15; i++) {
            ResourceKey key = member(random.nextInt(60));
            boolean exists = fixture.store().find(TOOLS, key).isPresent();
            if (exists && random.nextBoolean()) {
                fixture.remove(key);
            } else {
                String in = random.nextBoolean() ? "no" : "yes";
                fixture.put(labelled(tool(key, "after" + random.nextInt()), "in", in));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    app=web            | web-1 web-2
                    app!=web           | db none
                    app in (web,db)    | db web-1 web-2
                    app notin (web,db) | none
                    app                | db web-1 web-2
                    !app               | none
                    app=web,tier=front | web-1
                    app=web,!tier      | web-2
                    """)
    void labelSelectorsChooseTheSameInSqlAndInMemory(String selector, String expected) {
        ResourceKey key = new ResourceKey("labels", "");
        fixture.put(labels("web-1", "app", "web", "tier", "front"));
        fixture.put(labels("web-2", "app", "web"));
        fixture.put(labels("db", "app", "db", "tier", "back"));
        fixture.put(labels("none", "other", "x"));
        LabelSelector labels = LabelSelector.parse(selector);

        assertThat(names(list(ListOptions.inNamespace(key.namespace()).withLabels(labels))))
                .containsExactly(expected.split(" "));
        assertThat(
                        list(ListOptions.inNamespace(key.namespace())).items().stream()
                                .filter(item -> labels.matches(DocumentCodec.labels(item)))
                                .map(ListTest::name))
                .containsExactly(expected.split(" "));
    }

    private static ObjectNode labels(String name, String... pairs) {
        ObjectNode document = tool(new ResourceKey("labels", name), "v");
        for (int i = 0; i < pairs.length; i += 2) {
            labelled(document, pairs[i], pairs[i + 1]);
        }
        return document;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    reason=Started                  | a
                    reason!=Started                 | b c
                    metadata.name=b                 | b
                    metadata.name!=b                | a c
                    involvedObject.name=x,reason=   | c
                    metadata.namespace=events-here  | a b c
                    metadata.namespace!=events-here |
                    """)
    void fieldSelectorsChoose(String selector, String expected) {
        fixture.put(Event.DESCRIPTOR, event("a", "Started"));
        fixture.put(Event.DESCRIPTOR, event("b", "Stopped"));
        fixture.put(Event.DESCRIPTOR, event("c", ""));

        DocumentList list = fixture.store().list(Event.DESCRIPTOR, fields("events-here", selector));

        assertThat(names(list))
                .containsExactlyElementsOf(
                        expected == null ? List.of() : List.of(expected.split(" ")));
    }

    private static ListOptions fields(String namespace, String selector) {
        return new ListOptions(
                namespace,
                LabelSelector.EVERYTHING,
                FieldSelector.parse(selector),
                0,
                "",
                ResourceVersion.UNSET);
    }

    private static ObjectNode event(String name, String reason) {
        ObjectNode event = tool(new ResourceKey("events-here", name), "v");
        event.put("kind", "Event").put("apiVersion", "v1").put("reason", reason);
        event.putObject("involvedObject").put("name", "x");
        return event;
    }

    @Test
    void fieldThatTheKindDoesNotOfferIsRefused() {
        assertThatThrownBy(() -> list(fields("", "spec.foo=1")))
                .isInstanceOf(ApiException.class)
                .hasMessage("field label not supported: spec.foo");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "!!!!",
                "bnVsbA",
                "e30",
                "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTIsInN0YXJ0IjoiYS9iXHUwMDAwIn0"
            })
    void tokenThatIsNoneIsABadRequest(String token) {
        assertThatThrownBy(() -> list(ListOptions.everything().page(5, token)))
                .isInstanceOf(ApiException.class)
                .extracting(e -> ((ApiException) e).reason())
                .isEqualTo(ErrorReason.BAD_REQUEST);
    }

    @Test
    void tokenOfAnotherHistoryIsExpired() {
        long future = fixture.head().value() + 1_000;
        String token = new ContinueToken(future, new ResourceKey("a", "b\0c"), 5).encode();

        assertThatThrownBy(() -> list(ListOptions.everything().page(5, token)))
                .isInstanceOf(ApiException.class)
                .extracting(e -> ((ApiException) e).reason())
                .isEqualTo(ErrorReason.EXPIRED);
    }

    @Test
    void tokenOlderThanTheLogIsExpired() {
        StoreSettings forgetful = TestSettings.retaining(Duration.ZERO, 1, 5);
        try (StoreFixture small = new StoreFixture(forgetful)) {
            for (int i = 0; i < 5; i++) {
                small.put(new ResourceKey("a", "n" + i), "v");
            }
            String token =
                    small.store().list(TOOLS, ListOptions.everything().page(2, "")).continueToken();
            for (int i = 0; i < 15; i++) {
                small.put(new ResourceKey("a", "n0"), "v" + i);
            }
            small.store().compact();

            assertThatThrownBy(
                            () ->
                                    small.store()
                                            .list(TOOLS, ListOptions.everything().page(2, token)))
                    .isInstanceOf(ApiException.class)
                    .extracting(e -> ((ApiException) e).reason())
                    .isEqualTo(ErrorReason.EXPIRED);
        }
    }

    /** H-25: as Kubernetes offers it to clients that can do with an inconsistent list. */
    @Test
    void expiredListGoesOnWithWhatThereIsNow() {
        StoreSettings forgetful = TestSettings.retaining(Duration.ZERO, 1, 5);
        try (StoreFixture small = new StoreFixture(forgetful)) {
            for (int i = 0; i < 5; i++) {
                small.put(new ResourceKey("a", "n" + i), "v");
            }
            String old =
                    small.store().list(TOOLS, ListOptions.everything().page(2, "")).continueToken();
            for (int i = 0; i < 15; i++) {
                small.put(new ResourceKey("a", "n0"), "v" + i);
            }
            small.store().compact();

            Status refusal =
                    catchThrowableOfType(
                                    ApiException.class,
                                    () ->
                                            small.store()
                                                    .list(
                                                            TOOLS,
                                                            ListOptions.everything().page(2, old)))
                            .toStatus();
            String token = String.valueOf(refusal.metadata().get("continue"));
            DocumentList next = small.store().list(TOOLS, ListOptions.everything().page(2, token));
            DocumentList last =
                    small.store()
                            .list(TOOLS, ListOptions.everything().page(2, next.continueToken()));

            assertThat(refusal.code()).isEqualTo(410);
            assertThat(next.items())
                    .extracting(item -> item.at("/metadata/name").asString())
                    .containsExactly("n2", "n3");
            assertThat(last.items())
                    .extracting(item -> item.at("/metadata/name").asString())
                    .containsExactly("n4");
            assertThat(last.version()).isEqualTo(next.version());
        }
    }

    @Test
    void listWaitsForARevisionThatIsComingAndRefusesOneThatIsNot() {
        ResourceVersion now = fixture.head();
        assertThat(list(notOlderThan(now)).version()).isGreaterThanOrEqualTo(now);

        assertThatThrownBy(() -> list(notOlderThan(new ResourceVersion(now.value() + 1_000_000))))
                .isInstanceOf(ApiException.class)
                .hasMessageStartingWith("Timeout: Too large resource version: ")
                .satisfies(
                        e -> {
                            ApiException refusal = (ApiException) e;
                            assertThat(refusal.reason()).isEqualTo(ErrorReason.TIMEOUT);
                            assertThat(refusal.details().orElseThrow().causes().getFirst().reason())
                                    .isEqualTo("ResourceVersionTooLarge");
                        });
    }

    private static ListOptions notOlderThan(ResourceVersion version) {
        ListOptions all = ListOptions.everything();
        return new ListOptions("", all.labels(), all.fields(), 0, "", version);
    }

    @Test
    void manyAreWrittenAndListedAtOnce() {
        SortedMap<ResourceKey, Mutation> mutations = new TreeMap<>();
        for (int i = 0; i < 1_200; i++) {
            ResourceKey key = new ResourceKey("many", "n%04d".formatted(i));
            mutations.put(key, _ -> new Mutation.Outcome.Put(tool(key, "v")));
        }
        fixture.store().writeAll(TOOLS, mutations);

        assertThat(list(ListOptions.inNamespace("many")).items()).hasSize(1_200);
        assertThat(value(list(ListOptions.inNamespace("many")).items().getLast())).isEqualTo("v");
    }

    private static DocumentList list(ListOptions options) {
        return fixture.store().list(TOOLS, options);
    }

    private static List<String> names(DocumentList list) {
        return list.items().stream().map(ListTest::name).toList();
    }

    private static String name(ObjectNode document) {
        return StoreFixture.keyOf(document).name();
    }
}
